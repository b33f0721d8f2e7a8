// A machine of the model: a disk in memory, a real database, boots, a clock, processes on it. What a
// process is told of time, boot and others comes from here; it is the product's own code otherwise.
import { uptime } from "node:os";
import type { Change, DocumentRow, Store } from "../../src/store/database/store.ts";
import { Documents } from "../../src/store/documents.ts";
import { self } from "../../src/store/identity.ts";
import {
  type Fields,
  type ModelFormat,
  codecOf,
  historyOf,
  longer,
  withHistory,
} from "./_model-documents.ts";
import { type FaultKind, type FaultyDisk, type Surroundings, faultyDisk } from "./faulty-disk.ts";
import { type CutMode, MemoryDisk } from "./memory-disk.ts";

export interface Accident {
  /** The n-th step, or the first of a name. */
  readonly at: number | string;
  readonly kind: FaultKind;
  readonly sticky?: boolean;
  /** The whole machine dies, not only the process. */
  readonly power?: CutMode;
}

export interface ModelProcess {
  readonly documents: Documents;
  readonly disk: FaultyDisk;
  /** From now on a lock that is still there is its own. */
  goesOn(): void;
}

export const quarantine = "/home/quarantine";

export class Machine {
  readonly disk: MemoryDisk;
  readonly store: Store;
  /** The keys of what a person was told. */
  readonly told: string[] = [];
  readonly #random: (below: number) => number;
  #now = Date.now();
  #boot = 1;

  constructor(store: Store, random: (below: number) => number) {
    this.store = store;
    this.#random = random;
    this.disk = new MemoryDisk(() => this.#now);
    this.disk.makeFolder("/home");
  }

  /** Everything of the last boot is older than this one. */
  cut(mode: CutMode): void {
    this.disk.cut(this.#random, mode);
    this.#boot++;
    this.#now += uptime() * 1000 + 3_600_000;
  }

  process(accident?: Accident, before?: Surroundings["before"]): ModelProcess {
    const { at = 0, kind = "die_before", sticky, power } = accident ?? {};
    // Half a file that names nobody is left alone for as long as it may be in the making.
    this.#now += 11_000;
    const disk = faultyDisk(at, kind, sticky, {
      base: this.disk,
      ...(before && { before }),
      ...(power && { onDeath: () => this.cut(power) }),
    });
    // One process at a time: whoever else has left a lock is dead.
    let others: "gone" | "alive" = "gone";
    const documents = new Documents({
      store: this.#storeOf(disk),
      disk,
      lockWorld: {
        disk,
        now: () => this.#now,
        // Nobody else would do anything meanwhile.
        wait: async (milliseconds) => {
          this.#now += milliseconds;
        },
        random: () => `t${++tokens}`,
        alone: async (work) => work(),
        liveness: () => others,
      },
      codec: (format) => codecOf(format as ModelFormat),
      projectId: "p1",
      quarantine,
      now: () => new Date(this.#now),
      // The dead tell nothing.
      tell: ({ text }) => disk.dead || this.told.push(text.key),
      replay: (format, document, event) => replayed(format as ModelFormat, document, event),
    });
    return { documents, disk, goesOn: () => void (others = "alive") };
  }

  // --- internal ---

  /** The real one, with the model's boots in its rows. To die before or after a commit is a step. */
  #storeOf(disk: FaultyDisk): Store {
    const boot = `boot ${this.#boot}`;
    const asWritten = (row: DocumentRow): DocumentRow => ({ ...row, boot });
    const inBoot = ({ documents = [], next = [], ...change }: Change): Change => ({
      ...change,
      documents: documents.map((each) => ({ ...each, document: asWritten(each.document) })),
      next: next.map(inBoot),
    });
    return {
      ...this.store,
      commit: (change: Change) => disk.step("commit", () => this.store.commit(inBoot(change))),
      document: async (path) => {
        const row = await this.store.document(path);
        return row?.boot === boot ? { ...row, boot: self().boot } : row;
      },
    };
  }
}

// --- internal ---

let tokens = 0;

function replayed(format: ModelFormat, document: unknown, event: unknown): unknown {
  // A removal is nothing that can be done to somebody's new version.
  if (typeof event !== "number") return null;
  const history = historyOf(format, document)?.history ?? null;
  return withHistory(format, longer(history, event), document as Fields);
}
