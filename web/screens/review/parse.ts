// A patch as rows.
import parser from "gitdiff-parser";
import type { Row } from "./model.ts";

export function rowsOfPatch(patch: string): Row[] {
  const rows: Row[] = [];
  for (const { hunks } of parser.parse(patch))
    for (const hunk of hunks) {
      rows.push({ kind: "hunk", text: hunk.content });
      for (const change of hunk.changes) {
        const { content: text } = change;
        if (change.type === "insert")
          rows.push({ kind: "added", text, before: null, after: change.lineNumber });
        else if (change.type === "delete")
          rows.push({ kind: "removed", text, before: change.lineNumber, after: null });
        else {
          const { oldLineNumber: before, newLineNumber: after } = change;
          rows.push({ kind: "same", text, before, after });
        }
      }
    }
  return rows;
}
