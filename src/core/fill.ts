// Fills the blanks of a text. Apart from the tables of texts, so that the page can use it without
// carrying every sentence of the program.

/** A blank that nothing is known for stays as it is. */
export function fill(text: string, valueOf: (name: string) => string | number | undefined): string {
  return text.replace(blank, (_, name: string, quote: string, closed?: string, open?: string) => {
    const value = String(valueOf(name) ?? `{${name}}`);
    if (closed === undefined || open === undefined) return value + quote;
    return value + quote + (endsClosed(value, closed) ? closed : open);
  });
}

// --- internal ---

/** `{name}` or, in Korean, `{name}(을/를)`: the particle that fits the value's last sound. */
const blank = /\{(\w+)\}([”’"')]?)(?:\(([가-힣]+)\/([가-힣]+)\))?/g;

// Digits and Latin letters by how they are read aloud in Korean: 3 삼, L 엘, …
const closedDigits = "013678";
const closedLetters = "lmnr";

/** Does the last sound of the value end in a consonant? (으로 also counts ㄹ as open.) */
function endsClosed(value: string, closedForm: string): boolean {
  const last = Array.from(value)
    .findLast((c) => /[\p{L}\p{N}]/u.test(c))
    ?.toLowerCase();
  if (last === undefined) return false;
  const code = last.codePointAt(0) ?? 0;
  const rieulIsOpen = closedForm === "으로";
  if (code >= 0xac00 && code <= 0xd7a3) {
    const final = (code - 0xac00) % 28;
    return final !== 0 && !(rieulIsOpen && final === 8);
  }
  if (rieulIsOpen && "178lr".includes(last)) return false;
  return closedDigits.includes(last) || closedLetters.includes(last);
}
