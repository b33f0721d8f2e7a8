// The index after a kill (S4.9): whatever it was cut off at, one more look makes it what a fresh one
// is, while tasks, journal, outputs and documents go on changing.
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catchUp } from "../../src/app/recall/catch-up.ts";
import { wordsAsked } from "../../src/core/words.ts";
import { loadDriver } from "../../src/store/database/driver.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { Change, EntityRow, Store, TaskRow } from "../../src/store/database/store.ts";
import { isSound, openRecall } from "../../src/store/recall/recall.ts";
import { openSecretBox } from "../../src/store/secrets.ts";
import { type Workshop, full, limit, workshop } from "./programs.ts";

const at = "2026-01-02T03:04:05.678Z";
const secret = "hunter2-very-secret-value";
const words =
  "쿠폰을 예약이 취소했다 결제는 지우는 화면에서 booking refunds migrating cached keys tokens retry 인증 세션 배포하다".split(
    " ",
  );

let shop: Workshop;
let program: string;
let store: Store;
let [home, root, file] = ["", "", ""];
beforeAll(async () => {
  shop = workshop();
  program = await shop.bundle("recaller.ts");
  [home, root] = [join(shop.folder, "home"), join(shop.folder, "project")];
  file = join(home, "recall", "index.db");
  for (const folder of [home, root]) mkdirSync(folder, { mode: 0o700 });
  store = await openSqlite(join(home, "holdfast.db"));
  await commit({ projects: [{ id: "p1", root, hash: "abc", createdAt: at }] });
});
afterAll(async () => {
  await store.close();
  await shop.close();
});

async function commit(change: Change): Promise<void> {
  expect(await store.commit(change)).toMatchObject({ ok: true });
}

/** Always the same chance. */
function dice(seed: number) {
  let state = seed;
  const roll = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % below;
  };
  const sentence = (): string =>
    Array.from({ length: 3 + roll(8) }, () => words[roll(words.length)] ?? "").join(" ");
  return { roll, sentence };
}
type Dice = ReturnType<typeof dice>;

function task(id: string, { sentence }: Dice): TaskRow {
  const data = { title: sentence(), description: sentence() };
  const row = { id, projectId: "p1", workflow: "custom", status: "pending", priority: 0 };
  return {
    ...row,
    queuedAt: null,
    archived: false,
    retryOf: null,
    rev: 0,
    data,
    createdAt: at,
    updatedAt: at,
  };
}

const question = (row: EntityRow, { sentence }: Dice): EntityRow => ({
  ...row,
  data: {
    question: sentence(),
    options: [],
    parts: [],
    answer: sentence(),
    askedAt: at,
    answeredAt: at,
  },
});

/** One thing that happens to the project. */
async function happen(chance: Dice): Promise<void> {
  const { roll, sentence } = chance;
  const tasks = await store.tasks({ projectId: "p1" });
  const one = tasks[roll(Math.max(1, tasks.length))];
  const line = (taskId: string) => ({
    timestamp: at,
    taskId,
    machine: "task",
    entityId: taskId,
    from: "pending",
    to: "review",
    trigger: sentence(),
    metadata: { reason: sentence() },
  });
  const what = roll(9);
  if (one === undefined || what === 0) {
    const id = `task_${roll(1_000_000)}`;
    const process = { kind: "process", id: `run_${id}`, taskId: id, status: "running", rev: 0 };
    const data = { agentId: "a", startedAt: Date.parse(at), token: null };
    await commit({
      tasks: [task(id, chance)],
      entities: [{ ...process, data }],
      transitions: [line(id)],
    });
    mkdirSync(join(home, "runs", `run_${id}`), { recursive: true });
  } else if (what === 1) await commit({ tasksGone: [one.id] });
  else if (what === 2)
    await commit({ transitions: Array.from({ length: 120 }, () => line(one.id)) });
  else if (what === 3) {
    const rows = await store.entities({ taskId: one.id, kind: "question" });
    const id = `question_${one.id}`;
    const fresh = { kind: "question", id, taskId: one.id, status: "open", rev: 0, data: {} };
    await commit({ entities: [question(rows[0] ?? fresh, chance)] });
  } else if (what === 4)
    await commit({ tasks: [{ ...one, data: { title: sentence(), description: sentence() } }] });
  else if (what === 5 || what === 6) {
    // Often without a line's end, and with the value in the middle of it all.
    const text = Array.from(
      { length: roll(120) },
      () => `${sentence()} ${roll(9) === 0 ? secret : ""}${roll(5) === 0 ? "" : "\n"}`,
    );
    appendFileSync(join(home, "runs", `run_${one.id}`, "out"), text.join(""));
  } else if (what === 7) await provide(one.id);
  else document(chance);
}

async function provide(taskId: string): Promise<void> {
  const content = await openSecretBox(home).seal(taskId, "KEY", secret);
  await commit({ secrets: [{ scope: taskId, name: "KEY", content, createdAt: at }] });
}

function document({ roll, sentence }: Dice): void {
  const path = join(root, ["TASKS.md", ".claude/memory/task-history.json"][roll(2)] ?? "");
  if (roll(6) === 0) return rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  const ids = Array.from({ length: 1 + roll(30) }, (_, place) => place);
  const plan = ids.map((id) => `- [ ] T1.${id + 1}: ${sentence()}\n`).join("");
  const past = ids.map((id) => ({
    id: `task-2026-01-02-${String(id).padStart(3, "0")}`,
    name: sentence(),
    result: "success",
    started_at: at,
    completed_at: at,
    duration_seconds: 1,
    summary: sentence(),
    lessons: [sentence()],
  }));
  const statistics = { total_tasks: past.length, success_rate: 1, avg_duration_seconds: 1 };
  const history = JSON.stringify({ version: "1.0", tasks: past, statistics });
  writeFileSync(path, path.endsWith(".md") ? plan : history);
}

/** Everything in it, whatever the order in which it came. */
function contentOf(path: string): unknown[] {
  const database = loadDriver()(path);
  const rows = database
    .prepare(
      `select e.source, e.key, e.kind, e.at, e.task, e.place, e.title, e.text, t.title as t, t.body as b, t.pairs as p
       from entry e left join term t on t.rowid = e.id order by e.source, e.key`,
    )
    .all();
  const { n } = database.prepare("select count(*) as n from term").get() as { n: number };
  database.close();
  return [n, ...rows];
}

async function upToDate(path: string, anew: boolean): Promise<string[][]> {
  const recall = openRecall(path, root, anew);
  const known = { store, projectId: "p1", roots: [root] };
  await catchUp({ recall, root, home, known, now: Date.now });
  const found = words.map((word) =>
    recall.search(wordsAsked(word), { limit: 100 }).map(({ score }) => score.toFixed(6)),
  );
  recall.close();
  return found;
}

const indexer = (nth: number) =>
  shop.start([process.execPath, program, home, root, "p1", file, String(nth)]);

test("S4.9 after a kill at any place the index becomes what a fresh one is", limit, async () => {
  const chance = dice(20_260_102);
  let kills = 0;
  for (let round = 0; round < (full ? 150 : 7); round++) {
    for (let times = 4 + chance.roll(8); times > 0; times--) await happen(chance);
    const { signal } = await indexer(1 + chance.roll(round % 2 === 0 ? 20 : 400)).ended;
    if (signal === "SIGKILL") kills++;
    expect(isSound(file)).toBe(true);
    const found = await upToDate(file, false);
    const other = join(home, "recall", "fresh.db");
    expect(found).toEqual(await upToDate(other, true));
    expect(contentOf(file)).toEqual(contentOf(other));
  }
  console.log(`recall: ${kills} kills, ${contentOf(file).length - 1} entries at the end`);
  expect(kills).toBeGreaterThan(full ? 75 : 3);
});

test("S4.9 several processes at once take everything in once", limit, async () => {
  const chance = dice(7);
  for (let times = 60; times > 0; times--) await happen(chance);
  const all = [indexer(0), indexer(0), indexer(0)];
  for (const { ended } of all) expect(await ended).toEqual({ code: 0, signal: null });
  const other = join(home, "recall", "fresh.db");
  await upToDate(other, true);
  expect(contentOf(file)).toEqual(contentOf(other));
});

test("S4.9 what was said goes with the new title of its task", limit, async () => {
  const chance = dice(11);
  const id = "task_renamed";
  const process = { kind: "process", id: `run_${id}`, taskId: id, status: "running", rev: 0 };
  const data = { agentId: "a", startedAt: Date.parse(at), token: null };
  await commit({ tasks: [task(id, chance)], entities: [{ ...process, data }] });
  const out = join(home, "runs", `run_${id}`);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, "out"), "a long block of output\n".repeat(300));
  await upToDate(file, false);
  const row = (await store.task(id)) as TaskRow;
  await commit({ tasks: [{ ...row, data: { title: "Renamed", description: "" } }] });
  await upToDate(file, false);
  const other = join(home, "recall", "fresh.db");
  await upToDate(other, true);
  expect(contentOf(file)).toEqual(contentOf(other));
});

test(
  "S4.9, S6.6 no value that was provided is in the index, wherever lines and blocks end",
  limit,
  async () => {
    const chance = dice(11);
    const id = "task_secret";
    const data = { agentId: "a", startedAt: Date.parse(at), token: null };
    const process = {
      kind: "process",
      id: "run_secret",
      taskId: id,
      status: "running",
      rev: 0,
      data,
    };
    await commit({ tasks: [task(id, chance)], entities: [process] });
    const folder = join(home, "runs", "run_secret");
    mkdirSync(folder);
    await provide(id);
    const pieces = Array.from(
      { length: 200 },
      () => `${chance.sentence()}${chance.roll(3) === 0 ? "\n" : secret}`,
    ).join("");
    // A look after each piece, most of which end inside the value.
    for (let from = 0; from < pieces.length; from += 1499) {
      appendFileSync(join(folder, "out"), pieces.slice(from, from + 1499));
      await upToDate(file, false);
      const text = JSON.stringify(
        contentOf(file).filter((row) => JSON.stringify(row).includes("run_secret")),
      );
      expect(text).not.toMatch(/hunter2|very-secret|secret-value/);
    }
    expect(JSON.stringify(contentOf(file))).toContain("[redacted]");
  },
);
