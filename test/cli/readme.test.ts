// What README shows, run as it is written: its commands exist with those flags, and the first steps lead to a review.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Ended, type Place, freshPlace, root, start } from "./program.ts";

const languages = ["README.md", "README.ko.md"] as const;

test.each(languages)("S7.7 every command of %s exists, with the flags it is shown with", (name) => {
  const place = stage();
  const shown = [...codes(name)].filter((code) => code.startsWith("holdfast "));
  expect(shown.length).toBeGreaterThan(10);
  const wrong = shown.filter((code) => {
    const [, ...words] = code.split(" ");
    const end = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
    const command = end < 0 ? words : words.slice(0, end);
    const { status, stdout } = spawnSync("holdfast", [...command, "--help"], surroundings(place));
    const flags = code.match(/(?<=[ [])--[a-z-]+/g) ?? [];
    return status !== 0 || flags.some((flag) => !`${stdout} `.includes(`  ${flag} `));
  });
  expect(wrong).toEqual([]);
});

test.each(languages)("S7.7 the first steps of %s run as they are written", async (name) => {
  const place = { ...stage(), locale: name.includes(".ko.") ? "ko_KR.UTF-8" : "en_US.UTF-8" };
  let id = "";
  let steps = 0;
  for (const line of blocks(name).filter((each) => each.startsWith("holdfast "))) {
    if (line.endsWith("&")) {
      await serving(place, line.slice(0, -1));
      continue;
    }
    await expect.poll(() => isPossible(place, line, id), { interval: 200 }).toBe(true);
    const ended = await shell(place, playable(line).replace("<id>", id));
    expect({ line, ...ended }).toMatchObject({ code: 0, err: "" });
    id ||= /task_\w+/.exec(ended.out)?.[0] ?? "";
    steps++;
  }
  expect(steps).toBeGreaterThan(3);
  expect(await shell(place, `holdfast task cancel ${id}`)).toMatchObject({ code: 0 });
  await expect.poll(() => task(place, id).status).toBe("failed");
});

// --- internal ---

function readme(name: string): string {
  return readFileSync(join(root, name), "utf8");
}

/** Lines of the blocks for a shell, without comments. */
function blocks(name: string): string[] {
  return Array.from(readme(name).matchAll(/^```sh\n(.*?)^```/gms), ([, block = ""]) => block)
    .join("")
    .split("\n")
    .map((line) => line.replace(/\s+#.*/, ""));
}

/** Those lines, and code within sentences. */
function codes(name: string): Set<string> {
  const within = readme(name).matchAll(/`([^`\n]+)`/g);
  return new Set([...blocks(name), ...Array.from(within, ([, code = ""]) => code)]);
}

/** An empty repository, and the program on the PATH as npm puts it there. */
function stage(): Place {
  const place = freshPlace();
  const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    bin: { holdfast: string };
  };
  mkdirSync(join(place.folder, "bin"));
  symlinkSync(join(root, bin.holdfast), join(place.folder, "bin", "holdfast"));
  spawnSync("git", ["init", "-q"], { cwd: place.project });
  return place;
}

/** As somebody who reads it in that language has it. */
interface Stage extends Place {
  readonly locale?: string;
}

function surroundings({ folder, project: cwd, home, locale = "C" }: Stage) {
  const PATH = `${join(folder, "bin")}:${process.env["PATH"]}`;
  const env = { PATH, HOME: folder, HOLDFAST_HOME: home, LANG: locale };
  return { cwd, env, encoding: "utf8" } as const;
}

function shell(place: Stage, line: string): Promise<Ended> {
  return start(["sh", "-c", line], surroundings(place)).ended;
}

/** No key is needed for it: the sample agent works, whoever is named. */
function playable(line: string): string {
  if (!line.startsWith("holdfast task create ")) return line;
  return `${line.replace(/ --agent \S+/, "")} --agent sample`;
}

/** At a port of its own, until the test has ended. */
async function serving(place: Stage, line: string): Promise<void> {
  const { child, ended } = start(["sh", "-c", `exec ${line} --port 0`], surroundings(place));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });
  let said = "";
  child.stdout.on("data", (text: string) => (said += text));
  await expect.poll(() => said).toContain("#token=");
}

interface Task {
  readonly status: string;
  readonly openQuestions: readonly unknown[];
}

function task(place: Stage, id: string): Task {
  const words = ["task", "show", id, "--json"];
  return JSON.parse(spawnSync("holdfast", words, surroundings(place)).stdout) as Task;
}

/** A person answers when there is a question, and approves when there is something to review. */
function isPossible(place: Stage, line: string, id: string): boolean {
  if (line.startsWith("holdfast task answer ")) return task(place, id).openQuestions.length > 0;
  return !line.startsWith("holdfast task approve ") || task(place, id).status === "review";
}
