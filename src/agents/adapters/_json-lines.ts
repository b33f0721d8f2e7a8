// Output that is one JSON a line, cut out of bytes in any chunking, bounded in memory.
//
// What is saved is where the line that is not complete yet begins, not its bytes: they lie in the
// agent's output file and are read again from there. So the saved state is small, and holds nothing of
// what an agent printed.

export interface JsonLines {
  /** The complete lines, parsed. A line that is no JSON, or longer than the limit, is left out. */
  push(chunk: Uint8Array): unknown[];
  /** The last line may have no newline. */
  end(): unknown[];
  save(): SavedLines;
  /** Bytes taken so far. After a resume: where to read on, at or before the byte it was saved at. */
  readonly offset: number;
}

export interface SavedLines {
  readonly offset: number;
  /** The rest of a line that is too long is being passed over. */
  readonly skipping: boolean;
}

/**
 * What an agent asks or says in one line is at most a model's longest answer, well below 2 MiB; what is
 * longer is the output of a tool, an image: nothing that anybody here reads.
 */
export const longestLine = 8 * 1024 * 1024;

export function createJsonLines(saved: SavedLines = { offset: 0, skipping: false }): JsonLines {
  let { offset, skipping } = saved;
  let parts: Uint8Array[] = [];
  let length = 0;
  const keep = (part: Uint8Array): void => {
    if (skipping || part.length === 0) return;
    // A copy: the buffer it lies in may be used again.
    parts.push(Uint8Array.prototype.slice.call(part));
    length += part.length;
    if (length <= longestLine) return;
    skipping = true;
    parts = [];
    length = 0;
  };
  const take = (): unknown[] => {
    const line = parts.length === 0 ? "" : Buffer.concat(parts).toString("utf8");
    parts = [];
    length = 0;
    const passed = skipping;
    skipping = false;
    return passed || line.trim() === "" ? [] : parsed(line);
  };
  return {
    push(chunk) {
      const found: unknown[] = [];
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        keep(chunk.subarray(from, at));
        found.push(...take());
        from = at + 1;
      }
      keep(chunk.subarray(from));
      offset += chunk.length;
      return found;
    },
    end: take,
    save: () => ({ offset: offset - length, skipping }),
    get offset() {
      return offset;
    },
  };
}

// --- internal ---

const NEWLINE = 0x0a;

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line) as unknown];
  } catch {
    return []; // A warning somebody printed between.
  }
}
