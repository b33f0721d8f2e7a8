// A project whose plan is worked through by calls of the program, each as another process would make it:
// it opens everything anew. After each call every file of the memory is valid, and no other is there.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type OpenContext, createContext } from "../../src/app/context.ts";
import { type Codec, loadCodec } from "../../src/formats/codec.ts";
import { formatOfPath } from "../../src/formats/registry.ts";
import type { TaskHistory } from "../../src/formats/task-history.ts";
import type { TaskState } from "../../src/formats/task-state.ts";
import { sound } from "./play.ts";
import type { Message } from "../../src/core/messages.ts";
import { calledHere } from "../cli/in-process.ts";

const allowed =
  /^(?:(?:task-state|task-history|shared-context|agents\/[\w-]+)\.json(?:\.bak)?|backup\/.+\.json)$/;

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The first line, for programs. */
  readonly line: string;
}

export class PlanProject {
  readonly root: string;
  readonly home: string;
  readonly told: Message[] = [];

  constructor() {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-plan-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    this.root = join(folder, "project");
    this.home = join(folder, "home");
    // Its own project, whatever lies above it.
    this.write(".git/HEAD", "ref: refs/heads/main\n");
  }

  context(): OpenContext {
    return createContext({
      cwd: this.root,
      env: { HOLDFAST_HOME: this.home, PATH: process.env["PATH"] },
      language: "en",
      ended: () => new AbortController().signal,
      tell: (text) => this.told.push(text),
      emit: () => {},
    });
  }

  /** One call; `checked: false` where the files are broken on purpose. */
  async call(words: readonly string[], checked = true): Promise<Ended> {
    const ended = await calledHere(words, this.root, this.home);
    if (checked) await this.check();
    return { ...ended, line: ended.out.split("\n")[0] ?? "" };
  }

  plan(words: string, ...more: string[]): Promise<Ended> {
    return this.call(["plan", ...words.split(" ").filter(Boolean), ...more]);
  }

  begin(goal: string, ...more: string[]): Promise<Ended> {
    return this.call(["plan", goal, "--in-session", ...more]);
  }

  async next(session = "a"): Promise<string> {
    return (await this.call(["next", "plan", "--session", session])).line;
  }

  report(line: string, session = "a"): Promise<Ended> {
    return this.call(["report", "plan", line, "--session", session]);
  }

  memory(...words: string[]): Promise<Ended> {
    return this.call(["memory", ...words]);
  }

  state(): TaskState {
    return JSON.parse(this.read(".claude/memory/task-state.json")) as TaskState;
  }

  history(): TaskHistory {
    return JSON.parse(this.read(".claude/memory/task-history.json")) as TaskHistory;
  }

  write(path: string, text: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  /** What lies in the memory, without what was set aside. */
  tree(): string[] {
    const folder = join(this.root, ".claude", "memory");
    return readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .toSorted();
  }

  async check(): Promise<void> {
    for (const path of this.tree()) {
      if (!allowed.test(path)) throw new Error(`${path} is none of the tree of S3.1`);
      if (/\.bak$|^backup\//.test(path)) continue;
      const file = `.claude/memory/${path}`;
      const format = formatOfPath(join(this.root, file));
      if (!format) throw new Error(`${file} has no format`);
      const read = ((await loadCodec(format)) as Codec<unknown>).read(
        readFileSync(join(this.root, file)),
      );
      sound(file, read.ok ? [] : read.findings);
    }
  }
}
