// What a unit made is kept or refused by name (S2.6): a claim is taken only if all of it can be handed in.
import { attributesOf } from "./_attributes.ts";
import { isWritten } from "./_changed.ts";
import { type LeftOut, type LeftOutReason, leftOutText } from "./_snapshot-report.ts";
import { readingBlobs, wholeBlob } from "./contents.ts";
import { type Taken, changesOf } from "./snapshot.ts";
import type { Trees } from "./trees.ts";
import { knownPlace, withoutFilters } from "./project.ts";

export { type LeftOut, leftOutText };

/** Files that would be lost or spoiled by taking it. `root`: the project it goes into; null: there is none. */
export async function refusedFiles(
  trees: Trees,
  root: string | null,
  taken: Taken,
): Promise<LeftOut[]> {
  const { leftOut } = taken;
  if (root === null) return [...leftOut];
  const written = (await changesOf(trees, taken)).filter(isWritten);
  if (written.length === 0) return [...leftOut];
  const project = await withoutFilters(await knownPlace(root));
  const paths = written.map(({ path }) => path);
  const attributes = await attributesOf(project, trees.workTree, paths);
  const refused = [...leftOut];
  await readingBlobs(trees, async (read) => {
    for (const { path, now } of written) {
      const { filter = null, encoding = null } = attributes.get(path) ?? {};
      let why: LeftOutReason | null = filter === null ? null : "filter";
      if (why === null && encoding !== null && !isStoredText(await wholeBlob(read, now.id)))
        why = "encoding";
      if (why !== null) refused.push({ path: Buffer.from(path, "latin1").toString("utf8"), why });
    }
  });
  return refused;
}

// --- internal ---

/** Is it UTF-8, as git stores what another encoding is named for? */
function isStoredText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
