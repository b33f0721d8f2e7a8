import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Status } from "../../src/app/operations/status.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { type Ended, freshPlace, holdfast, nowhere, seeded } from "./program.ts";

let { project, home } = nowhere;
beforeEach(() => {
  ({ project, home } = freshPlace());
});

const status = (words: readonly string[] = [], locale = "C"): Ended =>
  holdfast(["status", ...words], { cwd: project, locale, env: { HOLDFAST_HOME: home } });
const report = (words: readonly string[] = []): Status =>
  JSON.parse(status([...words, "--json"]).out) as Status;

const later = (text: string): string => text.replace("T10:30:00Z", "T12:30:00Z");

describe("holdfast status", () => {
  test("S6.1 shows all four workflows of the sources' examples, and writes nothing", () => {
    seeded(project);
    const { code, out, err } = status();
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.split("\n")).toEqual([
      project,
      "",
      "develop  실시간 채팅 기능",
      "  IMPLEMENT · subagent · last change 2026-02-16T11:30:00",
      "  cp-1 passed (iter 2/3)",
      "  cp-2 in_progress (iter 1/3)",
      "  cp-3 pending",
      "",
      "orchestrate  project-name",
      "  phase 1 · ultra-thin · 5/45 done · last change 2026-01-21T10:30:00Z",
      "  in progress: T1.3",
      "  ready: T1.4",
      "  pending 3 · ready 1 · in_progress 1 · completed 5 · failed 0 · blocked 0",
      "",
      "plan  작업명",
      "  task-2025-11-18-001 · in_progress · 0 of 1 steps done · last change 2025-11-18T10:00:00Z",
      "  step 1 단계명 (에이전트명): pending",
      "",
      "request  XX컨트롤러 구현해줘",
      "  R1 · active · task_loop · 0 of 2 tasks done",
      "  T1 a API 구현: in_progress",
      "  T1-S2 테스트 작성: implementation",
      "  open gates: GATE-2 pending, GATE-3 pending, GATE-4 pending",
      "",
    ]);
    expect(existsSync(home)).toBe(false);
  });

  test("S2.2 a task in two lists counts once, and a finished phase's tasks count as completed", () => {
    seeded(project);
    const { orchestrate } = report(["orchestrate"]);
    expect(orchestrate).toMatchObject({
      inProgress: ["T1.3"],
      ready: ["T1.4"],
      counts: { completed: 5, in_progress: 1, ready: 1 },
      progress: { done: 5, total: 45 },
    });
  });

  test("S3.1 the initial files of the sources show what has not begun", () => {
    seeded(project, "initial");
    const { out } = status();
    expect(out).toContain("0/3 done");
    expect(out).toContain("plan  no plan at work");
    expect(out).not.toContain("develop");
  });

  test("S6.1 it works from a folder below the project, and names the project's root", () => {
    seeded(project);
    mkdirSync(join(project, "src/deep"), { recursive: true });
    const ended = holdfast(["status", "--cwd", "src/deep", "--json"], {
      cwd: project,
      env: { HOLDFAST_HOME: home },
    });
    expect(JSON.parse(ended.out)).toMatchObject({ root: project, plan: {}, request: {} });
  });

  test("S6.1 an empty project gets a friendly word on how to begin, in both languages", () => {
    expect(status()).toMatchObject({ code: 0 });
    expect(status().out).toContain(`Nothing is under way in ${project}.`);
    expect(status().out).toContain("holdfast init");
    expect(status([], "ko_KR.UTF-8").out).toContain("진행 중인 작업이 없습니다");
    expect(report()).toEqual({ root: project, asked: null, problems: [] });
    expect(status(["plan"])).toMatchObject({
      code: 0,
      out: `There is no plan run in ${project}.\n`,
    });
  });

  test("S6.1 an unreadable file is named and the rest is shown; exit 6 only if it was asked for", () => {
    seeded(project);
    writeFileSync(join(project, ".claude/orchestrate-state.json"), '{ "version": "2.0", ');
    const state = join(project, ".develop-workflow/state.yaml");
    writeFileSync(state, readFileSync(state, "utf8").replace("IMPLEMENT ", "IMPLEMNT "));
    const all = status();
    expect(all.code).toBe(0);
    expect(all.out).toContain("plan  작업명");
    expect(all.out).toContain(
      "Not readable:\n  .develop-workflow/state.yaml: /phase: expected one of",
    );
    expect(all.out).toContain("  .claude/orchestrate-state.json: ");
    expect(status(["orchestrate"]).code).toBe(6);
    expect(status(["plan"]).code).toBe(0);
    expect(report().problems.map(({ path }) => path)).toEqual([
      ".develop-workflow/state.yaml",
      ".claude/orchestrate-state.json",
    ]);
  });

  test("S4.8 of several sessions the newest active one is shown", () => {
    seeded(project);
    const sessions = join(project, ".claude/orchestrator/sessions");
    const copy = (hash: string, edit: (name: string, text: string) => string): void => {
      for (const name of ["session.json", "state.json"]) {
        mkdirSync(join(sessions, hash), { recursive: true });
        const text = readFileSync(join(sessions, "a1b2c3d4", name), "utf8");
        writeFileSync(join(sessions, hash, name), edit(name, text));
      }
    };
    copy("00000001", (name, text) =>
      name === "state.json" ? text.replace('"R1"', '"R2"') : later(text),
    );
    copy("00000002", (name, text) =>
      name === "state.json" ? text.replace('"active"', '"stopped"') : later(later(text)),
    );
    expect(report().request).toMatchObject({ id: "R2", status: "active", otherSessions: 2 });
    expect(status().out).toContain("2 older session(s)");
  });

  test("S6.1 tasks of the database are shown once there are any, and only this project's", async () => {
    const store = await openSqlite(join(home, "holdfast.db"));
    const at = "2026-01-01T00:00:00.000Z";
    const task = {
      workflow: "custom",
      status: "pending",
      priority: 0,
      queuedAt: 1,
      archived: false,
      retryOf: null,
      rev: 0,
      createdAt: at,
      updatedAt: at,
    };
    await store.commit({
      projects: [
        { id: "p1", root: project, hash: "00000000", createdAt: at },
        { id: "p2", root: "/other", hash: "00000001", createdAt: at },
      ],
      tasks: [
        { ...task, id: "task_a", projectId: "p1", data: { title: "Write it" } },
        { ...task, id: "task_b", projectId: "p2", data: {} },
      ],
    });
    await store.close();
    expect(report().tasks).toEqual([
      { id: "task_a", workflow: "custom", status: "pending", title: "Write it", updatedAt: at },
    ]);
    expect(status().out).toContain("tasks  1\n  task_a · custom · pending · Write it\n");
  });

  test("S6.1 a database that can not be opened is one problem more, not the end", () => {
    seeded(project, "initial");
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, "holdfast.db"), "this is not a database, only a text of some length");
    const { code, out } = status();
    expect(code).toBe(0);
    expect(out).toContain("0/3 done");
    expect(out).toContain(`Not readable:\n  The database ${home}/holdfast.db is damaged`);
  });

  test("S7.2 an unknown workflow exits 2 and names those there are", () => {
    const ended = status(["orchestra"]);
    expect(ended.code).toBe(2);
    expect(ended.err).toContain("develop | orchestrate | plan | request");
  });
});
