// A plan carried out by itself (S2.6), with real agents, real git and real ends of processes.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, watch } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadCodec } from "../../src/formats/codec.ts";
import { full } from "../crash/programs.ts";
import { cli, holdfast } from "../cli/program.ts";
import { type Repository, repository } from "./repository.ts";

const limit = { timeout: 600_000 };

function carriedOut(made: Repository, ...words: string[]) {
  return holdfast([...made.run, ...words], { cwd: made.project, env: made.env });
}

/** Five phases, ids of every form, fields in both languages, a diagram. */
function largePlan(count: number): { plan: string; ids: string[] } {
  const ids: string[] = [];
  const lines = ["# 상점", "", "```mermaid", "graph LR", "  T1.1 --> T1.3", "```"];
  const perPhase = Math.ceil(count / 5);
  for (let phase = 0; phase < 5; phase++) {
    lines.push(
      "",
      `## Phase ${phase}: ${["준비", "로그인 화면", "Search", "결제", "Launch"][phase]}`,
    );
    for (let place = 1; place <= perPhase && ids.length < count; place++) {
      const forms = [`T${phase}.${place}`, `P${phase}-R${place}-T1`, `P${phase}-S${place}-V`];
      const id = phase === 1 ? (forms[0] ?? "") : (forms[place % 3] ?? "");
      lines.push(`- [ ] ${id}: ${place % 2 ? "만들기" : "build"} ${place}`);
      const before = ids.at(-1);
      if (place % 4 === 0 && before)
        lines.push(`  - ${place % 8 === 0 ? "의존성" : "depends"}: ${before}`);
      ids.push(id);
    }
  }
  return { plan: `${lines.join("\n")}\n`, ids };
}

test(
  "S2.6 a plan of many tasks is worked through, killed again and again: each task once, all merged",
  limit,
  async () => {
    const { plan, ids } = largePlan(full ? 60 : 15);
    const made = repository(plan, {}, "version: 1\nslots: 8\n");
    const kills = full ? 20 : 3;
    const codec = await loadCodec("orchestrate-state");
    const file = join(made.project, ".claude/orchestrate-state.json");
    const wrong: unknown[] = [];
    let looks = 0;
    const look = (): void => {
      let bytes: Buffer;
      try {
        bytes = readFileSync(file);
      } catch {
        return;
      }
      const read = codec.read(bytes);
      if (!read.ok) wrong.push(read.findings);
      looks++;
    };
    mkdirSync(join(made.project, ".claude"));
    // At every change of it, whoever makes it, and whoever is being killed.
    const watcher = watch(join(made.project, ".claude"), look);
    onTestFinished(() => watcher.close());
    for (let round = 0; ; round++) {
      const words = [...made.run, "--parallel", "8", ...(round > 0 ? ["--resume"] : [])];
      const child = spawn(process.execPath, [cli, ...words], {
        cwd: made.project,
        env: { PATH: process.env["PATH"] ?? "", ...made.env },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = new Promise<number | null>((end) => child.once("close", end));
      let moves = 0;
      // Somewhere in the middle of what follows the n-th move: each round another.
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        look();
        moves += text.split("→").length - 1;
        if (round < kills && moves > (round * 7) % 5) child.kill("SIGKILL");
      });
      const code = await ended;
      look();
      if (code === 0) break;
      expect(round).toBeLessThan(kills + 1);
    }
    expect(wrong).toEqual([]);
    expect(looks).toBeGreaterThan(ids.length);
    const { tasks, metrics } = made.state();
    expect([...tasks.completed].toSorted()).toEqual(ids.toSorted());
    expect(metrics).toMatchObject({ completed_count: ids.length, failed_count: 0 });
    expect(made.conversations()).toEqual(new Map(ids.map((id) => [id, 1])));
    for (const id of ids) expect(made.read(`${id}.txt`)).toBe(`${id}\n`);
    const subjects = made.git("log", "--format=%s", "main").split("\n");
    for (const id of ids)
      expect(subjects.filter((line) => line.startsWith(`${id}: `))).toHaveLength(1);
    expect(subjects.filter((line) => line.startsWith("Merge phase"))).toHaveLength(4);
    expect(made.git("status", "--porcelain", "--", ".", ":!.claude")).toBe("");
    expect(made.trees()).toEqual([]);
  },
);

const phased = `# Shop
## Phase 1: Core
- [ ] T1.1: model
- [ ] T1.2: pages
  - depends: T1.1
- [ ] T1.3: search
## Phase 2: More
- [ ] T2.1: launch
`;

test(
  "S2.5 the same error three times ends a task early: what needs it is blocked, the rest goes on, its phase stays unmerged",
  limit,
  () => {
    const made = repository(phased, { "T1.1": [{ fail: "no such table" }] });
    const { code, out } = carriedOut(made);
    expect(code).toBe(4);
    expect(out).toContain("HELD");
    expect(out).toContain("T1.1");
    const { tasks } = made.state();
    expect(tasks).toMatchObject({ failed: ["T1.1"], blocked: ["T1.2"], completed: ["T1.3"] });
    expect(made.conversations().get("T1.1")).toBe(3);
    expect(made.git("log", "--format=%s", "main")).toBe("begin");
    expect(made.git("log", "--format=%s", "-1", "phase-1-core")).toBe("T1.3: search");
  },
);

test(
  "S2.5 another error each time: after ten retries it has failed, all that needs it is blocked, and its phase waits for a person",
  limit,
  () => {
    const plan = phased.replace("## Phase 2", "- [ ] T1.4: cart\n  - depends: T1.2\n## Phase 2");
    // Errors are alike that differ in numbers alone.
    const errors = Array.from("abcdefghijk", (letter) => ({
      fail: `no table ${letter.repeat(3)}`,
    }));
    const made = repository(plan, { "T1.1": errors });
    expect(carriedOut(made)).toMatchObject({ code: 4, out: expect.stringContaining("HELD") });
    expect(made.conversations().get("T1.1")).toBe(11);
    expect(made.state().tasks).toMatchObject({
      failed: ["T1.1"],
      blocked: ["T1.2", "T1.4"],
      completed: ["T1.3"],
    });
    // Nothing is decided by trying again.
    expect(carriedOut(made, "--resume").code).toBe(4);
    expect(made.git("log", "--format=%s", "main")).toBe("begin");
    expect(made.conversations().get("T1.1")).toBe(11);
    made.course({});
    expect(made.call("orchestrate --retry T1.1").code).toBe(0);
    expect(carriedOut(made, "--resume")).toMatchObject({ code: 0 });
    expect(made.state().tasks.completed).toHaveLength(5);
    expect(made.git("log", "--format=%s", "main")).toContain("T1.4: cart");
    // Of each attempt that failed what it had made is kept (S1.21c), and nothing else.
    expect(made.trees().filter((name) => !name.endsWith(".git"))).toEqual([]);
    expect(made.trees()).toHaveLength(11);
  },
);

test(
  "S6.5 the sample agent carries a plan out without a script: side by side, nobody in another's way",
  limit,
  () => {
    const ids = ["T1.1", "T1.2", "P1-R1-T1", "P1-S1-V"];
    const made = repository(
      `# 상점\n## Phase 1: 화면\n${ids.map((id) => `- [ ] ${id}: 만들기\n`).join("")}`,
    );
    const { code, out } = holdfast(["orchestrate", "--agent", "sample", "--parallel", "4"], {
      cwd: made.project,
      env: made.env,
    });
    expect({ code, out: out.includes("attempt_failed") }).toEqual({ code: 0, out: false });
    const files = made.git("ls-files", "docs").split("\n");
    expect(files).toEqual(
      ids.map((id) => `docs/${id.toLowerCase().replace(".", "-")}-만들기.md`).toSorted(),
    );
  },
);

test("S2.6 with `merge` what is done of a phase is merged and the next one begins", limit, () => {
  const settings = "version: 1\norchestrate:\n  failed_phase: merge\n";
  const made = repository(phased, { "T1.1": [{ fail: "no such table" }] }, settings);
  const { code, out } = carriedOut(made);
  expect({ code, last: out.includes("ALL_DONE") }).toEqual({ code: 0, last: true });
  expect(made.state().checkpoints["phase_1"]).toMatchObject({ merged: true });
  const subjects = made.git("log", "--format=%s", "main").split("\n");
  expect(subjects).toEqual(expect.arrayContaining(["T1.3: search", "T2.1: launch"]));
});

test(
  "S2.6 two tasks that change the same lines: the second is told of the conflict and does its part on top",
  limit,
  () => {
    const plan = "# Two\n## Phase 1\n- [ ] T1.1: one\n- [ ] T1.2: two\n";
    const made = repository(plan);
    const state = JSON.stringify(join(made.project, ".claude/orchestrate-state.json"));
    // Done when the other one's lines are in the branch, and not before.
    const second = `(function look() {
      const { tasks } = JSON.parse(require("node:fs").readFileSync(${state}, "utf8"));
      if (!tasks.completed.includes("T1.1")) setTimeout(look, 20);
    })()`;
    made.course({
      "T1.1": [{ write: { "a.txt": "one\n" } }],
      "T1.2": [
        { write: { "a.txt": "two\n" }, run: ["-e", second] },
        { write: { "a.txt": "one\ntwo\n" } },
      ],
    });
    const { code, out } = carriedOut(made);
    expect(code).toBe(0);
    // Why it is tried again is told at once, in a line.
    expect(out).toMatch(/^T1\.2: in_progress · attempt_failed \(.*a\.txt\)$/m);
    expect(made.read("a.txt")).toBe("one\ntwo\n");
    expect(made.conversations().get("T1.2")).toBe(2);
    // What could not be merged is kept under a name of ours, until a person deletes the run (S1.7).
    const refs = () => made.git("for-each-ref", "--format=%(refname)", "refs/holdfast/");
    const texts = ["T1.2-1", "T1.2-2"].map((key) => {
      const [ref = ""] = made.git("for-each-ref", `refs/holdfast/*/unit/${key}`).split(/\s/);
      return made.git("show", `${ref}:a.txt`);
    });
    expect(texts).toEqual(["two", "one\ntwo"]);
    const listed = made.call("task list --type orchestrate --json").out;
    const [run] = (JSON.parse(listed) as { tasks: { id: string }[] }).tasks;
    expect(made.call(`task delete ${run?.id}`).code).toBe(0);
    expect(refs()).toBe("");
  },
);

/** For Node: ends when that is so. */
const when = (is: string): string[] => [
  "-e",
  `const text = (path) => require("node:fs").readFileSync(path, "utf8");
   (function look() { if (!(${is})) setTimeout(look, 20); })()`,
];
const lines = (count: number): string => "1\n2\n3\n4\n".slice(0, 2 * count);

test(
  "S2.5 S2.6 a conflict each time, each with another: not the same error again, and in the end it is merged",
  limit,
  () => {
    const others = [1, 2, 3, 4].map((n) => `- [ ] T1.${n}: ${n}\n  - depends: T1.${n - 1}\n`);
    const made = repository(
      `# Five\n## Phase 1\n${others.join("").replace("  - depends: T1.0\n", "")}- [ ] T1.5: five\n`,
    );
    const [log, state] = ["conversations.log", "project/.claude/orchestrate-state.json"].map(
      (path) => JSON.stringify(join(made.folder, path)),
    );
    // Each of the others is merged while the fifth works, once more each time.
    const course = [1, 2, 3, 4].map((n) => [
      `T1.${n}`,
      [{ run: when(`text(${log}).split("T1.5 ").length > ${n}`), write: { "a.txt": lines(n) } }],
    ]);
    made.course({
      ...Object.fromEntries(course),
      "T1.5": [
        ...[1, 2, 3, 4].map((n) => ({
          run: when(`JSON.parse(text(${state})).tasks.completed.includes("T1.${n}")`),
          write: { "a.txt": "five\n" },
        })),
        { write: { "a.txt": `${lines(4)}five\n` } },
      ],
    });
    expect(carriedOut(made)).toMatchObject({ code: 0 });
    expect(made.conversations().get("T1.5")).toBe(5);
    expect(made.read("a.txt")).toBe(`${lines(4)}five\n`);
  },
);

test("S2.6 a phase that fails its tests as a whole goes back to its last task", limit, () => {
  const plan =
    "# Gate\n## Phase 1\n- [ ] T1.1: one\n  - check: test -f one.txt\n- [ ] T1.2: two\n  - depends: T1.1\n  - check: test -f two.txt\n";
  const settings = 'version: 1\ncommands:\n  test: "grep -q good two.txt"\n';
  const made = repository(
    plan,
    {
      "T1.1": [{ write: { "one.txt": "1\n" } }],
      "T1.2": [{ write: { "two.txt": "bad\n" } }, { write: { "two.txt": "good\n" } }],
    },
    settings,
  );
  expect(carriedOut(made)).toMatchObject({ code: 0 });
  expect(made.conversations().get("T1.2")).toBe(2);
  expect(made.state().checkpoints["phase_1"]).toMatchObject({ merged: true });
  expect(made.read("two.txt")).toBe("good\n");
});

test(
  "S2.5 an agent that crashes: the next attempt reads its last lines, and another crash is another error",
  limit,
  () => {
    const made = repository("# One\n## Phase 1\n- [ ] T1.1: one\n", {
      "T1.1": [
        ...["users", "orders", "carts"].map((name) => ({ crash: `no table ${name}` })),
        { write: { "a.txt": "1\n" } },
      ],
    });
    expect(carriedOut(made)).toMatchObject({ code: 0 });
    expect(made.conversations().get("T1.1")).toBe(4);
    expect(made.prompt("T1.1", 2)).toContain("Error: no table users");
    expect(made.prompt("T1.1", 4)).toContain("Error: no table carts");
  },
);

test("S2.5 a rate limit uses no attempt", limit, () => {
  const plan = "# Limit\n## Phase 1\n- [ ] T1.1: one\n";
  const made = repository(plan, { "T1.1": [{ limit: 1, write: { "a.txt": "1\n" } }] });
  expect(carriedOut(made)).toMatchObject({ code: 0 });
  expect(made.conversations().get("T1.1")).toBe(1);
});

test(
  "S1.21d no git, a detached HEAD and a dirty tree each get a clear answer before anything begins",
  limit,
  () => {
    const made = repository("# One\n- [ ] T1.1: one\n");
    made.write("draft.txt", "not committed\n");
    const dirty = carriedOut(made);
    expect(dirty.code).toBe(4);
    expect(dirty.err).toContain("draft.txt");
    made.git("add", "-A");
    made.git("commit", "-qm", "draft");
    made.git("checkout", "-q", "--detach");
    const detached = carriedOut(made);
    expect(detached.code).toBe(4);
    expect(detached.err).toContain("git switch");
    made.git("checkout", "-q", "main");
    rmSync(join(made.project, ".git"), { recursive: true });
    const none = carriedOut(made);
    expect(none.code).toBe(4);
    expect(none.err).toContain("git init");
    expect(made.conversations().size).toBe(0);
  },
);
