// What stands in the place of an answer, in all that an agent hands in: prose (S1.14) and forms (S3.1).
//
// Prose is read carefully, a line at a time: a false alarm sends an agent back to mend what is right,
// three times, and fails the task. So a word like TODO counts only where it cannot be the subject: in
// brackets, as all there is in a line or cell, or as a note to oneself. Code is skipped.

export interface Placeholder {
  readonly line: number;
  readonly found: string;
}

/** The first of them, at most `most`. */
export function findPlaceholders(text: string, most = 5): Placeholder[] {
  const found: Placeholder[] = [];
  const lines = text.split(/\r?\n/);
  // A document that lists states of work (TODO, DOING, DONE) speaks about the word.
  const namesStates = /\b(?:DOING|DONE|IN[_ -]?PROGRESS)\b/.test(text);
  let fence = "";
  for (const [place, line] of lines.entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (fence !== "") {
      if (mark.startsWith(fence) && line.trim() === mark) fence = "";
    } else if (mark !== "") fence = mark;
    else {
      const hit = inLine(line.slice(0, longestLine), namesStates);
      if (hit !== undefined) found.push({ line: place + 1, found: hit.trim().slice(0, 80) });
      if (found.length >= most) break;
    }
  }
  return found;
}

/**
 * A value of a form that is still as the form showed it: “…” or dots alone, or a path that ends in “…”
 * (`src/…`). A package pattern such as `./...` is none.
 */
export function isUnfilled(text: string): boolean {
  return text.length <= longestBlank && blank.test(text.trim());
}

/** The way to each text of a value that nobody has filled in. */
export function unfilledIn(value: unknown): (readonly (string | number)[])[] {
  if (typeof value === "string") return isUnfilled(value) ? [[]] : [];
  if (typeof value !== "object" || value === null) return [];
  const parts: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return parts.flatMap(([key, part]) => unfilledIn(part).map((way) => [key, ...way]));
}

/** Headings, rules and comments, and nothing that they head. */
export function hasOnlyHeadings(text: string): boolean {
  const lines = withoutComments(text).split(/\r?\n/);
  const filled = lines.map((line) => line.trim()).filter((line) => line !== "");
  return filled.some((line) => heading.test(line)) && filled.every((line) => isEmptyPart(line));
}

// --- internal ---

/** A form's own texts are short; what is longer was written by somebody. */
const longestBlank = 200;
const blank = /^["'“”‘’`([<\s]*(?:(?:[\w@.-]+\/)*…|\.{3,})["'“”‘’`)\]>….\s]*$/;

/** What comes after it is data, not prose. */
const longestLine = 2_000;
const heading = /^#{1,6}(?:\s|$)/;

/** By hand: a pattern would look for the end of each beginning to the end of the text. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  for (let at = 0; ;) {
    const from = text.indexOf("<!--", at);
    const to = from < 0 ? -1 : text.indexOf("-->", from);
    if (to < 0) return parts.join("") + text.slice(at);
    parts.push(text.slice(at, from));
    at = to + 3;
  }
}

function isEmptyPart(line: string): boolean {
  return heading.test(line) || /^[-*_=\s]+$/.test(line);
}

function inLine(line: string, namesStates: boolean): string | undefined {
  const prose = line.replace(/(`+)[^`]*\1/g, " ");
  const comment = /<!--\s*(?:TODO|TBD|FIXME|FILL|INSERT)\b[^>]*/.exec(prose)?.[0];
  if (comment !== undefined) return comment;
  for (const pattern of anywhere) {
    const hit = pattern.exec(prose)?.[0];
    if (hit !== undefined) return hit;
  }
  for (const cell of prose.split("|")) {
    const bare = stripped(cell);
    if (alone.some((pattern) => pattern.test(bare))) return cell;
    if (!namesStates && (bare === "TODO" || note.test(bare))) return cell;
  }
  return undefined;
}

/** Without what only arranges it: bullets, boxes, quotes, emphasis, brackets, a label before it. */
function stripped(cell: string): string {
  return cell
    .replace(/^[\s>#*+-]+/, "")
    .replace(/^\d{1,4}[.)]\s+/, "")
    .replace(/^\[[ xX]?\]\s*/, "")
    .replace(/^[^:：]{1,40}[:：]\s+(?=\S)/, (label) =>
      /^(?:TODO|TBD|FIXME)\b/.test(label) ? label : "",
    )
    .replace(/^[\s*_(（<[“"'~]+|[\s*_)）>\]”"'~.!。…]+$/g, "");
}

/** In brackets that are no link, no footnote and no checkbox. */
const anywhere: readonly RegExp[] = [
  /\[(?:TODO|TBD|FIXME|TBA|PLACEHOLDER)(?:[:\s][^\]\n]{0,80})?\](?![([:])/,
  /\[(?:insert|enter|add|describe|your)\b[^\]\n]{0,80}\bhere\](?![([:])/i,
  /\[INSERT [^\]|\n]{1,80}\](?![([:])/,
  /\[(?:to be (?:determined|defined|decided|written|added)|fill in)[^\]\n]{0,80}\](?![([:])/i,
  /\[(?:여기에|이곳에)\s[^\]\n]{0,80}\](?![([:])/,
  /\[(?:\.{2,}|…)\s*[^\]\n]{0,40}?(?:내용|설명)[^\]\n]{0,40}?\s*(?:\.{2,}|…)\](?![([:])/,
  /\[(?:내용\s*)?(?:추후\s*)?(?:작성|입력|추가)\s*(?:예정|필요|바람)\](?![([:])/,
  /\[추후\s*(?:작성|추가|보완|결정)[^\]\n]{0,20}\](?![([:])/,
  /<(?:placeholder|TODO|TBD|insert [^>\n]{1,60} here)>/,
  /\{\{\s*(?:placeholder|TODO|TBD|content|내용)\s*\}\}/,
  /\blorem ipsum dolor\b/i,
];

/** All there is in a line or a cell. */
const alone: readonly RegExp[] = [
  /^(?:TBD|TBA|FIXME|WIP|PLACEHOLDER)$/,
  /^(?:to be (?:determined|defined|decided|written|added|completed)|fill (?:this )?in(?: later)?|coming soon|placeholder(?: text)?|content goes here|write here)$/i,
  /^(?:(?:이|해당|본) (?:부분|섹션|항목|내용)(?:은|는)? |상세 내용(?:은|는)? |내용(?:은|을|은)? ?|본문(?:은)? )?(?:(?:추후|나중에|향후|차후) ?)?(?:작성|추가|보완|업데이트|정리) ?(?:예정|필요|할 예정|하겠습니다)(?:입니다|임)?$/,
  /^(?:추후|나중에|향후|차후) ?(?:작성|추가|보완|결정)$/,
  /^(?:여기에|이곳에) (?:내용|설명)(?:을|를) (?:작성|입력|추가)(?:하세요|하십시오|해 ?주세요)$/,
  /^내용 없음$/,
];

/** A note to oneself: what is still to be done here. */
const note = /^(?:TODO|FIXME|TBD)[*_]{0,3}\s*(?:\([^)]{0,40}\))?\s*[:：-]\s*\S/;
