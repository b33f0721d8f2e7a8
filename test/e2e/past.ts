// A past: days of work as a server that ran all the time would have left them in its database, and
// plans of any size. Written as rows, since nobody can wait for two weeks.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newRow } from "../../src/app/_task-rules.ts";
import { rowOf } from "../../src/app/_wiring.ts";
import type { Language } from "../../src/core/messages.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { Change, EntityRow, TransitionRow } from "../../src/store/database/store.ts";

export interface Past {
  readonly database: string;
  readonly root: string;
  readonly titles: readonly string[];
  readonly language: Language;
  /** The last day of it, in milliseconds. */
  readonly until: number;
  readonly tasks: number;
  readonly days: number;
}

const hour = 3_600_000;

/** Ended tasks, spread over the days: each worked, waited and cost something, the same each time. */
export async function writePast(past: Past): Promise<void> {
  const { root, titles, language, until, tasks, days } = past;
  const store = await openSqlite(past.database);
  const project = await rowOf(store, root);
  const next = seeded(7);
  for (let from = 0; from < tasks; from += 100) {
    const changes = Array.from({ length: Math.min(100, tasks - from) }, (_, offset) => {
      const number = from + offset;
      // More of it lately than long ago.
      const ago = Math.floor(next() ** 1.4 * days) * 24 * hour + Math.floor(next() * 9) * hour;
      const title = `${titles[number % titles.length] ?? ""}${number < titles.length ? "" : ` ${number}`}`;
      return taskOf(
        `task_past${String(number).padStart(5, "0")}`,
        project.id,
        title,
        language,
        until - ago,
        next,
      );
    });
    await store.commit({
      tasks: changes.flatMap((change) => change.tasks ?? []),
      entities: changes.flatMap((change) => change.entities ?? []),
      transitions: changes.flatMap((change) => change.transitions ?? []),
    });
  }
  await store.close();
}

/** A plan and its state: phases of units, each behind one to three of the phase before or its own. */
export function writePlan(
  root: string,
  count: number,
  phases: number,
  names: readonly string[],
): number {
  const next = seeded(11);
  const size = Math.ceil(count / phases);
  const ids = Array.from(
    { length: count },
    (_, at) => `T${Math.floor(at / size)}.${(at % size) + 1}`,
  );
  const dependencies: Record<string, string[]> = {};
  let edges = 0;
  const lines = ["# The plan", ""];
  ids.forEach((id, at) => {
    const phase = Math.floor(at / size);
    if (at % size === 0) lines.push("", `## Phase ${phase}: Part ${phase}`, "");
    const reach = Math.min(at, Math.max(6, Math.floor(size / 2)));
    const own = new Set(
      Array.from(
        { length: reach === 0 ? 0 : next() < 0.66 ? 1 : 2 },
        () => ids[at - 1 - Math.floor(next() * reach)] ?? "",
      ),
    );
    own.delete("");
    edges += own.size;
    if (own.size > 0) dependencies[id] = [...own];
    lines.push(`- [ ] ${id}: ${names[at % names.length] ?? id}`);
    if (own.size > 0) lines.push(`  - depends: ${[...own].join(", ")}`);
  });
  write(root, "TASKS.md", `${lines.join("\n")}\n`);
  write(
    root,
    ".claude/orchestrate-state.json",
    JSON.stringify(stateOf(ids, dependencies), null, 2),
  );
  return edges;
}

/** The same plan a step further: what is in progress is done, the next ones are. */
export function stepPlan(root: string, ids: readonly string[], done: number, at: string): void {
  const dependencies = Object.fromEntries(
    ids.slice(1).map((id, place) => [id, [ids[place] ?? ""]]),
  );
  write(
    root,
    ".claude/orchestrate-state.json",
    JSON.stringify(stateOf(ids, dependencies, done, at), null, 2),
  );
}

// --- internal ---

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A third is done; one has failed, and what waits for it is blocked. */
function stateOf(
  ids: readonly string[],
  dependencies: Readonly<Record<string, readonly string[]>>,
  done = Math.floor(ids.length / 3),
  at = "2026-11-15T10:30:00Z",
): object {
  const lists = {
    pending: [],
    ready: [],
    in_progress: [],
    completed: [],
    failed: [],
    blocked: [],
  } as Record<string, string[]>;
  const where = new Map<string, string>();
  ids.forEach((id, place) => {
    const before = dependencies[id] ?? [];
    const dead = before.some(
      (other) => where.get(other) === "failed" || where.get(other) === "blocked",
    );
    const ready = before.every((other) => where.get(other) === "completed");
    const busy = (lists["in_progress"]?.length ?? 0) < 3;
    const state =
      place < done
        ? "completed"
        : dead
          ? "blocked"
          : !ready
            ? "pending"
            : place === done + 1
              ? "failed"
              : busy
                ? "in_progress"
                : "ready";
    where.set(id, state);
    lists[state]?.push(id);
  });
  return {
    version: "2.0",
    mode: "normal",
    project: "The plan",
    execution: {
      current_phase: 1,
      worktree: null,
      started_at: "2026-11-15T09:00:00Z",
      last_updated: at,
    },
    tasks: lists,
    dependencies,
    checkpoints: {},
    metrics: {
      total_tasks: ids.length,
      completed_count: done,
      failed_count: lists["failed"]?.length ?? 0,
      average_task_time_seconds: 190,
    },
    config: { max_parallel: 0, retry_limit: 10, slack_webhook_url: null },
  };
}

type Step = [to: string, trigger: string, minutes: number];

function taskOf(
  id: string,
  projectId: string,
  title: string,
  language: Language,
  start: number,
  next: () => number,
): Change {
  const agentId = `agent_${id.slice(5)}`;
  const retried = next() < 0.35;
  const limited = next() < 0.2;
  const steps: Step[] = [
    ["running", "assign", 8 + next() * 40],
    ...(limited
      ? ([
          ["paused", "RATE_LIMIT", 5 + next() * 30],
          ["running", "RATE_LIMIT_RESET", 6],
        ] as Step[])
      : []),
    ["waiting_question", "ask", 2 + next() * 25],
    ["running", "answer", 10 + next() * 50],
    ...(retried ? ([["running", "verification_failed", 6 + next() * 10]] as Step[]) : []),
    ["waiting_review", "PHASE_COMPLETE", 4 + next() * 60],
    ["completed", "approve", 0],
  ];
  const transitions: Omit<TransitionRow, "seq">[] = [];
  let at = start;
  let from = "idle";
  for (const [to, trigger, minutes] of steps) {
    transitions.push({
      timestamp: iso(at),
      taskId: id,
      machine: "agent",
      entityId: agentId,
      from,
      to,
      trigger,
      metadata: {},
    });
    from = to;
    at += minutes * 60_000;
  }
  const given = {
    type: "custom",
    title,
    description: title,
    agent: next() < 0.7 ? "claude" : "sample",
  };
  const row = newRow(id, projectId, given, undefined, language, iso(start - hour));
  const spent = {
    tokens: Math.floor(20_000 + next() * 400_000),
    costUsd: 0.1 + next() * 2.4,
    milliseconds: at - start,
  };
  const failed = next() < 0.12;
  const ended = failed
    ? {
        failedAt: iso(at),
        failure: { reason: "verification_failed" as const, message: "npm test: 1" },
      }
    : { completedAt: iso(at), progress: 100 };
  const spending: EntityRow = {
    kind: "spending",
    id: `${id}:${iso(start).slice(0, 10)}`,
    taskId: id,
    status: iso(start).slice(0, 10),
    rev: 0,
    data: spent,
  };
  return {
    tasks: [
      {
        ...row,
        status: failed ? "failed" : "completed",
        updatedAt: iso(at),
        data: { ...row.data, startedAt: iso(start), spent, ...ended },
      },
    ],
    entities: [spending],
    transitions,
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Always the same numbers: a picture that changes says that something changed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
