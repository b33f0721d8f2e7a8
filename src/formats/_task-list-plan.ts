// The second pass as a whole: duplicates, edges, cycles, phases; then the finished list.
import { cycleText, findProblems } from "../core/graph.ts";
import { msg } from "../core/messages.ts";
import { slugOf } from "../core/slug.ts";
import { resolveDiagrams } from "./_task-list-diagrams.ts";
import type { Draft, PhaseDraft, Reading } from "./_task-list-draft.ts";
import {
  type Resolution,
  complain,
  newResolution,
  resolveFields,
  tell,
} from "./_task-list-resolve.ts";
import type { ListedPhase, ListedTask, PhaseBarrier, TaskList } from "./_task-list-types.ts";

export function planOf(reading: Reading): TaskList {
  const to = newResolution(reading);
  if (to.tasks.size === 0 && to.problems.length === 0) reportNoTask(to, reading);
  reportDuplicates(to, reading);
  resolveFields(to);
  resolveDiagrams(to, reading);
  reportMentions(to, reading);
  const tasks = [...to.tasks.values()].map((draft) => listed(to, draft));
  reportCycles(to, tasks);
  const phases = phasesOf(to, reading);
  const inUse = [...new Set(tasks.map(({ phase }) => phase))].toSorted((a, b) => a - b);
  return {
    title: reading.title,
    phases,
    tasks,
    edges: to.edges,
    barriers: barriersOf(inUse),
    problems: to.problems.toSorted(byPlace),
    notices: to.notices.toSorted(byPlace),
  };
}

// --- internal ---

function reportNoTask(to: Resolution, reading: Reading): void {
  const [first] = reading.mentions;
  const at = first ?? { line: 1, column: 1 };
  const text = first
    ? msg("tasks.none_with_box", { line: first.line, id: first.id })
    : msg("tasks.none");
  complain(to, "PARSE_FAIL", at, text, first ? { id: first.id } : {});
}

/**
 * Plans often end with a checklist that repeats every heading: list items without fields, most
 * of them with the heading's own title. That is a summary; any other repetition is a mistake.
 */
function reportDuplicates(to: Resolution, reading: Reading): void {
  const repeated: Repetition[] = [];
  for (const draft of reading.drafts) {
    const first = to.tasks.get(draft.id);
    if (first === undefined || first === draft) continue;
    const bare = first.level > 0 && draft.level === 0 && draft.fields === 0;
    if (bare) repeated.push({ first, draft, same: fold(first.title) === fold(draft.title) });
    else reportDuplicate(to, first, draft);
  }
  const same = repeated.filter((each) => each.same).length;
  const summary = same * 2 >= repeated.length ? repeated : [];
  for (const { first, draft } of repeated) {
    const { id, line } = draft;
    if (summary.length === 0) reportDuplicate(to, first, draft);
    else if (first.checked !== draft.checked)
      tell(to, draft, msg("tasks.summary_differs", { id, first: first.line, line }), id);
  }
  const [start] = summary;
  if (start) {
    const { draft } = start;
    tell(to, draft, msg("tasks.summary", { count: summary.length, line: draft.line }));
  }
}

interface Repetition {
  readonly first: Draft;
  readonly draft: Draft;
  readonly same: boolean;
}

function reportDuplicate(to: Resolution, first: Draft, draft: Draft): void {
  const { id, line } = draft;
  const text = msg("tasks.duplicate", { id, first: first.line, line });
  complain(to, "DUPLICATE_ID", draft, text, { id, detail: id });
}

function fold(title: string): string {
  return title
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\s*_`]+/g, "");
}

function reportMentions(to: Resolution, reading: Reading): void {
  if (to.tasks.size === 0) return;
  for (const mention of reading.mentions) {
    const { id, kind } = mention;
    if (kind === "refused" || to.tasks.has(id)) continue;
    const text = kind === "no_box" ? msg("tasks.no_box", { id }) : msg("tasks.sub_item", { id });
    tell(to, mention, text, id);
  }
}

/** Each cycle is told at the line of the first dependency in it. */
function reportCycles(to: Resolution, tasks: readonly ListedTask[]): void {
  const cycles = findProblems(tasks).filter((problem) => problem.code === "CIRCULAR_DEP");
  if (cycles.length === 0) return;
  const lines = new Map(to.edges.map((edge) => [`${edge.from} ${edge.to}`, edge.line]));
  for (const { path } of cycles) {
    const [id = "", needed = ""] = path;
    const shown = cycleText(path);
    const at = { line: lines.get(`${needed} ${id}`) ?? 0, column: 1 };
    const text =
      id === needed
        ? msg("tasks.waits_for_itself", { id })
        : msg("tasks.circular", { path: shown });
    complain(to, "CIRCULAR_DEP", at, text, { id, detail: shown });
  }
}

function listed(to: Resolution, draft: Draft): ListedTask {
  const { id, phase, title, checked, owner, worktree, line, endLine, other } = draft;
  return {
    id,
    phase,
    title,
    checked,
    owner,
    dependencies: [...(to.dependencies.get(id) ?? [])],
    parallelWith: [...(to.parallel.get(id) ?? [])],
    files: draft.files.length > 0 ? [...new Set(draft.files)] : [],
    worktree,
    ...(draft.risk === null ? {} : { risk: draft.risk }),
    ...(draft.model === null ? {} : { model: draft.model }),
    ...(draft.check === null ? {} : { check: draft.check }),
    line,
    endLine,
    other,
  };
}

function phasesOf(to: Resolution, reading: Reading): ListedPhase[] {
  const headings = new Map<number, PhaseDraft>();
  for (const draft of reading.phases) {
    if (draft.phase.partial) continue;
    const { number } = draft.phase;
    const known = headings.get(number);
    // A heading with tasks below it beats one in an overview.
    if (known === undefined || (known.tasks === 0 && draft.tasks > 0)) headings.set(number, draft);
    else if (known.tasks > 0 && draft.tasks > 0 && known.phase.name !== draft.phase.name) {
      const { line } = draft;
      const text = msg("tasks.phase_twice", { number, first: known.line, name: known.phase.name });
      if (draft.phase.name !== "") tell(to, { line, column: 1 }, text);
    }
  }
  const phases = new Map<number, ListedPhase>();
  for (const [number, { phase, line }] of headings)
    phases.set(number, { number, name: phase.name, slug: slugOf(phase.name), line });
  const filled = new Set<number>();
  for (const { phase: number, line } of to.tasks.values()) {
    filled.add(number);
    if (!phases.has(number)) phases.set(number, { number, name: "", slug: "", line });
  }
  for (const { number, line } of phases.values()) {
    const empty = !filled.has(number) && to.tasks.size > 0;
    if (empty) tell(to, { line, column: 1 }, msg("tasks.phase_empty", { number }));
  }
  return [...phases.values()].toSorted((a, b) => a.number - b.number);
}

function barriersOf(phases: readonly number[]): PhaseBarrier[] {
  return phases.slice(1).map((after, place) => {
    return { before: phases[place] ?? 0, after, source: "implicit" as const };
  });
}

function byPlace(a: { line: number; column: number }, b: typeof a): number {
  return a.line - b.line || a.column - b.column;
}
