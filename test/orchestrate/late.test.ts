// A state that is read late, with what the step before knew of it, is worked on as one that is read from end
// to end: the same decisions, the same bytes, through any steps on any plan (docs/adr/0010).
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Codec, loadCodec } from "../../src/formats/codec.ts";
import { lateAt, lateIndent } from "../../src/formats/late.ts";
import { memoOf } from "../../src/formats/memo.ts";
import type { OrchestrateState } from "../../src/formats/orchestrate-state.ts";
import { checkChange } from "../../src/store/_document-check.ts";
import { printParts } from "../../src/store/_document-print.ts";
import { knownOf } from "../../src/workflows/orchestrate/known.ts";
import { Play } from "./play.ts";

const full = process.env["HOLDFAST_FULL"] === "1";

const acts = fc.record({
  on: fc.constantFrom("start", "start", "start", "done", "done", "fail", "retry", "lose", "hand"),
  pick: fc.nat(200),
  session: fc.constantFrom("a", "a", "a", "b"),
  /** What became of what the step before knew. */
  memo: fc.constantFrom("kept", "kept", "kept", "kept", "gone", "of another plan"),
});
type Act = typeof acts extends fc.Arbitrary<infer A> ? A : never;

/** Some so long that their lists are worth waiting for. */
const plans = fc
  .array(fc.record({ phase: fc.nat(2), deps: fc.array(fc.nat(200), { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 160,
    size: "max",
  })
  .map((nodes) => {
    const sorted = nodes.toSorted((a, b) => a.phase - b.phase);
    const ids = sorted.map(({ phase }, n) => `T${phase}.1000.${1000 + n}`);
    const lines = sorted.map(({ deps }, n) => {
      const needed = n === 0 ? [] : [...new Set(deps.map((dep) => ids[dep % n]))];
      const depends = needed.length > 0 ? `\n  - depends: ${needed.join(", ")}` : "";
      return `- [${n % 5 === 4 ? "x" : " "}] ${ids[n]}: t${depends}`;
    });
    return { ids, text: lines.join("\n") };
  });

test("S2.2 S2.3 S2.8 a state is worked on alike, read late or from end to end", async () => {
  const codec = await loadCodec("orchestrate-state");
  const seen = { unread: 0, known: 0 };
  fc.assert(
    fc.property(
      plans,
      fc.constantFrom("  ", "\t", "    "),
      fc.array(acts, { maxLength: 40, size: "max" }),
      ({ ids, text }, indent, all) => {
        const [whole, late] = [Play.of(text), Play.of(text)];
        late.facts = { ...late.facts, name: "the plan" };
        let printed = `${JSON.stringify(whole.state, null, indent)}\n`;
        let memo: string | null = null;
        for (const act of all) {
          whole.state = JSON.parse(printed) as OrchestrateState;
          const before = read(codec, printed, memoAfter(memo, act));
          late.state = before;
          const id = unitFor(whole.state, ids, act);
          expect(next(late, act)).toEqual(next(whole, act));
          const [got, wanted] = [taken(late, id, act), taken(whole, id, act)];
          if (knownOf(before, late.facts)) seen.known++;
          if (lateAt(late.state, "dependencies")?.isRead === false) seen.unread++;
          const again = late.state === before ? printed : print(codec, before, late.state);
          expect(again).toBe(`${JSON.stringify(whole.state, null, indent)}\n`);
          expect(got).toBe(wanted);
          if (again !== printed) memo = JSON.stringify(memoOf(late.state)) ?? null;
          printed = again;
        }
      },
    ),
    { numRuns: full ? 1_000 : 80, seed: 20_260_102 },
  );
  // Else it would have said nothing about either.
  expect(seen.known).toBeGreaterThan(300);
  expect(seen.unread).toBeGreaterThan(200);
});

// --- internal ---

/** As the store reads a file of its own. */
function read(codec: Codec<OrchestrateState>, text: string, memo: string | null): OrchestrateState {
  const value = codec.reread(Buffer.from(text), { rules: codec.rules, memo });
  if (value === undefined) throw new Error("it was not read");
  return value;
}

function memoAfter(memo: string | null, act: Act): string | null {
  if (memo === null || act.memo === "kept") return memo;
  return act.memo === "gone" ? null : memo.replace("the plan", "another plan");
}

/** As the store checks and writes a new version. */
function print(
  codec: Codec<OrchestrateState>,
  before: OrchestrateState,
  after: OrchestrateState,
): string {
  const ref = { format: "orchestrate-state", codec: codec as Codec<unknown> } as const;
  expect(checkChange(ref, before, after)).toBeUndefined();
  const indent = lateIndent(before);
  if (indent === undefined) throw new Error("it was not read late");
  const bytes = printParts(after, indent, before);
  if (bytes === undefined) throw new Error("it was not printed in parts");
  return Buffer.from(bytes).toString("utf8");
}

/** Mostly one with which it can be done. */
function unitFor({ tasks }: OrchestrateState, all: readonly string[], { on, pick }: Act): string {
  const list =
    on === "start" ? "ready" : on === "retry" || on === "hand" ? "failed" : "in_progress";
  const ids = pick % 8 === 0 || tasks[list].length === 0 ? all : tasks[list];
  return ids[pick % ids.length] ?? "";
}

function next(play: Play, { pick }: Act): unknown {
  return play.next(pick % 7 < 3 ? pick % 3 : undefined, pick % 2 === 0 ? 3 : undefined);
}

/** As JSON: what came of it, but for the state itself. */
function taken(play: Play, id: string, { on, session }: Act): string {
  const step = (): unknown => {
    if (on === "start") return play.start(id, session);
    if (on === "done") return play.done(id, session);
    if (on === "fail") return play.fail(id, "broken", session);
    if (on === "retry") return play.do({ on: "retry", unit: id });
    if (on === "hand" && play.state.tasks.failed.includes(id)) play.completeByHand(id);
    if (on === "lose") play.lost = new Set([id]);
    return play.do({ on: "settle" });
  };
  return JSON.stringify(step(), (key, value: unknown) => (key === "state" ? undefined : value));
}
