// A run that is held by what a person did with git (S2.6) asks them what counts. The question stands in the
// inbox like any other; its answer, or `--resume` after they have mended it, lets the run go on.
import { Fault } from "../../core/errors.ts";
import { type Language, type Message, msg, render } from "../../core/messages.ts";
import { type Held, type Settlement, settlements } from "../../git/held.ts";
import { settleRun } from "../../git/settle.ts";
import type { QuestionData, Task } from "../../engine/state.ts";
import type { Store } from "../../store/database/store.ts";
import { branchAt } from "./_tree.ts";
import { type Place, ask, questionId } from "./carry.ts";
import { placeRun } from "./row.ts";

/** The question that is open about it, asked now if there was none. */
export async function askAbout(
  place: Pick<Place, "store" | "language" | "now">,
  run: Task,
  held: Held,
): Promise<string> {
  const { store, language } = place;
  const prefix = `git ${held.key} `;
  const asked = (await store.entities({ taskId: run.id, kind: "question" })).filter(({ data }) =>
    ((data as QuestionData).reference ?? "").startsWith(prefix),
  );
  const open = asked.find(({ status }) => status === "open");
  if (open !== undefined) return open.id;
  const key = `${prefix}${asked.length}`;
  const words = held.choices.map((choice) => `- ${render(language, msg(`held.choice.${choice}`))}`);
  const isChoice = held.choices.some((choice) => choice === "theirs" || choice === "ours");
  const why = isChoice ? msg("held.question", { why: held.why }) : held.why;
  const question = [render(language, why), ...words].join("\n");
  await ask(place, run, {
    kind: "ask",
    key,
    unit: "git",
    question,
    options: held.choices,
    default: null,
  });
  return questionId(run.id, key);
}

/**
 * What was answered is done; a question that nobody answered goes: who resumes the run has mended it. A text:
 * why what they chose can not be done.
 */
export async function takeAnswer(
  place: Place,
  run: Task,
  question: string,
): Promise<string | undefined> {
  const { store } = place;
  const row = await store.entity("question", question);
  const answer = (row?.data as QuestionData | undefined)?.answer ?? null;
  const choice = settlements.find((word) => word === answer?.trim().toLowerCase());
  const settled = choice === "theirs" || choice === "ours" ? settle(place, choice) : undefined;
  const refused = await settled;
  await withdraw(store, question);
  await placeRun(store, run.id, { heldBy: null }, place.now());
  return refused;
}

/** Something the run has to read is missing or cannot be read, as its plan: it continues when that is mended. */
export function unreadable({ text }: Fault): Held {
  const key = `unreadable ${text.key} ${JSON.stringify(text.params)}`;
  return { kind: "held", key, why: msg("held.unreadable", { why: text }), choices: ["stop"] };
}

/** The question that is open about something unreadable: asked by who carried the run before. */
export async function openUnreadable(store: Store, run: string): Promise<string | null> {
  const asked = await store.entities({ taskId: run, kind: "question", status: "open" });
  const isOne = ({ data }: (typeof asked)[number]): boolean =>
    ((data as QuestionData).reference ?? "").startsWith("git unreadable ");
  return asked.find(isOne)?.id ?? null;
}

/** Did a person say that the run is to wait no longer? */
export async function isStopped(store: Store, question: string): Promise<boolean> {
  const row = await store.entity("question", question);
  return (row?.data as QuestionData | undefined)?.answer?.trim().toLowerCase() === "stop";
}

/** It is settled without an answer. */
export async function withdraw(store: Store, question: string): Promise<void> {
  const row = await store.entity("question", question);
  if (row?.status === "open") await store.commit({ entities: [{ ...row, status: "withdrawn" }] });
}

/** Why it is held, and the commands that answer. */
export function heldWords({ why, choices }: Held, run: string, language: Language): string {
  const answers = choices.filter((choice) => choice === "theirs" || choice === "ours");
  const words = answers.map((choice) => `holdfast task answer ${run} --answer ${choice}`);
  if (words.length === 0) return render(language, why);
  const hint = msg("held.hint", { choices: words.join(" · ") });
  return `${render(language, why)} ${render(language, hint)}`;
}

/** For a session, which cannot wait for an answer: its person says what counts, and it reports again. */
export function heldFault(held: Held): HeldFault {
  const commands = held.choices.filter((choice) => choice === "theirs" || choice === "ours");
  const words = commands.map((choice) => `holdfast orchestrate --settle ${choice}`).join(" · ");
  const hint = words === "" ? msg("held.mend.hint") : msg("held.hint", { choices: words });
  return new HeldFault(held, hint);
}

/** A refusal that is also asked about, where the run's questions are read. */
export class HeldFault extends Fault {
  readonly held: Held;

  constructor(held: Held, hint: Message) {
    super("refused", held.why, { hint });
    this.held = held;
  }
}

/** Has somebody said that it may go on? */
export async function isAnswered(store: Store, question: string): Promise<boolean> {
  const row = await store.entity("question", question);
  const answer = (row?.data as QuestionData | undefined)?.answer ?? null;
  return answer !== null && (answer.trim().toLowerCase() as Settlement) !== "stop";
}

// --- internal ---

async function settle(place: Place, choice: "theirs" | "ours"): Promise<string | undefined> {
  try {
    await settleRun(branchAt(place, null), choice, place.now());
    return undefined;
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== "refused") throw cause;
    const { text, hint } = cause;
    return [text, ...(hint ? [hint] : [])].map((each) => render(place.language, each)).join(" ");
  }
}
