// A request for who only looks at it (S3.7): nothing is put right, nothing is written. A project that was
// moved is recognised (S4.1); whoever works on carries its session over.
import { realDisk } from "../../store/disk.ts";
import { projectHere, rootsOf } from "../../store/moved.ts";
import type { Context } from "../operation.ts";
import { type Found, foundAt } from "./documents.ts";
import { hashOf } from "./sessions.ts";

export async function lookAtRequest(context: Context): Promise<Found> {
  const { root } = context.project;
  const store = await context.store();
  const { project } = await projectHere(root, store, realDisk);
  const { documentsOf, lockWorldOf } = await import("../_wiring.ts");
  const projectId = project?.id ?? "";
  const { quarantine } = context.home;
  const documents = documentsOf(store, lockWorldOf(store), { projectId, quarantine }, () => {});
  const former = project === undefined ? [] : await rootsOf(project, store);
  const hash = await hashOf({ root, former, documents, how: "look" });
  const place = { root, hash, projectId };
  // The project's commands are for who works.
  const rules = { test: null };
  return foundAt({ place, store, documents, how: "look", language: context.language, rules });
}
