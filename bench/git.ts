// What a unit costs in a real repository, small and with 20,000 files: processes of git and room on the disk, which
// are gated, and CPU, which is shown beside bare git commands that do the same work in the same rounds.
import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitsOfTask, loadedBy } from "../test/cli/loaded.ts";
import { compare, demand } from "./harness.ts";
import { environment, program } from "./program.ts";
import { cache } from "./shim.ts";

const job = "git";
const rounds = 3;
const sizes = [200, 20_000] as const;

export async function bench(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  for (const size of sizes) {
    const folder = mkdtempSync(join(cache, "bench-git-"));
    try {
      const run = new Run(folder, size);
      await countAll(run, size);
      await compareAll(run, size);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

// --- internal ---

/** What a unit may cost. */
const most = { START: 4, DONE: 10, LAST: 16, task: 14, disk: 1.3 } as const;

async function countAll(run: Run, size: number): Promise<void> {
  const titled = (what: string): string => `${what}, ${size} files`;
  const gits = (line: string): number => run.report(line).gits;
  demand(job, titled("START: processes of git"), gits(`START:${run.unit(1)}`), most.START);
  const first = run.workspace;
  gits(`START:${run.unit(2)}`);
  const disk = (roomOf(first) + roomOf(run.snapshots(first))) / roomOf(first, ".git");
  demand(job, titled("a unit on the disk, times its tree"), disk, most.disk);
  run.work(first);
  run.work(run.workspace);
  demand(job, titled("DONE: processes of git"), gits(`DONE:${run.unit(1)}`), most.DONE);
  // Merged with what the other did.
  demand(job, titled("last DONE: processes of git"), gits(`DONE:${run.unit(2)}`), most.LAST);
  run.nextPhase();
  demand(job, titled("a custom task: processes of git"), await run.task(), most.task);
  demand(job, titled("ZIPs that nobody asked for"), run.zips(), 0);
}

async function compareAll(run: Run, size: number): Promise<void> {
  const floor = new Floor(run);
  const phase: { readonly name: string; readonly run: () => unknown }[] = [
    { name: "a phase: START, START, DONE, last DONE", run: () => run.phase() },
    { name: "the same with bare git", run: () => floor.phase() },
    { name: "a custom task, with its server", run: async () => (await run.task()) > 0 },
    { name: "the same with bare git, and no server", run: () => floor.task() },
  ];
  const done = await compare({
    job,
    rounds,
    measure: "children",
    contenders: phase,
    equal: (results) => results.every((result) => result === true),
  });
  for (const at of [0, 2]) {
    const [ours, bare] = phase.slice(at, at + 2);
    const ratio = done.ratio(ours?.name ?? "", bare?.name ?? "");
    console.log(`${job}: ${ours?.name}, ${size} files: ${ratio.toFixed(2)} times bare git`);
  }
}

/** A plan of phases with two units each, and what is done of it. */
class Run {
  readonly root: string;
  readonly #home: string;
  #phase = 1;
  /** The folder that START gave last. */
  workspace = "";

  constructor(folder: string, size: number) {
    this.root = join(folder, "project");
    this.#home = join(folder, "home");
    makeRepository(this.root, size);
    this.#said(["orchestrate", "--in-session", "--cwd", this.root]);
  }

  unit(n: number): string {
    return `T${this.#phase}.${n}`;
  }

  nextPhase(): void {
    this.#phase += 1;
  }

  report(line: string): { readonly gits: number } {
    const words = ["report", "orchestrate", line, "--session", "bench", "--cwd", this.root];
    const { code, out, err, gits } = loadedBy(program, words, { env: this.#env(), cwd: this.root });
    if (code !== 0) throw new Error(`${line}: ${out}${err}`);
    if (line.startsWith("START")) this.workspace = out.slice("OK:".length).trim();
    return { gits: gits.length };
  }

  /** A file that is new, and one that is changed. */
  work(workspace: string): void {
    const name = workspace.slice(workspace.lastIndexOf("/") + 1);
    writeFileSync(join(workspace, `${name}.txt`), `${name} is done\n`);
  }

  phase(): boolean {
    for (const n of [1, 2]) {
      this.report(`START:${this.unit(n)}`);
      this.work(this.workspace);
    }
    for (const n of [1, 2]) this.report(`DONE:${this.unit(n)}`);
    this.nextPhase();
    return true;
  }

  async task(): Promise<number> {
    return (await gitsOfTask(program, this.root, this.#env())).length;
  }

  snapshots(workspace: string): string {
    return `${workspace.replace("/workspaces/", "/trees/")}.git`;
  }

  zips(): number {
    const all = readdirSync(this.#home, { recursive: true, encoding: "utf8" });
    return all.filter((name) => name.endsWith(".zip")).length;
  }

  #env() {
    return environment(this.#home) as Record<string, string>;
  }

  #said(words: readonly string[]): void {
    const options = { cwd: this.root, env: this.#env(), encoding: "utf8" } as const;
    const { status, stderr } = spawnSync(process.execPath, [program, ...words], options);
    if (status !== 0) throw new Error(`${words.join(" ")}: ${stderr}`);
  }
}

/** The same with bare git: a clone that shares objects, a commit in it, fetched, merged, checked out. */
class Floor {
  readonly #root: string;
  #count = 0;

  constructor({ root }: Run) {
    this.#root = `${root}-floor`;
    git(join(root, ".."), "clone", "--quiet", root, this.#root);
  }

  phase(): boolean {
    const units = [this.#begin(), this.#begin()];
    git(this.#root, "branch", "phase", "HEAD");
    for (const unit of units) {
      this.#commit(unit);
      git(this.#root, "fetch", "--quiet", unit, "HEAD");
      this.#merge("phase", "FETCH_HEAD");
    }
    git(this.#root, "merge", "--quiet", "--no-ff", "-m", "landed", "phase");
    git(this.#root, "branch", "--quiet", "-D", "phase");
    return true;
  }

  task(): boolean {
    git(this.#root, "status", "--porcelain");
    const unit = this.#begin();
    this.#commit(unit);
    git(this.#root, "fetch", "--quiet", unit, `HEAD:refs/heads/result-${this.#count}`);
    rmSync(unit, { recursive: true, force: true });
    return true;
  }

  #begin(): string {
    const folder = `${this.#root}-${++this.#count}`;
    git(this.#root, "clone", "--quiet", "--shared", this.#root, folder);
    return folder;
  }

  #commit(folder: string): void {
    writeFileSync(join(folder, `${this.#count}-${Date.now()}.txt`), "done\n");
    git(folder, "add", "--all");
    git(folder, "commit", "--quiet", "--message", "done");
  }

  #merge(branch: string, other: string): void {
    const tree = git(this.#root, "merge-tree", "--write-tree", branch, other);
    const made = git(this.#root, "commit-tree", tree, "-p", branch, "-m", "merged");
    git(this.#root, "update-ref", `refs/heads/${branch}`, made);
  }
}

function git(cwd: string, ...words: string[]): string {
  const who = ["-c", "user.name=Bench", "-c", "user.email=bench@localhost"];
  const child = spawnSync("git", [...who, ...words], { cwd, encoding: "utf8" });
  if (child.status !== 0) throw new Error(`git ${words.join(" ")}: ${child.stderr}`);
  return child.stdout.trim();
}

/** Bytes that it takes on the disk, without what is called so at its top. */
function roomOf(folder: string, without = ""): number {
  let sum = lstatSync(folder).blocks * 512;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === without) continue;
    const path = join(folder, entry.name);
    sum += entry.isDirectory() ? roomOf(path) : lstatSync(path).blocks * 512;
  }
  return sum;
}

function makeRepository(root: string, size: number): void {
  mkdirSync(root, { recursive: true });
  git(root, "init", "--quiet", "--initial-branch=main");
  git(root, "config", "user.name", "Bench");
  git(root, "config", "user.email", "bench@localhost");
  const phases = Array.from({ length: 20 }, (_, n) => {
    return `## Phase ${n + 1}: p${n + 1}\n\n- [ ] T${n + 1}.1: One\n- [ ] T${n + 1}.2: Two\n`;
  });
  writeFileSync(join(root, "TASKS.md"), `# Bench\n\n${phases.join("\n")}`);
  for (let n = 0; n < size; n++) {
    const folder = join(root, "src", String(n % 100));
    if (n < 100) mkdirSync(folder, { recursive: true });
    const line = `export const value${n} = "${n.toString(36).repeat(20)}";\n`;
    writeFileSync(join(folder, `${n}.ts`), line.repeat(20));
  }
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "first");
}
