// Documents that are handed out and kept are frozen: a function that changes one in place fails
// loudly, where it would else change what later updates begin with, unseen. And what is the same
// object in two versions is then the same in every field.

/** What is frozen, with everything in it: asking an object of 10,000 fields takes its time. */
const frozen = new WeakSet<object>();

const short = 16;

/** All of it; ends where that was done already, so that a new version costs what is new. */
export function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || frozen.has(value)) return;
  if (ArrayBuffer.isView(value)) return;
  Object.freeze(value);
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let deep = false;
  for (let n = 0; n < parts.length; n++)
    if (typeof parts[n] === "object") {
      deep = true;
      freeze(parts[n]);
    }
  // What is short and holds texts alone is frozen again faster than it is remembered.
  if (deep || parts.length > short) frozen.add(value);
}

/** Of one that was made frozen, with everything in it. */
export function isNowFrozen(value: object): void {
  frozen.add(value);
}

export function isFrozen(value: object): boolean {
  return frozen.has(value);
}
