// Diagrams become edges: each node is resolved to the tasks it stands for.
//
// A node is a task by its name (`T1.1`), by the first id in its label (`A["T1.1: 로그인"]`), or by
// its name with underscores (`T1_1`), since older Mermaid takes no dot in a name.
import { msg } from "../core/messages.ts";
import type { Reading } from "./_task-list-draft.ts";
import { readPhaseName } from "./_task-list-heads.ts";
import { findRefs, isUnitId, readWord } from "./_task-list-ids.ts";
import type { Diagram, DiagramNode } from "./_task-list-mermaid.ts";
import {
  type Resolution,
  addEdge,
  complain,
  hintFor,
  spend,
  tasksNamed,
  tell,
} from "./_task-list-resolve.ts";

export function resolveDiagrams(to: Resolution, reading: Reading): void {
  for (const diagram of reading.diagrams) resolveDiagram(to, diagram);
}

// --- internal ---

type Meaning =
  | { readonly kind: "tasks"; readonly ids: readonly string[] }
  /** Looks like an id, or stands among ids, and no task has it. */
  | { readonly kind: "missing"; readonly word: string }
  | { readonly kind: "phase" }
  | { readonly kind: "group" }
  | { readonly kind: "unknown" };

function resolveDiagram(to: Resolution, diagram: Diagram): void {
  const meanings = new Map<string, Meaning>();
  for (const node of diagram.nodes.values()) meanings.set(node.name, meaningOf(to, diagram, node));
  const kinds = new Set([...meanings.values()].map(({ kind }) => kind));
  const at = { line: diagram.line, column: 1 };
  if (!kinds.has("tasks") && !kinds.has("missing")) {
    // A user flow or an overview of phases: no node speaks of a task.
    if (diagram.links.length > 0) tell(to, at, msg("tasks.diagram_ignored"));
    return;
  }
  for (const place of diagram.unread) tell(to, place, msg("tasks.diagram_unread"));
  const told = new Set<string>();
  for (const link of diagram.links) {
    const from = idsOf(to, diagram, link.from, meanings, told);
    const ids = idsOf(to, diagram, link.to, meanings, told);
    if (!spend(to, from.length * ids.length, link)) return;
    for (const id of ids) {
      for (const dependency of from) {
        // A group and its own member, R1 --> P1-R1-V: the member does not wait for itself.
        if (dependency === id && (from.length > 1 || ids.length > 1)) continue;
        addEdge(to, dependency, id, "mermaid", link);
      }
    }
  }
}

function idsOf(
  to: Resolution,
  diagram: Diagram,
  names: readonly string[],
  meanings: ReadonlyMap<string, Meaning>,
  told: Set<string>,
): string[] {
  const ids = new Set<string>();
  for (const name of names) {
    const meaning = meanings.get(name) ?? { kind: "unknown" };
    if (meaning.kind === "tasks") {
      const node = diagram.nodes.get(name);
      if (!node || !spend(to, meaning.ids.length - 1, node)) return [];
      for (const id of meaning.ids) ids.add(id);
    } else if (!told.has(meaning.kind === "phase" ? "" : name)) {
      // One word for all phases of a diagram, one for each node that is a mistake.
      told.add(meaning.kind === "phase" ? "" : name);
      const node = diagram.nodes.get(name);
      if (node) report(to, node, meaning);
    }
  }
  return [...ids];
}

function report(to: Resolution, node: DiagramNode, meaning: Meaning): void {
  const { name } = node;
  switch (meaning.kind) {
    case "phase":
      return tell(to, node, msg("tasks.node_is_phase", { name }));
    case "group":
      return complain(to, "MISSING_DEP", node, msg("tasks.node_is_subgraph", { name }), {
        id: name,
        detail: name,
      });
    case "missing": {
      const { word } = meaning;
      const text = msg("tasks.node_missing", { word, hint: hintFor(to, word) });
      return complain(to, "MISSING_DEP", node, text, { id: word, detail: word });
    }
    default:
      return complain(to, "MISSING_DEP", node, msg("tasks.node_unknown", { name }), {
        id: name,
        detail: name,
      });
  }
}

function meaningOf(to: Resolution, diagram: Diagram, node: DiagramNode): Meaning {
  const { name, label } = node;
  if (isUnitId(name)) return named(to, name);
  const [ref] = label === null ? [] : findRefs(label);
  const word = ref?.kind === "word" ? ref.word : ref?.from;
  if (word && word.kind !== "phase") return named(to, word.text);
  for (const alias of aliasesOf(name)) {
    const ids = tasksNamed(to, alias);
    if (ids) return { kind: "tasks", ids };
  }
  const title = label ?? diagram.groups.get(name) ?? name;
  if (word?.kind === "phase" || isPhase(title) || isPhase(name)) return { kind: "phase" };
  if (diagram.groups.has(name)) return { kind: "group" };
  const own = readWord(name, 0);
  if (own?.end === name.length && own.kind !== "phase") return { kind: "missing", word: name };
  return { kind: "unknown" };
}

function named(to: Resolution, word: string): Meaning {
  const ids = tasksNamed(to, word);
  return ids ? { kind: "tasks", ids } : { kind: "missing", word };
}

/** T1_1 → T1.1 · P2_R1_T1 → P2-R1-T1 · P0_T0_1 → P0-T0.1; the name itself for groups. */
function aliasesOf(name: string): string[] {
  const dashed = name.replaceAll("_", "-");
  return [name, name.replaceAll("_", "."), dashed, dashed.replace(/-(\d+)$/, ".$1")];
}

function isPhase(title: string): boolean {
  return readPhaseName(title.replaceAll("_", " ")) !== null || /^[MP]\d+(?:[._]?\d+)?$/.test(title);
}
