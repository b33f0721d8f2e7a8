// What a review is compared with.
import type { Kinds, ReviewData } from "../engine/state.ts";

type Review = Kinds["review"];

/** Oldest first: rows come by their ids, which say nothing about time. */
export function inOrder(reviews: ReadonlyMap<string, Review>): Review[] {
  return [...reviews.values()].toSorted((a, b) => (a.data.createdAt < b.data.createdAt ? -1 : 1));
}

/** The check that this review followed: `review-2-1` comes of `check-2-1`. */
export function checkBefore(attempts: ReadonlyMap<string, Kinds["attempt"]>, { step }: ReviewData) {
  const check = step.replace("review", "check");
  const passed = [...attempts.values()].findLast(
    ({ status, data }) => status === "passed" && data.step === check,
  );
  const { took, accepted = false } = passed?.data ?? {};
  return {
    /** A person accepted it without a verifier's verdict. */
    accepted,
    took: took === undefined ? null : { ...took, commands: [...took.commands] },
  };
}

/**
 * The last decision may have been about this very phase: then there is a smaller step to look at.
 * Else, or where the whole is wanted, what was approved before the phase; null: what the task began with.
 */
export function comparedWith(
  reviews: readonly Review[],
  { data }: Review,
  whole: boolean,
): { readonly since: "review" | "phase"; readonly tree: string | null } {
  const last = reviews.find(({ data: { tree } }) => tree === data.since);
  if (last?.data.phase === data.phase && !whole) return { since: "review", tree: data.since };
  const before = reviews.findLast(
    ({ status, data: { phase } }) => status === "approved" && phase < data.phase,
  );
  return { since: "phase", tree: before?.data.tree ?? null };
}
