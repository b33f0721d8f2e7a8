// What agents call all the time, in a real repository: hooks at every turn, `next` and `report` at every unit. What such
// a call loads and does is counted, and gated; how long it takes is shown as a ratio to a process of the same Node
// that does nothing, on every Node that Holdfast supports, and only its growth with the plan is gated (docs/adr/0012).
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Loaded, loadedBy } from "../test/cli/loaded.ts";
import { type NodeProgram, supportedNodes } from "../test/nodes.ts";
import { type Comparison, compare, demand } from "./harness.ts";
import { call, environment, program } from "./program.ts";
import { cache, countsIn, shimIn } from "./shim.ts";

const job = "calls";
const rounds = 12;
const sizes = [1_000, 10_000] as const;

export async function bench(): Promise<void> {
  if (!existsSync(program))
    throw new Error(`${job}: ${program} is not built; npm run bench builds it`);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "bench-calls-"));
  try {
    countAll(new Run(folder, 100));
    const runs = sizes.map((size) => new Run(folder, size));
    const done = await compare({
      job,
      rounds,
      measure: "children",
      contenders: [
        { name: none, run: () => call(["-e", "0"], folder) === "" },
        ...runs.flatMap((run) =>
          timed.map((name) => ({ name: named(name, run.size), run: () => run.did(name) })),
        ),
      ],
      equal: allDone,
    });
    for (const name of timed) {
      const title = `${name}: what ${sizes[1]} units take on top of it, times that of ${sizes[0]}`;
      demand(job, title, growth(done, name), 13);
    }
    for (const node of supportedNodes()) await compareOn(node, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// --- internal ---

const none = "node -e 0";
type Name = "status" | "SessionStart" | "PreToolUse" | "PreCompact" | "next" | "START" | "DONE";

/** Those that look at the plan. */
const timed = ["status", "SessionStart", "next", "START", "DONE"] as const satisfies Name[];

/** Each contender says whether it has done its work. */
function allDone(results: readonly unknown[]): boolean {
  return results.every((result) => result === true);
}

/** Printed for comparison only: what such a call loads and does is the same on every Node. */
async function compareOn({ version, path }: NodeProgram, folder: string): Promise<void> {
  const run = new Run(join(folder, version), sizes[0], path);
  await compare({
    job: `${job} on Node ${version}, ${run.size} units`,
    rounds,
    measure: "children",
    contenders: [
      { name: none, run: () => call(["-e", "0"], folder, path) === "" },
      ...timed.map((name) => ({ name, run: () => run.did(name) })),
    ],
    equal: allDone,
  });
}

interface Most {
  readonly files: number;
  readonly kibibytes: number;
  readonly opens: number;
  readonly syncs: number;
  readonly gits: number;
}

/**
 * What they take now, and a tenth; of git what a unit in session is to cost. What git's processes did, START and DONE
 * do themselves by now, and load for it: repositories, refs and commits, which a DONE syncs.
 */
// oxfmt-ignore
const most: Readonly<Record<Name, Most>> = {
  status:       { files: 38, kibibytes: 235, opens: 50,  syncs: 0,  gits: 0  },
  SessionStart: { files: 38, kibibytes: 235, opens: 50,  syncs: 0,  gits: 0  },
  PreToolUse:   { files: 3,  kibibytes: 6,   opens: 10,  syncs: 0,  gits: 0  },
  PreCompact:   { files: 21, kibibytes: 125, opens: 34,  syncs: 5,  gits: 0  },
  next:         { files: 54, kibibytes: 320, opens: 66,  syncs: 0,  gits: 0  },
  START:        { files: 118, kibibytes: 720, opens: 166, syncs: 10, gits: 4  },
  DONE:         { files: 121, kibibytes: 730, opens: 186, syncs: 10, gits: 10 },
};

function named(name: Name, size: number): string {
  return `${name}, ${size} units`;
}

function growth(done: Comparison, name: Name): number {
  const [small, large] = sizes.map((size) => done.total(named(name, size)) - done.total(none));
  return (large ?? 0) / (small ?? 0);
}

function countAll(run: Run): void {
  console.log(`\n${job}: what a call loads and does, at ${run.size} units`);
  for (const name of [
    "status",
    "SessionStart",
    "PreToolUse",
    "PreCompact",
    "next",
    "START",
    "DONE",
  ] as const)
    countOne(run, name, most[name]);
}

/** Twice: Node's own counts, and those of the system's calls. */
function countOne(run: Run, name: Name, limits: Most): void {
  const loaded = run.counted(name);
  const counts = run.shimmed(name);
  const sources = loaded.files.map((file) => readFileSync(file, "utf8"));
  const having = (word: RegExp): number => sources.filter((source) => word.test(source)).length;
  demand(job, `${name}: files loaded`, loaded.files.length, limits.files);
  demand(job, `${name}: KiB loaded`, loaded.bytes / 1024, limits.kibibytes);
  demand(job, `${name}: of them with zod`, having(/ZodType/), 0);
  demand(job, `${name}: of them with the YAML parser`, having(/YAMLParseError/), 0);
  demand(job, `${name}: processes of git`, loaded.gits.length, limits.gits);
  if (counts === undefined) return;
  demand(job, `${name}: files opened`, counts.opens, limits.opens);
  demand(job, `${name}: syncs`, counts.syncs, limits.syncs);
}

interface Held {
  readonly id: string;
  readonly workspace: string;
}

/** A repository with some commits and a plan that is begun. */
class Run {
  readonly size: number;
  readonly #folder: string;
  readonly #root: string;
  readonly #home: string;
  readonly #node: string;
  #started = 0;
  /** Whichever comes first in a round: START needs one that is free, DONE one that is held. */
  readonly #held: Held[] = [];

  constructor(folder: string, size: number, node = process.execPath) {
    this.size = size;
    this.#node = node;
    this.#folder = folder;
    this.#root = join(folder, `project-${size}`);
    this.#home = join(folder, `home-${size}`);
    makeRepository(this.#root, planOf(size));
    this.#said(["orchestrate", "--in-session", "--parallel", "1000", "--cwd", this.#root]);
    for (let n = 0; n < 3; n++) this.did("START");
  }

  /** Has it done its work? */
  did(name: Name): boolean {
    const { words, input } = this.#call(name);
    return this.#hasDone(name, this.#said(words, input));
  }

  counted(name: Name): Loaded {
    const { words, input } = this.#call(name);
    const loaded = loadedBy(program, words, { env: this.#env(), input, cwd: this.#root });
    if (loaded.code !== 0 || !this.#hasDone(name, loaded.out))
      throw new Error(`${words.join(" ")}: ${loaded.out}${loaded.err}`);
    return loaded;
  }

  /** Undefined: there is no C compiler. */
  shimmed(name: Name) {
    const shim = shimIn(job, this.#folder);
    if (shim === undefined) return undefined;
    const { words, input } = this.#call(name);
    return this.#hasDone(name, this.#said(words, input, shim)) ? countsIn(this.#folder) : undefined;
  }

  #call(name: Name): { readonly words: readonly string[]; readonly input: string } {
    const report = (line: string) => ["report", "orchestrate", line, ...rest];
    const rest = ["--session", "bench", "--cwd", this.#root];
    if (name === "status") return { words: ["status", "--cwd", this.#root], input: "" };
    if (name === "next") return { words: ["next", "orchestrate", ...rest], input: "" };
    if (name === "START") return { words: report(`START:${unit(++this.#started)}`), input: "" };
    if (name === "DONE") return { words: report(`DONE:${this.#work()}`), input: "" };
    return { words: ["hook", name], input: JSON.stringify(hookInput(this.#root, name)) };
  }

  #hasDone(name: Name, said: string): boolean {
    if (name === "START") {
      this.#held.push({ id: unit(this.#started), workspace: said.slice("OK:".length).trim() });
      return said.startsWith("OK:/");
    }
    if (name === "DONE") return said === "OK\n";
    if (name === "next") return said.startsWith("READY:T1.");
    if (name === "status") return said.includes("orchestrate  Bench");
    return name === "SessionStart" ? said.includes("T1.") : said === "";
  }

  /** The work of who holds a unit: a file of its own. Returns which it is. */
  #work(): string {
    const { id, workspace } = this.#held.shift() ?? { id: "", workspace: "" };
    writeFileSync(join(workspace, `${id}.txt`), `${id} is done\n`);
    return id;
  }

  #env() {
    return environment(this.#home) as Record<string, string>;
  }

  #said(words: readonly string[], input = "", more: Readonly<Record<string, string>> = {}): string {
    const env = { ...this.#env(), ...more };
    const options = { cwd: this.#root, env, input, encoding: "utf8" } as const;
    const child = spawnSync(this.#node, [program, ...words], options);
    // A hook fails open: what went wrong stands on standard error, and must not be taken for fast.
    if (child.status !== 0 || child.stderr !== "")
      throw new Error(`${words.join(" ")}: ${child.stdout}${child.stderr}`);
    return child.stdout;
  }
}

function unit(n: number): string {
  return `T1.${n}`;
}

function hookInput(root: string, event: string): object {
  return {
    session_id: "bench",
    cwd: root,
    hook_event_name: event,
    source: "compact",
    trigger: "auto",
    tool_name: "Write",
    tool_input: { file_path: join(root, "src/index.ts"), content: "export {};\n" },
  };
}

/** One phase; from the second half on each needs one of the first. */
function planOf(size: number): string {
  const lines = Array.from({ length: size }, (_, n) => {
    const depends = n < size / 2 ? "" : `\n  - depends: ${unit(n + 1 - size / 2)}`;
    return `- [ ] ${unit(n + 1)}: A task of the plan${depends}`;
  });
  return `# Bench\n\n## Phase 1: all\n\n${lines.join("\n")}\n`;
}

function makeRepository(root: string, plan: string): void {
  mkdirSync(join(root, "src"), { recursive: true });
  const git = (...words: string[]): void => {
    const own = ["-c", "user.name=Bench", "-c", "user.email=bench@localhost", ...words];
    const child = spawnSync("git", own, { cwd: root, encoding: "utf8" });
    if (child.status !== 0) throw new Error(`git ${words.join(" ")}: ${child.stderr}`);
  };
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Bench");
  git("config", "user.email", "bench@localhost");
  writeFileSync(join(root, "TASKS.md"), plan);
  for (let n = 0; n < 5; n++) {
    for (let file = 0; file < 10; file++)
      writeFileSync(join(root, "src", `${n}-${file}.ts`), `export const value = ${n};\n`);
    git("add", "--all");
    git("commit", "--quiet", "--message", `part ${n}`);
  }
}
