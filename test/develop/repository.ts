// A real repository in which a feature is developed by agents that do what the test says, and a person
// who does what each test wants of them.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished } from "vitest";
import { loadCodec } from "../../src/formats/codec.ts";
import type { DevelopState } from "../../src/formats/develop-state.ts";
import { type Ended, cli, holdfast, start } from "../cli/program.ts";
import { type Repository, repository } from "../orchestrate/repository.ts";
import { designFile, stateFile } from "./world.ts";

const agent = resolve(import.meta.dirname, "role-agent.mjs");
const codec = await loadCodec("develop-state");

export interface Attempt {
  readonly write?: Readonly<Record<string, string>>;
  readonly fail?: string;
  /** It waits until this file is there. */
  readonly until?: string;
  /** It asks this, and goes on when it is answered. */
  readonly ask?: string;
  /** Sent back, it writes these and claims again; without it, it fails. */
  readonly mend?: Readonly<Record<string, string>>;
}
export type Course = Readonly<Record<string, readonly Attempt[]>>;

export interface Features extends Omit<Repository, "state" | "agent"> {
  /** How the agent is named. */
  readonly agent: string;
  /** Of conversations. */
  readonly log: string;
  /** Lets agents go on that a course holds back. */
  readonly open: (name: string) => void;
  readonly shell: (...words: string[]) => Ended;
  /** Undefined: there is no file. It is always valid. */
  readonly state: () => DevelopState | undefined;
}

/** `cp-2 < cp-1`: passes when a file of its name is there and says so. */
export function design(...lines: readonly string[]): Attempt {
  const entries = lines.map((line) => {
    const [id = "", needs = ""] = line.split("<").map((part) => part.trim());
    const validation = `{ command: "cat ${id}.txt", expected: "1 passed" }`;
    return `  - id: ${id}\n    description: makes ${id}\n    interface: [${id}.txt]\n    validation: ${validation}\n    dependencies: [${needs}]\n`;
  });
  return { write: { [designFile]: `checkpoints:\n${entries.join("")}` } };
}

/** The course knows the gates by name: `{ until: "a" }`. */
export function features(course: Course, settings = "version: 1\n"): Features {
  const made = repository("", {}, settings);
  made.git("rm", "-q", "TASKS.md");
  made.git("commit", "-qm", "no plan");
  const gate = (name: string): string => join(made.folder, `gate-${name}`);
  const held = ({ until, ...attempt }: Attempt): Attempt =>
    until === undefined ? attempt : { ...attempt, until: gate(until) };
  const units = Object.fromEntries(
    Object.entries(course).map(([unit, attempts]) => [unit, attempts.map(held)]),
  );
  const path = join(made.folder, "course.json");
  const log = join(made.folder, "conversations.log");
  writeFileSync(path, JSON.stringify({ log, units }));
  const words = `command:${process.execPath} ${agent} ${path}`;
  return {
    ...made,
    agent: words,
    run: ["develop", "--agent", words],
    log,
    open: (name) => writeFileSync(gate(name), ""),
    shell: (...given) => holdfast(given, { cwd: made.project, env: made.env }),
    state: () => {
      let bytes: Buffer;
      try {
        bytes = readFileSync(join(made.project, stateFile));
      } catch {
        return undefined;
      }
      const read = codec.read(bytes);
      expect(read.ok ? [] : read.findings).toEqual([]);
      return read.ok ? read.value : undefined;
    },
  };
}

/** What somebody at the terminal sees and does: each line once. */
export type Person = (line: string) => void;

/** Runs it in the foreground; after each line of it the state file has to be valid. */
export async function carriedOut(
  made: Features,
  words: readonly string[],
  person: Person,
  kill?: AbortSignal,
): Promise<Ended & { readonly looks: number }> {
  const { child, ended } = start([process.execPath, cli, ...made.run, ...words], {
    cwd: made.project,
    env: made.env,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  kill?.addEventListener("abort", () => child.kill("SIGKILL"));
  let rest = "";
  let looks = 0;
  let wrong: unknown;
  child.stdout.on("data", (text: string) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      try {
        made.state();
        looks++;
        person(line);
      } catch (cause) {
        wrong ??= cause;
        child.kill("SIGKILL");
      }
    }
  });
  const end = await ended;
  if (wrong !== undefined) throw wrong;
  made.state();
  return { ...end, looks };
}

/** Approves every review that waits, and answers each question so. */
export function approves(made: Features, answer = "retry"): Person {
  return (line) => {
    const review = /holdfast task approve (task_\w+)/.exec(line)?.[1];
    if (review !== undefined)
      expect(made.shell("task", "approve", review)).toMatchObject({ code: 0 });
    const question = /holdfast task answer (task_\w+)/.exec(line)?.[1];
    if (question !== undefined)
      expect(made.shell("task", "answer", question, "--answer", answer)).toMatchObject({ code: 0 });
  };
}
