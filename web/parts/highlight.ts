// Colours for code, a line at a time: comments, strings, keywords, names of fields. Loaded only where
// code is shown. It knows nothing of what a line means beyond itself; a line inside a long string may
// be coloured as code, and nothing depends on it.
export type Kind = "comment" | "string" | "keyword" | "name";

export interface Piece {
  readonly text: string;
  readonly kind: Kind | null;
}

export type Highlight = (line: string) => readonly Piece[];

/** Undefined: of this kind of file nothing is known. */
export function highlightFor(path: string): Highlight | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  const language = endings[ending];
  if (language === undefined) return undefined;
  return (line) => piecesOf(line, languages[language]);
}

// --- internal ---

/** Nobody reads the colours of a line that long, and all of it would be looked through. */
const longest = 2_000;

// oxfmt-ignore
const endings: Readonly<Record<string, keyof typeof languages>> = {
  ts: "script", tsx: "script", js: "script", jsx: "script", mjs: "script", cjs: "script", mts: "script",
  java: "java", kt: "java", go: "java", rs: "java", c: "java", h: "java", cpp: "java", cs: "java", swift: "java",
  py: "python", sh: "shell", bash: "shell", zsh: "shell",
  json: "json", yaml: "yaml", yml: "yaml", toml: "yaml", md: "markdown", markdown: "markdown",
};

/** What ends nowhere on its line ends with it: no part of a pattern can go back and forth. */
const double = String.raw`"(?:[^"\\]|\\.)*"?`;
const single = String.raw`'(?:[^'\\]|\\.)*'?`;
const number = String.raw`\b\d[\w.]*`;
const slashes = String.raw`\/\/.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|^\s*\*(?:\s.*|\/)?$`;
const words = (list: string): string => String.raw`\b(?:${list.trim().split(/\s+/).join("|")})\b`;

const scriptWords = `abstract as async await break case catch class const continue default delete do else enum export
  extends false finally for from function get if implements import in instanceof interface let new null of
  private protected public readonly return satisfies set static super switch this throw true try type typeof
  undefined var void while yield`;
const javaWords = `abstract bool boolean break byte case catch char class const continue default defer do double
  else enum extends false final finally float fn for fun func go if impl implements import in instanceof int
  interface let long match mod mut new nil null override package private protected pub public record return
  short static struct super switch this throw throws trait true try type use val var void while`;
const pythonWords = `and as assert async await break class continue def del elif else except False finally for from
  global if import in is lambda None nonlocal not or pass raise return self True try while with yield`;
const shellWords = `case do done elif else esac exec exit export fi for function if in local return set shift
  source then trap unset until while`;

const languages = {
  script: pattern(
    slashes,
    `${double}|${single}|\`(?:[^\`\\\\]|\\\\.)*\`?|${number}`,
    words(scriptWords),
  ),
  java: pattern(slashes, `${double}|${single}|${number}`, words(javaWords)),
  python: pattern("#.*", `[rbf]?(?:""".*|'''.*|${double}|${single})|${number}`, words(pythonWords)),
  shell: pattern(
    String.raw`(?<=^|\s)#.*`,
    `${double}|'[^']*'?`,
    words(shellWords),
    String.raw`\$\w+|\$\{[^}]*\}?`,
  ),
  json: pattern(
    undefined,
    `${double}|${number}`,
    words("true false null"),
    String.raw`"(?:[^"\\]|\\.)*"(?=\s*:)`,
  ),
  yaml: pattern(
    String.raw`(?<=^|\s)#.*`,
    `${double}|'[^']*'?|${number}`,
    words("true false null yes no"),
    String.raw`(?<=^[\s-]*)[\w."'$\/-]+(?=\s*[:=](?:\s|$))`,
  ),
  markdown: pattern("^>.*", "`[^`]*`?|^```.*", String.raw`^#{1,6}\s.*|^\s*(?:[-*+]|\d+\.)(?=\s)`),
} as const;

function pattern(
  comment: string | undefined,
  string: string,
  keyword: string,
  name?: string,
): RegExp {
  const groups = [
    ...(comment === undefined ? [] : [`(?<comment>${comment})`]),
    // A field's name may look like a string: it is asked first.
    ...(name === undefined ? [] : [`(?<name>${name})`]),
    `(?<string>${string})`,
    `(?<keyword>${keyword})`,
  ];
  return new RegExp(groups.join("|"), "g");
}

function piecesOf(line: string, matcher: RegExp): readonly Piece[] {
  if (line.length > longest) return [{ text: line, kind: null }];
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: text, index, groups = {} } of line.matchAll(matcher)) {
    if (text === "") continue;
    if (index > at) pieces.push({ text: line.slice(at, index), kind: null });
    const kind = kinds.find((each) => groups[each] !== undefined) ?? null;
    pieces.push({ text, kind });
    at = index + text.length;
  }
  if (at < line.length) pieces.push({ text: line.slice(at), kind: null });
  return pieces;
}

const kinds: readonly Kind[] = ["comment", "string", "keyword", "name"];
