// State files are written by code, never by a model: each of the originals broke because it was not
// so. What a tool that writes files may not touch, by its path alone: no file is read. Asked at every
// write of an agent, so it loads nothing.
import { basename, dirname, join, resolve } from "node:path";
import { realPath } from "../os/look.ts";

export interface StateFile {
  /** As the agent named it. */
  readonly path: string;
  /** What it is to do instead. */
  readonly instead: string;
}

/** Null: it may be written. */
export function stateFileOf(tool: unknown, given: unknown, cwd: string): StateFile | null {
  if (typeof tool !== "string" || !writing.has(tool)) return null;
  if (typeof given !== "object" || given === null) return null;
  const { file_path: file, notebook_path: notebook } = given as Record<string, unknown>;
  const named = typeof file === "string" ? file : notebook;
  if (typeof named !== "string") return null;
  const path = real(resolve(cwd, named));
  const found = documents.find(({ pattern }) => pattern.test(path));
  return found ? { path: named, instead: found.instead } : null;
}

// --- internal ---

const writing: ReadonlySet<string> = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

// Contracts are written by agents as drafts, elsewhere: what lies in their place has been accepted.
// oxfmt-ignore
const documents: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /\/\.develop-workflow\/state\.yaml(?:\.(?:lock|bak))?$/i, instead: "holdfast report develop …" },
  { pattern: /\/\.claude\/orchestrate-state\.json(?:\.(?:lock|bak))?$/i, instead: "holdfast report orchestrate …" },
  { pattern: /\/\.claude\/memory\/(?:(?:task-state|task-history|shared-context)\.json|agents\/[^/]+\.json|backup\/.+)$/i, instead: "holdfast memory …" },
  { pattern: /\/\.claude\/orchestrator\/sessions\/[^/]+\/(?:session|state)\.json$/i, instead: "holdfast report request …" },
  { pattern: /\/\.claude\/orchestrator\/sessions\/[^/]+\/contracts\/.+\.yaml$/i, instead: "holdfast contracts --text @…" },
];

/** Through links: the folder may not be there yet, then its name is all there is. */
function real(path: string): string {
  const found = realPath(path);
  if (found !== null) return found;
  const folder = realPath(dirname(path));
  return folder === null ? path : join(folder, basename(path));
}
