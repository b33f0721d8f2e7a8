// Two commits made one tree, from their objects alone.
import { mergeDrivers } from "./_configured.ts";
import { type GitPlace, gitFault, gitLine, tryGit } from "./git.ts";

export type MergedTree =
  | { readonly ok: true; readonly tree: string }
  | { readonly ok: false; readonly files: readonly string[]; readonly text: string };

/** Where both changed the same lines: which files, and what git says of each. */
export async function mergeTrees(
  project: GitPlace,
  ours: string,
  theirs: string,
): Promise<MergedTree> {
  // What a driver would have merged is a conflict, and told as one.
  const off = (await mergeDrivers(project)).map((name) => [name, "false"] as const);
  const place = { ...project, settings: [...(project.settings ?? []), ...off] };
  // A person may have begun their branch anew and said that it counts (settle.ts).
  const how = ["--write-tree", "--allow-unrelated-histories", "-z", "--name-only", "--messages"];
  const args = ["merge-tree", ...how, ours, theirs];
  const { code, stdout, stderr } = await tryGit(args, { ...place, seconds: 3_600 });
  if (code !== 0 && code !== 1) throw gitFault(["merge-tree"], stderr, place);
  // The tree, the names of conflicted files, a blank, then messages: count, paths, kind, text.
  const [tree = "", ...rest] = stdout.toString("utf8").split("\0");
  if (code === 0) return { ok: true, tree: tree.trim() };
  const end = rest.indexOf("");
  const files = rest.slice(0, end < 0 ? rest.length : end);
  return { ok: false, files: [...new Set(files)], text: messagesIn(rest.slice(end + 1)) };
}

/** What changed between two commits, made to a third. `merge-tree --merge-base` needs git 2.40. */
export async function mergeChange(
  project: GitPlace,
  onto: string,
  from: string,
  to: string,
): Promise<MergedTree> {
  const on = (commit: string): Promise<string> =>
    gitLine(["commit-tree", `${commit}^{tree}`, "-p", from], { ...project, input: "" });
  return mergeTrees(project, await on(onto), await on(to));
}

// --- internal ---

function messagesIn(parts: readonly string[]): string {
  const texts: string[] = [];
  for (let place = 0; place < parts.length;) {
    const count = Number(parts[place]);
    if (!Number.isInteger(count) || count < 0) break;
    const [kind = "", text = ""] = parts.slice(place + 1 + count, place + 3 + count);
    if (kind.startsWith("CONFLICT")) texts.push(text.trim());
    place += count + 3;
  }
  return texts.join("\n");
}
