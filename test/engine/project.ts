// Real projects and workspaces for the tests of the engine, in folders of their own.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type TaskPlaces,
  type Workspace,
  makeWorkspace,
  taskPlaces,
} from "../../src/git/workspace.ts";

export interface Bench {
  readonly folder: string;
  readonly root: string;
  readonly places: TaskPlaces;
  /** As a person or an agent runs it, with whatever the repository configures. */
  git(args: readonly string[], cwd?: string): string;
  /** Files of the project, committed; gives the commit. */
  commit(files: Readonly<Record<string, string>>): string;
  /** A workspace at the project's newest commit, or an empty one. */
  workspace(): Promise<Workspace>;
  write(path: string, content: string | Uint8Array, mode?: number): void;
  remove(): void;
}

export function bench(): Bench {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-tree-")));
  const root = join(folder, "project");
  mkdirSync(root);
  const places = taskPlaces(join(folder, "home"), "task_1");
  const git = (args: readonly string[], cwd = root): string =>
    execFileSync("git", args, {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...personal, HOME: folder },
    }).trim();
  return {
    folder,
    root,
    places,
    git,
    commit: (files) => {
      if (!hasGit(git)) git(["init", "-q", "-b", "main"]);
      for (const [path, content] of Object.entries(files)) put(join(root, path), content);
      git(["add", "-A", "-f"]);
      git(["commit", "-q", "--allow-empty", "-m", "more"]);
      return git(["rev-parse", "HEAD"]);
    },
    workspace: async () => {
      const head = hasGit(git) ? git(["rev-parse", "HEAD"]) : undefined;
      return makeWorkspace(
        places,
        root,
        head === undefined ? { kind: "empty" } : { kind: "git", head, branch: "main" },
      );
    },
    write: (path, content, mode) => put(join(places.workspace, path), content, mode),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function put(file: string, content: string | Uint8Array, mode?: number): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  if (mode !== undefined) chmodSync(file, mode);
}

/** Every file below a folder by its bytes: `100755 content`, `120000 target`; no .git, no folders. */
export function treeOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (path: Buffer, shown: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true, encoding: "buffer" })) {
      const name = entry.name.toString("latin1");
      const inner = Buffer.concat([path, Buffer.from("/"), entry.name]);
      const place = shown === "" ? name : `${shown}/${name}`;
      if (name === ".git") continue;
      if (entry.isDirectory()) walk(inner, place);
      else if (entry.isSymbolicLink()) found[place] = `120000 ${readlinkSync(inner, "latin1")}`;
      else if (entry.isFile()) {
        const mode = (statSync(inner).mode & 0o100) === 0 ? "100644" : "100755";
        found[place] = `${mode} ${readFileSync(inner, "latin1")}`;
      } else found[place] = "special";
    }
  };
  walk(Buffer.from(folder, "utf8"), "");
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

// --- internal ---

const personal = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Person",
  GIT_AUTHOR_EMAIL: "person@example.org",
  GIT_COMMITTER_NAME: "Person",
  GIT_COMMITTER_EMAIL: "person@example.org",
};

function hasGit(git: Bench["git"]): boolean {
  try {
    git(["rev-parse", "--git-dir"]);
    return true;
  } catch {
    return false;
  }
}
