// Calls from inside the folder that START handed out (S2.11, S7.5): each means the run that the folder
// belongs to, whatever the agent has done to it, and none begins another there.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Ended, cli as starter, holdfast } from "../cli/program.ts";
import { type Repository, repository } from "./repository.ts";

const limit = { timeout: 600_000 };
const plan = "# Shop\n## Phase 1: Core\n- [ ] T1.1: model\n- [ ] T1.2: pages\n";
const settings = "version: 1\ncommands:\n  test: test ! -f broken.txt\n";

interface Begun extends Repository {
  /** Handed out for T1.1 to the session a. */
  readonly clone: string;
  /** As somebody who is in that folder. */
  readonly inside: (words: string, folder?: string) => Ended;
}

function begun(text = plan): Begun {
  const made = repository(text, {}, settings);
  made.call("orchestrate --in-session");
  const clone = made.report("START:T1.1", "a").out.trim().slice("OK:".length);
  const inside: Begun["inside"] = (words, folder = clone) =>
    holdfast(words.split(" "), { cwd: folder, env: made.env });
  return { ...made, clone, inside };
}

/** The project that a call means. */
const rootOf = ({ out }: Pick<Ended, "out">): unknown =>
  (JSON.parse(out) as { root?: unknown }).root;

const rootsOf = (made: Repository): string[] => {
  const { projects } = JSON.parse(made.call("task projects --json").out) as {
    projects: { root: string }[];
  };
  return projects.map(({ root }) => root);
};

test("S2.11 what is asked in the handed-out folder is answered as in the project", limit, () => {
  const made = begun();
  // oxfmt-ignore
  const asked = [
    "status", "status --json", "next orchestrate", "why T1.1", "log --json", "task list --json",
    "units", "settings", "orchestrate --dry-run", "memory history", "request status", "recall model",
  ];
  for (const words of asked) expect([words, made.inside(words)]).toEqual([words, made.call(words)]);
  const { files } = JSON.parse(made.inside("validate --json").out) as { files: { path: string }[] };
  expect(files.map(({ path }) => path)).toContain(
    join(made.project, ".claude/orchestrate-state.json"),
  );
  expect(made.inside("doctor").out).toContain(
    `${made.project}, from which the workspace you are in was made`,
  );
});

test("S2.11 what is begun in the handed-out folder is begun in the project", limit, () => {
  const made = begun();
  rmSync(join(made.project, "holdfast.yaml"));
  expect(rootOf(made.inside("init --json --gitignore"))).toBe(made.project);
  expect(existsSync(join(made.project, ".gitignore"))).toBe(true);
  expect(made.inside("orchestrate --in-session").out).toMatch(/^READY:T1\.2\n/);
  for (const words of ["develop login", "plan goal", "request text"])
    expect([words, made.inside(`${words} --in-session`).code]).toEqual([words, 0]);
  const task = "task create --type custom --title x --description y --agent sample";
  expect(made.inside(task)).toMatchObject({ code: 0, err: "" });
  expect(rootsOf(made)).toEqual([made.project]);
  expect(readdirSync(made.clone).toSorted()).toEqual([".git", "TASKS.md", "holdfast.yaml"]);
});

test("S2.11 DONE from inside lands, and the folder goes under its caller's feet", limit, () => {
  const made = begun();
  const deep = join(made.clone, "src/deep");
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(deep, "model.txt"), "model\n");
  const done = made.inside("report orchestrate DONE:T1.1 --session a", deep);
  expect(done).toEqual({ code: 0, out: "OK\n", err: "" });
  expect(existsSync(made.clone)).toBe(false);
  const started = made.report("START:T1.2", "a").out.trim().slice("OK:".length);
  writeFileSync(join(started, "broken.txt"), "");
  const refused = made.inside("report orchestrate DONE:T1.2 --session a", started);
  expect(refused).toMatchObject({ code: 4, out: "" });
  rmSync(join(started, "broken.txt"));
  const last = made.inside("report orchestrate DONE:T1.2 --session a", started);
  expect(last).toEqual({ code: 0, out: "ALL_DONE\n", err: "" });
  expect(made.git("show", "main:src/deep/model.txt")).toBe("model");
  expect(made.trees()).toEqual([]);
  expect(rootsOf(made)).toEqual([made.project]);
});

test(
  "S2.11 a shell whose folder went is told so, and a tool that makes it anew begins nothing there",
  limit,
  () => {
    const made = begun();
    const both = `"${starter}" report orchestrate DONE:T1.1 --session a && "${starter}" next orchestrate`;
    const { status, stdout, stderr } = spawnSync("sh", ["-c", both], {
      cwd: made.clone,
      env: { ...made.env, PATH: process.env["PATH"], LANG: "C" },
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([3, "OK\n"]);
    expect(stderr).toContain("The folder you are in does not exist any more.");
    expect(stderr).not.toContain("ENOENT");
    mkdirSync(made.clone);
    for (const words of [
      "orchestrate --in-session",
      "develop login --in-session",
      "init",
      "status",
    ]) {
      const refused = made.inside(words);
      expect([words, refused.code, refused.out]).toEqual([words, 4, ""]);
      expect(refused.err).toContain("Give the command in the project's own folder");
    }
    expect(readdirSync(made.clone)).toEqual([]);
    expect(rootsOf(made)).toEqual([made.project]);
  },
);

test("S7.5 below it, through a link, with --cwd, and whatever was done to its .git", limit, () => {
  const made = begun();
  const below = join(made.clone, "a/b");
  mkdirSync(below, { recursive: true });
  const link = join(made.folder, "link");
  symlinkSync(below, link);
  const asked = "init --json";
  for (const folder of [made.clone, below, link]) {
    expect(rootOf(made.inside(asked, folder))).toBe(made.project);
    expect(rootOf(made.call(`${asked} --cwd ${folder}`))).toBe(made.project);
  }
  const git = join(made.clone, ".git");
  // What an agent may write into its own folder leads nowhere else.
  const forged = `${JSON.stringify({ base: null, root: made.folder })}\n`;
  const inner = join(made.clone, "workspaces/task_1");
  mkdirSync(inner, { recursive: true });
  writeFileSync(`${inner}.ready`, forged);
  writeFileSync(join(made.clone, "holdfast.db"), "");
  expect(rootOf(made.inside(asked, inner))).toBe(made.project);
  rmSync(git, { recursive: true });
  expect(rootOf(made.inside(asked))).toBe(made.project);
  spawnSync("git", ["init", "-q"], { cwd: made.clone });
  expect(existsSync(git)).toBe(true);
  expect(rootOf(made.inside(asked))).toBe(made.project);
  rmSync(git, { recursive: true });
  writeFileSync(git, `gitdir: ${join(made.folder, "nowhere")}\n`);
  expect(rootOf(made.inside(asked))).toBe(made.project);
});

test("S7.5 the phase's own worktree means the project as well", limit, () => {
  const made = begun("# One\n## Phase 1\n- [ ] T1.1: a\n");
  const [told, where] = [join(made.folder, "told"), join(made.folder, "where")];
  const gate = `pwd > ${where}; ${starter} init --json > ${told}`;
  made.write("holdfast.yaml", `version: 1\ncommands:\n  build: '${gate}'\n`);
  writeFileSync(join(made.clone, "a.txt"), "a\n");
  expect(made.inside("report orchestrate DONE:T1.1 --session a").out).toBe("ALL_DONE\n");
  expect(readFileSync(where, "utf8")).toBe(`${join(made.project, "worktree/phase-1")}\n`);
  expect(rootOf({ out: readFileSync(told, "utf8") })).toBe(made.project);
});

test("S7.5 a file is looked for where the caller is", limit, () => {
  const made = begun();
  mkdirSync(join(made.clone, "notes"));
  writeFileSync(join(made.clone, "notes/TASKS.md"), "# Other\n- [ ] T1.1: only here\n");
  const notes = join(made.clone, "notes");
  expect(made.inside("validate TASKS.md", notes)).toMatchObject({ code: 0, err: "" });
  expect(made.inside("validate ../TASKS.md notes/TASKS.md", made.project).code).not.toBe(0);
  expect(made.inside("validate TASKS.md --cwd notes").out).toContain("TASKS.md");
  expect(made.inside("plan goal --in-session").code).toBe(0);
  const answer = { success_criteria: ["it is there"], constraints: [], resources: [] };
  const steps = [{ id: 1, name: "write", agent: "writer", dependencies: [] }];
  writeFileSync(join(notes, "plan.json"), JSON.stringify({ ...answer, steps }));
  expect(made.inside("report plan PLAN:plan.json", notes)).toMatchObject({ code: 0, err: "" });
});

test("S7.5 another home is told which one the folder belongs to, and gets no run", limit, () => {
  const made = begun();
  const other = join(made.folder, "other");
  for (const env of [{ HOLDFAST_HOME: other }, { HOME: other }] as Record<string, string>[])
    for (const words of [
      "status",
      "report orchestrate DONE:T1.1",
      "orchestrate --in-session",
      "init",
      "why task_1",
      "serve --port 0",
    ]) {
      const refused = holdfast(words.split(" "), { cwd: made.clone, env });
      expect([words, refused.code, refused.out]).toEqual([words, 4, ""]);
      expect(refused.err).toContain(`HOLDFAST_HOME=${made.home}`);
    }
  expect(existsSync(other)).toBe(false);
  // By another name it is the same.
  const link = join(made.folder, "home-link");
  symlinkSync(made.home, link);
  const same = holdfast(["init", "--json"], { cwd: made.clone, env: { HOLDFAST_HOME: link } });
  expect(rootOf(same)).toBe(made.project);
});

test(
  "S2.11 where its project is gone, or nobody knows it, the folder is none either",
  limit,
  () => {
    const made = begun();
    const away = join(made.folder, "away");
    renameSync(made.project, away);
    const refused = made.inside("orchestrate --in-session");
    expect([refused.code, refused.out]).toEqual([4, ""]);
    expect(refused.err).toContain(made.project);
    renameSync(away, made.project);
    expect(made.inside("status")).toEqual(made.call("status"));
    const ready = `${made.clone}.ready`;
    // What is written there about no project, and about a folder of an agent's own.
    for (const text of [
      "",
      "{",
      "null",
      "{}",
      '{"base":null,"root":"."}',
      JSON.stringify({ root: made.clone }),
    ]) {
      writeFileSync(ready, text);
      expect([text, made.inside("orchestrate --in-session").code]).toEqual([text, 4]);
    }
    expect(existsSync(join(made.clone, ".claude"))).toBe(false);
  },
);

test(
  "S6.4 hooks in the handed-out folder tell of the run, and hold who holds a unit",
  limit,
  () => {
    const made = begun();
    const hook = (event: string, input: object): Ended => {
      const { status, stdout, stderr } = spawnSync(starter, ["hook", event], {
        input: JSON.stringify({ session_id: "a", cwd: made.clone, ...input }),
        cwd: made.clone,
        env: { ...made.env, PATH: process.env["PATH"], LANG: "C" },
        encoding: "utf8",
      });
      return { code: status, out: stdout, err: stderr };
    };
    const told = hook("SessionStart", { source: "startup" });
    expect(told).toMatchObject({ code: 0, err: "" });
    expect(told.out).toContain("T1.1");
    const rests = { stop_hook_active: false };
    expect(JSON.parse(hook("Stop", rests).out)).toMatchObject({ decision: "block" });
    expect(hook("TaskCompleted", { task_subject: "T1.1 model" }).code).toBe(2);
    expect(hook("Stop", { ...rests, session_id: "b" })).toEqual({ code: 0, out: "", err: "" });
    const path = join(made.clone, ".claude/orchestrate-state.json");
    const write = { tool_name: "Write", tool_input: { file_path: path, content: "{}" } };
    expect(hook("PreToolUse", write).code).toBe(2);
    expect(made.inside("report orchestrate DONE:T1.1 --session a").code).toBe(0);
    // Its session goes on elsewhere; the hook still names the folder that is gone.
    const { status, stdout, stderr } = spawnSync(starter, ["hook", "Stop"], {
      input: JSON.stringify({ session_id: "a", cwd: made.clone, ...rests }),
      cwd: made.project,
      env: { ...made.env, PATH: process.env["PATH"], LANG: "C" },
      encoding: "utf8",
    });
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
  },
);

test("S7.5 agents that nobody sits beside mean their project from their clones", limit, () => {
  const asked = ["init --json", "status", "next orchestrate", "report orchestrate DONE:T1.1"];
  const begins = ["orchestrate --in-session", "orchestrate --agent sample", "orchestrate --resume"];
  const code = `const [program, ...calls] = process.argv.slice(1);
    const said = calls.map((words) => {
      const options = { encoding: "utf8" };
      const { status, stdout } = require("child_process").spawnSync(program, words.split(" "), options);
      return [status, stdout];
    });
    require("fs").writeFileSync("said.json", JSON.stringify(said));`;
  const made = repository(
    "# One\n## Phase 1\n- [ ] T1.1: a\n",
    { "T1.1": [{ write: { "a.txt": "a\n" }, run: ["-e", code, starter, ...asked, ...begins] }] },
    settings,
  );
  const ran = holdfast(made.run, { cwd: made.project, env: made.env });
  expect(ran.code).toBe(0);
  const said = JSON.parse(made.git("show", "main:said.json")) as [number, string][];
  const [init = [0, ""], status = [0, ""]] = said;
  expect(rootOf({ out: init[1] })).toBe(made.project);
  expect(status[1]).toContain("in progress: T1.1");
  // The run goes by itself: its agents speak for it no more than they wait for it, or begin another.
  expect(said.map(([exit]) => exit)).toEqual([0, 0, 4, 4, 0, 4, 4]);
  expect(said[4]?.[1]).toMatch(/^WAIT\n/);
  expect(made.conversations()).toEqual(new Map([["T1.1", 1]]));
  expect(rootsOf(made)).toEqual([made.project]);
});
