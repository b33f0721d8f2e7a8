// dist/holdfast: what hot calls start from, and that they are the same calls without it.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeStartSnapshots, startFlags } from "../../src/os/start-snapshot.ts";
import { type Place, dist, nowhere, root, seeded } from "./program.ts";

let place: Place = nowhere;
/** A copy of dist in a folder that a careless script would trip over. */
let copy = "";

beforeAll(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-starter-")));
  place = { folder, project: join(folder, "project"), home: join(folder, "home") };
  seeded(place.project);
  const moved = join(folder, "it's 옮긴 $place");
  copy = join(moved, "dist");
  mkdirSync(copy, { recursive: true });
  for (const name of ["cli.cjs", "holdfast", "chunks"])
    cpSync(join(dist, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(moved, "node_modules"));
});

beforeEach(() => {
  rmSync(join(copy, "start"), { recursive: true, force: true });
  cpSync(join(dist, "start"), join(copy, "start"), { recursive: true });
});

afterAll(() => rmSync(place.folder, { recursive: true, force: true }));

interface How {
  readonly env?: Record<string, string>;
  readonly shell?: string;
  readonly starter?: string;
}

/** As it is called from a folder that is not its own; `nodes`: how Node was started, in order. */
function called(words: readonly string[], { env = {}, shell, starter }: How = {}) {
  const [bin, log] = [join(place.folder, "bin"), join(place.folder, "log")];
  mkdirSync(bin, { recursive: true });
  writeFileSync(log, "");
  const watched = `#!/bin/sh\necho "$*" >> '${log}'\nexec '${process.execPath}' "$@"\n`;
  writeFileSync(join(bin, "node"), watched, { mode: 0o755 });
  const program = starter ?? join(copy, "holdfast");
  const [file = "", ...args] = [...(shell === undefined ? [] : [shell]), program, ...words];
  const session = { session_id: "s", cwd: place.project, source: "startup" };
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd: place.project,
    input: JSON.stringify(session),
    encoding: "utf8",
    env: { PATH: `${bin}:/usr/bin:/bin`, HOLDFAST_HOME: place.home, LANG: "C", ...env },
  });
  const nodes = readFileSync(log, "utf8").trimEnd().split("\n");
  return { code: status, out: stdout, err: stderr, nodes };
}

/** Asked once: nothing of it changes. */
const known = new Map<string, ReturnType<typeof called>>();

function plainly(words: readonly string[]) {
  const key = words.join(" ");
  const found =
    known.get(key) ?? called(words, { shell: process.execPath, starter: join(copy, "cli.cjs") });
  known.set(key, found);
  return found;
}

/** A hook whose answer depends on what it is given, a look, and one that is refused on standard error. */
const hot = [["hook", "SessionStart"], ["status"], ["next", "nonsense"]] as const;
const fromSnapshot = expect.stringContaining(`${startFlags.join(" ")} --snapshot-blob `) as string;

/** What a call says and how it ends, and nothing of how it got there. */
function same(words: readonly string[], how: How = {}) {
  const { nodes: _, ...plain } = plainly(words);
  const { nodes, ...ended } = called(words, how);
  expect(ended).toEqual(plain);
  expect(ended.out + ended.err).not.toBe("");
  return nodes;
}

/** A project with a plan of one unit. */
function planned(name: string): string {
  const run = join(place.folder, name);
  mkdirSync(join(run, ".git"), { recursive: true });
  writeFileSync(join(run, "TASKS.md"), "# P\n\n## Phase 1\n\n- [ ] T1.1: One\n");
  return run;
}

describe("S7.2 holdfast, as it is installed", () => {
  test("hot calls start from a snapshot, and say what they say without it", () => {
    for (const words of hot) expect(same(words)).toEqual([fromSnapshot]);
    expect(same(["why", "T0.1"])).toEqual([expect.stringMatching(/cli\.cjs why T0\.1$/)]);
    // Forms that are not plain are the same program as well, with parts that no snapshot has.
    for (const words of [
      ["status", "--json"],
      ["report", "--help"],
      ["hook", "--lang", "ko"],
    ])
      expect(same(words)).toEqual([fromSnapshot]);
  });

  test("it is found through links, by other shells, without an environment, where nobody may write", () => {
    const bin = join(place.folder, "node_modules", ".bin");
    mkdirSync(bin, { recursive: true });
    const link = join(bin, "holdfast");
    symlinkSync(join("..", "..", "it's 옮긴 $place", "dist", "holdfast"), link);
    const again = join(place.folder, "again");
    symlinkSync(link, again);
    chmodSync(join(copy, "start"), 0o555);
    expect(same(["status"], { starter: again })).toEqual([fromSnapshot]);
    expect(same(["status"], { shell: "bash" })).toEqual([fromSnapshot]);
    const bare = spawnSync(
      "env",
      ["-i", join(copy, "holdfast"), "status", "--cwd", place.project],
      {
        encoding: "utf8",
      },
    );
    expect([bare.status, bare.stdout]).toEqual([0, plainly(["status"]).out]);
  });

  test("options for Node are for all of it, and a Node that is not there is said to be missing", () => {
    const env = { NODE_OPTIONS: "--no-deprecation" };
    expect(same(["status"], { env })).toEqual([expect.not.stringContaining("--snapshot-blob")]);
    const none = called(["status"], { env: { PATH: "/nowhere" } });
    expect([none.code, none.err]).toEqual([127, expect.stringContaining("node")]);
  });

  test("a hot call loads none of Node's streams, also where its output is thrown away", () => {
    // Says what Node compiles of its own modules, on standard error.
    const env = { NODE_DEBUG_NATIVE: "CODE_CACHE" };
    const silent = join(place.folder, "silent");
    writeFileSync(silent, `"$@" >/dev/null`);
    const call = [join(copy, "holdfast"), "status"] as const;
    for (const { code, err } of [
      called(call.slice(1), { env }),
      called(call, { env, shell: "sh", starter: silent }),
    ]) {
      expect({ code, told: err.includes("code cache") }).toEqual({ code: 0, told: true });
      expect(err).not.toContain("stream");
    }
  });

  test("what a report has to run is given the certificates that Node itself is spared", () => {
    const run = planned("run");
    const check = 'echo "$NODE_EXTRA_CA_CERTS|$HOLDFAST_CERTIFICATES" > seen';
    writeFileSync(join(run, "holdfast.yaml"), `version: 1\ncommands: { test: '${check}' }\n`);
    const env = { NODE_EXTRA_CA_CERTS: join(run, "ours.pem") };
    const call = (...words: string[]) => called([...words, "--cwd", run], { env });
    call("orchestrate", "--in-session");
    expect(call("report", "orchestrate", "START:T1.1").code).toBe(0);
    // The file is not there, and nobody complains about it.
    expect(call("report", "orchestrate", "DONE:T1.1")).toMatchObject({
      out: "ALL_DONE\n",
      err: "",
    });
    expect(readFileSync(join(run, "seen"), "utf8")).toBe(`${join(run, "ours.pem")}|\n`);
  });

  test("SQLite comes through its package where that is not as we know it: Node's way to find modules is there when it is asked for", () => {
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
    const starter = join(moved, "dist/holdfast");
    const call = (...words: string[]) => called([...words, "--cwd", run], { starter });
    expect(call("orchestrate", "--in-session").code).toBe(0);
    expect(call("report", "orchestrate", "START:T1.1")).toMatchObject({
      code: 0,
      err: "",
      nodes: [fromSnapshot],
    });
    expect(readFileSync(mark, "utf8")).toBe("!!");
  });

  // oxfmt-ignore
  test.each<[string, (snapshot: Buffer) => Buffer | undefined]>([
    ["of another Node", (bytes) => Buffer.from(bytes.toString("latin1").replace(process.versions.node, "0".repeat(process.versions.node.length)), "latin1")],
    ["made with other flags", (bytes) => { const other = Buffer.from(bytes); other.writeUInt8((other[44] ?? 0) ^ 1, 44); return other; }],
    ["damaged", (bytes) => { const other = Buffer.from(bytes); other.fill(255, 900_000, 900_100); return other; }],
    ["cut off", (bytes) => bytes.subarray(0, 1_000_000)],
    ["empty", () => Buffer.alloc(0)],
    ["missing", () => undefined],
  ])("with a snapshot that is %s the call is the same, only later", (_, change) => {
    for (const name of ["look", "step"]) {
      const file = join(copy, "start", `${name}.blob`);
      const bytes = change(readFileSync(file));
      if (bytes === undefined) rmSync(file);
      else writeFileSync(file, bytes);
    }
    for (const words of [hot[0], hot[2]]) {
      const nodes = same(words);
      // What a hook is given on standard input has not been taken by the one that fell over.
      expect(nodes.at(-1)).toMatch(/^[^-].*cli\.cjs /);
      expect(nodes.slice(0, -1).filter((node) => !node.includes("--snapshot-blob"))).toEqual([]);
    }
  });
});

test("what Node loads later throws the errors that it always throws, though the snapshot has none of them", async () => {
  // A program of its own in the place of the parts, that asks for modules which no hot call loads.
  const program = `(function (require) {
    const thrown = (act) => {
      try { act(); } catch (error) { return [error.code, error.name, error.message]; }
    };
    const begin = (_, words) => {
      const { writeSync } = require("node:fs");
      if (words[0] === "--version") return;
      const { createHmac } = require("node:crypto");
      const { spawnSync } = require("node:child_process");
      writeSync(1, JSON.stringify([
        thrown(() => spawnSync("a\\0b")),
        thrown(() => createHmac()),
        thrown(() => require("node:util").parseArgs({ args: ["--unknown"] })),
        thrown(() => require("node:fs").readFileSync({})),
        spawnSync("echo", ["said"], { encoding: "utf8" }).stdout,
      ]));
    };
    return { names: [], part: () => undefined, loaded: new Map(), begin };
  })`;
  for (const name of ["look.js", "step.js"]) writeFileSync(join(copy, "start", name), program);
  expect(await makeStartSnapshots(join(copy, "start"))).toBeUndefined();
  const { out, err, nodes } = called(["report"]);
  expect([err, nodes]).toEqual(["", [fromSnapshot]]);
  const plain = join(place.folder, "plain.cjs");
  writeFileSync(plain, `${program}(require).begin("", [])`);
  expect(JSON.parse(out)).toEqual(
    JSON.parse(spawnSync(process.execPath, [plain], { encoding: "utf8" }).stdout),
  );
  expect(JSON.parse(out)).toEqual([
    ["ERR_INVALID_ARG_VALUE", "TypeError", expect.stringContaining("null bytes")],
    ["ERR_INVALID_ARG_TYPE", "TypeError", expect.stringContaining("hmac")],
    ["ERR_PARSE_ARGS_UNKNOWN_OPTION", "TypeError", expect.stringContaining("--unknown")],
    ["ERR_INVALID_ARG_TYPE", "TypeError", expect.stringContaining("path")],
    "said\n",
  ]);
});

test("a hot call holds no validator: it is evaluated when it is asked for a reason", () => {
  const parts = readFileSync(join(dist, "start", "step.js"), "latin1");
  // In what says yes or no there is no word of why.
  expect(parts).not.toContain("schemaPath");
  const run = planned("unsound");
  const call = (...words: string[]) => called([...words, "--cwd", run]);
  expect(call("orchestrate", "--in-session").code).toBe(0);
  const state = join(run, ".claude/orchestrate-state.json");
  writeFileSync(
    state,
    readFileSync(state, "utf8").replace('"in_progress": []', '"in_progress": 7'),
  );
  const { code, out, err, nodes } = call("next", "orchestrate");
  expect([code, nodes]).toEqual([0, [fromSnapshot]]);
  expect(out).toContain("READY:T1.1");
  expect(err).toContain("/tasks/in_progress");
});

test("each snapshot has a seed of its own for its hashes, so that nobody can foresee them", () => {
  const [look, step] = ["look.blob", "step.blob"].map((file) => {
    const bytes = readFileSync(join(copy, "start", file));
    const at = bytes.indexOf("captureRejections");
    expect(at).toBeGreaterThan(0);
    // The length of the text in four bytes, before it its hash.
    expect(bytes.readUInt32LE(at - 4)).toBe("captureRejections".length);
    return bytes.subarray(at - 8, at - 4).toString("hex");
  });
  expect(look).not.toBe(step);
});

test("S6.1 where there is none that fits, doctor tells and makes it; nobody else does", () => {
  const start = join(copy, "start");
  for (const name of ["look.blob", "step.blob"])
    writeFileSync(join(start, name), "of another Node");
  const before = readdirSync(start);
  // A project without anything else that could be repaired.
  const empty = join(place.folder, "empty");
  mkdirSync(join(empty, ".git"), { recursive: true });
  const doctor = (...words: string[]) => called(["doctor", "--cwd", empty, ...words]).out;
  called(["status"]);
  expect(doctor()).toContain("without a snapshot that fits this Node");
  expect(readFileSync(join(start, "look.blob"), "utf8")).toBe("of another Node");
  expect(doctor("--fix")).toContain("made the snapshots");
  expect(readdirSync(start)).toEqual(before);
  for (const words of hot) expect(same(words)).toEqual([fromSnapshot]);
  expect(doctor()).not.toContain("snapshot");
});

test("where none can be made it is said why, and nothing is left behind", async () => {
  const start = join(copy, "start");
  for (const name of ["look.blob", "step.blob"]) rmSync(join(start, name));
  const before = readdirSync(start);
  writeFileSync(join(start, "builder.cjs"), "throw new Error('not today');\n");
  expect(await makeStartSnapshots(start)).toContain("not today");
  expect(readdirSync(start)).toEqual(before);
});
