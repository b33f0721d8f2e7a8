// What the agent does without a script: from the prompt's list of deliverables it makes a script of
// its own, which writes each of them, asks one question in the first phase, and claims the phase.
import { type Language, type Message, msg, render } from "../../core/messages.ts";
import { slugOf } from "../../core/slug.ts";
import { escape, escapeWord } from "./language.ts";
import { contentOf, titleOf, withBlank } from "./_content.ts";
import { type Brief, readPrompt } from "./prompt.ts";
import type { Session } from "./session.ts";

/** Plans the prompt that came last. */
export function planCourse(session: Session, pace: number): void {
  const brief = readPrompt(session.prompt || session.feedback);
  session.phase = brief.phase ?? session.phase + 1;
  session.plan = makeCourse(brief, session, pace);
}

/** What it plays as a verifier: it is content. */
export function judgingCourse(language: Language): string {
  const words = escape(render(language, msg("sample.judging")));
  return ["verifier", `say ${words}`, "usage 50 0", "verdict pass", "end"].join("\n");
}

// --- internal ---

function makeCourse(brief: Brief, session: Session, pace: number): string {
  const { language, phase } = session;
  const say = (message: Message): string => `say ${escape(render(language, message))}`;
  const pause = `sleep ${pace}`;
  const { custom } = brief;
  const subject = brief.subject || render(language, msg("sample.this_task"));
  const asks = phase === 1 && !custom;
  const files =
    brief.deliverables.length > 0
      ? brief.deliverables
      : // Of tasks that run side by side each has its own: two reports in one file are a conflict.
        [{ path: `docs/${(custom && slugOf(subject)) || `phase-${phase}-report`}.md`, atLeast: 0 }];
  const work = (revised: boolean): string[] =>
    files.flatMap((file, index) => {
      const title = titleOf(file.path, language);
      const about = {
        language,
        subject,
        phase,
        index,
        revised,
        known: session.answer !== "" || asks,
      };
      const content = contentOf(file, about);
      const progress = { title, number: index + 1, of: files.length };
      return [
        say(revised ? msg("sample.revising", progress) : msg("sample.writing", progress)),
        pause,
        `write ${escapeWord(file.path)} ${content}`,
        `usage ${Math.ceil(content.length / 4)} 0`,
      ];
    });
  const claim = custom
    ? `done ${escape(render(language, msg("sample.summary", { subject, count: files.length })))}`
    : `phase ${phase} ${files.map(({ path }) => escapeWord(path)).join(" ")}`;
  return [
    say(msg("sample.reading", { subject })),
    pause,
    ...(asks ? [...question(language, subject), pause] : []),
    ...work(false),
    say(msg("sample.finished", { count: files.length })),
    claim,
    "on feedback",
    ...work(true),
    "end",
  ].join("\n");
}

function question(language: Language, subject: string): string[] {
  const cells = [
    msg("sample.question", { subject }),
    msg("sample.option.one"),
    msg("sample.option.team"),
    msg("sample.option.many"),
  ];
  const thanks = (answer: string): string => render(language, msg("sample.chosen", { answer }));
  return [
    `ask choice ${cells.map((cell) => escape(render(language, cell))).join(" | ")}`,
    `say ${withBlank(thanks, "answer")}`,
  ];
}
