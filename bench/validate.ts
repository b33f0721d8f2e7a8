// Job 4: reading an orchestrate state of 10,000 tasks: text, duplicate keys, schema, lists,
// dependencies.
//
// The limit is written by hand for this one format and does the same work: what it finds in
// broken documents is compared before anything is timed.
import { schemas } from "../src/formats/schemas.ts";
import { type Codec, loadCodec } from "../src/formats/codec.ts";
import type { OrchestrateState } from "../src/formats/orchestrate-state.ts";
import { patterns } from "../src/formats/patterns.ts";
import { compare, demand } from "./harness.ts";
import { makeState } from "./samples.ts";

const job = "validate";
const rounds = 20;
const sizes = [10_000, 100_000] as const;

export async function bench(): Promise<void> {
  const codec = await loadCodec("orchestrate-state");
  proveEqual(codec);
  const [small, large] = sizes.map((size) => encode(codec.print(makeState(size)))) as [
    Uint8Array,
    Uint8Array,
  ];
  const zod = schemas["orchestrate-state"]();
  const kilobytes = Math.round(small.length / 1024);
  console.log(`\n${job}: ${sizes[0]} tasks are ${kilobytes} KiB`);
  const done = await compare({
    job,
    rounds,
    measure: "cpu",
    contenders: [
      { name: "by hand", run: () => byHand(small) },
      { name: "ours", run: () => ours(codec, small) },
      { name: "zod, schema only", run: () => (zod.parse(JSON.parse(decode(small))) ? [] : []) },
      { name: "JSON.parse alone", run: () => parseAlone(small) },
      { name: "JSON.parse alone, 100,000", run: () => parseAlone(large) },
      { name: "by hand, 100,000", run: () => byHand(large) },
      { name: "ours, 100,000", run: () => ours(codec, large) },
    ],
    equal: (results) => results.every((found) => (found as unknown[]).length === 0),
  });
  demand(job, "full load, times by hand", done.ratio("ours", "by hand"), 1.5);
  const atLarge = done.ratio("ours, 100,000", "by hand, 100,000");
  demand(job, "the same with 100,000 tasks", atLarge, 1.5);
  // JSON.parse itself grows by more than ten: objects of 100,000 keys fit no cache.
  const growth = done.ratio("ours, 100,000", "ours");
  const own = done.ratio("JSON.parse alone, 100,000", "JSON.parse alone");
  console.log(
    `  growth from 10,000 to 100,000: ${growth.toFixed(1)}, JSON.parse ${own.toFixed(1)}`,
  );
  demand(job, "growth, times that of JSON.parse", growth / own, 1.3);
}

// --- contenders: each returns the places of what is wrong, "error /pointer" ---

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
const encode = (text: string): Uint8Array => encoder.encode(text);
const decode = (bytes: Uint8Array): string => decoder.decode(bytes);

function ours(codec: Codec<OrchestrateState>, bytes: Uint8Array): string[] {
  const read = codec.read(bytes);
  return (read.ok ? read.notices : read.findings).map(
    ({ level, pointer }) => `${level} ${pointer}`,
  );
}

function parseAlone(bytes: Uint8Array): string[] {
  return JSON.parse(decode(bytes)) === null ? ["error "] : [];
}

/** Stops at the first error of the schema, as ours does. */
class Wrong extends Error {}

function byHand(bytes: Uint8Array): string[] {
  const text = decode(bytes);
  let state: OrchestrateState;
  try {
    state = JSON.parse(text) as OrchestrateState;
  } catch {
    return ["error "];
  }
  // A key that stands twice, or a number that is rounded, does not come back.
  if (`${JSON.stringify(state, null, 2)}\n` !== text) return ["error "];
  try {
    checkShape(state);
  } catch (thrown) {
    return [`error ${(thrown as Wrong).message}`];
  }
  const numbers = new Map<string, number>();
  return [...checkLists(state, numbers), ...checkDependencies(state, numbers)];
}

type Fields = Record<string, unknown>;
const unit = new RegExp(patterns.unitId, "u");
const phase = new RegExp(patterns.phaseKey, "u");
const time = new RegExp(patterns.time, "u");
const lists = ["pending", "ready", "in_progress", "completed", "failed", "blocked"] as const;

function fieldsAt(value: unknown, at: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Wrong(at);
  return value as Fields;
}

function isTime(value: unknown, at: string): void {
  if (typeof value !== "string" || !time.test(value)) throw new Wrong(at);
}

function isCount(value: unknown, at: string): void {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) throw new Wrong(at);
}

function isUnits(value: unknown, at: string): void {
  if (!Array.isArray(value)) throw new Wrong(at);
  for (let n = 0; n < value.length; n++)
    if (typeof value[n] !== "string" || !unit.test(value[n] as string))
      throw new Wrong(`${at}/${n}`);
}

function checkShape(state: unknown): void {
  const root = fieldsAt(state, "");
  if (root["version"] !== "2.0") throw new Wrong("/version");
  if (!["normal", "ultra-thin", "ralph"].includes(root["mode"] as string)) throw new Wrong("/mode");
  if (typeof root["project"] !== "string" || !/\S/.test(root["project"]))
    throw new Wrong("/project");
  const execution = fieldsAt(root["execution"], "/execution");
  isCount(execution["current_phase"], "/execution/current_phase");
  const { worktree } = execution;
  if (worktree !== null && typeof worktree !== "string") throw new Wrong("/execution/worktree");
  isTime(execution["started_at"], "/execution/started_at");
  isTime(execution["last_updated"], "/execution/last_updated");
  const tasks = fieldsAt(root["tasks"], "/tasks");
  for (const list of lists) isUnits(tasks[list], `/tasks/${list}`);
  for (const [id, list] of Object.entries(fieldsAt(root["dependencies"], "/dependencies"))) {
    if (!unit.test(id)) throw new Wrong(`/dependencies/${id}`);
    isUnits(list, `/dependencies/${id}`);
  }
  for (const [key, value] of Object.entries(fieldsAt(root["checkpoints"], "/checkpoints"))) {
    if (!phase.test(key)) throw new Wrong(`/checkpoints/${key}`);
    const entry = fieldsAt(value, `/checkpoints/${key}`);
    if (entry["started_at"] !== undefined) isTime(entry["started_at"], `/checkpoints/${key}`);
    if (entry["completed_at"] !== undefined) isTime(entry["completed_at"], `/checkpoints/${key}`);
    if (entry["tasks"] !== undefined) isUnits(entry["tasks"], `/checkpoints/${key}/tasks`);
    if (entry["tasks_count"] !== undefined) isCount(entry["tasks_count"], `/checkpoints/${key}`);
  }
  const metrics = fieldsAt(root["metrics"], "/metrics");
  for (const name of ["total_tasks", "completed_count", "failed_count"])
    isCount(metrics[name], `/metrics/${name}`);
  const average = metrics["average_task_time_seconds"];
  if (typeof average !== "number" || average < 0) throw new Wrong("/metrics");
  const config = fieldsAt(root["config"], "/config");
  isCount(config["max_parallel"], "/config/max_parallel");
  isCount(config["retry_limit"], "/config/retry_limit");
  const url = config["slack_webhook_url"];
  if (url !== null && (typeof url !== "string" || !/^https:\/\/\S{4,2000}$/.test(url)))
    throw new Wrong("/config/slack_webhook_url");
}

function checkLists({ tasks }: OrchestrateState, numbers: Map<string, number>): string[] {
  const found: string[] = [];
  for (const list of lists) {
    const ids = tasks[list];
    for (let n = 0; n < ids.length; n++) {
      const id = ids[n] ?? "";
      if (numbers.has(id)) found.push(`notice /tasks/${list}/${n}`);
      else numbers.set(id, numbers.size);
    }
  }
  return found;
}

/** Names that do not exist, and circles by counting down what is waited for. */
function checkDependencies(
  { dependencies, checkpoints }: OrchestrateState,
  numbers: Map<string, number>,
): string[] {
  for (const entry of Object.values(checkpoints))
    for (const id of entry.tasks ?? []) if (!numbers.has(id)) numbers.set(id, numbers.size);
  const strangers = Object.keys(dependencies).filter((id) => !numbers.has(id));
  for (const id of strangers) numbers.set(id, numbers.size);
  const found: string[] = [];
  const waiting = new Int32Array(numbers.size);
  // Who waits for a task: the newest edge to it, and from each edge the one before.
  const newest = new Int32Array(numbers.size).fill(-1);
  const edges: { from: number[]; before: number[] } = { from: [], before: [] };
  for (const id of Object.keys(dependencies)) {
    const own = numbers.get(id) ?? 0;
    const needed = dependencies[id] ?? [];
    for (let n = 0; n < needed.length; n++) {
      const other = numbers.get(needed[n] ?? "");
      if (other === undefined) {
        found.push(`error /dependencies/${id}/${n}`);
        continue;
      }
      waiting[own] = (waiting[own] ?? 0) + 1;
      edges.before.push(newest[other] ?? -1);
      newest[other] = edges.from.push(own) - 1;
    }
  }
  if (countFree(waiting, newest, edges) < numbers.size) found.push("error /dependencies");
  return [...found, ...strangers.map((id) => `notice /dependencies/${id}`)];
}

function countFree(
  waiting: Int32Array,
  newest: Int32Array,
  { from, before }: { readonly from: readonly number[]; readonly before: readonly number[] },
): number {
  const queue: number[] = [];
  for (let n = 0; n < waiting.length; n++) if (waiting[n] === 0) queue.push(n);
  for (let head = 0; head < queue.length; head++) {
    for (let edge = newest[queue[head] ?? 0] ?? -1; edge >= 0; edge = before[edge] ?? -1) {
      const next = from[edge] ?? 0;
      const left = (waiting[next] ?? 0) - 1;
      waiting[next] = left;
      if (left === 0) queue.push(next);
    }
  }
  return queue.length;
}

// --- helpers ---

/** Of a circle, the hand-written check says only that there is one. */
function places(all: readonly string[]): string {
  return all.map((at) => at.replace(/\/dependencies.*/, "/dependencies")).join();
}

/** What one finds in a broken document, the other finds too. */
function proveEqual(codec: Codec<OrchestrateState>): void {
  const breaks: readonly ((state: OrchestrateState) => unknown)[] = [
    () => {},
    (s) => s.tasks.pending.push("x"),
    (s) => s.tasks.failed.push("T0.1", "T0.2"),
    (s) => (s.execution.started_at = "now"),
    (s) => (s.metrics.total_tasks = -1),
    (s) => (s.dependencies["T0.9"] = ["T99.1"]),
    (s) => (s.dependencies["T98.1"] = []),
    (s) => Object.assign(s.dependencies, { "T0.1": ["T1.100"], "T1.100": ["T0.1"] }),
    (s) => (s.dependencies["T0"] = []),
    (s) => (s.checkpoints["phase_x"] = {}),
    (s) => (s.config.slack_webhook_url = "http://x.example"),
  ];
  const texts = breaks.map((change) => {
    const state = makeState(1000);
    change(state);
    return codec.print(state);
  });
  texts.push(
    (texts[0] ?? "").replace('"project"', '"project": "x",\n  "project"'),
    (texts[0] ?? "").replace("12.5", "0.12345678901234567890"),
    (texts[0] ?? "").slice(0, 5000),
  );
  for (const [n, text] of texts.entries()) {
    const [a, b] = [ours(codec, encode(text)), byHand(encode(text))];
    if (places(a) !== places(b))
      throw new Error(`${job}: document ${n}: ${a.join()} and ${b.join()}`);
  }
}
