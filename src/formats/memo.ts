// What who made a document knows of it that would take long to find out again. It is kept in the
// document's row, beside the sum of the very bytes it was made for (store/_document-publish.ts): with any
// other file it is gone. Nothing may depend on it but how long something takes.

/** By the document itself: another version has its own, or none. */
const memos = new WeakMap<object, unknown>();

/** Small, and JSON. */
export function remember(document: object, memo: unknown): void {
  memos.set(document, memo);
}

export function memoOf(document: unknown): unknown {
  return typeof document === "object" && document !== null ? memos.get(document) : undefined;
}
