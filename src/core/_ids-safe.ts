// Ids that become part of a path: agents/<name>.json, a worktree, a branch (S5.4).
//
// A list of what is allowed, not of what is forbidden: separators, drive letters, shell and
// glob characters, bidi marks and zero-width joiners all fall away with the same rule. The more
// specific complaints come first, so that the sentence says what is really wrong.
import { Fault } from "./errors.ts";
import { type Message, msg } from "./messages.ts";

/** May this text name a file, a folder and a branch on every system? */
export function isSafeId(id: string): boolean {
  return unsafeId(id) === undefined;
}

/** What is wrong with the id, and what to do; undefined when it is safe. */
export function unsafeId(id: string): Message | undefined {
  if (id === "") return msg("id.empty");
  const shown = visible(id);
  if (id.length > maxCharacters || utf8Length(id) > maxBytes)
    return msg("id.too_long", { id: shown, characters: maxCharacters, bytes: maxBytes });
  if (invisible().test(id)) return msg("id.invisible", { id: shown });
  const separator = /[/\\]|\.\./.exec(id)?.[0];
  if (separator !== undefined) return msg("id.separator", { id: shown, found: separator });
  const fixed = id.normalize("NFKC");
  if (fixed !== id) return msg("id.look_alike", { id: shown, fixed: visible(fixed) });
  const stray = /[^\p{L}\p{M}\p{N}._@+ -]/u.exec(id)?.[0];
  if (stray !== undefined) return msg("id.character", { id: shown, found: stray });
  if (/^[.\- ]|[. ]$/.test(id)) return msg("id.edge", { id: shown });
  if (reserved.test(id)) return msg("id.reserved", { id: shown });
  return undefined;
}

/** The id itself, or an invalid_input Fault that says what is wrong with it. */
export function requireSafeId(id: string): string {
  const problem = unsafeId(id);
  if (problem !== undefined) throw new Fault("invalid_input", problem);
  return id;
}

// --- internal ---

const maxCharacters = 100;
// A file name holds 255 bytes; 55 are left for endings (.json.lock) and temporary names.
const maxBytes = 200;

/** Control, format, unassigned, private and lone surrogate; and letters one can not see. */
function invisible(): RegExp {
  // Made when first asked for: its sets of characters take a ms, and every command loads this file.
  return (madeInvisible ??= /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u);
}

let madeInvisible: RegExp | undefined;

/**
 * Names that Windows (mounted under WSL) gives to devices, with any ending; endings that git
 * or our own files use; and words that reach an object's prototype when used as a key.
 */
const reserved =
  /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?$|\.(?:lock|bak|tmp)$|^(?:__proto__|constructor|prototype)$/i;

/** Fit to be printed: short, and nothing in it can move a cursor or turn the text around. */
function visible(id: string): string {
  const characters = Array.from(id.slice(0, 80));
  const cut = characters.length > 40 || id.length > 80;
  return (
    characters
      .slice(0, 40)
      .map((c) => (invisible().test(c) ? `\\u{${c.codePointAt(0)?.toString(16) ?? ""}}` : c))
      .join("") + (cut ? "…" : "")
  );
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
