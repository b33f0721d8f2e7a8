import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createContext } from "../../src/app/context.ts";
import type { Checkup } from "../../src/app/operations/doctor.ts";
import type { OrchestrateState } from "../../src/formats/orchestrate-state.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { Store, TaskRow } from "../../src/store/database/store.ts";
import { self } from "../../src/store/identity.ts";
import {
  type Ended,
  cli,
  freshPlace,
  holdfast,
  nowhere,
  seeded as seed,
  start,
} from "./program.ts";

let { folder, project, home } = nowhere;
beforeEach(() => {
  ({ folder, project, home } = freshPlace());
});

const doctor = (words: readonly string[] = [], env: Record<string, string> = {}): Ended =>
  holdfast(["doctor", ...words], { cwd: project, env: { HOLDFAST_HOME: home, ...env } });
const checkup = (words: readonly string[] = []): Checkup =>
  JSON.parse(doctor([...words, "--json"]).out) as Checkup;
const disk = () => checkup().lines.find(({ topic }) => topic === "disk");
const floor = (megabytes: number): void =>
  writeFileSync(
    join(project, "holdfast.yaml"),
    `version: 1\ndisk: { floor_megabytes: ${megabytes} }\n`,
  );
const seeded = (): void => seed(project);

const state = (): string => join(project, ".claude/orchestrate-state.json");

/** Files as a process of ours leaves them beside a document. */
function leave(name: string, text: string, secondsAgo = 60): string {
  const path = join(project, ".claude", name);
  writeFileSync(path, text);
  const then = Date.now() / 1000 - secondsAgo;
  utimesSync(path, then, then);
  return path;
}

const holder = (more: object): string =>
  JSON.stringify({ holdfast: 1, token: "aa", took: [], process: { ...self(), ...more } });

/** With the database as it is now. */
async function inStore<T>(ask: (store: Store) => Promise<T>): Promise<T> {
  const store = await openSqlite(join(home, "holdfast.db"));
  try {
    return await ask(store);
  } finally {
    await store.close();
  }
}

/** As any update would know it from then on. */
async function adopt(): Promise<void> {
  const context = createContext({
    cwd: project,
    env: { HOLDFAST_HOME: home },
    language: "en",
    ended: () => new AbortController().signal,
    tell: () => {},
    emit: () => {},
  });
  const documents = await context.documents();
  await documents.read({ path: state(), format: "orchestrate-state" });
  await context.close();
}

/** What is to be done about the state, which is a problem but not damaged. */
const remedy = (): string | undefined => {
  const { lines } = checkup();
  const found = lines.find(({ path }) => path === ".claude/orchestrate-state.json");
  expect(found).toMatchObject({ topic: "documents", level: "problem" });
  expect(found).not.toHaveProperty("corrupt");
  return found?.hint as unknown as string;
};

describe("holdfast doctor", () => {
  test("S1.21c the room on the disk is told against the floor; below it that is a problem", () => {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    expect(disk()).toMatchObject({
      level: "ok",
      message: expect.stringMatching(/^\d+ MB free at .*below 512 MB nothing new starts/),
    });
    floor(900_000_000);
    expect(disk()).toMatchObject({ level: "problem", hint: expect.stringContaining("task kept") });
    expect(doctor(["--lang", "ko"]).out).toContain("900000000MB보다 적어");
    floor(0);
    expect(disk()).toMatchObject({ level: "ok", message: expect.stringContaining("nobody looks") });
  });

  test("S6.1 a sound project exits 0, says so of each thing, and nothing is made or changed", () => {
    seeded();
    const { code, out } = doctor();
    expect(code).toBe(0);
    expect(out).toContain(`✓ project  ${project}, because it holds .develop-workflow`);
    expect(out).toContain("✓ home");
    expect(out).toContain("✓ documents  15 valid");
    expect(out).toContain(
      "! documents  .claude/orchestrate-state.json: /tasks/in_progress/0: T1.3",
    );
    expect(out).toContain("No problem found.");
    expect(existsSync(home)).toBe(false);
    expect(checkup().lines.map(({ topic }) => topic)).toEqual(
      expect.arrayContaining(["node", "git", "project", "home", "database", "locks", "sandbox"]),
    );
  });

  test("S6.7 it says openly that agents run with the user's rights", () => {
    expect(doctor().out).toContain("! sandbox  none: an agent runs with your rights");
    expect(doctor(["--lang", "ko"]).out).toContain("! 샌드박스  없음:");
    expect(doctor(["--lang", "ko"]).out).not.toMatch(/\{\w+\}|\([가-힣]+\/[가-힣]+\)/);
  });

  test("S2.7 a lock that names nobody is a problem, and --fix removes it once it is old enough", () => {
    seeded();
    const lock = leave("orchestrate-state.json.lock", "");
    expect(doctor().code).toBe(4);
    expect(checkup().lines.find(({ topic }) => topic === "locks")).toMatchObject({
      level: "problem",
      path: ".claude/orchestrate-state.json.lock",
      hint: expect.stringContaining("doctor --fix") as string,
    });
    const fixed = doctor(["--fix"]);
    expect(fixed.code).toBe(0);
    expect(fixed.out).toContain("→ removed the lock .claude/orchestrate-state.json.lock");
    expect(existsSync(lock)).toBe(false);
  });

  test("S2.7 a nameless lock of this very moment is left alone", () => {
    seeded();
    const lock = leave("orchestrate-state.json.lock", "", -1);
    expect(doctor(["--fix"])).toMatchObject({ code: 0 });
    expect(existsSync(lock)).toBe(true);
  });

  test("S2.7 a living holder is named and never removed", () => {
    seeded();
    const lock = leave("orchestrate-state.json.lock", holder({}));
    expect(doctor(["--fix"]).out).toContain(`process ${process.pid} on ${self().host} is at work`);
    expect(existsSync(lock)).toBe(true);
  });

  test("S5.1 what a dead process left is told with its number, and --fix sweeps it", () => {
    seeded();
    // The examples' own disagreement is another repair.
    rmSync(join(project, ".claude/memory/task-history.json"));
    const left = [
      leave("orchestrate-state.json.lock", holder({ start: "0" })),
      leave(".orchestrate-state.json.aa.tmp", "half"),
      leave(".orchestrate-state.json.bb.old", "older"),
      leave(".orchestrate-state.json.cc.own", holder({ start: "0" })),
    ];
    const before = checkup();
    expect(before.ok).toBe(true);
    expect(before.lines.filter(({ topic }) => topic === "locks")).toHaveLength(4);
    expect(doctor().out).toContain(
      `left by process ${process.pid} on ${self().host}, which is gone`,
    );
    expect(checkup(["--fix"]).fixed).toEqual([
      "removed 4 leftover file(s) beside .claude/orchestrate-state.json",
    ]);
    expect(left.filter((path) => existsSync(path))).toEqual([]);
    expect(checkup().lines.find(({ topic }) => topic === "locks")?.level).toBe("ok");
  });

  test("files of other programs that merely look alike are none of its business", () => {
    seeded();
    const others = ["package.json.lock", "state.json.lock", ".state.json.x.tmp"];
    for (const name of others) writeFileSync(join(project, name), "");
    leave("settings.json.lock", "");
    expect(checkup().lines.find(({ topic }) => topic === "locks")?.level).toBe("ok");
  });

  test("S2.9 a damaged document exits 6; --fix puts the backup in its place and keeps the bad one", () => {
    seeded();
    const good = readFileSync(state(), "utf8");
    writeFileSync(state(), good.slice(0, 100));
    expect(doctor().code).toBe(6);
    expect(doctor().out).toContain("“holdfast validate .claude/orchestrate-state.json”");
    // Without a backup it stays as it is, and is still told.
    expect(doctor(["--fix"]).code).toBe(6);
    expect(readFileSync(state(), "utf8")).toBe(good.slice(0, 100));
    writeFileSync(`${state()}.bak`, good);
    const fixed = doctor(["--fix"]);
    expect(fixed.code).toBe(0);
    expect(fixed.out).toContain(`the backup ${state()}.bak is in its place`);
    expect(readFileSync(state(), "utf8")).toBe(good);
    const [kept = ""] = readdirSync(join(home, "quarantine"));
    expect(readFileSync(join(home, "quarantine", kept), "utf8")).toBe(good.slice(0, 100));
  });

  test("S2.9 without a backup the state is rebuilt from TASKS.md, only when --fix asks for it", () => {
    seeded();
    writeFileSync(state(), "{ torn");
    writeFileSync(join(project, "TASKS.md"), "# Shop\n- [x] T1.1: a\n- [ ] T1.2: b\n");
    expect(doctor()).toMatchObject({ code: 6 });
    expect(doctor().out).toContain("“holdfast doctor --fix” keeps it aside");
    expect(readFileSync(state(), "utf8")).toBe("{ torn");
    const fixed = doctor(["--fix"]);
    expect(fixed.code).toBe(0);
    expect(fixed.out).toContain("rebuilt from TASKS.md: 1 of 2 tasks are completed");
    const rebuilt = JSON.parse(readFileSync(state(), "utf8")) as OrchestrateState;
    expect(rebuilt).toMatchObject({ project: "Shop", tasks: { completed: ["T1.1"] } });
    const [kept = ""] = readdirSync(join(home, "quarantine"));
    expect(readFileSync(join(home, "quarantine", kept), "utf8")).toBe("{ torn");
    expect(doctor().code).toBe(0);
  });

  test("S2.9 a plan that can not be read is named with its line, and nothing is touched", () => {
    mkdirSync(join(project, ".claude"));
    writeFileSync(state(), "{ torn");
    writeFileSync(join(project, "TASKS.md"), "# Shop\n- [ ] T1.1: a\n  - depends: T9.9\n");
    const { code, out } = doctor(["--fix"]);
    expect(code).toBe(6);
    expect(out).toContain("T9.9");
    expect(readFileSync(state(), "utf8")).toBe("{ torn");
  });

  test("S3.7 a plan's state at odds with its history is told; --fix brings it in step, with a copy", () => {
    seeded();
    const memory = join(project, ".claude/memory");
    const before = readFileSync(join(memory, "task-state.json"), "utf8");
    expect(doctor()).toMatchObject({ code: 0 });
    expect(doctor().out).toContain(
      "! documents  .claude/memory/task-state.json: the current task task-2025-11-18-001 has ended",
    );
    expect(checkup(["--fix"]).fixed).toContainEqual(
      expect.stringContaining("task-2025-11-18-001 has ended according to the history"),
    );
    const after = JSON.parse(readFileSync(join(memory, "task-state.json"), "utf8")) as object;
    expect(after).toMatchObject({ current_task: null, pending_tasks: [] });
    const copies = readdirSync(join(memory, "backup"));
    const copy = copies.find((name) => name.startsWith("task-state")) ?? "";
    expect(readFileSync(join(memory, "backup", copy), "utf8")).toBe(before);
    expect(doctor().out).not.toContain("has ended");
  });

  test("S3.7 an unreadable memory without a backup begins empty, told and with the bad file kept", () => {
    seeded();
    const path = join(project, ".claude/memory/shared-context.json");
    writeFileSync(path, "");
    expect(doctor().code).toBe(6);
    const fixed = doctor(["--fix", "--lang", "ko"]);
    expect(fixed.code).toBe(0);
    expect(fixed.out).toContain("백업이 없어 빈 상태로 시작합니다.");
    expect(fixed.out).not.toMatch(/\{\w+\}|\([가-힣]+\/[가-힣]+\)/);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ shared_data: {} });
    expect(readdirSync(join(home, "quarantine"))).toHaveLength(1);
  });

  test("S5.3 a document changed by hand is a notice; --fix takes the change over and tells it", async () => {
    seeded();
    await adopt();
    expect(doctor().out).not.toContain("not as Holdfast last wrote it");
    const edited = readFileSync(state(), "utf8").replace('"retry_limit": 10', '"retry_limit": 5');
    writeFileSync(state(), edited);
    const look = doctor();
    expect(look.code).toBe(0);
    expect(look.out).toContain("! documents  .claude/orchestrate-state.json: is not as Holdfast");
    const fixed = doctor(["--fix"]);
    expect(fixed.out).toContain("/config/retry_limit: 10 → 5");
    expect(fixed.out).toContain("→ .claude/orchestrate-state.json and the database agree again");
    expect(readFileSync(state(), "utf8")).toBe(edited);
    expect(doctor().out).not.toContain("not as Holdfast last wrote it");
    rmSync(state());
    expect(doctor().out).toContain("is gone, though Holdfast has written it");
    expect(doctor(["--fix"]).code).toBe(0);
    expect(readFileSync(state(), "utf8")).toBe(edited);
  });

  test("S7.5 a home that others may write, or inside the project, is a problem with its remedy", () => {
    mkdirSync(home);
    chmodSync(home, 0o777);
    expect(doctor()).toMatchObject({ code: 4 });
    expect(doctor().out).toContain(`chmod 700 ${home}`);
    const inside = doctor([], { HOLDFAST_HOME: join(project, ".holdfast") });
    expect(inside.code).toBe(4);
    expect(inside.out).toContain("lies inside the project");
  });

  test("S7.2 a damaged database exits 6, and the documents are looked at all the same", () => {
    seeded();
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, "holdfast.db"), Buffer.alloc(8192, 0x55));
    expect(doctor()).toMatchObject({
      code: 6,
      out: expect.stringMatching(/✗ database .*\n.*Copy .*\n✓ documents  15 valid/) as string,
    });
  });

  test("S7.5 --fix gives home and database the modes they need, and leaves a folder that is no home", async () => {
    seeded();
    await adopt();
    const database = join(home, "holdfast.db");
    // As SQLite leaves them once the database was read-only for a while.
    for (const name of ["holdfast.db", "holdfast.db-wal", "holdfast.db-shm"]) {
      if (!existsSync(join(home, name))) writeFileSync(join(home, name), "");
      chmodSync(join(home, name), 0o400);
    }
    chmodSync(home, 0o777);
    expect(doctor().code).toBe(4);
    expect(doctor().out).toContain(`${database}-shm can not be read and written by its own user`);
    const { ok, fixed } = checkup(["--fix"]);
    expect({ ok, fixed: fixed.slice(0, 4) }).toEqual({
      ok: true,
      fixed: [
        `${home} has mode 700 now`,
        `${database} has mode 600 now`,
        `${database}-wal has mode 600 now`,
        `${database}-shm has mode 600 now`,
      ],
    });
    expect(statSync(home).mode & 0o777).toBe(0o700);
    const open = join(folder, "shared");
    mkdirSync(open);
    chmodSync(open, 0o777);
    expect(doctor(["--fix"], { HOLDFAST_HOME: open }).code).toBe(4);
    expect(statSync(open).mode & 0o777).toBe(0o777);
  });

  test("S5.4 what is not read can not be kept aside: it is told what the person has to do", () => {
    seeded();
    rmSync(state());
    mkdirSync(state());
    expect(doctor().code).toBe(4);
    expect(remedy()).toMatch(/^Look what it is and move it away; nothing of Holdfast touches it\./);
    rmSync(state(), { recursive: true });
    writeFileSync(state(), "");
    truncateSync(state(), 33 * 1024 * 1024);
    expect(remedy()).toMatch(/^Look what was written there and move it away; it is too large/);
    expect(doctor(["--fix"]).code).toBe(4);
    expect(statSync(state()).size).toBe(33 * 1024 * 1024);
    // What can be read is kept aside, however large it may be for its format.
    rmSync(state());
    const yaml = join(project, ".develop-workflow/state.yaml");
    truncateSync(yaml, 20 * 1024 * 1024);
    expect(doctor()).toMatchObject({
      code: 6,
      out: expect.stringMatching(/state\.yaml: .*too large.*\n.*--fix” keeps it aside/) as string,
    });
  });

  test("S5.3 a document of a newer Holdfast is a problem, not damaged, and --fix leaves it", () => {
    seeded();
    const text = readFileSync(state(), "utf8").replace('"2.0"', '"3.0"');
    writeFileSync(state(), text);
    for (const words of [[], ["--fix"]]) {
      const { code, out } = doctor(words);
      expect(code).toBe(4);
      expect(out).toContain("version 3.0 is newer than the 2.0 this Holdfast knows");
      expect(out).not.toContain("keeps it aside");
    }
    expect(readFileSync(state(), "utf8")).toBe(text);
    expect(existsSync(join(home, "quarantine"))).toBe(false);
  });

  test("git that is not there is a notice: looking at files works without", () => {
    symlinkSync(process.execPath, join(folder, "node"));
    const ended = doctor([], { PATH: folder });
    expect(ended.code).toBe(0);
    expect(ended.out).toContain("! Git  git was not found");
  });
});

/** The project is elsewhere now; returns where it was. */
const moved = async (): Promise<string> => {
  seeded();
  // The examples' own disagreement is another repair.
  rmSync(join(project, ".claude/memory/task-history.json"));
  await adopt();
  const from = project;
  project = join(folder, "elsewhere");
  renameSync(from, project);
  return from;
};

/** What is said of the task server. */
const ofServer = (words: readonly string[] = []): unknown[] =>
  checkup(words).lines.filter(({ topic }) => topic === "server");

/** Files in Holdfast's own folder. */
const make = (...paths: string[]): void => {
  for (const path of paths) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), "");
  }
};
const there = (folderOfHome: string): string[] => readdirSync(join(home, folderOfHome)).toSorted();

describe("holdfast doctor in a project that was moved", () => {
  test("S4.1 says so, and --fix carries it over with its journal", async () => {
    const from = await moved();
    const before = doctor();
    expect(before.code).toBe(0);
    expect(before.out).toContain(`! project  This project was at ${from} before: 1 document(s)`);
    expect(await inStore((store) => store.projects())).toMatchObject([{ root: from }]);
    const { fixed } = checkup(["--fix"]);
    expect(fixed).toEqual([expect.stringContaining(`are now filed under ${project}`)]);
    const [rows, journal, documents] = await inStore(async (store) => {
      const projects = await store.projects();
      const ofProject = await store.documents(projects[0]?.id ?? "");
      return [projects, await store.transitions(), ofProject] as const;
    });
    expect(rows).toMatchObject([{ root: project }]);
    expect(journal.map(({ trigger }) => trigger)).toEqual(["adopted", "moved"]);
    expect(documents.map(({ path }) => path)).toEqual([state()]);
    expect(checkup(["--fix"]).fixed).toEqual([]);
    expect(doctor().out).not.toContain("before");
  });

  test("S4.1 an update in the new place goes on with the old row and its revisions", async () => {
    await moved();
    const edited = readFileSync(state(), "utf8").replace('"retry_limit": 10', '"retry_limit": 5');
    await adopt();
    writeFileSync(state(), edited);
    await adopt();
    const [rows, revisions] = await inStore(async (store) => [
      await store.projects(),
      await store.revisions(state()),
    ]);
    expect(rows).toMatchObject([{ root: project }]);
    expect(revisions.map(({ kind }) => kind)).toEqual(["adopted", "foreign"]);
  });

  test("S4.1 several processes at once: carried over once, and all of them find it there", async () => {
    await moved();
    const all = Array.from({ length: 4 }, () =>
      start([process.execPath, cli, "doctor", "--fix", "--json"], {
        cwd: project,
        env: { HOLDFAST_HOME: home },
      }),
    );
    const ended = await Promise.all(all.map((each) => each.ended));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const told = ended.flatMap(({ out }) => (JSON.parse(out) as Checkup).fixed);
    expect(told).toEqual([expect.stringContaining("are now filed under")]);
    const [rows, moves] = await inStore(async (store) => [
      await store.projects(),
      (await store.transitions()).filter(({ trigger }) => trigger === "moved"),
    ]);
    expect(rows).toMatchObject([{ root: project }]);
    expect(moves).toHaveLength(1);
  });
});

describe("holdfast doctor and what the task server left", () => {
  const at = "2026-01-01T00:00:00.000Z";
  const task = (id: string): TaskRow => ({
    id,
    projectId: "p1",
    workflow: "create_app",
    status: "completed",
    priority: 0,
    queuedAt: null,
    archived: false,
    retryOf: null,
    rev: 0,
    data: {},
    createdAt: at,
    updatedAt: at,
  });
  /** One task that is there, with a run; one that was deleted. */
  const tasks = (): Promise<unknown> =>
    inStore(async (store) => {
      const process = { kind: "process", taskId: "task_here", status: "ended", rev: 0, data: {} };
      const line = { timestamp: at, machine: "task", from: "draft", to: "completed" };
      await store.commit({
        projects: [{ id: "p1", root: project, hash: "00000000", createdAt: at }],
        tasks: [task("task_here"), task("task_gone")],
        entities: [{ ...process, id: "run_here" }],
        transitions: ["task_here", "task_gone"].map((id) => ({
          ...line,
          taskId: id,
          entityId: id,
          trigger: "completed",
          metadata: {},
        })),
      });
      await store.commit({ tasksGone: ["task_gone"] });
    });
  test("S1.21c folders of deleted tasks go, and those of tasks that are there stay", async () => {
    await tasks();
    make("runs/run_here/out", "runs/run_gone/out", "runs/run_late.removed/out", "runs/notes");
    for (const id of ["task_here", "task_gone"])
      make(`workspaces/${id}/a`, `workspaces/${id}.ready`, `trees/${id}.git/HEAD`);
    expect(ofServer()).toMatchObject([
      { level: "notice", message: expect.stringContaining("1 workspace(s) in") as string },
      { level: "notice", message: expect.stringContaining("2 folder(s) in") as string },
    ]);
    expect(there("runs")).toHaveLength(4);
    expect(checkup(["--fix"]).fixed).toEqual([
      `removed 2 folder(s) from ${home}/runs`,
      `removed 1 folder(s) from ${home}/workspaces`,
    ]);
    expect(there("runs")).toEqual(["notes", "run_here"]);
    expect(there("workspaces")).toEqual(["task_here", "task_here.ready"]);
    expect(there("trees")).toEqual(["task_here.git"]);
    expect(ofServer()).toMatchObject([{ level: "ok" }]);
  });

  test("S1.21c a workspace of a task that the database never knew is left to the person, and so are runs", async () => {
    await tasks();
    make("runs/run_lost/out", "workspaces/task_lost/work");
    const { fixed } = checkup(["--fix"]);
    expect(fixed).toEqual([]);
    expect(there("runs")).toEqual(["run_lost"]);
    expect(there("workspaces")).toEqual(["task_lost"]);
    expect(doctor(["--lang", "ko"]).out).toContain("확인한 뒤 직접 지워 주세요.");
  });

  test("S1.20 nothing is removed while a process without a task is at work", async () => {
    await tasks();
    make("runs/run_lost/out", "runs/run_dead/out", "workspaces/task_gone/work");
    const child = spawn("sleep", ["1000"], {
      env: { ...process.env, HOLDFAST_RUN: "run_lost", HOLDFAST_HOME: home },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "spawn");
    expect(ofServer()).toMatchObject([
      { message: expect.stringContaining("1 agent(s) of") as string },
      { message: expect.stringContaining("1 workspace(s) in") as string },
      { message: expect.stringContaining("1 folder(s) in") as string },
    ]);
    expect(checkup(["--fix"]).fixed).toEqual([`removed 1 folder(s) from ${home}/runs`]);
    expect(there("runs")).toEqual(["run_lost"]);
    expect(there("workspaces")).toEqual(["task_gone"]);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(checkup(["--fix"]).fixed).toHaveLength(2);
    expect(there("runs")).toEqual([]);
    expect(there("workspaces")).toEqual([]);
  });

  test("S7.6 server.json of a server that is gone is told and removed; of a living one it stays", async () => {
    await tasks();
    const file = join(home, "server.json");
    const told = { url: "http://127.0.0.1:1", token: "t", pid: process.pid, startedAt: at };
    writeFileSync(file, JSON.stringify(told));
    writeFileSync(`${file}.lock`, holder({}));
    expect(ofServer(["--fix"])).toMatchObject([
      { level: "ok", message: `running (process ${process.pid}): http://127.0.0.1:1` },
    ]);
    expect(existsSync(file)).toBe(true);
    writeFileSync(`${file}.lock`, holder({ start: "0" }));
    expect(ofServer()).toMatchObject([
      { level: "notice", message: `${file} was left by a server that is gone` },
    ]);
    expect(checkup(["--fix"]).fixed).toEqual([`removed ${file}`]);
    expect(readdirSync(home).filter((name) => name.startsWith("server.json"))).toEqual([]);
    // Nor does a file without its lock belong to anybody.
    writeFileSync(file, "{");
    expect(checkup(["--fix"]).fixed).toEqual([`removed ${file}`]);
    expect(ofServer()).toMatchObject([{ level: "ok", message: "none running, nothing left over" }]);
  });
});
