// Plays the transcript that a document shows as a day's work. The document is the script: what it shows is what the
// program prints, so that no example can become untrue.
//
//   $ a command         run in one shell, so that folders and variables last
//   > its next line     as a shell shows it
//   anything else       what the command prints; `…` stands for any text, alone on a line for any lines
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { cli, freshPlace, root } from "../cli/program.ts";

export interface Step {
  readonly line: number;
  readonly command: string;
  readonly prints: readonly string[];
}

/** The console blocks of the document's section `## 하루`, one after the other. */
export function dayOf(document: string): Step[] {
  const steps: { line: number; command: string; prints: string[] }[] = [];
  let inDay = false;
  let inBlock = false;
  for (const [index, text] of readFileSync(join(root, document), "utf8").split("\n").entries()) {
    if (text.startsWith("## ")) inDay = text.startsWith("## 하루");
    if (!inDay) continue;
    if (text.startsWith("```")) inBlock = text === "```console";
    else if (!inBlock) continue;
    else if (text.startsWith("$ "))
      steps.push({ line: index + 1, command: text.slice(2), prints: [] });
    else if (/^> ?/.test(text)) steps.at(-1)!.command += `\n${text.replace(/^> ?/, "")}`;
    else steps.at(-1)?.prints.push(text);
  }
  return steps;
}

export async function play(document: string): Promise<number> {
  const steps = dayOf(document);
  const shell = new Shell();
  onTestFinished(() => shell.end());
  for (const { line, command, prints } of steps) {
    const at = `${document}:${line}: ${command.split("\n")[0]}`;
    const [due, shown] = [pattern(prints), `${at}\n${prints.join("\n")}\n`];
    const run = async (): Promise<string> => {
      const printed = await shell.run(command);
      return due.test(printed) ? shown : `${at}\n${printed}`;
    };
    // What happens beside the shell takes its time, and a command that only reads may be given again.
    if (isRead(command)) await expect.poll(run, { interval: 200 }).toBe(shown);
    else expect(await run()).toBe(shown);
  }
  return steps.length;
}

// --- internal ---

function isRead(command: string): boolean {
  return /^holdfast (?:status|why|next|log|task (?:list|show|inbox|logs|snapshots))\b/.test(
    command,
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function pattern(lines: readonly string[]): RegExp {
  const source = lines.map((line) =>
    line === "…" ? "(?:.*\n)*?" : `${line.split("…").map(escaped).join(".*")}\n`,
  );
  return new RegExp(`^${source.join("")}$`, "u");
}

/** One shell in an empty repository of a Korean user, with the program on its PATH. */
class Shell {
  readonly #child: ChildProcessWithoutNullStreams;
  /** Holds the command to run, which so leaves the shell's own input alone. */
  readonly #file: string;
  #printed = "";
  #done: () => void = () => undefined;

  constructor() {
    const { folder, project, home } = freshPlace();
    this.#file = join(folder, "command.sh");
    const bin = join(folder, "bin");
    mkdirSync(bin);
    symlinkSync(cli, join(bin, "holdfast"));
    const git = (...words: string[]) => spawnSync("git", words, { cwd: project });
    git("init", "-q", "-b", "main");
    git("config", "user.name", "김개발");
    git("config", "user.email", "dev@example.com");
    const PATH = `${bin}:${process.env["PATH"]}`;
    const env = { PATH, HOME: folder, HOLDFAST_HOME: home, LANG: "ko_KR.UTF-8", TZ: "UTC" };
    this.#child = spawn("bash", ["--noprofile", "--norc"], { cwd: project, env });
    this.#child.stdin.write("exec 2>&1\n");
    this.#child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.#printed += text;
      if (this.#printed.endsWith(`${mark}\n`)) this.#done();
    });
  }

  /** What the command prints. */
  async run(command: string): Promise<string> {
    this.#printed = "";
    const done = new Promise<void>((end) => (this.#done = end));
    writeFileSync(this.#file, `${command}\n`);
    this.#child.stdin.write(`. '${this.#file}' </dev/null\nprintf '%s\\n' '${mark}'\n`);
    await done;
    return this.#printed.slice(0, -mark.length - 1);
  }

  async end(): Promise<void> {
    const closed = new Promise((done) => this.#child.once("close", done));
    this.#child.stdin.end("jobs -p | xargs -r kill 2>/dev/null; wait\nexit\n");
    await closed;
  }
}

const mark = "--- end of output ---";
