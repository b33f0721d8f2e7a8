// The gates that code decides by itself (S4.4): files that were changed outside a design, files that a
// design declares and that are not there, boundaries that are crossed by an import.
import type { DesignContract } from "../../formats/design-contract.ts";
import { type Board, focusOf } from "./board.ts";
import { type Uses, lineOfFile, lineOfPackage, usesIn } from "./imports/imports.ts";
import { isOurs } from "./places.ts";
import type { SubtaskWork, Verdict } from "./private.ts";
import { tidy } from "./paths.ts";
import { declaredFiles } from "./steps.ts";

/** GATE-3: what was changed and is neither declared nor the test file. */
export function strayFiles(board: Board, changed: readonly string[]): string[] {
  const declared = new Set(declaredFiles(board));
  const paths = changed.map(tidy).filter((path) => path !== "" && !isOurs(path));
  return [...new Set(paths)].filter((path) => !declared.has(path)).toSorted();
}

/** GATE-4 as far as code can see. `files`: the text of each declared file that is there. */
export function scanned(
  { design, state }: Board,
  files: Readonly<Record<string, string>>,
): SubtaskWork["scan"] {
  if (design === undefined) return { verdicts: [], uncovered: [] };
  const texts = new Map(Object.entries(files).map(([path, text]) => [tidy(path), text]));
  const ends = isLast(state);
  const missing = design.file_refs.flatMap(({ entity, path, status }): Verdict[] =>
    // What is still to be created is due with the task's last subtask.
    texts.has(tidy(path)) || (status === "to_create" && !ends)
      ? []
      : [{ item: `file ${path}`, holds: false, why: `${entity}: no such file`, by: "code" }],
  );
  const crossed = forbidden(design, texts);
  return { verdicts: [...missing, ...crossed.verdicts], uncovered: crossed.uncovered };
}

/** What a verifier has to judge, each by its own name (S4.2b). */
export function itemsToJudge({ brief, design, state }: Board): { item: string; text: string }[] {
  // What the whole task promises can be judged when its last subtask is done, not before.
  const ends = isLast(state);
  return [
    ...(design?.invariants ?? []).map(({ id, rule }) => ({ item: id, text: rule })),
    ...(design?.interfaces ?? []).map(({ name, input, output, contract }) => ({
      item: `interface ${name}`,
      text: `${shapeOf(input)} → ${shapeOf(output)}: ${contract}`,
    })),
    ...(design?.layer_assignments ?? []).map(({ component, layer }) => ({
      item: `layer ${component}`,
      text: layer,
    })),
    ...(ends ? listed("completion_criteria", brief?.completion_criteria ?? []) : []),
    ...listed("scope_in", brief?.scope_in ?? []),
    ...listed("scope_out", brief?.scope_out ?? []),
  ];
}

// --- internal ---

function listed(name: string, texts: readonly string[]): { item: string; text: string }[] {
  return texts.map((text, at) => ({ item: `${name} ${at + 1}`, text }));
}

function isLast(state: Board["state"]): boolean {
  const focus = focusOf(state);
  return focus !== null && focus.subtask === focus.entry.subtask_order.at(-1);
}

function shapeOf({ type, fields }: DesignContract["interfaces"][number]["input"]): string {
  if (fields === undefined) return type;
  return `${type} { ${fields.map((field) => `${field.name}: ${field.type}`).join(", ")} }`;
}

function forbidden(
  { boundaries, file_refs: refs }: DesignContract,
  texts: ReadonlyMap<string, string>,
): SubtaskWork["scan"] {
  const verdicts: Verdict[] = [];
  const uncovered = new Set<string>();
  const filesOf = (entity: string): string[] =>
    refs.flatMap((ref) => (ref.entity === entity ? [tidy(ref.path)] : []));
  for (const { from, to, allowed } of boundaries) {
    if (allowed) continue;
    for (const path of filesOf(from)) {
      const text = texts.get(path);
      if (text === undefined) continue;
      const uses = usesIn(path, text);
      const item = `boundary ${from} → ${to}`;
      if (uses === undefined) {
        uncovered.add(`${item}: ${path}`);
        continue;
      }
      const line = crossing(path, uses, filesOf(to), to);
      const why = line === undefined ? path : `${path}:${line}`;
      verdicts.push({ item, holds: line === undefined, why, by: "code" });
    }
  }
  return { verdicts, uncovered: [...uncovered] };
}

/** The line that crosses it. What no file of the design is, is a package by its name. */
function crossing(
  path: string,
  uses: Uses,
  targets: readonly string[],
  to: string,
): number | undefined {
  if (targets.length === 0) return lineOfPackage(uses, to);
  for (const target of targets) {
    const line = lineOfFile(path, uses, target);
    if (line !== undefined) return line;
  }
  return undefined;
}
