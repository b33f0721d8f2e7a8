// What the parts of documents.ts share.
import type { Message } from "../core/messages.ts";
import type { Codec } from "../formats/codec.ts";
import type { FormatName } from "../formats/registry.ts";
import type { DocumentRow, Store } from "./database/store.ts";
import type { Disk } from "./disk.ts";
import type { Lock, LockWorld } from "./lock.ts";

export interface Ref {
  readonly path: string;
  readonly format: FormatName;
  readonly codec: Codec<unknown>;
}

/** Something a person should hear about one of their files. */
export interface Told {
  readonly path: string;
  readonly text: Message;
}

export interface DocumentsWorld {
  readonly store: Store;
  readonly disk: Disk;
  readonly lockWorld: LockWorld;
  readonly codec: (format: FormatName) => Promise<Codec<unknown>>;
  readonly projectId: string;
  /** Where a person's change that could not be taken over is kept. */
  readonly quarantine: string;
  readonly now: () => Date;
  readonly tell: (told: Told) => void;
  /** Runs an event that was interrupted again, on the document a person changed meanwhile; awaited. */
  readonly replay: (format: FormatName, document: unknown, event: unknown) => unknown;
  /** Mends what reads but breaks the format's rules, where nothing can be lost by it (S3.7). */
  readonly repair?: (ref: Ref, bytes: Uint8Array) => Promise<Made | undefined>;
  /**
   * The last link of a recovery, when neither database nor backup has a version that reads. With a
   * hint instead of a document: what the user may do. Neither: a stop.
   */
  readonly rebuild?: (
    ref: Ref,
    earlier: Earlier | undefined,
  ) => Promise<Made | { readonly hint: Message } | undefined>;
}

/** A document that was not read but made, and a sentence that says how. */
export interface Made {
  readonly value: unknown;
  readonly how: Message;
}

/** The newest revision before the damaged one that still reads. */
export interface Earlier {
  readonly rev: number;
  readonly value: unknown;
}

/** A document under our lock, reconciled: row and file agree. */
export interface Opened {
  readonly ref: Ref;
  readonly row: DocumentRow | undefined;
  readonly bytes: Uint8Array | null;
  readonly value: unknown;
  readonly lock: Lock;
}
