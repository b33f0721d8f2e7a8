// How output looks: language and colours.
import { Fault } from "../core/errors.ts";
import { type Language, type Message, languages, msg, render } from "../core/messages.ts";
import type { Look } from "./command.ts";

/** `--lang`, else the locale, else English (S7.4). A wrong `--lang` is told in the locale's. */
export function languageOf(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Language {
  const at = words.findIndex((word) => word === "--lang" || word.startsWith("--lang="));
  const given = words[at]?.split("=")[1] ?? (at >= 0 ? words[at + 1] : undefined);
  return languages.find((language) => language === given) ?? localeLanguage(env);
}

export function checkLanguage(given: string | undefined): void {
  if (given === undefined || languages.some((language) => language === given)) return;
  throw new Fault(
    "invalid_input",
    msg("cli.unknown_language", { given, known: languages.join(", ") }),
  );
}

const sgr = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

export function createLook(language: Language, colours: boolean): Look {
  return {
    language,
    say: (message) => render(language, message),
    paint: (colour, text) => (colours ? `\u001b[${sgr[colour]}m${text}\u001b[0m` : text),
  };
}

/** Worth knowing beside a result, with what to do about it. */
export function noticeText(
  { message, hint }: { readonly message: Message; readonly hint?: Message | undefined },
  { say, paint }: Look,
): string {
  const text = `${paint("yellow", "!")} ${say(message)}`;
  return hint ? `${text}\n    ${paint("dim", say(hint))}` : text;
}

/** A file's words must not steer the terminal: control characters go, our own colours stay. */
export function printable(text: string): string {
  return text.replace(steering, "�");
}

// --- internal ---

// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const steering = /\u001b(?!\[\d{1,2}m)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g;

function localeLanguage(env: Readonly<Record<string, string | undefined>>): Language {
  const locale = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return locale.toLowerCase().startsWith("ko") ? "ko" : "en";
}
