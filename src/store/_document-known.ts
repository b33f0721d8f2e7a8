// What this process knows of documents: the bytes it last read or wrote, and what they mean. Where
// the file still has these bytes and the row still has their checksum, nothing is parsed again: at
// 10,000 tasks that is most of the time an update takes.
import type { DocumentsWorld, Opened, Ref } from "./_document.ts";
import { freeze } from "../formats/frozen.ts";
import { isUnfinished, openDocument } from "./_document-open.ts";
import type { Prepared } from "./_document-publish.ts";
import { isSum } from "./_document-sum.ts";
import type { DocumentRow } from "./database/store.ts";
import type { Lock } from "./lock.ts";

export interface KnownDocument {
  readonly format: Ref["format"];
  readonly sum: string;
  readonly bytes: Uint8Array;
  readonly value: unknown;
  /** The indentation, if it is printed in parts: see _document-print.ts. */
  readonly indent: string | undefined;
}

/** Each holds a document twice. A process works on few of them at a time. */
const most = 16;

export class KnownDocuments {
  readonly #byPath = new Map<string, KnownDocument>();
  /** Of these this process has seen what others left beside them. */
  readonly #opened = new Set<string>();

  /** Undefined unless these very bytes are known. */
  find(
    { path, format }: Ref,
    row: DocumentRow | undefined,
    bytes: Uint8Array | null,
  ): KnownDocument | undefined {
    const known = this.#byPath.get(path);
    if (!known || !row || !bytes || known.format !== format || known.sum !== row.after)
      return undefined;
    return known.bytes === bytes || Buffer.compare(known.bytes, bytes) === 0 ? known : undefined;
  }

  /** Of a file that is as it was published; undefined if it is not. */
  parse(
    ref: Ref,
    row: DocumentRow | undefined,
    bytes: Uint8Array | null,
  ): KnownDocument | undefined {
    if (!row || bytes === null || row.after === null || !isSum(bytes, row.after)) return undefined;
    const read = ref.codec.read(bytes);
    // Of a newer version, or by rules that are no longer these: told by who opens it.
    if (!read.ok) return undefined;
    return this.#keep(ref, { sum: row.after, bytes, value: read.value, indent: undefined });
  }

  /** As openDocument(), but what is known is not read again. */
  async open(ref: Ref, lock: Lock, world: DocumentsWorld): Promise<Opened> {
    const last = this.#byPath.get(ref.path);
    if (last && this.#opened.has(ref.path)) {
      const row = await world.store.document(ref.path);
      const bytes = world.disk.read(ref.path, undefined, last.bytes);
      const known = this.find(ref, row, bytes);
      // What a dead one wrote may not be durable yet, whatever is known of it.
      if (known && row && !isUnfinished(row, lock))
        return { ref, row, bytes: known.bytes, value: known.value, lock };
    }
    const opened = await openDocument(ref, lock, world);
    this.#opened.add(ref.path);
    const { row, bytes, value } = opened;
    if (bytes !== null && row?.after)
      this.#keep(ref, { sum: row.after, bytes, value, indent: undefined });
    return opened;
  }

  /** What was just published. Whatever was known before has not the row's sum any more. */
  remember({ document, row, bytes, value, indent }: Prepared): void {
    if (bytes !== null && row.after !== null)
      this.#keep(document.ref, { sum: row.after, bytes, value, indent });
    else this.#byPath.delete(document.ref.path);
  }

  #keep({ path, format }: Ref, found: Omit<KnownDocument, "format">): KnownDocument {
    const known = { ...found, format };
    freeze(known.value);
    // One that is full goes by the order in which keys came, so that this one comes anew.
    if (this.#byPath.size >= most) {
      this.#byPath.delete(path);
      const [oldest] = this.#byPath.keys();
      if (this.#byPath.size >= most && oldest !== undefined) this.#byPath.delete(oldest);
    }
    this.#byPath.set(path, known);
    return known;
  }
}
