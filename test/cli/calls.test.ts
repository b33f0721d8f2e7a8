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
import { type Loaded, loadedBy } from "./loaded.ts";
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
    const heard = loadedBy(words, { env });
    expect([heard.out !== "", streamed(heard)]).toEqual([true, []]);
    const unheard = loadedBy(words, { env, by: ["sh", "-c", '"$@" >/dev/null', "sh"] });
    expect([unheard.code, unheard.out, streamed(unheard)]).toEqual([0, "", []]);
    // They would be seen.
    const program = join(place.folder, "streams.cjs");
    writeFileSync(program, "console.log(1);");
    expect(streamed(loadedBy([], { program }))).not.toEqual([]);
  });
});
