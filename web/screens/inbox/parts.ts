// A question with several parts as it is answered here: what is chosen of each, and the one text that
// carries all of it. src/engine/decide/answers.ts reads that text.
import type { PartView } from "../../../src/app/task-views.ts";

export type Part = PartView;

/** Of one part: its options, and words of one's own. */
export interface Choice {
  readonly chosen: readonly string[];
  readonly own: string;
}
/** By the place of the part, kept as one chooses. */
export type Choices = Readonly<Record<number, Choice>>;

export const noChoices: Choices = {};
const nothing: Choice = { chosen: [], own: "" };

/** Does it need a form, where one press of a button can not answer it? */
export function needsForm(parts: readonly Part[]): boolean {
  return parts.length > 1 || parts.some(({ several, options }) => several && options.length > 0);
}

export function choiceOf(choices: Choices, place: number): Choice {
  return choices[place] ?? nothing;
}

/** Chosen or not any more; where only one may be, instead of the one before. */
export function toggled({ options, several }: Part, before: Choice, option: string): Choice {
  const had = before.chosen.includes(option);
  if (!several) return { chosen: had ? [] : [option], own: "" };
  const chosen = options.filter((each) => before.chosen.includes(each) !== (each === option));
  return { ...before, chosen };
}

/** Words of one's own stand beside options only where there may be several. */
export function worded({ several }: Part, before: Choice, own: string): Choice {
  return { chosen: several || own.trim() === "" ? before.chosen : [], own };
}

export function answeredCount(parts: readonly Part[], choices: Choices): number {
  return parts.filter((_, place) => said(choiceOf(choices, place)).length > 0).length;
}

/** As it is sent. */
export function answerText(parts: readonly Part[], choices: Choices): string {
  const given = parts.map((part, place) => {
    const all = said(choiceOf(choices, place));
    return part.several && part.options.length > 0 ? all : (all[0] ?? "");
  });
  const [only] = given;
  return given.length === 1 && typeof only === "string"
    ? only
    : JSON.stringify(given.length === 1 ? only : given);
}

/** As a person reads what was sent. */
export function answerWords(parts: readonly Part[], choices: Choices): string {
  return parts.map((_, place) => said(choiceOf(choices, place)).join(", ")).join(" · ");
}

/** The option that a number key means, counted through all parts. */
export function optionAt(
  parts: readonly Part[],
  at: number,
): { readonly place: number; readonly option: string } | undefined {
  return parts.flatMap(({ options }, place) => options.map((option) => ({ place, option })))[at];
}

// --- internal ---

function said({ chosen, own }: Choice): string[] {
  const words = own.trim();
  return words === "" ? [...chosen] : [...chosen, words];
}
