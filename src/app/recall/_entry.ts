// Parts of entries that all sources share.
import type { RecallKind } from "../../core/vocabulary.ts";
import type { RecallEntry } from "../../store/recall/recall.ts";

/** Longer texts are cut: an entry is to be found and read at a glance, not kept here a second time. */
const longestText = 4_000;
const longestTitle = 200;

export type Part = Omit<RecallEntry, "task" | "place">;

/** Texts that are empty, or not there, leave no gap. */
export function entry(
  key: string,
  kind: RecallKind,
  at: unknown,
  title: string,
  ...texts: readonly unknown[]
): Part {
  const text = texts.map(plainly).filter((each) => each !== "");
  return {
    key,
    kind,
    at: instant(at),
    title: cut(title, longestTitle),
    text: cut(text.join("\n"), longestText),
  };
}

/** As one can compare them: times in documents may have an offset, or none (S0.1). */
export function instant(at: unknown): string {
  if (typeof at !== "string" && typeof at !== "number") return "";
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

/** Every text and number of a value, in its order; names of fields say little. */
export function plainly(value: unknown): string {
  const found: string[] = [];
  let left = longestText;
  const walk = (each: unknown, depth: number): void => {
    if (left <= 0 || depth > deepest) return;
    if (typeof each === "string" || typeof each === "number") {
      const text = String(each).slice(0, left);
      left -= text.length + 1;
      if (text.trim() !== "") found.push(text);
    } else if (typeof each === "object" && each !== null)
      for (const inner of Object.values(each) as unknown[]) walk(inner, depth + 1);
  };
  walk(value, 0);
  return found.join(" ");
}

// --- internal ---

const deepest = 8;

/** Never between the halves of a character. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
}
