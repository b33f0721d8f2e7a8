// Documents and their revisions. Small contents are stored whole; of a large file that is changed
// in one place, only the difference to the revision before, and a whole copy now and then, so that
// no revision needs more than fifty others to be read.
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { Connection } from "./_sqlite-connection.ts";
import { corruptFault } from "./_sqlite-faults.ts";
import { type Step, revised } from "./_sqlite-steps.ts";
import { applyDifferences, differenceOf } from "./difference.ts";
import type { DocumentWrite } from "./store.ts";

/**
 * Below this a whole copy is cheaper than reading what came before; where that is at hand, below a
 * kilobyte, which fits a page of the log in any case.
 */
const largeContent = 64 * 1024;
const largeBeside = 1024;
const wholeEvery = 50;

export function documentStep(write: DocumentWrite, event: string): Step {
  const { document, revision } = write;
  const { path, rev, before, after, token, boot, updatedAt } = document;
  const { projectId, taskId, format } = document;
  const create: Step = (connection) =>
    connection.run(
      `insert into document (path, project_id, task_id, format, rev, before, after, token, boot,
         updated_at) values (?, ?, ?, ?, 1, ?, ?, ?, ?, ?)
       on conflict (path) do nothing`,
      [path, projectId, taskId, format, before, after, token, boot, updatedAt],
    );
  const values = [taskId, format, before, after, token, boot, updatedAt];
  const update: Step = (connection) =>
    // Of the same project, nearly always: its index is then left alone, and its page in the log.
    connection.run(
      `update document set task_id = ?, format = ?, rev = rev + 1, before = ?, after = ?, token = ?,
         boot = ?, updated_at = ? where path = ? and rev = ? and project_id = ?`,
      [...values, path, rev, projectId],
    ) ||
    connection.run(
      `update document set project_id = ?, task_id = ?, format = ?, rev = rev + 1, before = ?,
         after = ?, token = ?, boot = ?, updated_at = ?
       where path = ? and rev = ?`,
      [projectId, ...values, path, rev],
    );
  const writeDocument = revised(rev === 0 ? create : update, rev, {
    what: () => msg("store.what.document", { id: path }),
    sql: "select rev from document where path = ?",
    key: [path],
  });
  return (connection) => {
    const previous = write.previous && isPublished(connection, document) ? write.previous : null;
    writeDocument(connection);
    const { base, content } = smallest(connection, path, rev, revision, previous);
    connection.run(
      `insert into revision (path, rev, kind, base, content, event, created_at)
       values (?, ?, ?, ?, ?, ?, ?)`,
      [path, rev + 1, revision.kind, base, content, event, revision.createdAt],
    );
    // A difference made by the caller is stored only if the file can be put together from it.
    if (revision.base !== null) readContent(connection, path, rev + 1);
  };
}

export function documentGoneStep(path: string): Step {
  return (connection) => {
    connection.run("delete from revision where path = ?", [path]);
    connection.run("delete from document where path = ?", [path]);
  };
}

export function readContent(
  connection: Connection,
  path: string,
  rev: number,
): Uint8Array | undefined {
  const differences: Uint8Array[] = [];
  for (let at = rev; ;) {
    const sql = "select base, content from revision where path = ? and rev = ?";
    const row = connection.get(sql, [path, at]) as Stored | undefined;
    if (at === rev && (row === undefined || row.content === null)) return undefined;
    if (row?.content == null || (row.base !== null && row.base >= at)) break;
    if (row.base === null) {
      const whole = differences.length === 0 ? row.content : undefined;
      const content = whole ?? applyDifferences(row.content, differences.toReversed());
      if (content === undefined) break;
      return content;
    }
    differences.push(row.content);
    at = row.base;
  }
  throw corruptFault(connection.file, msg("store.corrupt_revision", { path, rev }));
}

// --- internal ---

type Stored = Pick<DocumentWrite["revision"], "base" | "content">;

/** By the checksum: the document may have been removed and made anew since it was read. */
function isPublished(connection: Connection, { path, before }: DocumentWrite["document"]): boolean {
  const row = connection.get("select after from document where path = ?", [path]);
  return (row as { after: string | null } | undefined)?.after === before;
}

/** One that can not be put together any more is as good as none: the whole file is stored. */
function readableContent(
  connection: Connection,
  path: string,
  rev: number,
): Uint8Array | undefined {
  try {
    return readContent(connection, path, rev);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "corrupt") return undefined;
    throw thrown;
  }
}

/** As it was handed in, or as a difference to revision `rev` where that is smaller. */
function smallest(
  connection: Connection,
  path: string,
  rev: number,
  given: Stored,
  previous: Uint8Array | null,
): Stored {
  const { base, content } = given;
  const most = previous ? largeBeside : largeContent;
  if (base !== null || content === null || content.length <= most || rev === 0) return given;
  // By its number: looking for the last whole copy takes longer than all other questions together.
  if (rev % wholeEvery === 0) return given;
  // Read inside the transaction: the document may have been removed and made anew meanwhile.
  const before = previous ?? readableContent(connection, path, rev);
  if (before === undefined) return given;
  const difference = differenceOf(before, content);
  return difference.length < content.length ? { base: rev, content: difference } : given;
}
