// Dependencies inside a document: who names an id that is not there, and which go in a circle.
import { type GraphProblem, cycleText, findProblems } from "../core/graph.ts";
import { type Message, msg } from "../core/messages.ts";

export interface DependencyNode {
  readonly id: string;
  readonly dependencies: readonly string[];
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
