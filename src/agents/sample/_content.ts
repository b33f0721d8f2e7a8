// Plausible content for a deliverable, by the kind of its file, as a script writes it.
import { type Language, type MessageKey, isMessageKey, msg, render } from "../../core/messages.ts";
import { escape } from "./language.ts";
import type { Deliverable } from "./prompt.ts";

export interface About {
  readonly language: Language;
  readonly subject: string;
  readonly phase: number;
  /** Which of the phase's deliverables. */
  readonly index: number;
  readonly revised: boolean;
  /** There is an answer to the course's question. */
  readonly known: boolean;
}

/** `docs/planning/02_market.md` → Market; by its own name where there is no word for it. */
export function titleOf(path: string, language: Language): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  const plainName = name.replace(/^\d+[-_. ]*/, "");
  const key = `sample.title.${plainName.toLowerCase()}`;
  if (isMessageKey(key)) return render(language, { key, params: {} });
  const words = plainName.replace(/[-_.\s]+/g, " ").trim() || path;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function contentOf(file: Deliverable, about: About): string {
  const title = titleOf(file.path, about.language);
  const make = makers[/[^./]*$/.exec(file.path)?.[0].toLowerCase() ?? ""] ?? plain;
  return make(title, about, file.atLeast);
}

/** A text with a place that is filled in when the script is played. */
export function withBlank(text: (blank: string) => string, name: "answer" | "feedback"): string {
  return escape(text(MARK)).replaceAll(MARK, `{${name}}`);
}

// --- internal ---

const MARK = "\u0001";
const SECTIONS = 8;
const FEWEST = 4;

type Maker = (title: string, about: About, atLeast: number) => string;

/** Each document begins its round of sections elsewhere, so that no two are alike. */
function sections(about: About, heading: string, atLeast: number): string {
  const { language, phase, index } = about;
  let text = "";
  for (let number = 0; number < FEWEST || text.length < atLeast; number++) {
    const at = (3 * phase + index + number) % SECTIONS;
    const again = number < SECTIONS ? "" : ` (${Math.floor(number / SECTIONS) + 1})`;
    const head = render(language, msg(`sample.doc.${at}` as HeadKey));
    const body = render(language, msg(`sample.doc.${at}.text` as BodyKey));
    text += `${heading}${head}${again}\n\n${body}\n\n`;
  }
  return text;
}

type HeadKey = Extract<MessageKey, `sample.doc.${number}`>;
type BodyKey = Extract<MessageKey, `sample.doc.${number}.text`>;

function intro(title: string, { language, subject }: About): string {
  return render(language, msg("sample.doc.intro", { subject, title }));
}

const documentWith =
  (heading: string): Maker =>
  (title, about, atLeast) => {
    const { language } = about;
    const audience = about.known
      ? `${withBlank((answer) => render(language, msg("sample.doc.audience", { answer })), "answer")}\\n\\n`
      : "";
    const after = about.revised
      ? escape(
          `${heading}${render(language, msg("sample.doc.revised"))}\n\n${render(language, msg("sample.doc.revised.text"))}\n\n`,
        ) + "{feedback}\\n"
      : "";
    return (
      escape(`${heading.slice(1)}${title}\n\n${intro(title, about)}\n\n`) +
      audience +
      escape(sections(about, heading, atLeast)) +
      after
    );
  };

const plain = documentWith("");

/** Machine-readable files: what is said of them stays true JSON, YAML, HTML, code. */
const facts = (title: string, about: About, atLeast: number) => ({
  title,
  subject: about.subject,
  phase: about.phase,
  revision: about.revised ? 2 : 1,
  notes: `${intro(title, about)} ${sections(about, "", atLeast).replace(/\n+/g, " ").trim()}`,
});

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const yaml: Maker = (...all) =>
  escape(
    Object.entries(facts(...all))
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
      .join(""),
  );

function safe(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const html: Maker = (title, about, atLeast) => {
  const paragraphs = [intro(title, about), ...sections(about, "", atLeast).trim().split("\n\n")]
    .map((paragraph) => `    <p>${safe(paragraph)}</p>\n`)
    .join("");
  return escape(
    `<!doctype html>\n<html lang="${about.language}">\n  <head>\n    <meta charset="utf-8">\n` +
      `    <title>${safe(title)}</title>\n  </head>\n  <body>\n    <h1>${safe(title)}</h1>\n` +
      `${paragraphs}  </body>\n</html>\n`,
  );
};

const codeComment = ({ language }: About): string => render(language, msg("sample.doc.code"));

const script: Maker = (...all) =>
  escape(
    `/** ${codeComment(all[1])} */\nexport const about = ${json(facts(...all))};\n\n` +
      `export function describe() {\n  return \`\${about.title}: \${about.notes}\`;\n}\n`,
  );

const python: Maker = (...all) =>
  escape(
    `"""${codeComment(all[1])}"""\n\nABOUT = ${json(facts(...all))}\n\n\n` +
      `def describe():\n    return f"{ABOUT['title']}: {ABOUT['notes']}"\n`,
  );

const makers: Readonly<Record<string, Maker>> = {
  md: documentWith("## "),
  json: (...all) => escape(`${json(facts(...all))}\n`),
  yaml,
  yml: yaml,
  html,
  js: script,
  mjs: script,
  ts: script,
  py: python,
};
