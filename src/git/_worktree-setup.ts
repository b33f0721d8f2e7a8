// That a worktree of ours has been set up (S1.21d): said in git's own folder of that worktree, which
// goes with it, so that a tree that was made anew is set up anew.
import { readFile, writeFile } from "node:fs/promises";
import { gitLine } from "./git.ts";

/** Another command is another preparation; so are other files: a unit may have brought a new package. */
export async function isSetUp(folder: string, command: string): Promise<boolean> {
  const said = await readFile(await markOf(folder), "utf8").catch(() => "");
  return said === (await preparation(folder, command));
}

/** After it went well: a kill before this runs it again, as it would have to. */
export async function markSetUp(folder: string, command: string): Promise<void> {
  await writeFile(await markOf(folder), await preparation(folder, command));
}

// --- internal ---

async function preparation(folder: string, command: string): Promise<string> {
  return `${await gitLine(["rev-parse", "HEAD^{tree}"], { cwd: folder })}\n${command}`;
}

function markOf(folder: string): Promise<string> {
  const args = ["rev-parse", "--path-format=absolute", "--git-path", "holdfast-setup"];
  return gitLine(args, { cwd: folder });
}
