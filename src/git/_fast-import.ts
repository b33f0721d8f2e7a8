// What `git fast-import` is fed with and answers: many objects, in one process.
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { type GitPlace, gitFault, tryGit } from "./git.ts";

/** Lines that it answers with, one at a time. */
export class Answers {
  #text = "";
  #over = false;
  #wake: (() => void) | undefined;

  readonly heard = (part: Buffer | null): void => {
    if (part === null) this.#over = true;
    else this.#text += part.toString("utf8");
    this.#wake?.();
  };

  /** Undefined: it ended without another. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n");
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return line;
      }
      if (this.#over) return undefined;
      await new Promise<void>((turn) => (this.#wake = turn));
    }
  }
}

/**
 * Feeds it; without “done” at its end, as when we die on the way, it makes nothing. Returns the lines that it
 * answered with.
 */
export async function fastImport(
  place: GitPlace,
  stream: (answers: Answers) => AsyncGenerator<Uint8Array>,
): Promise<string[]> {
  const answers = new Answers();
  const args = ["fast-import", "--quiet", "--done", "--date-format=raw"];
  const { code, stdout, stderr } = await tryGit(args, {
    ...place,
    input: stream(answers),
    heard: answers.heard,
    seconds: 3_600,
  });
  if (code === 0) return stdout.toString("utf8").split("\n").slice(0, -1);
  // What it was doing when it failed is of no use to who owns the repository.
  const [, report] = /crash report to (.+)$/m.exec(stderr) ?? [];
  if (report !== undefined) rmSync(resolve(place.cwd, report), { force: true });
  throw gitFault(args, stderr, place);
}

/** The tree in an answer to `ls`. */
export function treeIn(line: string | undefined): string {
  return /^\d+ tree (\w+)\t/.exec(line ?? "")?.[1] ?? "";
}

export function blobOf(mark: number, bytes: Uint8Array): Uint8Array[] {
  return [text(`blob\nmark :${mark}\ndata ${bytes.length}\n`), bytes, text("\n")];
}

/** As it reads a name: any byte. `path`: Latin-1, a letter a byte. */
export function quoted(path: string): string {
  const inner = path.replace(/["\\]|[^ -~]/g, (letter) =>
    letter === '"' || letter === "\\"
      ? `\\${letter}`
      : `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${inner}"`;
}

export function text(value: string): Uint8Array {
  return Buffer.from(value, "utf8");
}
