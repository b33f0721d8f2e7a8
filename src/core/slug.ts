// A name as part of a branch (`phase-1-로그인-화면`, S2.6) and of a path.

/**
 * Letters, digits and their marks of any script stay, all else becomes one dash: what git's
 * check-ref-format, a shell and a path refuse is never a letter. NFKC first, so that the same
 * name typed on a Mac gives the same branch.
 */
export function slugOf(name: string): string {
  const folded = name.normalize("NFKC").toLowerCase().normalize("NFKC");
  const dashed = folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  return Array.from(dashed.replace(/^-/, "")).slice(0, longest).join("").replace(/-$/, "");
}

/** 48 Hangul are 144 bytes: a path part may have 255, and `phase-12-` and `.lock` need some. */
const longest = 48;
