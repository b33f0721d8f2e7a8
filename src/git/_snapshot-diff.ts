// What changed between two snapshots, file by file, for a review.
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { isObjectId } from "./objects.ts";
import { type Trees, storedPlace } from "./trees.ts";
import { type GitOptions, git, gitFault, tryGit } from "./git.ts";

export interface FileDiff {
  readonly path: string;
  readonly status: "added" | "deleted" | "modified" | "renamed" | "type_changed";
  /** Where it was before it was renamed. */
  readonly from: string | null;
  readonly binary: boolean;
  readonly additions: number;
  readonly deletions: number;
  /** Unified, with git's own header; null: binary, or more than is shown at once. */
  readonly patch: string | null;
}

export interface DiffOptions {
  /** Only these files: to ask again for one whose patch did not fit. */
  readonly paths?: readonly string[];
  /** Of one file's patch, and of all together. */
  readonly maxPatch?: number;
  readonly maxTotal?: number;
}

export async function diffTrees(
  trees: Trees,
  before: string,
  after: string,
  options: DiffOptions = {},
): Promise<FileDiff[]> {
  for (const id of [before, after])
    if (!isObjectId(id))
      throw new Fault("invalid_input", msg("snapshot.no_id", { id: id.slice(0, 80) }));
  const { maxPatch = 256 * 1024, maxTotal = 8 * 1024 * 1024, paths = [] } = options;
  const place = storedPlace(trees);
  const ask = (form: readonly string[]): string[] => [
    "--literal-pathspecs",
    "diff-tree",
    "-r",
    "--find-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=none",
    ...form,
    "--end-of-options",
    before,
    after,
    ...(paths.length === 0 ? [] : ["--", ...paths]),
  ];
  const names = await git(ask(["-z", "--raw", "--numstat"]), { ...place, maxOutput: mostNames });
  const files = parseNames(names.toString("utf8"));
  const patches = await patchesOf(ask(["-p", "--full-index"]), { ...place, maxOutput: maxTotal });
  let at = 0;
  return files.map((file) => {
    // A file that became a link, or the other way round, is shown as removed and added.
    const parts = patches.slice(at, (at += file.status === "type_changed" ? 2 : 1));
    const whole = parts.length > 0 && !parts.includes(null);
    const patch = whole ? parts.join("") : null;
    const fits = patch !== null && patch.length <= maxPatch && !file.binary;
    return { ...file, patch: fits ? patch : null };
  });
}

// --- internal ---

const mostNames = 64 * 1024 * 1024;

type Named = Omit<FileDiff, "patch">;

/** With -z: the changes first, each its kind and one or two names; then the counts likewise. */
function parseNames(output: string): Named[] {
  const fields = output.split("\0");
  const files: { path: string; from: string | null; status: Named["status"] }[] = [];
  let at = 0;
  for (; fields[at]?.startsWith(":") === true;) {
    const letter = fields[at]?.split(" ").at(-1)?.slice(0, 1) ?? "";
    const status = statuses[letter] ?? "modified";
    const two = letter === "R" || letter === "C";
    const [first = "", second = ""] = fields.slice(at + 1, at + 3);
    files.push(two ? { path: second, from: first, status } : { path: first, from: null, status });
    at += two ? 3 : 2;
  }
  return files.map((file) => {
    const [additions = "", deletions = "", name = ""] = (fields[at] ?? "").split("\t");
    at += name === "" ? 3 : 1;
    const binary = additions === "-";
    return {
      ...file,
      binary,
      additions: binary ? 0 : Number(additions),
      deletions: binary ? 0 : Number(deletions),
    };
  });
}

const statuses: Readonly<Record<string, Named["status"]>> = {
  A: "added",
  D: "deleted",
  M: "modified",
  R: "renamed",
  C: "added",
  T: "type_changed",
};

/** In the order of the names; null for one that the limit cut. */
async function patchesOf(args: string[], options: GitOptions): Promise<(string | null)[]> {
  const { stdout, cut, code, stderr } = await tryGit(args, { ...options, cut: true });
  if (code !== 0 && !cut) throw gitFault(["diff-tree"], stderr, options);
  // Within a patch each line begins with one of “ +-\@”: the header can stand only between two.
  const parts: (string | null)[] = stdout.toString("utf8").split(/^(?=diff --git )/m);
  if (parts[0] === "") parts.shift();
  if (cut) parts[parts.length - 1] = null;
  return parts;
}
