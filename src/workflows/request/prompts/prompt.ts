// What an agent is told for one step: its role, its part, exactly its contracts, what the project has
// taught (S4.6), what went wrong before, and the form of what it has to write. The same for an agent
// that Holdfast starts and for one in a session of its own.
import type { Knowledge } from "../../../formats/knowledge.ts";
import { printYaml } from "../../../formats/yaml.ts";
import { judged } from "../assumptions.ts";
import { type Board, focusOf } from "../board.ts";
import { itemsToJudge } from "../gates.ts";
import { type ContractFormat, draftPlace, isOurs } from "../places.ts";
import { type Role, works } from "../roles.ts";
import { type AgentStep, declaredFiles } from "../steps.ts";
import { skeletonOf } from "./skeletons.ts";
import { type Words, words } from "./words.ts";

/** The project's own words for a role. */
export type OwnWords = Readonly<Partial<Record<Role, string>>>;

export function promptOf(board: Board, step: AgentStep, own: OwnWords): string {
  const { run, state } = board;
  const say = words[run.language];
  const parts = [
    `# ${titleOf(board, step)} (${step.role})`,
    own[step.role]?.trim() ?? say.roles[step.role],
    `## ${say.request} ${run.id}\n\n${state.request.original_request}`,
    `## ${say.part}\n\n${[say.works[step.work], ...partOf(board, step, say)].join("\n\n")}`,
    contractsFor(board, step, say),
    knowledgeFor(board.knowledge, say),
    section(say.before, run.feedback[step.base] ?? ""),
    writing(board, step, say),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** `T1-S1 Write the test`: what people know it by. */
export function titleOf(board: Board, { unit, work }: AgentStep): string {
  const focus = focusOf(board.state);
  if (focus === null) return unit;
  const name = work === "design" ? focus.entry.name : (focus.sub?.name ?? "");
  return `${unit} ${name}`.trim();
}

/** The contracts of a step's role, by the name of their file, in the order of the table. */
export function contractsOf(board: Board, step: AgentStep): (readonly [ContractFormat, object])[] {
  const there: Readonly<Record<ContractFormat, object | undefined>> = {
    explored: board.explored,
    "task-breakdown": board.breakdown,
    "design-brief": board.brief,
    "design-contract": board.design,
    "test-contract": board.tests,
    "test-result": board.result,
  };
  return works[step.work].reads.flatMap((format) => {
    const contract = there[format];
    return contract === undefined ? [] : [[format, contract] as const];
  });
}

// --- internal ---

const mostDecisions = 5;

function section(title: string, text: string): string {
  return text.trim() === "" ? "" : `## ${title}\n\n${text.trim()}`;
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

function partOf(board: Board, { work, unit }: AgentStep, say: Words): string[] {
  if (work === "design") {
    const { explored, breakdown } = board;
    if (explored === undefined || breakdown === undefined) return [];
    // Those that name a place which is there need no more words.
    const open = judged(breakdown.assumptions, explored).filter((each) => each.verdict !== "found");
    const lines = open.map(({ text, missing }) =>
      missing.length === 0 ? text : `${text} (✗ ${missing.join(", ")})`,
    );
    return lines.length === 0 ? [] : [`${say.assumptions}:\n${listed(lines)}`];
  }
  if (work === "implement") return [`${say.scope}:\n${listed(declaredFiles(board))}`];
  if (work === "judge") return board.rules.test === null ? [] : [say.command(board.rules.test)];
  if (work !== "verify") return describedIn(board, unit);
  const { changed, base, commit } = board.run.work[unit] ?? {
    changed: [],
    base: null,
    commit: null,
  };
  const range = commit === null ? [] : [`git diff ${base ?? ""} ${commit}`];
  const files = changed.filter((path) => !isOurs(path));
  const items = itemsToJudge(board).map(({ item, text }) => `${item}: ${text}`);
  return [`${say.changed}:\n${listed([...files, ...range])}`, `${say.items}:\n${listed(items)}`];
}

function describedIn({ breakdown }: Board, unit: string): string[] {
  const all = (breakdown?.tasks ?? []).flatMap(({ subtasks }) => subtasks);
  const description = all.find(({ id }) => id === unit)?.description.trim() ?? "";
  return description === "" ? [] : [description];
}

function contractsFor(board: Board, step: AgentStep, say: Words): string {
  const texts = contractsOf(board, step).map(
    ([format, contract]) =>
      `### ${format}.yaml\n\n\`\`\`yaml\n${printYaml(contract).trimEnd()}\n\`\`\``,
  );
  return texts.length === 0 ? "" : [`## ${say.contracts}`, ...texts].join("\n\n");
}

/** S4.6: the patterns, the last five decisions and the pitfalls; of each role the same. */
function knowledgeFor(known: Knowledge | undefined, say: Words): string {
  if (known === undefined) return "";
  const patterns = Object.entries(known.patterns).map(
    ([name, is]) => `${name}: ${typeof is === "string" ? is : JSON.stringify(is)}`,
  );
  const decisions = known.decisions.slice(-mostDecisions).map(({ topic, decision, ...more }) => {
    const about = [more.rationale, more.refs.join(", "), more.created_at.slice(0, 10)];
    return `${topic}: ${decision}${inBrackets(about)}`;
  });
  const pitfalls = known.pitfalls.map(
    ({ description, reason, learned_from: from = "" }) =>
      `${description}${inBrackets([reason, from])}`,
  );
  return [
    section(say.patterns, listed(patterns)),
    section(say.decisions, listed(decisions)),
    section(say.pitfalls, listed(pitfalls)),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function inBrackets(parts: readonly string[]): string {
  const said = parts.filter((part) => part !== "").join("; ");
  return said === "" ? "" : ` (${said})`;
}

function writing(board: Board, { work, draft, unit }: AgentStep, say: Words): string {
  const form = skeletonOf(work, board);
  if (draft === null || form === null) return "";
  const fence = work === "verify" ? "json" : "yaml";
  const more = work === "explore" ? `\n\n${say.alsoPatterns(draftPlace(unit, "patterns"))}` : "";
  return `${say.write(draft)}\n\n\`\`\`${fence}\n${form}\n\`\`\`${more}`;
}
