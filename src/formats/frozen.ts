// Documents that are handed out and kept are frozen: a function that changes one in place fails
// loudly, where it would else change what later updates begin with, unseen. And what is the same
// object in two versions is then the same in every field.
//
// Of two versions of a list, what they begin and end with is the same, and of 10,000 tasks that is
// nearly all. It is found once, where the new version is frozen, and known to who checks and prints it.

/** What is frozen, with everything in it: asking an object of 10,000 fields takes its time. */
const frozen = new WeakSet<object>();

const short = 16;

/**
 * All of it; ends where that was done already, so that a new version costs what is new. `before`: the
 * version from which it was made.
 */
export function freeze(value: unknown, before?: unknown): void {
  if (typeof value !== "object" || value === null || frozen.has(value)) return;
  if (ArrayBuffer.isView(value)) return;
  if (Array.isArray(value)) freezeItems(value, before);
  else freezeFields(value as Fields, (before ?? {}) as Fields);
}

export function isFrozen(value: object): boolean {
  return frozen.has(value);
}

/** How many items two lists have in common at their beginnings, and then at their ends. */
export interface Shared {
  readonly begin: number;
  readonly end: number;
}

export function sharedEnds(before: readonly unknown[], after: readonly unknown[]): Shared {
  const most = Math.min(before.length, after.length);
  if (before === after) return { begin: most, end: 0 };
  const known = compared.get(after);
  if (known?.before.deref() === before) return known.shared;
  // A copy is made natively, and its items are read in a third of the time.
  const was = [...before];
  let begin = 0;
  while (begin < most && was[begin] === after[begin]) begin++;
  let end = 0;
  const [last, afterLast] = [was.length - 1, after.length - 1];
  while (end < most - begin && was[last - end] === after[afterLast - end]) end++;
  const shared = { begin, end };
  if (isFrozen(before) && isFrozen(after))
    compared.set(after, { before: new WeakRef(before), shared });
  return shared;
}

/** Those of `list` that it does not share. */
export function between<T>(list: readonly T[], { begin, end }: Shared): readonly T[] {
  // By hand: slice() of a frozen list takes 50 times as long as of any other.
  const found: T[] = [];
  for (let n = begin; n < list.length - end; n++) found.push(list[n] as T);
  return found;
}

// --- internal ---

type Fields = Readonly<Record<string, unknown>>;

interface Compared {
  /** Not held: it has one before it, too, and all that ever were would stay, each with its page. */
  readonly before: WeakRef<object>;
  readonly shared: Shared;
}

/** A version is frozen, checked and printed: each time against the same one before it. */
const compared = new WeakMap<object, Compared>();

function freezeItems(list: readonly unknown[], before: unknown): void {
  if (list.length > short) frozen.add(list);
  // What it shares with a list that is frozen is frozen too. Found first: items of a frozen list are
  // read in three times the time.
  const isNext = Array.isArray(before) && list.length > short && isFrozen(before);
  const { begin, end } = isNext ? sharedEnds(before, list) : { begin: 0, end: 0 };
  Object.freeze(list);
  let deep = false;
  for (let n = begin; n < list.length - end; n++)
    if (typeof list[n] === "object") {
      deep = true;
      freeze(list[n]);
    }
  // What is short and holds texts alone is frozen again faster than it is remembered.
  if (deep) frozen.add(list);
}

function freezeFields(value: Fields, before: Fields): void {
  Object.freeze(value);
  const keys = Object.keys(value);
  let deep = false;
  for (const key of keys) {
    const part = value[key];
    if (typeof part !== "object" || part === null) continue;
    deep = true;
    if (!frozen.has(part)) freeze(part, before[key]);
  }
  if (deep || keys.length > short) frozen.add(value);
}
