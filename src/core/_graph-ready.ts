// A set of small numbers that gives its members in order.
//
// Ready units are taken in plan order, whatever order they became ready in, so that a run and
// its repetition after a crash choose alike. A bit per number, and above each 32 words a word
// that says which of them are not empty: four levels carry a million numbers, and add, remove
// and next look at one word a level. (A JS Set used as a queue and Array.shift() are
// super-linear at 100,000; a heap can not remove from its middle.)

export class OrderedSet {
  readonly #levels: Uint32Array[] = [];

  constructor(size: number) {
    let words = size;
    do {
      words = Math.max(1, Math.ceil(words / 32));
      this.#levels.push(new Uint32Array(words));
    } while (words > 1);
  }

  add(number: number): void {
    let place = number;
    for (const level of this.#levels) {
      const word = place >>> 5;
      const before = level[word] ?? 0;
      level[word] = before | (1 << (place & 31));
      if (before !== 0) return;
      place = word;
    }
  }

  remove(number: number): void {
    let place = number;
    for (const level of this.#levels) {
      const word = place >>> 5;
      const after = (level[word] ?? 0) & ~(1 << (place & 31));
      level[word] = after;
      if (after !== 0) return;
      place = word;
    }
  }

  /** The smallest member that is at least `from`, or -1. */
  next(from: number): number {
    let place = from;
    for (let height = 0; height < this.#levels.length; height++) {
      const word = this.#levels[height]?.[place >>> 5] ?? 0;
      const rest = word & (-1 << (place & 31));
      if (rest !== 0) return this.#descend(height, (place & ~31) | lowestBit(rest));
      // Nothing more in this word: go on after it, one level up.
      place = (place >>> 5) + 1;
    }
    return -1;
  }

  #descend(height: number, place: number): number {
    let found = place;
    for (let level = height - 1; level >= 0; level--)
      found = (found << 5) | lowestBit(this.#levels[level]?.[found] ?? 0);
    return found;
  }
}

// --- internal ---

function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}
