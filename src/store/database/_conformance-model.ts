// Random histories against the simplest thing that could be right: maps in memory, copied before
// each change and put back when it is refused.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Change as Made, MemoryModel } from "./_conformance-memory.ts";
import {
  type Opened,
  type Subject,
  documentWrite,
  entity,
  project,
  task,
  transition,
} from "./_conformance-samples.ts";
import type { Change, LeaseRow, Outcome, Store } from "./store.ts";

export function testModel(subject: Subject): void {
  const full = process.env["HOLDFAST_FULL"] === "1";
  test("S5.2 gives the outcomes and the rows of the model, across restarts", async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(stepArbitrary, { minLength: 1, maxLength: 40, size: "max" }),
        async (steps) => {
          const opened = await subject.open();
          try {
            for (const name of await replay(opened, steps))
              seen.set(name, (seen.get(name) ?? 0) + 1);
          } finally {
            await opened.drop();
          }
        },
      ),
      { seed: 20260103, numRuns: full ? 1_000 : 60 },
    );
    // A property that never meets a refusal says nothing about refusals.
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining(["failed", "fenced", "guarded", "not claimed", "ok", "stale"]),
    );
  });
}

// --- internal ---

type Step =
  | { readonly do: "commit"; readonly changes: readonly Draft[]; readonly inRow: boolean }
  | { readonly do: "claim"; readonly task: number; readonly owner: string }
  | { readonly do: "release"; readonly task: number; readonly owner: string }
  | { readonly do: "reopen" };

/** Parts of a change by number; revisions are filled in when it is committed. */
interface Draft {
  /** Off by so many from the revision that is there. */
  readonly off: number;
  readonly lease: boolean;
  readonly guarded: boolean;
  readonly parts: readonly { readonly kind: Part; readonly id: number; readonly value: number }[];
}

// oxfmt-ignore
const parts = [
  "task", "task", "entity", "entity", "transition", "document", "document", "effect", "tried",
  "done", "timer", "timerGone", "inbox", "acknowledge", "taskGone", "documentGone",
] as const;
type Part = (typeof parts)[number];

const draftArbitrary: fc.Arbitrary<Draft> = fc.record({
  off: fc.constantFrom(0, 0, 0, 0, 0, 1, -1),
  lease: fc.constantFrom(false, false, true),
  guarded: fc.constantFrom(false, false, false, false, true),
  parts: fc.array(fc.record({ kind: fc.constantFrom(...parts), id: fc.nat(2), value: fc.nat(9) }), {
    minLength: 1,
    maxLength: 5,
    size: "max",
  }),
});

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("commit" as const),
      changes: fc.array(draftArbitrary, { minLength: 1, maxLength: 4, size: "max" }),
      inRow: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("claim" as const, "release" as const),
      task: fc.nat(2),
      owner: fc.constantFrom("one", "two"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "reopen" } as const) },
);

/** Far ahead of any clock, so that no lease runs out by itself. */
const later = 8_000_000_000_000;

/** Runs the steps on both; returns the outcomes it met. */
async function replay(opened: Opened, steps: readonly Step[]): Promise<string[]> {
  const model = new MemoryModel();
  let store = opened.store;
  const met: string[] = [];
  await store.commit({ projects: [project] });
  for (const step of steps) {
    if (step.do === "reopen") store = await opened.reopen();
    const { got, wanted } = await both(store, model, step);
    expect(got).toEqual(wanted);
    met.push(...got);
    const rows = await rowsOf(store);
    model.learn(rows.inbox);
    expect(rows).toEqual(model.rows());
  }
  return met;
}

async function both(
  store: Store,
  model: MemoryModel,
  step: Step,
): Promise<{ got: string[]; wanted: string[] }> {
  if (step.do === "reopen") return { got: [], wanted: [] };
  if (step.do === "commit") {
    // All in one batch: what the second reads is what was there before the first.
    const apart = step.changes.map((draft) => changeOf(draft, model));
    const changes = step.inRow ? [{ next: apart }] : apart;
    const got = await Promise.all(changes.map((change) => codeOf(store.commit(change))));
    return { got, wanted: changes.map((change) => model.apply(change)) };
  }
  const id = `t${step.task}`;
  if (step.do === "claim") {
    const lease = await store.claim(id, step.owner, later, 1_000);
    const same = model.claim(id, step.owner, later + 1_000);
    return { got: [leaseText(lease)], wanted: [leaseText(same)] };
  }
  const lease = model.leaseOf(id, step.owner);
  await store.release(lease);
  model.release(lease);
  return { got: [], wanted: [] };
}

function leaseText(lease: LeaseRow | undefined): string {
  return lease === undefined ? "not claimed" : `claimed ${lease.epoch} ${lease.until}`;
}

function codeOf(commit: Promise<Outcome>): Promise<string> {
  return commit.then(
    (outcome) => (outcome.ok ? "ok" : outcome.code),
    () => "failed",
  );
}

function changeOf(draft: Draft, model: MemoryModel): Change {
  const made: Made = model.empty();
  for (const { kind, id, value } of draft.parts) addPart(made, model, { kind, id, value }, draft);
  const lease = model.leaseOf("t0", "one");
  return {
    ...made,
    ...(draft.lease ? { lease } : {}),
    ...(draft.guarded ? { guard: () => ({ key: "store.what.timer", params: { id: "x" } }) } : {}),
  };
}

function addPart(made: Made, model: MemoryModel, part: Draft["parts"][number], draft: Draft): void {
  const { id, value } = part;
  const taskId = `t${id}`;
  const key = `k${id}`;
  const rev = (found: number | undefined): number => Math.max(0, (found ?? 0) + draft.off);
  const add: Readonly<Record<Part, () => unknown>> = {
    task: () =>
      made.tasks.push(
        task(taskId, { rev: rev(model.taskRev(taskId)), priority: value, data: { value } }),
      ),
    entity: () =>
      made.entities.push(
        entity(key, { rev: rev(model.entityRev(key)), taskId: "t0", status: `s${value}` }),
      ),
    transition: () => made.transitions.push(transition(taskId, { metadata: { value } })),
    document: () => {
      // Some small, some large enough for differences.
      const content = Buffer.from(`${value}${"내용".repeat(value > 4 ? 15_000 : 3)}${value}`);
      made.documents.push(documentWrite(`/${key}`, rev(model.documentRev(`/${key}`)), content));
    },
    effect: () => made.effects.push({ key, taskId, name: "e", data: { value }, createdAt: value }),
    tried: () => made.effectsTried.push(key),
    done: () => made.effectsDone.push({ key, at: value }),
    timer: () => made.timers.push({ key, taskId, name: "w", dueAt: value, data: { value } }),
    timerGone: () => made.timersGone.push(key),
    inbox: () =>
      made.inbox.push({ key: `${key}-${value}`, taskId, name: "i", data: value, createdAt: 1 }),
    acknowledge: () =>
      made.acknowledge.push({ seq: model.inboxSeq(id), at: value, outcome: { value } }),
    taskGone: () => made.tasksGone.push(taskId),
    documentGone: () => made.documentsGone.push(`/${key}`),
  };
  add[part.kind]();
}

/** Everything the store holds, in the model's form. */
async function rowsOf(store: Store): Promise<ReturnType<MemoryModel["rows"]>> {
  const contents: Record<string, string> = {};
  const documents = await store.documents(project.id);
  for (const { path, rev } of documents)
    for (let at = 1; at <= rev; at++)
      contents[`${path}@${at}`] = Buffer.from((await store.contentAt(path, at)) ?? []).toString();
  const inbox = await Promise.all(["t0", "t1", "t2"].map((id) => store.openInbox(id)));
  const transitions = await store.transitions();
  return {
    tasks: await store.tasks(),
    entities: await store.entities({}),
    transitions: transitions.map(({ seq: _seq, ...row }) => row),
    effects: await store.openEffects(),
    timers: await store.timersDue(Number.MAX_SAFE_INTEGER),
    inbox: inbox.flat(),
    documents,
    contents,
  };
}
