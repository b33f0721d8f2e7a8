// `init`: the project's settings file, with comments, and what git should not see (S7.5, S0.10).
// Nothing that is there is overwritten: run twice, the second time changes nothing.
import { join } from "node:path";
import { z } from "zod";
import { Fault } from "../../core/errors.ts";
import { type Message, msg, render } from "../../core/messages.ts";
import { requireGit } from "../../git/git.ts";
import { asFault, codeOf, realDisk } from "../../store/disk.ts";
import { readRegularFile } from "../../store/files.ts";
import { findAgents } from "../agent-choice.ts";
import { type Context, type Operation, sentence } from "../operation.ts";
import { replaceFile, writeNew } from "./_init-files.ts";
import { offerPlugin, setStatusLine } from "./_init-plugin.ts";

export const input = () =>
  z.strictObject({
    gitignore: z.boolean().optional(),
    plugin: z.boolean().optional(),
    statusLine: z.boolean().optional(),
  });

export const output = () =>
  z.object({
    root: z.string(),
    settings: z.object({
      path: z.string(),
      made: z.boolean(),
      /** The agent that was written there; null: none was found, or the file was there already. */
      agent: z.string().nullable(),
    }),
    gitignore: z.object({
      path: z.string(),
      /** The lines that were missing. */
      lines: z.array(z.string()),
      added: z.boolean(),
    }),
    plugin: z.object({
      /** For people to run themselves. */
      commands: z.array(z.string()),
      installed: z.boolean(),
    }),
    says: z.array(sentence()),
  });

export type Begun = z.infer<ReturnType<typeof output>>;

export const operation: Operation<z.infer<ReturnType<typeof input>>, Begun> = {
  name: "init",
  fields: {
    gitignore: msg("op.init.gitignore"),
    plugin: msg("op.init.plugin"),
    statusLine: msg("op.init.status_line"),
  },
  run: async (context, { gitignore = false, plugin = false, statusLine = false }) => {
    const { root, git } = context.project;
    // One that is too old is said now, not when hours of work are to be merged.
    if (git !== null) await requireGit(context.env);
    const ignored = await missingLines(root);
    const { made, agent } = await makeSettings(context);
    const added = gitignore && ignored.lines.length > 0;
    if (added) await append(root, ignored);
    const offered = await offerPlugin(context, plugin);
    const line = statusLine ? [await setStatusLine(root)] : [];
    return {
      root,
      settings: { path: settingsName, made, agent },
      gitignore: { path: ignoreName, lines: ignored.lines, added },
      plugin: { commands: offered.commands, installed: offered.installed },
      says: [
        settingsSays(made, agent),
        ignoreSays(ignored.lines.length, added),
        ...line,
        ...offered.says,
      ],
    };
  },
};

/** What Holdfast keeps beside a project's own files; the states themselves may be committed. */
export const ignoreLines = [
  ".develop-workflow/",
  ".claude/**/*.lock",
  ".claude/**/*.bak",
  ".claude/memory/backup/",
  "/worktree/",
] as const;

// --- internal ---

const settingsName = "holdfast.yaml";
const ignoreName = ".gitignore";
const mostBytes = 1024 * 1024;

function settingsSays(made: boolean, agent: string | null): Message {
  const path = settingsName;
  if (!made) return msg("init.kept", { path });
  return agent === null ? msg("init.made.no_agent", { path }) : msg("init.made", { path, agent });
}

function ignoreSays(missing: number, added: boolean) {
  if (missing === 0) return msg("init.ignored_already", { path: ignoreName });
  return added
    ? msg("init.ignored", { path: ignoreName })
    : msg("init.offer", { path: ignoreName });
}

/** One that is there already stays, whoever made it. */
async function makeSettings({ project: { root }, language, env }: Context): Promise<{
  readonly made: boolean;
  readonly agent: string | null;
}> {
  const path = join(root, settingsName);
  const kept = { made: false, agent: null };
  if (realDisk.stamp(path) !== null) return kept;
  const usable = (await findAgents(env)).find((found) => found.usable);
  const agent = usable?.name ?? null;
  const line = agent === null ? msg("init.agent.none") : msg("init.agent", { agent });
  try {
    await writeNew(path, render(language, msg("init.settings", { agent: line })));
    return { made: true, agent };
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return kept;
    throw asFault(path, cause);
  }
}

interface Ignored {
  readonly text: string;
  readonly lines: string[];
}

async function missingLines(root: string): Promise<Ignored> {
  const text = await textOf(join(root, ignoreName));
  const there = new Set(text.split("\n").map(bare));
  return { text, lines: ignoreLines.filter((line) => !there.has(bare(line))) };
}

/** `/.x/`, `.x/` and `.x` all keep a folder out. */
function bare(line: string): string {
  return line.trim().replace(/^\//, "").replace(/\/$/, "");
}

async function textOf(path: string): Promise<string> {
  try {
    return new TextDecoder().decode(await readRegularFile(path, mostBytes));
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "not_found") return "";
    throw thrown;
  }
}

async function append(root: string, { text, lines }: Ignored): Promise<void> {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text === "" ? "" : text.endsWith("\n") ? end : `${end}${end}`;
  const more = ["# Holdfast", ...lines].map((line) => `${line}${end}`).join("");
  await replaceFile(join(root, ignoreName), `${text}${gap}${more}`);
}
