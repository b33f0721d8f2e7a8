// The closest word, for “did you mean …?”: unknown commands, fields, ids and answers.
//
// Distance is Damerau-Levenshtein in its restricted form (insert, delete, replace, swap two
// neighbours). Words are compared decomposed and in lower case, so one wrong jamo in a Korean
// syllable counts as little as one wrong letter.

/** The candidate most like the word; the first of equals; undefined when none is close. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > longest) return undefined;
  const typed = fold(word);
  if (typed.length === 0) return undefined;
  let best: string | undefined;
  let bestScore = Infinity;
  for (const candidate of candidates) {
    if (candidate.length > longest) continue;
    const other = fold(candidate);
    const score = scoreOf(typed, other, bestScore);
    if (score >= bestScore) continue;
    best = candidate;
    bestScore = score;
    if (score === 0) break;
  }
  return best;
}

/** Edits from a to b; anything above `limit` is returned as Infinity without being counted. */
export function distance(a: string, b: string, limit = Infinity): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  // Three rows of the table are enough: memory grows with one word, not with their product.
  let twoAbove = new Uint32Array(b.length + 1);
  let above = Uint32Array.from(twoAbove, (_, column) => column);
  let current = new Uint32Array(b.length + 1);
  for (let row = 1; row <= a.length; row++) {
    let least = (current[0] = row);
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2];
      if (swapped && a[row - 2] === b[column - 1])
        cost = Math.min(cost, at(twoAbove, column - 2) + 1);
      current[column] = cost;
      least = Math.min(least, cost);
    }
    // Safe in spite of swaps, which skip a row: that row holds a cost no higher than theirs.
    if (least > limit) return Infinity;
    [twoAbove, above, current] = [above, current, twoAbove];
  }
  const edits = at(above, b.length);
  return edits > limit ? Infinity : edits;
}

// --- internal ---

// Nobody mistypes a longer word by a few letters; a pasted megabyte must cost nothing.
const longest = 100;

function fold(word: string): string {
  return word.normalize("NFD").toLowerCase();
}

/** Edits; or less than one when the word is the beginning of the candidate: “stat” → status. */
function scoreOf(typed: string, other: string, best: number): number {
  // Among several that begin so, the shortest is meant: it leaves the least unsaid.
  if (typed.length >= 3 && typed.length < other.length && other.startsWith(typed))
    return 0.5 + (other.length - typed.length) / (longest * 10);
  const length = Math.max(typed.length, other.length);
  // A third of the letters may differ, and at least one; but never all of them.
  const allowed = Math.min(Math.max(1, Math.floor(length / 3)), length - 1);
  return distance(typed, other, Math.min(allowed, best));
}

function at(row: Uint32Array, column: number): number {
  return row[column] ?? Infinity;
}
