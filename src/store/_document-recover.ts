// When neither the file nor the database has a version that reads: the chain of what else there is.
//
//   1  the file itself, mended where nothing can be lost by it               (S3.7)
//   2  `.bak`, the last version that was validated                           (S2.7, S2.9)
//   3  the newest valid copy in `.claude/memory/backup/`, for a plan's files (S3.5)
//   4  what the workflow makes of an earlier revision in the journal, or of nothing (S3.7, S4.3)
//   5  a clear stop: the file stays as it is, and the user is told what to do (S2.9)
//
// Whatever takes its place, the bad file is kept in quarantine first. Then the new version goes
// into the database, with its line in the journal, and only then to the disk: a crash in between
// leaves a bad file beside a good row, which the next one to open it puts right.
import { Fault } from "../core/errors.ts";
import { type Message, msg, render } from "../core/messages.ts";
import type { Read } from "../formats/codec.ts";
import type { DocumentsWorld, Earlier, Made, Opened, Ref } from "./_document.ts";
import { problemOf, record } from "./_document-journal.ts";
import { writeFile } from "./_document-publish.ts";
import { quarantine } from "./_document-quarantine.ts";
import { isSum } from "./_document-sum.ts";
import { backupsOf, readPlain } from "./backups.ts";
import type { DocumentRow } from "./database/store.ts";

/** Puts something that reads in the place of a file that does not, or throws. */
export async function recover(
  found: Opened,
  problem: Message,
  world: DocumentsWorld,
): Promise<void> {
  const { ref, bytes } = found;
  const repaired = bytes && (await world.repair?.(ref, bytes));
  if (repaired && fits(ref, repaired))
    return putMade(found, repaired, problem, world, Buffer.from(bytes).toString("utf8"));
  if (await putBackup(found, problem, world)) return;
  const made = await world.rebuild?.(ref, await earlierThan(found, world));
  if (made && "value" in made && fits(ref, made)) return putMade(found, made, problem, world);
  throw corrupt(ref.path, problem, made && "hint" in made ? made.hint : undefined);
}

/** What another version wrote is refused and left: it is not damaged, only not ours to read (S3.7). */
export function readNotNewer(
  { path, codec }: Pick<Ref, "path" | "codec">,
  bytes: Uint8Array,
): Read<unknown> {
  const read = codec.read(bytes);
  if (!read.ok && read.otherVersion === true)
    throw new Fault("refused", msg("document.newer", { path, problem: problemOf(read.findings) }));
  return read;
}

/**
 * For who only reads: what is published, else what the file says, and nothing is written. Undefined: there
 * is none. One that does not read is reported; only an update puts something in its place (S3.7).
 */
export async function lookAt(
  ref: Ref,
  row: DocumentRow | undefined,
  bytes: Uint8Array | null,
  world: DocumentsWorld,
): Promise<unknown> {
  const notFollowed = row && (bytes === null || isSum(bytes, row.before));
  const published = notFollowed ? await publishedBy(ref, row, world) : undefined;
  if (published) return published.value;
  if (bytes === null) return undefined;
  const read = readNotNewer(ref, bytes);
  if (read.ok) return read.value;
  throw corrupt(ref.path, problemOf(read.findings), msg("document.look.hint"));
}

/** `.bak` or the newest valid copy, in the place of a file that is bad or gone. False: none. */
export async function putBackup(
  found: Opened,
  problem: Message,
  world: DocumentsWorld,
): Promise<boolean> {
  const { ref } = found;
  for (const source of [`${ref.path}.bak`, ...backupsOf(ref, world.disk)]) {
    const bytes = readPlain(source, world.disk);
    // A newer one is not passed over: an older state in its place would be a silent step back.
    if (bytes === null || !readNotNewer({ path: source, codec: ref.codec }, bytes).ok) continue;
    await put(found, bytes, { source }, problem, world, (kept) =>
      kept === undefined
        ? msg("document.brought_back", { path: ref.path, source })
        : msg("document.from_backup", { path: ref.path, kept, problem, source }),
    );
    return true;
  }
  return false;
}

/** Null where the file was removed. */
export interface Published {
  readonly bytes: Uint8Array | null;
  readonly value: unknown;
}

/**
 * What the database last published. undefined: the database itself is damaged here, its bytes are
 * missing, not those it promised, or not a document.
 */
export async function publishedBy(
  ref: Ref,
  row: DocumentRow,
  world: DocumentsWorld,
): Promise<Published | undefined> {
  if (row.after === null) return { bytes: null, value: undefined };
  const bytes = await contentAt(ref, row.rev, world);
  if (bytes === undefined || !isSum(bytes, row.after)) return undefined;
  const read = ref.codec.read(bytes);
  return read.ok ? { bytes, value: read.value } : undefined;
}

/** The bytes of a revision; undefined where it has none or they can not be put together. */
export async function contentAt(
  ref: Ref,
  rev: number,
  world: DocumentsWorld,
): Promise<Uint8Array | undefined> {
  try {
    return await world.store.contentAt(ref.path, rev);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "corrupt") return undefined;
    throw thrown;
  }
}

export function corrupt(path: string, problem: Message, hint?: Message): Fault {
  return new Fault("corrupt", msg("document.corrupt", { path, problem }), {
    hint: hint ?? msg("document.corrupt.hint"),
  });
}

// --- internal ---

/** So far back a journal is searched for a revision that reads. */
const mostRevisions = 100;

function fits(ref: Ref, { value }: Made): boolean {
  return !ref.codec.check(value).some(({ level }) => level === "error");
}

async function earlierThan(
  { ref, row }: Opened,
  world: DocumentsWorld,
): Promise<Earlier | undefined> {
  if (!row) return undefined;
  const oldest = Math.max(1, row.rev - mostRevisions);
  for (let rev = row.rev - 1; rev >= oldest; rev--) {
    const bytes = await contentAt(ref, rev, world);
    const read = bytes && ref.codec.read(bytes);
    if (read?.ok) return { rev, value: read.value };
  }
  return undefined;
}

async function putMade(
  found: Opened,
  { value, how }: Made,
  problem: Message,
  world: DocumentsWorld,
  previous?: string,
): Promise<void> {
  const { path, codec } = found.ref;
  const bytes = Buffer.from(codec.print(value, previous), "utf8");
  await put(found, bytes, { how: render("en", how) }, problem, world, (kept) =>
    kept === undefined
      ? msg("document.made_again", { path, problem, how })
      : msg("document.recovered", { path, problem, how, kept }),
  );
}

async function put(
  found: Opened,
  bytes: Uint8Array,
  from: { readonly source: string } | { readonly how: string },
  problem: Message,
  world: DocumentsWorld,
  told: (kept: string | undefined) => Message,
): Promise<void> {
  const { ref, lock } = found;
  const kept = found.bytes === null ? undefined : await quarantine(ref.path, found.bytes, world);
  // The journal is read by programs too: one language, whatever the user's.
  const metadata = { ...from, problem: render("en", problem), ...(kept ? { kept } : {}) };
  await record(found, bytes, "restored", metadata, world);
  await writeFile(ref.path, bytes, found.bytes, lock, world.disk);
  world.tell({ path: ref.path, text: told(kept) });
}
