// The plugin for Claude Code: offered with the two commands that install it, or installed where the
// user asks for it. It lies in this package, beside the program.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Message, msg } from "../../core/messages.ts";
import { runProgram } from "../../os/program.ts";
import { asFault, realDisk } from "../../store/disk.ts";
import type { Context } from "../operation.ts";
import { replaceFile } from "./_init-files.ts";

export interface Offered {
  readonly commands: string[];
  readonly installed: boolean;
  readonly says: readonly Message[];
}

export async function offerPlugin({ env, cwd }: Context, install: boolean): Promise<Offered> {
  const steps = [
    ["plugin", "marketplace", "add", packageFolder()],
    ["plugin", "install", "holdfast@holdfast"],
  ];
  const commands = steps.map((words) => ["claude", ...words.map(quoted)].join(" "));
  if (!install) return { commands, installed: false, says: [msg("init.plugin.offer")] };
  for (const words of steps) {
    const ended = await runProgram("claude", words, { env, cwd, milliseconds: 60_000 });
    if (ended === "absent")
      return { commands, installed: false, says: [msg("init.plugin.no_claude")] };
    // Said when it is there from before: that is what was wanted.
    if (ended.code === 0 || /already/i.test(ended.output)) continue;
    const command = ["claude", ...words].join(" ");
    const detail = ended.output.trim().slice(-500);
    return {
      commands,
      installed: false,
      says: [msg("init.plugin.failed", { command, detail }), msg("init.plugin.offer")],
    };
  }
  return { commands, installed: true, says: [msg("init.plugin.installed")] };
}

/** A line of the user's own is never replaced. */
export async function setStatusLine(root: string): Promise<Message> {
  const [folder, name] = [join(root, ".claude"), ".claude/settings.json"];
  const path = join(root, name);
  const entry = `"statusLine": { "type": "command", "command": "${lineCommand}", "padding": 0 }`;
  try {
    const bytes = realDisk.read(path, mostBytes);
    const text = bytes === null ? "{}" : Buffer.from(bytes).toString("utf8");
    const settings = objectIn(text);
    if (settings === undefined) return msg("init.status_line.unreadable", { path: name });
    if (Object.hasOwn(settings, "statusLine"))
      return msg("init.status_line.kept", { path: name, command: lineCommand });
    const empty = Object.keys(settings).length === 0;
    // Put in as text: the rest of the file stays as its owner wrote it.
    const more = empty ? `{\n  ${entry}\n}\n` : text.replace("{", `{\n  ${entry},`);
    if (bytes === null) realDisk.makeFolder(folder);
    await replaceFile(path, more);
    return msg("init.status_line.set", { path: name });
  } catch (cause) {
    throw asFault(path, cause);
  }
}

// --- internal ---

const lineCommand = "holdfast status --line";
const mostBytes = 1024 * 1024;

/** Where the marketplace's file lies: this code is in the package, or bundled in a folder of it. */
function packageFolder(): string {
  const places = ["..", "../..", "../../.."].map((up) =>
    fileURLToPath(new URL(up, import.meta.url)),
  );
  const found = places.find(
    (place) => realDisk.stamp(join(place, ".claude-plugin/marketplace.json")) !== null,
  );
  return (found ?? places[0] ?? "").replace(/\/$/, "");
}

function quoted(word: string): string {
  return /^[\w@./:+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
