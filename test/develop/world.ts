// A project in which a feature is developed. Each call opens everything anew, as a process would, and
// after each the state file is read back: it has to be valid, and every new version of it is counted.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type OpenContext, createContext } from "../../src/app/context.ts";
import type { NextStep, Reported } from "../../src/app/in-session.ts";
import type { Context } from "../../src/app/operation.ts";
import { type Developed, type Input, operation } from "../../src/app/operations/develop.ts";
import { develop } from "../../src/app/_session-develop.ts";
import { Fault } from "../../src/core/errors.ts";
import { type Language, render } from "../../src/core/messages.ts";
import { loadCodec } from "../../src/formats/codec.ts";
import type { DevelopState } from "../../src/formats/develop-state.ts";
import { type Place, freshPlace } from "../cli/program.ts";

const codec = await loadCodec("develop-state");

export const stateFile = ".develop-workflow/state.yaml";
export const designFile = "docs/develop/checkpoints.yaml";

export class World implements Place {
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  env: Record<string, string> = {};
  language: Language = "en";
  /** What was said of files, in passing. */
  readonly told: string[] = [];
  /** New versions of the state file since the beginning. */
  writes = 0;
  #seen = "";

  constructor() {
    ({ folder: this.folder, project: this.project, home: this.home } = freshPlace());
    // Its own project, whatever lies above it.
    this.write(".git/HEAD", "ref: refs/heads/main\n");
  }

  write(path: string, text = ""): void {
    const full = join(this.project, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    // A test's own version of the state is none that a call has written.
    if (path === stateFile) this.#seen = stampOf(full);
  }

  read(path = stateFile): string {
    return readFileSync(join(this.project, path), "utf8");
  }

  has(path: string): boolean {
    return existsSync(join(this.project, path));
  }

  get state(): DevelopState {
    const read = codec.read(readFileSync(join(this.project, stateFile)));
    if (!read.ok) throw new Error(`the state file: ${read.findings[0]?.pointer}`);
    return read.value;
  }

  /** `cp-2 < cp-1`; a checkpoint passes when a file of its name is there and says so. */
  design(...lines: readonly string[]): void {
    const entries = lines.map((line) => {
      const [id = "", needs = ""] = line.split("<").map((part) => part.trim());
      return [
        `  - id: ${id}`,
        `    description: makes ${id}`,
        `    validation: { command: "cat ${id}.txt", expected: "1 passed" }`,
        `    dependencies: [${needs}]`,
      ].join("\n");
    });
    this.write(designFile, `checkpoints:\n${entries.join("\n")}\n`);
  }

  make(id: string): void {
    this.write(`${id}.txt`, "1 passed\n");
  }

  async with<T>(work: (context: Context) => Promise<T>): Promise<T> {
    const context: OpenContext = createContext({
      cwd: this.project,
      env: { PATH: process.env["PATH"] ?? "", HOLDFAST_HOME: this.home, ...this.env },
      language: this.language,
      ended: () => new AbortController().signal,
      tell: (text) => this.told.push(render("en", text)),
      emit: () => {},
    });
    try {
      return await work(context);
    } finally {
      await context.close();
      this.#count();
    }
  }

  call(input: Input): Promise<Developed> {
    return this.with((context) => operation.run(context, input));
  }

  begin(feature = "chat", more: Input = {}): Promise<Developed> {
    return this.call({ feature, inSession: true, ...more });
  }

  next(session = "a"): Promise<NextStep> {
    return this.with((context) => develop.next(context, { session }));
  }

  async ready(session = "a"): Promise<string> {
    return (await this.next(session)).line;
  }

  report(line: string, session = "a"): Promise<Reported> {
    return this.with((context) => develop.report(context, line, { session }));
  }

  /** As far as IMPLEMENT, with this design. */
  async implementing(...lines: readonly string[]): Promise<void> {
    await this.begin();
    this.design(...lines);
    await this.report("DONE:DESIGN");
    await this.call({ approve: true });
    await this.report("DONE:REVIEW");
  }

  #count(): void {
    const path = join(this.project, stateFile);
    const seen = existsSync(path) ? stampOf(path) : this.#seen;
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.writes++;
    void this.state;
  }
}

function stampOf(path: string): string {
  const { ino, mtimeMs } = statSync(path);
  return `${ino} ${mtimeMs}`;
}

/** The code and text of a refusal; throws where there was none. */
export async function refusal(
  doing: Promise<unknown>,
): Promise<{ code: string; text: string; hint: string }> {
  try {
    await doing;
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    const { code, text, hint } = thrown;
    return { code, text: render("en", text), hint: hint ? render("en", hint) : "" };
  }
  throw new Error("it was not refused");
}
