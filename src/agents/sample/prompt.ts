// What the default course reads from a prompt. The lines are those docs/protocol.md promises:
//
//   # A shop for used books
//   Deliverables:                                          (or 산출물:)
//   - docs/planning/01_idea.md (at least 800 characters)
//       === PHASE 1 COMPLETE ===                           (the marker it is to print)

export interface Brief {
  readonly subject: string;
  /** Null where the prompt names none. */
  readonly phase: number | null;
  /** A custom task: claimed by its own marker. */
  readonly custom: boolean;
  readonly deliverables: readonly Deliverable[];
}

export interface Deliverable {
  readonly path: string;
  /** Characters. */
  readonly atLeast: number;
}

export function readPrompt(text: string): Brief {
  const lines = text.split("\n").map((line) => line.trim());
  // The last one: what a person wrote stands before what the engine adds.
  const claim = lines.findLast((line) => claimLine.test(line));
  const phase = claim === undefined ? undefined : claimLine.exec(claim)?.[1];
  return {
    subject: subjectOf(lines),
    phase: phase === undefined ? null : Number(phase),
    custom: claim !== undefined && phase === undefined,
    deliverables: listBelow(lines).slice(0, 100),
  };
}

// --- internal ---

const claimLine = /^=== (?:PHASE (\d{1,4})|CUSTOM TASK) COMPLETE\b/;
const listHead = /^(?:Deliverables|산출물):$/i;

function subjectOf(lines: readonly string[]): string {
  const first = lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? "";
  return Array.from(first.slice(0, 500).replace(/^[#*>\s-]+(?:\[[ x]?\]\s*)?/i, ""))
    .slice(0, 80)
    .join("");
}

function listBelow(lines: readonly string[]): Deliverable[] {
  const head = lines.findIndex((line) => listHead.test(line));
  if (head < 0) return [];
  const list: Deliverable[] = [];
  for (const line of lines.slice(head + 1)) {
    if (line === "" && list.length === 0) continue;
    const item = /^[-*]\s+(\S.*)$/.exec(line.slice(0, 2000))?.[1];
    if (item === undefined) break;
    const deliverable = readItem(item);
    if (deliverable) list.push(deliverable);
  }
  return list;
}

/** `docs/a.md`, in backticks or not, then perhaps a remark behind a bracket, dash or colon. */
function readItem(item: string): Deliverable | null {
  const quoted = /^`([^`]+)`(.*)$/.exec(item);
  const end = quoted ? 0 : item.search(/\s[—–(]|:\s|:$/);
  const path = quoted?.[1] ?? (end < 0 ? item : item.slice(0, end));
  const remark = quoted?.[2] ?? (end < 0 ? "" : item.slice(end));
  const number = /\d[\d,]*/.exec(remark)?.[0].replaceAll(",", "") ?? "0";
  // A folder is delivered as what stands in it.
  const file = path.endsWith("/") ? `${path}README.md` : path;
  return isInside(file) ? { path: file, atLeast: Math.min(Number(number), 50_000) } : null;
}

function isInside(path: string): boolean {
  return !path.startsWith("/") && !path.split("/").includes("..") && !/[*?\\]/.test(path);
}
