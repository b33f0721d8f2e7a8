// What each role is asked. The words of a role may be a project's own (S7.5: `.holdfast/prompts/develop/`);
// what the run knows (the feature, the checkpoint, what failed) is added to either.
import { type Language, type Message, msg, render } from "../../core/messages.ts";
import { definitionOf } from "./claims.ts";
import type { Situation } from "./events.ts";
import { type Checkpoint, unitIn } from "./private.ts";

export const developRoles = [
  "designer",
  "reviewer",
  "implementer",
  "diagnosis",
  "team",
  "fixer",
  "finisher",
] as const;
export type DevelopRole = (typeof developRoles)[number];

export interface Words {
  readonly language: Language;
  /** A role's words where the project has its own. */
  readonly own: Readonly<Partial<Record<DevelopRole, string>>>;
  /** Where the checkpoints are defined (S0.4). */
  readonly path: string;
}

export function promptOf(
  situation: Situation,
  role: DevelopRole,
  words: Words,
  ...ids: string[]
): string {
  const { state, run } = situation;
  const say = (text: Message): string => render(words.language, text);
  const { path } = words;
  const feedback = run.feedback ?? (role === "reviewer" ? run.findings : null);
  const head = words.own[role] ?? say(msg(`develop.prompt.${role}`, { path }));
  return [
    head.trim(),
    say(msg("develop.prompt.feature", { feature: state.feature })),
    ...ids.map((id) => checkpointText(situation, id, say)),
    ...(ids.length > 0 || feedback === null
      ? []
      : [say(msg("develop.prompt.feedback", { feedback }))]),
    ...(role === "reviewer" || role === "finisher" ? [listOf(run.definitions ?? [])] : []),
  ].join("\n\n");
}

/** Files that a role writes for the run to read, beside what it makes for the project. */
export const reviewFile = "docs/develop/review.md";
export const summaryFile = "docs/develop/summary.md";
export const diagnosisFile = (id: string): string => `docs/develop/diagnosis-${id}.md`;

// --- internal ---

/** The second attempt reads wider, the third follows a diagnosis (S0.5). */
function checkpointText(situation: Situation, id: string, say: (text: Message) => string): string {
  const found = definitionOf(situation, id);
  const iteration = Math.max(1, situation.state.checkpoints?.[id]?.iteration ?? 1);
  const { tried, diagnosis } = unitIn(situation.run, id);
  const last = tried.at(-1);
  const lines = [
    say(msg("develop.prompt.checkpoint", { id, iteration, description: found?.description ?? id })),
    ...(found && found.interface.length > 0
      ? [say(msg("develop.prompt.interface", { files: found.interface.join(", ") }))]
      : []),
    ...(found && found.tests.length > 0
      ? [say(msg("develop.prompt.tests", { files: found.tests.join(", ") }))]
      : []),
    ...(found ? [say(msg("develop.prompt.validation", { ...found.validation }))] : []),
    ...(last ? [say(msg("develop.prompt.tried", { ...last }))] : []),
    ...(iteration === 2 ? [say(msg("develop.prompt.wider"))] : []),
    ...(iteration >= 3 ? [say(msg("develop.prompt.last"))] : []),
    ...(diagnosis !== null && diagnosis !== ""
      ? [say(msg("develop.prompt.diagnosis_is", { diagnosis }))]
      : []),
  ];
  return lines.join("\n");
}

function listOf(checkpoints: readonly Checkpoint[]): string {
  return checkpoints
    .map(({ id, description, validation, dependencies }) => {
      const after = dependencies.length > 0 ? ` ← ${dependencies.join(", ")}` : "";
      return `- ${id}: ${description} (${validation.command} → ${validation.expected})${after}`;
    })
    .join("\n");
}
