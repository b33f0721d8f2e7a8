// knowledge.yaml grows (S4.7): what was decided in designs, the newest for each topic; what a retry
// that succeeded has taught; and the patterns that code-explore has seen.
import type { DesignBrief } from "../../formats/design-brief.ts";
import type { DesignContract } from "../../formats/design-contract.ts";
import type { Knowledge } from "../../formats/knowledge.ts";
import type { RequestSession } from "../../formats/request-session.ts";
import { type Language, msg, render } from "../../core/messages.ts";
import type { SubtaskWork } from "./private.ts";

export type Patterns = Knowledge["patterns"];

export function noKnowledge({ project }: Pick<RequestSession, "project">, now: string): Knowledge {
  return { version: 1, project, patterns: {}, decisions: [], pitfalls: [], updated_at: now };
}

export function withPatterns(known: Knowledge, patterns: Patterns, now: string): Knowledge {
  const merged = Object.fromEntries(
    [...new Set([...Object.keys(known.patterns), ...Object.keys(patterns)])].map((name) => {
      const [was, is] = [known.patterns[name], patterns[name]];
      if (is === undefined) return [name, was ?? ""] as const;
      // Of several under one name those that were not seen again stay.
      return [name, typeof is === "object" && typeof was === "object" ? { ...was, ...is } : is];
    }),
  );
  if (JSON.stringify(merged) === JSON.stringify(known.patterns)) return known;
  return { ...known, patterns: merged, updated_at: now };
}

/** A design is one decision, by the name of its task: what binds everyone who works on it. */
export function withDesign(
  known: Knowledge,
  design: DesignContract,
  brief: DesignBrief | undefined,
  now: string,
): Knowledge {
  const decision = [
    ...design.invariants.map(({ id, rule }) => `${id}: ${rule}`),
    ...design.boundaries.flatMap(({ from, to, allowed, note }) =>
      allowed ? [] : [`${from} ✗ ${to}${note === undefined ? "" : ` (${note})`}`],
    ),
    ...design.layer_assignments.map(({ component, layer }) => `${component}: ${layer}`),
  ].join("; ");
  if (decision === "") return known;
  const topic = design.task_name;
  if (known.decisions.some((each) => each.topic === topic && each.decision === decision))
    return known;
  const kept = known.decisions.filter((each) => each.topic !== topic);
  const added = {
    id: nextId("D", known.decisions),
    topic,
    decision,
    rationale: brief?.objective ?? "",
    refs: design.file_refs.map(({ path }) => path),
    created_at: design.created_at,
  };
  return { ...known, decisions: [...kept, added], updated_at: now };
}

/** What failed in a subtask and was mended is worth knowing the next time. */
export function withPitfalls(
  known: Knowledge,
  subtask: string,
  { failures }: Pick<SubtaskWork, "failures">,
  language: Language,
  now: string,
): Knowledge {
  const pitfalls = [...known.pitfalls];
  const [from = subtask] = subtask.split("-");
  for (const { gate, why, lesson = why } of failures) {
    const description = (lesson.split("\n")[0] ?? lesson).slice(0, 500);
    const reason = render(language, msg("request.pitfall", { gate, subtask }));
    // Learned before: it is not learned better by being written twice.
    if (pitfalls.some((each) => each.description === description)) continue;
    pitfalls.push({ id: nextId("P", pitfalls), description, reason, learned_from: from });
  }
  return pitfalls.length === known.pitfalls.length
    ? known
    : { ...known, pitfalls, updated_at: now };
}

// --- internal ---

/** Above every number there ever was here: one that was replaced is not named again. */
function nextId(letter: string, items: readonly { readonly id: string }[]): string {
  const numbers = items.map(({ id }) => Number(new RegExp(`^${letter}(\\d{1,9})$`).exec(id)?.[1]));
  return `${letter}${Math.max(0, ...numbers.filter((number) => number > 0)) + 1}`;
}
