// An agent's input and output: files, so that our death loses no byte and repeats none.
//
// What we say is committed with its offset before it is written here. Writing it twice is
// harmless; writing something else over it, or leaving a gap, is refused. What the agent says is
// read by position, as much at a time as asked for.
import { type FSWatcher, constants, watch as watchFolder } from "node:fs";
import { type FileHandle, access, open } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { asFault, codeOf, plainly } from "./_files.ts";

/** log: complaints of the holder, where an agent could not even be begun. */
export type OutputStream = "out" | "err" | "log";

export interface Output {
  readonly bytes: Uint8Array;
  /** Where the next read begins. */
  readonly next: number;
  /** How long the file is by now: there is more while `next` is less. */
  readonly size: number;
}

export async function writeInput(folder: string, offset: number, bytes: Uint8Array): Promise<void> {
  const path = join(folder, "in");
  await withFile(
    path,
    constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    async (file) => {
      const stats = await file.stat();
      const size = stats.isFile() ? stats.size : 0;
      if (size < offset)
        throw new Fault("corrupt", msg("run.input_gap", { path, size, offset }), {
          hint: msg("run.input_gap.hint"),
        });
      const there = Math.min(size - offset, bytes.length);
      const found = await readFully(file, offset, there);
      if (!found.equals(bytes.subarray(0, there)))
        throw new Fault("corrupt", msg("run.input_differs", { path, offset }), {
          hint: msg("run.input_gap.hint"),
        });
      if (there === bytes.length) return;
      if (await isClosed(folder))
        throw new Fault("refused", msg("run.input_closed", { path }), {
          hint: msg("run.input_closed.hint"),
        });
      for (let done = there; done < bytes.length;) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, offset + done);
        done += bytesWritten;
      }
    },
  );
  await poke(folder);
}

/** The agent reads to the end of what was written, then meets the end of its input. */
export async function closeInput(folder: string): Promise<void> {
  const path = join(folder, "close");
  await withFile(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, () =>
    Promise.resolve(),
  );
  await poke(folder);
}

export async function readOutput(
  folder: string,
  stream: OutputStream,
  offset: number,
  max: number,
): Promise<Output> {
  const path = join(folder, stream);
  return withFile(path, plainly, async (file) => {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size < offset)
      throw new Fault("corrupt", msg("run.output_shrunk", { path, size: stats.size, offset }), {
        hint: msg("run.output_shrunk.hint"),
      });
    const bytes = await readFully(file, offset, Math.min(max, stats.size - offset));
    return { bytes, next: offset + bytes.length, size: stats.size };
  });
}

/**
 * Calls `wake` when there may be something new: output, an end. At least every `pollMs`, since a
 * user has few inotify instances, and a process that vanishes writes nothing. Returns the stop.
 */
export function watch(folder: string, wake: () => void, pollMs = 1000): () => void {
  let told: NodeJS.Immediate | undefined;
  // A flood of output is one call for each turn of the event loop.
  const tell = (): void => {
    told ??= setImmediate(() => {
      told = undefined;
      wake();
    });
  };
  const timer = setInterval(tell, pollMs).unref();
  let watcher: FSWatcher | undefined;
  try {
    watcher = watchFolder(folder, { persistent: false }, tell);
    // The folder was removed, or the kernel's queue is full: the timer goes on.
    watcher.on("error", () => watcher?.close());
  } catch {
    // No inotify instance or watch is left: the timer alone must do.
  }
  return () => {
    clearInterval(timer);
    clearImmediate(told);
    watcher?.close();
  };
}

// --- internal ---

async function withFile<T>(
  path: string,
  flags: number,
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, flags, 0o600);
    return await work(file);
  } catch (cause) {
    throw asFault(path, cause);
  } finally {
    await file?.close();
  }
}

async function readFully(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

function isClosed(folder: string): Promise<boolean> {
  return access(join(folder, "close")).then(
    () => true,
    () => false,
  );
}

/**
 * Tells the feeder to look again. Where nobody listens yet, it will look by itself; where the
 * pipe is full of pokes, it has been told; where the agent has ended, nobody cares.
 */
async function poke(folder: string): Promise<void> {
  const path = join(folder, "wake");
  try {
    const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
    const file = await open(path, flags);
    try {
      await file.write("\n");
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (!harmless.has(codeOf(cause) ?? "")) throw asFault(path, cause);
  }
}

const harmless: ReadonlySet<string> = new Set(["ENOENT", "ENXIO", "EAGAIN", "EPIPE"]);
