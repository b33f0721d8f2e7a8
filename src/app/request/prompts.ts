// A project's own words for a role: `.holdfast/prompts/request/<role>.md` in its root.
import { join } from "node:path";
import { realDisk } from "../../store/disk.ts";
import type { OwnWords } from "../../workflows/request/prompts/prompt.ts";
import { type Role, roles } from "../../workflows/request/roles.ts";
import type { Context } from "../operation.ts";

const mostBytes = 256 * 1024;

export async function ownWords({ project }: Context): Promise<OwnWords> {
  const found: Partial<Record<Role, string>> = {};
  for (const role of roles) {
    const path = join(project.root, ".holdfast/prompts/request", `${role}.md`);
    const bytes = realDisk.read(path, mostBytes);
    const text = bytes === null ? "" : Buffer.from(bytes).toString("utf8").trim();
    if (text !== "") found[role] = text;
  }
  return found;
}
