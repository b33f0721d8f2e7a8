// `documents`: what a plan remembers, or what binds the steps of a request, as it lies on the disk
// (S3, S4, S6.2). Only looks: a document that is damaged is told with what `doctor` says of it, and the
// others are shown all the same.
import { createHash } from "node:crypto";
import { z } from "zod";
import { msg } from "../../core/messages.ts";
import { gateNames } from "../../core/vocabulary.ts";
import { type Operation, sentence } from "../operation.ts";
import { projectOf, rootOf } from "./_project.ts";

export const documentParts = ["memory", "contracts"] as const;

const said = () => z.object({ message: sentence(), hint: sentence().nullable() });

const document = () =>
  z.object({
    path: z.string(),
    format: z.string(),
    /** Null: it is damaged. */
    value: z.unknown(),
    /** What `doctor` says; null: nothing. */
    says: said().nullable(),
    findings: z.array(
      z.object({
        level: z.enum(["error", "notice"]),
        pointer: z.string(),
        line: z.int().nullable(),
        message: sentence(),
      }),
    ),
  });

/** What the database knows of a request beside its documents. */
const request = () =>
  z.object({
    id: z.string(),
    task: z.string(),
    status: z.string(),
    text: z.string(),
    /** The question that it waits with. */
    asks: z.string().nullable(),
    gates: z.array(
      z.object({
        subtask: z.string(),
        gate: z.enum(gateNames),
        result: z.enum(["passed", "failed"]),
        at: z.string(),
        verdicts: z.array(
          z.object({
            item: z.string(),
            holds: z.boolean(),
            why: z.string(),
            by: z.enum(["code", "verifier"]),
          }),
        ),
        uncovered: z.array(z.string()),
      }),
    ),
  });

export const input = () =>
  z.strictObject({
    part: z.enum(documentParts),
    project: z.string().min(1).optional(),
    since: z.string().max(64).optional(),
  });

export const output = () =>
  z.object({
    /** Names exactly this answer: given back as `since`, nothing is read again where nothing differs. */
    stamp: z.string(),
    unchanged: z.boolean(),
    documents: z.array(document()),
    requests: z.array(request()),
    /** Of folders that can not be looked into, and of documents that do not fit together. */
    problems: z.array(said().extend({ path: z.string() })),
    /** How many more there are than one answer can hold. */
    left: z.int().min(0),
  });

export type DocumentsShown = z.infer<ReturnType<typeof output>>;
export type DocumentShown = DocumentsShown["documents"][number];

export const operation: Operation<z.infer<ReturnType<typeof input>>, DocumentsShown> = {
  name: "documents",
  fields: {
    part: msg("op.documents.part"),
    project: msg("op.units.project"),
    since: msg("op.units.since"),
  },
  run: async (context, { part, project, since }) => {
    const { filesOf, problemsOf, shownOf, requestsOf, cleanerOf } =
      await import("./_documents-read.ts");
    const there = context.at(await rootOf(context, project));
    const files = await filesOf(there.project.root, part);
    const row = await projectOf(context, project);
    const requests = row && part === "contracts" ? await requestsOf(context, row.id) : [];
    const stamp = createHash("sha256").update(JSON.stringify(requests));
    for (const { path, bytes } of files.found) stamp.update(`\n${path}\n`).update(bytes ?? "");
    const now = stamp.digest("hex").slice(0, 16);
    if (now === since) return { ...nothing, stamp: now, unchanged: true };
    const clean = await cleanerOf(context);
    return {
      stamp: now,
      unchanged: false,
      documents: clean(await Promise.all(files.found.map(shownOf))),
      requests: clean(requests),
      problems: await problemsOf(there, part, files.shut),
      left: files.left,
    };
  },
};

// --- internal ---

const nothing = { documents: [], requests: [], problems: [], left: 0 };
