// One case of the model: acts on a machine, each perhaps with an accident, and what must be so
// after each of them (S5.1–S5.3). What is known is kept as the states that may be:
//
//   an update that was acknowledged   exactly its state
//   one that failed or died           the state before it or after it
//   a read                            one of them, and from then on that one, whatever comes
import assert from "node:assert/strict";
import { basename, dirname } from "node:path";
import { Fault } from "../../src/core/errors.ts";
import { isSum, sumOf } from "../../src/store/_document-sum.ts";
import type { Store } from "../../src/store/database/store.ts";
import {
  type ModelFormat,
  type ModelRef,
  type State,
  garbled,
  historyOf,
  isWhole,
  longer,
  meddled,
  modelPaths,
  noted,
  shorter,
  show,
  updateOf,
} from "./_model-documents.ts";
import { type Accident, Machine, type ModelProcess, quarantine } from "./_model-machine.ts";
import type { CutMode } from "./memory-disk.ts";

/** `both`: all files of the case in one update. */
type Work = "update" | "both" | "remove" | "read";
/** By a person: in place or by a rename, a step they may take or not, or half; or the row is lost. */
type ByHand = "edit" | "move" | "meddle" | "garble" | "forget" | "ruin";
export type Act = Work | ByHand | "cut";

export interface Doing {
  readonly accident?: Accident;
  /** Of a cut. */
  readonly mode?: CutMode;
  /** Before this step a person's editor saves the file. */
  readonly editAt?: number;
  /** The process has read before it writes. */
  readonly knows?: boolean;
  /** After an error the same process tries once more. */
  readonly goesOn?: boolean;
}

let cases = 0;
/** The last line of the journal that was looked at: cases come one after the other. */
let journaled = 0;

export class Case {
  /** Of the last process. */
  steps: readonly string[] = [];
  readonly #machine: Machine;
  readonly #refs: readonly ModelRef[];
  #states: readonly State[];
  #updates = 0;
  #notes = 0;
  /** What a person wrote and nobody has been seen to know of. */
  readonly #unseen = new Set<string>();
  /** Of these, what was a step they may take, between our updates: it is taken over. */
  readonly #fine = new Set<string>();
  /** The number of the last removal. */
  #removal = 0;
  readonly #mayBeTold = new Set<string>();
  /** Files of the last update, if it was acknowledged and nobody has touched them since. */
  #acknowledged: readonly ModelRef[] = [];
  /** The file is a person's bad one. */
  #spoiled = false;

  constructor(store: Store, formats: readonly ModelFormat[], random: (below: number) => number) {
    this.#machine = new Machine(store, random);
    const root = `/case${++cases}`;
    this.#refs = formats.map((format) => ({ path: `${root}/${modelPaths[format]}`, format }));
    this.#states = [formats.map(() => null)];
  }

  get paths(): string[] {
    return this.#refs.map(({ path }) => path);
  }

  /** Whether a fault came. */
  async act(act: Act, { accident, mode, editAt, knows, goesOn }: Doing = {}): Promise<boolean> {
    if (act === "cut") return this.#cut(mode ?? "first");
    if (!isWork(act)) return this.#byHand(act);
    const edit = (step: number, name: string, path: unknown): void => {
      if (step !== editAt) return;
      // The known gap: between the last look at a file and its rename or removal only what is done
      // in place is seen, and only if the file has a second name by then.
      const gap = path === this.#refs[0]?.path && (name === "rename" || name === "remove");
      if (!gap || this.steps.at(-2) === "link") this.#edit(gap ? "edit" : "move", false);
    };
    const process = this.#machine.process(accident, edit);
    this.steps = process.disk.taken;
    if (knows) await this.#work("read", process);
    if (!process.disk.dead) await this.#work(act, process);
    if (process.disk.struck && goesOn && !process.disk.dead) await this.#goOn(act, process);
    await this.#lookAtFiles();
    return process.disk.struck;
  }

  /** Seen by processes that had no part in it, and then once more after a power cut. */
  async checkUp(mode: CutMode): Promise<void> {
    await this.#read(this.#machine.process());
    for (const note of this.#unseen)
      assert(!this.#fine.has(note), `${note} could have been taken over`);
    // The next update sweeps what is left, and keeps the version before it.
    const { disk } = this.#machine;
    const before = this.#refs.map(({ path }) => sumOf(disk.read(path)));
    await this.#work("both", this.#machine.process());
    this.#tellsNothing();
    await this.#lookAtJournal();
    await this.#agree();
    for (const [place, { path }] of this.#refs.entries()) {
      const [name, old] = [basename(path), before[place] ?? null];
      const backup = disk.read(`${path}.bak`);
      const names = backup ? [name, `${name}.bak`] : [name];
      assert.deepEqual(disk.list(dirname(path)).toSorted(), names, "litter");
      if (old !== null) assert.ok(isSum(backup, old), ".bak is not the version before");
    }
    await this.#cut(mode);
    await this.#read(this.#machine.process());
    this.#tellsNothing();
    const kept = this.#quarantined();
    for (const note of this.#unseen) assert(kept.includes(note), `${note} is nowhere`);
  }

  // --- internal ---

  async #cut(mode: CutMode): Promise<true> {
    this.#machine.cut(mode);
    await this.#lookAtFiles();
    return true;
  }

  async #work(work: Work, process: ModelProcess): Promise<void> {
    const { disk } = process;
    this.#acknowledged = [];
    try {
      if (work === "read") await this.#read(process);
      else await this.#update(work, process);
    } catch (cause) {
      if (cause instanceof assert.AssertionError) throw cause;
      if (disk.dead) return;
      if (!(cause instanceof Fault)) throw cause;
      assert(disk.struck, `without a fault: ${cause.message}`);
      // It said so, unlocked and ended: nobody can know that no person put the old file back.
      this.#mayBeTold.add("document.published_again");
    }
  }

  async #update(work: Exclude<Work, "read">, { documents, disk }: ModelProcess): Promise<void> {
    const files = work === "both" ? this.#refs : this.#refs.slice(0, 1);
    const id = ++this.#updates;
    const next = (history: string | null, place: number): string | null =>
      place >= files.length ? history : work === "remove" ? null : longer(history, id);
    const [before, notes] = [this.#states, this.#notes];
    const after = before.map((state) => state.map(next));
    // From here on it may have happened, whatever is heard of it.
    this.#states = [...before, ...after];
    if (work === "remove") this.#removal = id;
    const result = await documents.update(updateOf(files, work === "remove" ? null : id));
    if (disk.dead) return;
    this.#states = after.filter((state) =>
      files.every((_, place) => state[place] === result[place]),
    );
    assert(this.#states.length > 0, `${show([result])} came after one of ${show(before)}`);
    if (this.#notes === notes) this.#acknowledged = files;
    this.#spoiled = false;
  }

  /** A file that could not be synced is left alone by whoever saw it. */
  async #goOn(work: Work, process: ModelProcess): Promise<void> {
    process.goesOn();
    await this.#work(work === "read" ? "update" : work, process);
    const unsure = this.#acknowledged.filter(({ path }) => process.disk.unsure.has(dirname(path)));
    assert.deepEqual(unsure, [], "written to after a sync had failed");
  }

  async #read({ documents, disk }: ModelProcess): Promise<void> {
    const notes = this.#notes;
    for (const [place, ref] of this.#refs.entries()) {
      const value = await documents.read(ref);
      if (disk.dead) return;
      const none = { history: null, notes: [] };
      const seen = value === undefined ? none : historyOf(ref.format, value);
      assert(seen, `${ref.path} is no version of ours`);
      const left = this.#states.filter((state) => state[place] === seen.history);
      assert(left.length > 0, `${show([[seen.history]])} is none of ${show(this.#states)}`);
      this.#states = left;
      for (const note of seen.notes) this.#unseen.delete(note);
      // What was removed with the document had been taken over before.
      if (seen.history === null || Number.parseInt(seen.history, 10) > this.#removal)
        for (const { content } of await this.#machine.store.revisions(ref.path))
          for (const note of this.#unseen)
            if (content && includes(content, note)) this.#unseen.delete(note);
    }
    this.#spoiled = false;
    if (this.#notes === notes) await this.#agree();
  }

  /** File and row have one checksum, the revisions no gap. */
  async #agree(): Promise<void> {
    const { disk, store } = this.#machine;
    for (const { path } of this.#refs) {
      const row = await store.document(path);
      assert.ok(isSum(disk.read(path), row?.after ?? null), "file and row disagree");
      const revisions = (await store.revisions(path)).map(({ rev }) => rev);
      const wanted = Array.from({ length: row?.rev ?? 0 }, (_, at) => at + 1);
      assert.deepEqual(revisions, wanted, "the revisions have a gap");
    }
  }

  /** Before anything is put right: whole versions only, and what was acknowledged is in place. */
  async #lookAtFiles(): Promise<void> {
    const { disk, store } = this.#machine;
    for (const { path, format } of this.#refs)
      for (const file of this.#spoiled ? [`${path}.bak`] : [path, `${path}.bak`]) {
        const bytes = disk.read(file);
        assert(!bytes || (await isWhole(format, bytes)), `${file} is not whole`);
      }
    for (const { path } of this.#acknowledged) {
      const row = await store.document(path);
      assert.ok(isSum(disk.read(path), row?.after ?? null), "acknowledged and not in the file");
    }
  }

  /** What a person changed is written down, whether it was taken over or not. */
  async #lookAtJournal(): Promise<void> {
    if (this.#notes === 0) return;
    const lines = await this.#machine.store.transitions({ machine: "document", after: journaled });
    journaled = lines.at(-1)?.seq ?? journaled;
    const ours = lines.filter(({ entityId }) => entityId === this.#refs[0]?.path);
    assert(ours.length > 0, "a person's change is not in the journal");
  }

  #tellsNothing(): void {
    const told = this.#machine.told.filter((key) => !this.#mayBeTold.has(key));
    assert.equal(told.join(), "", `told without a reason: ${told.join()}`);
    this.#machine.told.length = 0;
    this.#mayBeTold.clear();
  }

  #quarantined(): string {
    const { disk } = this.#machine;
    const files = disk.list(quarantine).map((name) => disk.read(`${quarantine}/${name}`) ?? []);
    return files.map((bytes) => Buffer.from(bytes).toString("utf8")).join("\n");
  }

  async #byHand(act: ByHand): Promise<false> {
    if (act === "forget" || act === "ruin") {
      await this.#machine.store.commit({ documentsGone: [this.#refs[0]?.path ?? ""] });
      this.#mayBeTold.add("document.adopted").add("document.from_backup");
    }
    // With the row lost, only the backup knows what was before.
    if (act === "ruin")
      this.#states = this.#states.map(([history, ...rest]) => [shorter(history), ...rest]);
    if (act !== "forget") this.#edit(act, act === "edit" || act === "move");
    return false;
  }

  #edit(act: Exclude<ByHand, "forget">, between: boolean): void {
    const [ref] = this.#refs;
    const bytes = ref && this.#machine.disk.read(ref.path);
    if (!ref || !bytes || this.#spoiled) return;
    const note = `note_${++this.#notes}`;
    this.#unseen.add(note);
    this.#acknowledged = [];
    for (const key of ["foreign", "set_aside", "merged", "theirs_kept"])
      this.#mayBeTold.add(`document.${key}`);
    const fine = act === "edit" || act === "move";
    this.#spoiled = !fine;
    if (!fine) this.#fine.clear();
    // Nobody can know what they edited if ours said that the file did not follow, and ended.
    if (between && !this.#mayBeTold.has("document.published_again")) this.#fine.add(note);
    const theirs = fine
      ? noted(ref.format, bytes, note)
      : act === "meddle"
        ? meddled(ref.format, bytes, note)
        : garbled(bytes, note);
    // What they garble of their own is theirs to lose.
    for (const each of this.#unseen)
      if (includes(bytes, each) && !includes(theirs, each)) this.#unseen.delete(each);
    this.#machine.disk.overwrite(ref.path, theirs, act !== "move");
  }
}

// --- internal ---

function isWork(act: Act): act is Work {
  return act === "update" || act === "both" || act === "remove" || act === "read";
}

function includes(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes).includes(text);
}
