// knowledge.yaml, by the command and by an agent of ours (S4.7): the designs there are, what went wrong and
// was mended, and given patterns.
import type { DesignContract } from "../../formats/design-contract.ts";
import type { Knowledge } from "../../formats/knowledge.ts";
import type { Change } from "../../store/database/store.ts";
import { findDocuments } from "../../store/files.ts";
import {
  type Patterns,
  noKnowledge,
  withDesign,
  withPatterns,
  withPitfalls,
} from "../../workflows/request/learn.ts";
import { orchestratorFolder } from "../../workflows/request/places.ts";
import type { Context } from "../operation.ts";
import { placeOf, projectOf, refAt } from "./documents.ts";
import { requestRows } from "./rows.ts";

/** `change`: goes with it in one commit. */
export async function learnInto(
  context: Context,
  given: Patterns,
  change: Omit<Change, "next"> = {},
): Promise<Knowledge> {
  const place = await placeOf(context);
  const documents = await context.documents();
  const ref = refAt(place, "knowledge");
  const designs = await designsIn(context);
  const rows = await requestRows(await context.store(), place.projectId);
  const now = new Date().toISOString();
  return documents.update<Knowledge>({
    files: [ref],
    event: { trigger: "learn", at: now },
    apply: (found) => {
      const was = found.get(ref.path) as Knowledge | undefined;
      let next = was ?? noKnowledge({ project: projectOf(place) }, now);
      // What is known was learned when it was accepted: only what was lost is learned again.
      const topics = new Set(next.decisions.map(({ topic }) => topic));
      for (const design of designs)
        if (!topics.has(design.task_name)) next = withDesign(next, design, undefined, now);
      for (const { work, language } of rows.map(({ data }) => data.session))
        for (const [subtask, each] of Object.entries(work))
          if (each.gates["GATE-2"]?.result === "passed")
            next = withPitfalls(next, subtask, each, language, now);
      next = withPatterns(next, given, now);
      return { documents: new Map(next === was ? [] : [[ref.path, next]]), change, result: next };
    },
  });
}

// --- internal ---

/** Oldest first: of one topic the newest wins. */
async function designsIn(context: Context): Promise<DesignContract[]> {
  const { root } = context.project;
  const { lookAround } = await import("../operations/_look.ts");
  const looked = lookAround(root);
  const paths = await findDocuments(root, "", [orchestratorFolder]);
  const found: DesignContract[] = [];
  for (const path of paths.filter((each) => each.endsWith("/design-contract.yaml"))) {
    const design = await looked.at(path, "design-contract");
    if (design) found.push(design);
  }
  return found.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
}
