// Two versions of a list: what they begin and end with is the same, and of a list of 10,000 tasks
// that is nearly all.
import { isFrozen } from "../formats/frozen.ts";

/** How many items two lists have in common at their beginnings, and then at their ends. */
export interface Shared {
  readonly begin: number;
  readonly end: number;
}

export function sharedEnds(before: readonly unknown[], after: readonly unknown[]): Shared {
  const most = Math.min(before.length, after.length);
  if (before === after) return { begin: most, end: 0 };
  const known = compared.get(after);
  if (known?.before === before) return known.shared;
  let begin = 0;
  while (begin < most && before[begin] === after[begin]) begin++;
  let end = 0;
  const [last, afterLast] = [before.length - 1, after.length - 1];
  while (end < most - begin && before[last - end] === after[afterLast - end]) end++;
  const shared = { begin, end };
  if (isFrozen(before) && isFrozen(after)) compared.set(after, { before, shared });
  return shared;
}

/** Those of `list` that it does not share. */
export function between<T>(list: readonly T[], { begin, end }: Shared): readonly T[] {
  return list.slice(begin, list.length - end);
}

// --- internal ---

/** A version is checked, and then printed: each time against the same one before it. */
const compared = new WeakMap<object, { readonly before: object; readonly shared: Shared }>();
