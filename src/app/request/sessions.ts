// The sessions of one project (S4.1, S4.8). One whose project was moved lies under the old root's hash:
// it is carried over to the new one, contracts and knowledge with it. Of several that are active the
// newest stays, the rest are stopped.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { projectHash } from "../../core/ids.ts";
import { msg } from "../../core/messages.ts";
import type { Message } from "../../core/messages.ts";
import { formatOfPath } from "../../formats/registry.ts";
import type { RequestSession } from "../../formats/request-session.ts";
import type { RequestState } from "../../formats/request-state.ts";
import { realDisk } from "../../store/disk.ts";
import type { DocumentRef, Documents } from "../../store/documents.ts";
import { findDocuments } from "../../store/files.ts";
import { rootsOf } from "../../store/moved.ts";
import { orchestratorFolder, sessionPlace } from "../../workflows/request/places.ts";
import type { Context } from "../operation.ts";
import { type Place, placeOf, projectOf } from "./documents.ts";

/** Told to the user; empty in every usual case, and then nothing is written. */
export async function settleSessions(context: Context): Promise<Message[]> {
  const { root } = context.project;
  const paths = await findDocuments(root, "", [orchestratorFolder]);
  const hashes = hashesIn(paths);
  const own = projectHash(root);
  if ([...hashes].every((hash) => hash === own)) return [];
  const [place, documents] = [await placeOf(context), await context.documents()];
  const told: Message[] = [];
  if (!hashes.has(own)) {
    const former = await rootsOf(await context.projectRow(), await context.store());
    const from = await movedFrom({ root, former, documents, how: "read" }, hashes);
    if (from !== undefined) {
      await carry(place, documents, from, paths);
      hashes.delete(from);
      hashes.add(own);
      told.push(msg("request.carried", { from, to: own }));
    }
  }
  told.push(...(await onlyNewest(place, documents, hashes)));
  return told;
}

/** Where the session is read, and the roots that its project has had. */
export interface Whereabouts {
  readonly root: string;
  readonly former: readonly string[];
  readonly documents: Documents;
  readonly how: "look" | "read";
}

/** The hash under which the session lies: the project's own, or that of the place it was moved from. */
export async function hashOf(where: Whereabouts): Promise<string> {
  const hashes = hashesIn(await findDocuments(where.root, "", [orchestratorFolder]));
  const own = projectHash(where.root);
  return hashes.has(own) ? own : ((await movedFrom(where, hashes)) ?? own);
}

// --- internal ---

function hashesIn(paths: readonly string[]): Set<string> {
  return new Set(paths.flatMap((path) => /\/sessions\/([^/]+)\//.exec(path)?.[1] ?? []));
}

async function sessionAt(
  { root, documents, how }: Omit<Whereabouts, "former">,
  hash: string,
): Promise<RequestSession | undefined> {
  const path = join(root, sessionPlace(hash, "request-session"));
  return (await documents[how]({ path, format: "request-session" })) as RequestSession | undefined;
}

/** A former root's, as the journal knows it; or one whose own root is gone, and which says so truly. */
async function movedFrom(
  where: Whereabouts,
  hashes: ReadonlySet<string>,
): Promise<string | undefined> {
  const others = where.former.filter((root) => root !== where.root);
  const former = new Set(others.map((root) => projectHash(root)));
  const found: { hash: string; at: number }[] = [];
  for (const hash of hashes) {
    const session = await sessionAt(where, hash);
    if (session === undefined) continue;
    const { path } = session.project;
    const gone = projectHash(path) === hash && realDisk.stamp(path) === null;
    if (former.has(hash) || gone) found.push({ hash, at: Date.parse(session.updated_at) });
  }
  return found.toSorted((a, b) => b.at - a.at)[0]?.hash;
}

async function carry(
  place: Place,
  documents: Documents,
  from: string,
  paths: readonly string[],
): Promise<void> {
  const { root, hash } = place;
  const moved = paths
    .filter((path) => path.split("/")[3] === from)
    .flatMap((path) => {
      const format = formatOfPath(path);
      if (format === undefined) return [];
      const there = path.split("/").with(3, hash).join("/");
      return [
        {
          was: { path: join(root, path), format } satisfies DocumentRef,
          is: { path: join(root, there), format } satisfies DocumentRef,
        },
      ];
    });
  await documents.update({
    files: moved.flatMap(({ was, is }) => [was, is]),
    event: { trigger: "moved", from, to: hash },
    apply: (found) => {
      const next = new Map<string, unknown>();
      for (const { was, is } of moved) {
        const value = found.get(was.path);
        if (value === undefined) continue;
        const owned = was.format === "request-session" || was.format === "knowledge";
        next.set(is.path, owned ? { ...(value as object), project: projectOf(place) } : value);
        next.set(was.path, null);
      }
      return { documents: next, result: null };
    },
  });
  for (const kind of ["sessions", "knowledge"])
    await removeCopies(join(root, orchestratorFolder, kind, from));
}

/** What is left are copies of what was carried over; anything else is somebody's, and stays. */
async function removeCopies(folder: string): Promise<void> {
  const left = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  if (left.every((entry) => entry.isDirectory() || entry.name.endsWith(".bak")))
    await rm(folder, { recursive: true, force: true });
}

async function onlyNewest(
  place: Place,
  documents: Documents,
  hashes: ReadonlySet<string>,
): Promise<Message[]> {
  const active: { hash: string; at: number }[] = [];
  for (const hash of hashes) {
    const session = await sessionAt({ root: place.root, documents, how: "read" }, hash);
    if (session?.status === "active") active.push({ hash, at: Date.parse(session.updated_at) });
  }
  // As old as each other, the project's own stays.
  const [newest, ...others] = active.toSorted(
    (a, b) => b.at - a.at || Number(b.hash === place.hash) - Number(a.hash === place.hash),
  );
  for (const { hash } of others) await stop(place, documents, hash);
  return others.map(({ hash }) =>
    msg("request.session_stopped", { hash, newest: newest?.hash ?? "" }),
  );
}

async function stop({ root }: Place, documents: Documents, hash: string): Promise<void> {
  const at = (format: "request-session" | "request-state"): DocumentRef => ({
    path: join(root, sessionPlace(hash, format)),
    format,
  });
  const [session, state] = [at("request-session"), at("request-state")];
  await documents.update({
    files: [session, state],
    event: { trigger: "stop", session: hash },
    apply: (found) => {
      const was = found.get(session.path) as RequestSession | undefined;
      const of = found.get(state.path) as RequestState | undefined;
      const next = new Map<string, unknown>();
      if (was !== undefined) next.set(session.path, { ...was, status: "stopped" });
      if (of !== undefined && of.request.status === "active")
        next.set(state.path, { ...of, request: { ...of.request, status: "stopped" } });
      return { documents: next, result: null };
    },
  });
}
