// Standard output and error of one call. Node's own streams cost as much to load as all the rest of a
// hook (docs/adr/0010), so into a pipe or a file is written directly. They are used where they are
// needed: on a terminal, by whoever stays, and where a pipe does not take it all at once.
import { fstatSync, statSync, writeSync } from "node:fs";

export interface Output {
  readonly isTerminal: boolean;
  write(text: string): void;
  /** From now on a reader that is slow does not hold us up. */
  stay(): void;
}

/** `failed` is told once, of what could not be written; what comes after that is dropped. */
export function outputTo(handle: 1 | 2, failed: (cause: NodeJS.ErrnoException) => void): Output {
  let stream: NodeJS.WriteStream | undefined;
  let broken = false;
  const breaks = (cause: NodeJS.ErrnoException): void => {
    if (!broken) failed(cause);
    broken = true;
  };
  const streamed = (): NodeJS.WriteStream => {
    stream ??= (handle === 1 ? process.stdout : process.stderr).on("error", breaks);
    return stream;
  };
  let device: boolean | undefined;
  const isDevice = (): boolean => (device ??= looksLikeDevice(handle));
  return {
    get isTerminal() {
      return isDevice() && streamed().isTTY;
    },
    stay: () => void streamed(),
    write: (text) => {
      if (broken) return;
      const direct = stream === undefined && !isDevice();
      const rest = direct ? writeNow(handle, Buffer.from(text), breaks) : text;
      if (rest.length > 0) streamed().write(rest);
    },
  };
}

// --- internal ---

/** A terminal; or nothing that can be written to, which the stream finds out. */
function looksLikeDevice(handle: number): boolean {
  try {
    const stats = fstatSync(handle);
    if (stats.isFIFO() || stats.isFile() || stats.isSocket()) return false;
    // Hooks are often told to say nothing.
    return stats.rdev !== statSync("/dev/null").rdev;
  } catch {
    return true;
  }
}

/** What is left over: a pipe that is full, and does not wait. */
function writeNow(
  handle: number,
  bytes: Buffer,
  breaks: (cause: NodeJS.ErrnoException) => void,
): Buffer {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(handle, bytes, written);
  } catch (thrown) {
    const cause = thrown as NodeJS.ErrnoException;
    if (cause.code === "EAGAIN") return bytes.subarray(written);
    breaks(cause);
  }
  return bytes.subarray(bytes.length);
}
