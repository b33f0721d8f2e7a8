// What a plain command gets on stdin: one frame a message. docs/protocol.md is the grammar for people
// who write agents.
//
//   [ANSWER id=m-3 about=q-7]
//   SQLite
//   [/ANSWER]
//
// A line of the text that begins with `[/` or `\` carries one more `\`, so that nothing in a text
// can end its frame: a reader removes one leading `\` of each line and needs no other rule.
import { type AgentMessage, messageKinds } from "./adapter.ts";

export type Framed = Pick<AgentMessage, "id" | "kind" | "text" | "about">;

/**
 * The text arrives exactly, but for two things: line ends become LF and NUL is dropped. Readers
 * that treat a CR as a line end (Python), or skip a NUL (sh), would else see lines we did not escape.
 */
export function frame({ id, kind, text, about }: Framed): Uint8Array {
  const name = kind.toUpperCase();
  const head = `[${name} id=${attribute(id)}${about === undefined ? "" : ` about=${attribute(about)}`}]`;
  const lines = text
    .replaceAll("\0", "")
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => (line.startsWith("\\") || line.startsWith("[/") ? `\\${line}` : line));
  return Buffer.from(`${[head, ...lines, `[/${name}]`].join("\n")}\n`);
}

export interface FrameReader {
  push(chunk: Uint8Array): Framed[];
}

/** The other side, as our sample agent reads it. What stands between frames is ignored. */
export function createFrameReader(): FrameReader {
  let parts: Uint8Array[] = [];
  let open: { head: Omit<Framed, "text">; lines: string[] } | null = null;
  const take = (line: string): Framed | null => {
    if (!open) {
      const head = readHead(line);
      if (head) open = { head, lines: [] };
      return null;
    }
    if (line !== `[/${open.head.kind.toUpperCase()}]`) {
      open.lines.push(line.startsWith("\\") ? line.slice(1) : line);
      return null;
    }
    const framed = { ...open.head, text: open.lines.join("\n") };
    open = null;
    return framed;
  };
  return {
    push(chunk) {
      const last = chunk.lastIndexOf(NEWLINE);
      // Decoded only up to a newline: a character cut by a chunk is never decoded in halves.
      if (last < 0) {
        parts.push(chunk);
        return [];
      }
      const whole = Buffer.concat([...parts, chunk.subarray(0, last)]).toString("utf8");
      parts = [chunk.subarray(last + 1)];
      return whole
        .split("\n")
        .map(take)
        .filter((framed) => framed !== null);
    },
  };
}

// --- internal ---

const NEWLINE = 0x0a;

/** Ids are ours and plain; an agent's own request id may hold anything. */
function attribute(value: string): string {
  return encodeURIComponent(Buffer.from(value).toString("utf8"));
}

const headLine = /^\[([A-Z]+) id=([^\s\]]*)(?: about=([^\s\]]*))?\]$/;

function readHead(line: string): Omit<Framed, "text"> | null {
  const [, name, id, about] = headLine.exec(line) ?? [];
  const kind = messageKinds.find((known) => known.toUpperCase() === name);
  if (kind === undefined || id === undefined) return null;
  try {
    const head = { id: decodeURIComponent(id), kind };
    return about === undefined ? head : { ...head, about: decodeURIComponent(about) };
  } catch {
    return null; // A `%` that we did not write: no frame of ours.
  }
}
