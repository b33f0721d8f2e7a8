// The package as README says to make and install it, without install scripts: one install for every Node.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import type { NodeProgram } from "../nodes.ts";
import { type Ended, type Place, freshPlace, root, start } from "./program.ts";
import { asNobody, needsNobody, nobody } from "./stage.ts";

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
};
const languages = ["README.md", "README.ko.md"] as const;

/** Holds the package and npm's global folder; anyone may read it. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-install-")));
const prefix = join(folder, "prefix");
const installed = join(prefix, "lib/node_modules/holdfast");

beforeAll(() => {
  chmodSync(folder, 0o755);
  const [pack = "", install = ""] = commandsOf("README.md");
  // What is built is packed as it is: prepack is npm's own call of scripts/ready.mjs.
  shell(pack, root, { npm_config_pack_destination: folder });
  shell(install, folder, { npm_config_prefix: prefix });
});

afterAll(() => {
  spawnSync("chmod", ["-R", "u+w", folder]);
  rmSync(folder, { recursive: true, force: true });
});

test.each(languages)("S7.7 every link of %s leads to a file of the package", (name) => {
  const links = readme(name).matchAll(/\]\((?!https?:)([^)#]+)/g);
  const missing = Array.from(links, ([, to = ""]) => to).filter(
    (to) => !existsSync(join(installed, to)),
  );
  expect(missing).toEqual([]);
});

test("S7.7 both languages of README install with the same two commands, before they use the program", () => {
  const [english, korean] = languages.map(commandsOf);
  expect(english).toEqual(korean);
  expect(english).toHaveLength(2);
  for (const name of languages)
    expect(readme(name).indexOf("npm install -g")).toBeLessThan(
      readme(name).search(/^holdfast |`holdfast /m),
    );
});

test.each(inject("nodes"))(
  "S7.7 the installed program works on Node $version, and nothing but its own words is on standard error",
  async (node) => {
    const place = project();
    const call = (...words: string[]): Promise<Ended> => called(node, place, words);
    expect(await call("--version")).toEqual({ code: 0, out: `${version}\n`, err: "" });
    expect(await call("init")).toMatchObject({ code: 0, err: "" });
    expect(await call("validate")).toMatchObject({ code: 0, err: "" });
    expect(await call("orchestrate", "--agent", "sample")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/T1\.2: in_progress → completed\n.*ALL_DONE\n$/s),
      err: expect.not.stringContaining("Warning"),
    });
    const status = await call("status", "--json");
    expect(status).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(status.out)).toMatchObject({ problems: [] });
    const doctor = await call("doctor");
    expect(doctor).toMatchObject({ code: 0, err: "" });
    expect(doctor.out).toContain(node.version);
    await serves(node, place);
  },
);

test("S7.7 it works for a user who may not write where it is installed", async ({ skip }) => {
  const lacks = needsNobody();
  skip(lacks !== false, String(lacks));
  const [node] = inject("nodes");
  const place = project();
  if (asNobody.length > 0) spawnSync("chown", ["-R", `${nobody}:${nobody}`, place.folder]);
  else spawnSync("chmod", ["-R", "a-w", prefix]);
  for (const words of [["init"], ["status"], ["task", "list"], ["doctor"]]) {
    const ended = await called(node, place, words, asNobody);
    expect(ended).toMatchObject({ code: 0, err: "" });
  }
});

test("S7.7 a Node that is too old is told so in one sentence, in either language", async () => {
  const place = project();
  const old = inject("oldNode");
  const node = old ?? inject("nodes")[0];
  // Says of itself what an older one would say.
  const mask = join(place.folder, "old.cjs");
  writeFileSync(
    mask,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });',
  );
  const env = old === null ? { NODE_OPTIONS: `--require ${mask}` } : {};
  const said = async (...words: string[]): Promise<Ended> => called(node, place, words, [], env);
  const english =
    "✗ Holdfast needs Node 20.19 or newer, and this is Node 18.20.8: install a newer one.\n";
  expect(await said("status")).toEqual({ code: 1, out: "", err: english });
  // An agent goes on: only 2 holds it back.
  expect(await said("hook", "Stop")).toEqual({ code: 1, out: "", err: english });
  expect(await said("task", "list", "--lang", "ko")).toMatchObject({
    code: 1,
    err: "✗ Holdfast에는 Node 20.19 이상이 필요하지만 지금은 Node 18.20.8입니다. 더 새로운 버전을 설치하세요.\n",
  });
});

// --- internal ---

function readme(name: string): string {
  return readFileSync(join(root, name), "utf8");
}

/** Of the first block, without comments. */
function commandsOf(name: string): string[] {
  const block = /```sh\n(.*?)```/s.exec(readme(name))?.[1] ?? "";
  return block
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/\s+#.*/, ""));
}

function shell(command: string, cwd: string, more: Record<string, string>): void {
  const settings = { audit: "false", fund: "false", ignore_scripts: "true", loglevel: "error" };
  const env = Object.entries(settings).map(([name, value]) => [`npm_config_${name}`, value]);
  const { status, stderr } = spawnSync("sh", ["-c", command], {
    cwd,
    env: { ...process.env, ...Object.fromEntries(env), ...more },
    encoding: "utf8",
  });
  if (status !== 0)
    throw new Error(`“${command}” failed; it needs the npm registry. It said: ${stderr}`);
}

/** A new repository with a plan of two tasks. */
function project(): Place {
  const place = freshPlace();
  chmodSync(place.folder, 0o755);
  writeFileSync(
    join(place.project, "TASKS.md"),
    "# P\n\n## Phase 1\n\n- [ ] T1.1: One\n- [ ] T1.2: Two\n",
  );
  for (const words of [
    ["init", "-q", "-b", "main"],
    ["config", "user.name", "A"],
    ["config", "user.email", "a@example.invalid"],
    ["add", "-A"],
    ["commit", "-q", "-m", "Plan"],
  ])
    expect(spawnSync("git", words, { cwd: place.project }).status).toBe(0);
  return place;
}

/** As a shell finds it, with that Node first. */
function begun(
  node: NodeProgram | undefined,
  { folder: of, project: cwd, home }: Place,
  words: readonly string[],
  as: readonly string[] = [],
  more: Record<string, string> = {},
) {
  const bin = join(of, "bin");
  mkdirSync(bin, { recursive: true });
  if (!existsSync(join(bin, "node"))) symlinkSync(node?.path ?? "", join(bin, "node"));
  const path = [bin, join(prefix, "bin"), "/usr/bin", "/bin"].join(delimiter);
  const env = { PATH: path, HOLDFAST_HOME: home, HOME: of, ...more };
  return start([...as, join(prefix, "bin", "holdfast"), ...words], { cwd, env });
}

function called(...call: Parameters<typeof begun>): Promise<Ended> {
  const { child, ended } = begun(...call);
  child.stdin.end("{}");
  return ended;
}

/** The server hands out the page and ends in good order. */
async function serves(node: NodeProgram, place: Place): Promise<void> {
  const { child, ended } = begun(node, place, ["serve", "--port", "0"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (text: string) => (said += text));
  await expect.poll(() => said).toMatch(/http:.*#token=/);
  const page = await fetch(/http:[^#]*/.exec(said)?.[0] ?? "");
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("<!doctype html>");
  child.kill("SIGTERM");
  const { code, err } = await ended;
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining("Warning") });
}
