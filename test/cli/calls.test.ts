// The program as it is installed, and what its calls load: nobody waits for what a call does not use.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limit } from "../crash/programs.ts";
import { type Call, type Loaded, gitsOfTask, loadedBy } from "./loaded.ts";
import { type Place, cli, dist, nowhere, root, seeded } from "./program.ts";

let place: Place = nowhere;
/** A copy of dist in a folder that a careless program would trip over. */
let copy = "";

beforeAll(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-calls-")));
  place = { folder, project: join(folder, "project"), home: join(folder, "home") };
  seeded(place.project);
  const moved = join(folder, "it's 옮긴 $place");
  copy = join(moved, "dist");
  mkdirSync(copy, { recursive: true });
  for (const name of ["cli.cjs", "chunks"])
    cpSync(join(dist, name), join(copy, name), { recursive: true });
  cpSync(join(root, "package.json"), join(moved, "package.json"));
  symlinkSync(join(root, "node_modules"), join(moved, "node_modules"));
});

afterAll(() => rmSync(place.folder, { recursive: true, force: true }));

/** From the project, as an agent's program calls it. */
function called(words: readonly string[], program = cli) {
  const session = { session_id: "s", cwd: place.project, source: "startup" };
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: place.project,
    input: JSON.stringify(session),
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", HOLDFAST_HOME: place.home, LANG: "C" },
  });
  return { code: status, out: stdout, err: stderr };
}

/** A project with a plan of one unit. */
function planned(name: string): string {
  const run = join(place.folder, name);
  mkdirSync(join(run, ".git"), { recursive: true });
  writeFileSync(join(run, "TASKS.md"), "# P\n\n## Phase 1\n\n- [ ] T1.1: One\n");
  return run;
}

describe("S7.2 holdfast, as it is installed", () => {
  test("it is found through links, in any folder, without an environment", () => {
    const bin = join(place.folder, "node_modules", ".bin");
    mkdirSync(bin, { recursive: true });
    const link = join(bin, "holdfast");
    symlinkSync(join("..", "..", "it's 옮긴 $place", "dist", "cli.cjs"), link);
    const again = join(place.folder, "again");
    symlinkSync(link, again);
    const plain = called(["status"]);
    expect(plain).toMatchObject({ code: 0, err: "" });
    expect(called(["status"], again)).toEqual(plain);
    const bare = spawnSync(
      "env",
      ["-i", process.execPath, again, "status", "--cwd", place.project],
      { encoding: "utf8" },
    );
    expect([bare.status, bare.stdout]).toEqual([0, plain.out]);
  });

  test("its first file is in syntax that any Node reads, so that one that is too old gets this far", () => {
    const code = readFileSync(cli, "utf8").replaceAll(/^(#!|\/\/).*$/gm, "");
    expect(code).toContain("require(");
    expect(code).not.toMatch(
      /=>|`|\?[.?]|\.\.\.|\b(?:const|let|class|async|await|import|export)\b/,
    );
  });

  test("SQLite comes through its package where that is not as we know it", () => {
    const [moved, run] = [join(place.folder, "packaged"), planned("packaged-run")];
    cpSync(copy, join(moved, "dist"), { recursive: true });
    const [home, mark] = [join(moved, "node_modules/@photostructure/sqlite"), join(moved, "asked")];
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "package.json"), '{ "main": "./ours.cjs" }');
    const real = join(root, "node_modules/@photostructure/sqlite");
    writeFileSync(
      join(home, "ours.cjs"),
      `require("node:fs").appendFileSync("${mark}", "!"); module.exports = require("${real}");`,
    );
    const program = join(moved, "dist/cli.cjs");
    const call = (...words: string[]) => called([...words, "--cwd", run], program);
    expect(call("orchestrate", "--in-session").code).toBe(0);
    expect(call("report", "orchestrate", "START:T1.1")).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(mark, "utf8")).toBe("!!");
  });
});

describe("S6.4 what agents call all the time", () => {
  test("writes without Node's streams, also where its output is thrown away", () => {
    const streams = /^(net|tty|internal\/fs\/sync_write_stream)$/;
    const streamed = ({ modules }: Loaded) => modules.filter((name) => streams.test(name));
    const env = { HOLDFAST_HOME: place.home };
    const words = ["status", "--cwd", place.project];
    const heard = loadedBy(cli, words, { env });
    expect([heard.out !== "", streamed(heard)]).toEqual([true, []]);
    const unheard = loadedBy(cli, words, { env, by: ["sh", "-c", '"$@" >/dev/null', "sh"] });
    expect([unheard.code, unheard.out, streamed(unheard)]).toEqual([0, "", []]);
    // They would be seen.
    const program = join(place.folder, "streams.cjs");
    writeFileSync(program, "console.log(1);");
    expect(streamed(loadedBy(program, []))).not.toEqual([]);
  });

  test("loads and starts no more than it needs, in a real repository", () => {
    const { root: project, env } = repository("repository", 10);
    const call = (name: Name, words: readonly string[], input = ""): Loaded =>
      counted(name, words, { env, input, cwd: project });
    const hook = (name: Name): Loaded => call(name, ["hook", name], JSON.stringify(said(project)));
    const rest = ["--session", "s", "--cwd", project];
    const begun = loadedBy(cli, ["orchestrate", "--in-session", "--cwd", project], { env });
    expect(begun).toMatchObject({ code: 0, err: "" });
    expect(call("status", ["status", "--cwd", project]).out).toContain("orchestrate  P");
    expect(hook("SessionStart").out).toContain("T1.1");
    expect([hook("PreToolUse").out, hook("Stop").out, hook("PreCompact").out]).toEqual([
      "",
      "",
      "",
    ]);
    expect(call("next", ["next", "orchestrate", ...rest]).out).toBe("READY:T1.1,T1.2,T1.3,T1.4\n");
    const started = call("START", ["report", "orchestrate", "START:T1.1", ...rest]);
    expect(started.out).toMatch(/^OK:\//);
    writeFileSync(join(started.out.slice("OK:".length).trim(), "made.txt"), "made\n");
    expect(call("DONE", ["report", "orchestrate", "DONE:T1.1", ...rest]).out).toBe("OK\n");
  });

  test("S2.6 the last unit of a phase is merged, and the phase landed, by few processes of git", () => {
    const { root: project, env } = repository("last", 2);
    const call = (name: Name, line: string): Loaded =>
      counted(name, ["report", "orchestrate", line, "--session", "s", "--cwd", project], {
        env,
        cwd: project,
      });
    expect(loadedBy(cli, ["orchestrate", "--in-session", "--cwd", project], { env }).code).toBe(0);
    // At once: each is merged with what the other did.
    for (const unit of ["T1.1", "T1.2"]) {
      const { out } = call("START", `START:${unit}`);
      writeFileSync(join(out.slice("OK:".length).trim(), `${unit}.txt`), "made\n");
    }
    expect(call("DONE", "DONE:T1.1").out).toBe("OK\n");
    expect(call("LAST", "DONE:T1.2").out).toBe("ALL_DONE\n");
    const listed = spawnSync("git", ["ls-tree", "--name-only", "main"], { cwd: project });
    expect(String(listed.stdout).split("\n")).toEqual(
      expect.arrayContaining(["T1.1.txt", "T1.2.txt"]),
    );
  });

  test(
    "S1.19 a custom task takes few processes of git, from start to completed",
    limit,
    async () => {
      const { root: project, env } = repository("custom", 0);
      const gits = await gitsOfTask(cli, project, env);
      expect(gits.length).toBeGreaterThan(0);
      expect(["a custom task", gits.join("\n"), gits.length]).toSatisfy(atMost(mostOfTask));
    },
  );
});

// --- internal ---

type Name = keyof typeof most;

/**
 * What they take now, and a tenth; of git what a unit may cost. Whoever needs more says here what for: START and
 * DONE for the user's hooks and signatures, and for secrets that are sealed on their way into the database.
 */
// oxfmt-ignore
const most = {
  status:       { files: 38, kibibytes: 235, gits: 0 },
  SessionStart: { files: 38, kibibytes: 235, gits: 0 },
  PreToolUse:   { files: 3,  kibibytes: 6,   gits: 0 },
  Stop:         { files: 3,  kibibytes: 6,   gits: 0 },
  PreCompact:   { files: 21, kibibytes: 125, gits: 0 },
  next:         { files: 54, kibibytes: 320, gits: 0 },
  START:        { files: 118, kibibytes: 720, gits: 4 },
  DONE:         { files: 121, kibibytes: 730, gits: 10 },
  LAST:         { files: 125, kibibytes: 800, gits: 16 },
} as const;

/** Of git. */
const mostOfTask = 14;

function counted(name: Name, words: readonly string[], how: Call): Loaded {
  const loaded = loadedBy(cli, words, how);
  expect({ name, ...loaded }).toMatchObject({ name, code: 0, err: "" });
  const sources = loaded.files.map((file) => readFileSync(file, "utf8"));
  for (const word of [/ZodType/, /YAMLParseError/])
    expect([name, sources.filter((source) => word.test(source)).length]).toEqual([name, 0]);
  const { files, kibibytes, gits } = most[name];
  expect([name, "files", loaded.files.length]).toSatisfy(atMost(files));
  expect([name, "KiB", loaded.bytes / 1024]).toSatisfy(atMost(kibibytes));
  expect([name, "git", loaded.gits.length]).toSatisfy(atMost(gits));
  // Something was counted.
  expect(loaded.bytes).toBeGreaterThan(0);
  return loaded;
}

function atMost(largest: number) {
  return ([, , count]: [string, string, number]): boolean => count <= largest;
}

/** With commits, and a plan of so many units. */
function repository(name: string, size: number) {
  const project = join(place.folder, name);
  mkdirSync(project);
  const units = Array.from({ length: size }, (_, n) => `- [ ] T1.${n + 1}: One\n`);
  writeFileSync(join(project, "TASKS.md"), `# P\n\n## Phase 1\n\n${units.join("")}`);
  const git = (...words: string[]): void => {
    expect(spawnSync("git", words, { cwd: project }).status).toBe(0);
  };
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "a");
  git("config", "user.email", "a@localhost");
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  writeFileSync(join(project, "second.txt"), "second\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "second");
  return {
    root: project,
    env: { HOLDFAST_HOME: join(place.folder, `home-of-${name}`), HOME: place.folder },
  };
}

/** What an agent's program tells a hook. */
function said(project: string): object {
  const file = join(project, "src/index.ts");
  return {
    session_id: "s",
    cwd: project,
    source: "startup",
    stop_hook_active: false,
    tool_name: "Write",
    tool_input: { file_path: file, content: "" },
  };
}
