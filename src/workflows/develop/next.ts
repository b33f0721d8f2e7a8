// What there is to do now, for a session that asks (S2.11's form): the phase's own work, or checkpoints
// that it holds, that nobody holds any more, and that may begin. Asked twice it says the same.
import { type Message, msg } from "../../core/messages.ts";
import { holderOf, phaseUnitOf, unpassedOf, waitsForPerson } from "./claims.ts";
import { type Situation } from "./events.ts";
import { unitIn } from "./private.ts";
import { atOnce } from "./strategy.ts";

export type Next =
  | { readonly kind: "ready"; readonly units: readonly string[] }
  /** `person`: who waits is to ask one. */
  | { readonly kind: "wait"; readonly why: Message; readonly person: boolean }
  | { readonly kind: "done" };

export function nextOf(situation: Situation, session: string): Next {
  const { state, run } = situation;
  if (state.phase === "DONE") return { kind: "done" };
  if (run.headless) return waiting(msg("develop.headless"), false);
  const unit = phaseUnitOf(state);
  if (waitsForPerson(situation)) return waiting(personMust(situation), true);
  if (unit === undefined) return nextCheckpoints(situation, session);
  const other = holderOf(situation, unit);
  if (other !== null && other.session !== session)
    return waiting(msg("develop.claimed", { unit, session: other.session }), false);
  return { kind: "ready", units: [unit] };
}

/** Checkpoints that may be worked on, those under way first (S0.9), in the design's order. */
export function openCheckpoints(situation: Situation): { under: string[]; pending: string[] } {
  const { checkpoints = {} } = situation.state;
  const ids = Object.keys(checkpoints).toSorted(byDesign(situation));
  return {
    under: ids.filter((id) => checkpoints[id]?.status === "in_progress"),
    pending: ids.filter(
      (id) => checkpoints[id]?.status === "pending" && unpassedOf(situation, id).length === 0,
    ),
  };
}

export function escalatedIn({ state }: Pick<Situation, "state">): string[] {
  const all = Object.entries(state.checkpoints ?? {});
  return all.flatMap(([id, { status }]) => (status === "escalated" ? [id] : []));
}

/** What was tried, for the person who is asked (S0.5). */
export function triedText({ run }: Pick<Situation, "run">, id: string): string {
  const { tried } = unitIn(run, id);
  return tried
    .map(({ failure, reason }, at) => `${at + 1}. ${failure}: ${short(reason)}`)
    .join("\n");
}

// --- internal ---

function nextCheckpoints(situation: Situation, session: string): Next {
  const { state, rules } = situation;
  const { under, pending } = openCheckpoints(situation);
  const others = under.filter((id) => {
    const holder = holderOf(situation, id);
    return holder !== null && holder.session !== session;
  });
  const free = atOnce(state.strategy ?? "direct", rules.slots) - others.length;
  const mine = [...under.filter((id) => !others.includes(id)), ...pending].slice(
    0,
    Math.max(0, free),
  );
  if (mine.length > 0) return { kind: "ready", units: mine };
  if (others.length > 0) return waiting(msg("develop.others", { ids: others.join(", ") }), false);
  return waiting(askAbout(situation, escalatedIn(situation)), true);
}

function waiting(why: Message, person: boolean): Next {
  return { kind: "wait", why, person };
}

function personMust({ state, run }: Situation): Message {
  if (state.phase === "DESIGN")
    return msg("develop.asks.design", { count: run.proposed?.length ?? 0 });
  if (state.phase === "REVIEW")
    return msg("develop.asks.review", { findings: short(run.findings ?? "") });
  return msg("develop.asks.merge");
}

function askAbout(situation: Situation, ids: readonly string[]): Message {
  const [id = ""] = ids;
  return msg("develop.asks.escalated", {
    ids: ids.join(", "),
    id,
    tried: triedText(situation, id),
  });
}

function byDesign({ run }: Situation): (a: string, b: string) => number {
  const place = new Map((run.definitions ?? []).map(({ id }, at) => [id, at]));
  return (a, b) => (place.get(a) ?? Infinity) - (place.get(b) ?? Infinity) || 0;
}

const mostShown = 600;

function short(text: string): string {
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}
