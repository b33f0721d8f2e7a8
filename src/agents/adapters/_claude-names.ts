// Claude Code takes only UUIDs: as the name of a conversation, and as the id of a message, by which it
// knows one it was sent before. Ours are short texts, so a message's UUID carries it, to be read back
// from what Claude Code echoes:
//
//   3f2a9c10-6d31-81d3-8032-000000000000
//   │        │    │  │   └┴─ "2"           bytes of the id, the rest zero
//   │        │    │  └ its length
//   │        └────┼─ "m1"
//   │             └ version 8, and our mark
//   └ of its text
import { uuidOf } from "../../core/ids.ts";

/** The same message always gets the same, whichever process it is sent to. */
export function messageUuid(id: string, text: string): string {
  // One that does not fit is still known when it comes again; only nobody hears that it arrived.
  if (!/^[!-~]{1,9}$/.test(id)) return uuidOf(`${id} ${text}`);
  const hex = Buffer.from(id, "latin1").toString("hex").padEnd(18, "0");
  const [head] = uuidOf(text).split("-");
  return `${head}-${hex.slice(0, 4)}-${MARK}${id.length}-80${hex.slice(4, 6)}-${hex.slice(6)}`;
}

/** Our id of a message, from its UUID; undefined: not one of ours. */
export function messageId(uuid: string): string | undefined {
  const [, first, length, hex] = packed.exec(uuid) ?? [];
  if (first === undefined || length === undefined || hex === undefined) return undefined;
  const bytes = Buffer.from(first + hex.replace("-", ""), "hex");
  return bytes.toString("latin1", 0, Number(length));
}

// --- internal ---

const MARK = "81d";
const packed = /^[0-9a-f]{8}-([0-9a-f]{4})-81d([1-9])-80([0-9a-f]{2}-[0-9a-f]{12})$/;
