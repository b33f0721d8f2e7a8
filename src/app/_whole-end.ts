// Where a piece of UTF-8 may end.

/** Not between the bytes of one character, unless there is nothing else: the next piece has it whole. */
export function wholeEnd(bytes: Uint8Array, from: number, end: number): number {
  for (let at = end - 1; at > from && at >= end - 4; at--) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) return end;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return at + length > end ? at : end;
  }
  return end;
}
