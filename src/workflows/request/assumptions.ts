// What the planner assumed, held against what was explored (S4.4). Code can judge what names a place
// of the project; what an assumption says beyond that is left to the architect, who is told so.
import type { Explored } from "../../formats/explored.ts";
import { segmentsOf, tidy } from "./paths.ts";

export interface Assumption {
  readonly text: string;
  /** `unknown`: it names no place. */
  readonly verdict: "found" | "wrong" | "unknown";
  /** Named, and nowhere in what was explored. */
  readonly missing: readonly string[];
}

export function judged(assumptions: readonly string[], explored: Explored): Assumption[] {
  const known = [
    ...explored.explored_files.map(({ path }) => segmentsOf(path)),
    ...Object.keys(explored.directory_structure).map((path) => segmentsOf(path)),
  ];
  return assumptions.map((text) => {
    const named = placesIn(text);
    const missing = named.filter((path) => path !== "" && !isKnown(path, known));
    if (named.length === 0) return { text, verdict: "unknown", missing };
    return { text, verdict: missing.length === 0 ? "found" : "wrong", missing };
  });
}

// --- internal ---

/** `auth/`, `src/auth/login.ts`, `pom.xml`; not `and/or`, an address, or a library called `Node.js`. */
function placesIn(text: string): string[] {
  const found = [...text.matchAll(word)].filter(([name], at, all) => {
    const before = text.slice(Math.max(0, (all[at]?.index ?? 0) - 3), all[at]?.index);
    if (before.endsWith("://") || libraries.test(name)) return false;
    return name.endsWith("/") || file.test(name) || name.split("/").length > 2;
  });
  return [...new Set(found.map(([name]) => tidy(name)))].filter((path) => path !== "");
}

const word = /[A-Za-z0-9_@.-]+(?:\/[A-Za-z0-9_@.-]+)*\/?/g;
const file =
  /[\w-]\.(?:[cm]?[jt]sx?|py|java|kt|go|rs|rb|php|cs|xml|gradle|kts|json|ya?ml|toml|sql|md)$/;
const libraries = /^(?:node|vue|next|nuxt|express|react|three|d3|chart|socket)\.js$/i;

/** Its parts stand, in a row, in some path that was seen. */
function isKnown(path: string, known: readonly (readonly string[])[]): boolean {
  const parts = segmentsOf(path);
  return known.some((all) =>
    all.some((_, at) => parts.every((part, place_) => all[at + place_] === part)),
  );
}
