// What is usual is known without its pattern (patterns.ts), which takes V8 a quarter to half a millisecond to
// compile: a hundredth of what a call may cost (docs/adr/0012). Whoever hears no here asks the pattern.
import { isoTime } from "../core/moment.ts";

/** A time as we write it. */
export function isStamp(text: string): boolean {
  if (text.length !== 24) return false;
  const moment = Date.parse(text);
  return moment >= 0 && isoTime(moment) === text;
}

/** T1.2 */
export function isUnit(text: string): boolean {
  if (text[0] !== "T") return false;
  let dots = 0;
  let digits = 0;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === dot && digits > 0) {
      dots++;
      digits = 0;
      // A number that begins with 0 is 0.
    } else if (code < zero || code > nine || (digits === 1 && text[at - 1] === "0")) return false;
    else digits++;
    if (dots > 1 || digits > mostDigits) return false;
  }
  return dots === 1 && digits > 0;
}

// --- internal ---

const mostDigits = 9;
const [dot, zero, nine] = [0x2e, 0x30, 0x39];
