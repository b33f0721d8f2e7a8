// Files of a request that somebody broke (S5.2, S5.3, S5.4): each is told in words that name it, nothing is
// overwritten unseen, and `doctor --fix` mends what can be mended.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { request as session } from "../../src/app/_session-request.ts";
import { Fault } from "../../src/core/errors.ts";
import { projectHash } from "../../src/core/ids.ts";
import { formatOfPath } from "../../src/formats/registry.ts";
import { calledHere } from "../cli/in-process.ts";
import { cli, start } from "../cli/program.ts";
import { asNobody, needsNobody, nobody } from "../cli/stage.ts";
import { command, design, discovered, step, tests } from "./in-session.ts";
import { type World, inSession, world } from "./world.ts";

const limit = { timeout: 600_000 };

const files = (root: string): string[] => [
  inSession(root, "session.json"),
  inSession(root, "state.json"),
  inSession(root, "contracts/R1/explored.yaml"),
  inSession(root, "contracts/R1/task-breakdown.yaml"),
  inSession(root, "contracts/R1/T1/design-brief.yaml"),
  inSession(root, "contracts/R1/T1/design-contract.yaml"),
  inSession(root, "contracts/R1/T1/T1-S1/test-contract.yaml"),
  inSession(root, "contracts/R1/T1/T1-S1/test-result.yaml"),
  `.claude/orchestrator/knowledge/${projectHash(root)}/knowledge.yaml`,
];

/** Its tests have failed once, so that there is one file of each format. */
async function worked(): Promise<World> {
  const made = world();
  await discovered(made);
  await step(made, "T1", design);
  await step(made, "T1-S1", tests, () =>
    made.write("test/item.test.sh", "echo 1..1; echo 'not ok 1 - x'\n"),
  );
  await step(made, "T1-S1", undefined, () => made.write("src/database.ts", "export {};\n"));
  await step(made, "T1-S1", {});
  const execution = { command, timestamp: "2026-01-01T00:00:00Z", result: "pass" };
  expect(await step(made, "T1-S1", { execution })).toMatch(/^BACK:T1-S1/);
  const formats = files(made.root).map((path) => formatOfPath(path));
  expect(new Set(formats).size).toBe(9);
  return made;
}

/** The program itself, without a look at all documents afterwards: one of them is damaged. */
function call(made: World, ...words: string[]) {
  return calledHere(words, made.root, join(made.folder, "home"));
}

const bare = (made: World) => made.bare((context) => session.next(context, { session: "a" }));

describe("a broken file of a request", () => {
  test("S5.3 cut off, they come back; in quarantine lies what was found", limit, async () => {
    const made = await worked();
    const all = files(made.root);
    const before = all.map((path) => made.read(path));
    const cut = (): void => {
      for (const path of all) made.write(path, made.read(path).slice(0, -40));
    };
    cut();
    expect((await made.next()).line).toBe("READY:T1-S1");
    expect(all.map((path) => made.read(path))).toEqual(before);
    expect(made.told.filter((text) => text.includes("quarantine"))).toHaveLength(all.length);
    // And so without a request that goes on: said by a look, mended when it is asked for.
    cut();
    const seen = await call(made, "doctor");
    for (const path of all) expect(seen.out).toContain(path);
    expect(all.map((path) => made.read(path))).not.toEqual(before);
    await call(made, "doctor", "--fix");
    expect(all.map((path) => made.read(path))).toEqual(before);
  });

  test.each([
    [
      "a folder",
      (path: string) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
    [
      "a link",
      (path: string) => {
        renameSync(path, `${path}.theirs`);
        symlinkSync(`${path}.theirs`, path);
      },
    ],
    [
      "from a newer version",
      (path: string) => {
        const text = readFileSync(path, "utf8");
        writeFileSync(
          path,
          text.replace(/("?version"?: )\d/, (_, before: string) => `${before}19`),
        );
      },
    ],
  ])(
    "S5.4 %s in the place of one: said clearly, by doctor as well, and nothing is overwritten",
    limit,
    async (_name, damage) => {
      const made = await worked();
      for (const path of files(made.root)) {
        const at = made.at(path);
        const kept = `${at}.kept`;
        copyFileSync(at, kept);
        damage(at);
        const seen = lstatSync(at);
        const look = () => (seen.isFile() ? readFileSync(at, "utf8") : "");
        const bytes = look();
        const fault = await bare(made).catch((thrown: unknown) => thrown);
        expect(fault).toBeInstanceOf(Fault);
        expect((fault as Fault).message).toContain(path.split("/").at(-1));
        const doctor = await call(made, "doctor", "--fix");
        expect({ path, code: doctor.code, out: doctor.out }).toMatchObject({
          path,
          code: expect.any(Number),
          out: expect.stringContaining(path),
        });
        expect(doctor.code).not.toBe(0);
        expect(lstatSync(at).ino).toBe(seen.ino);
        expect(look()).toBe(bytes);
        rmSync(at, { recursive: true });
        rmSync(`${at}.theirs`, { force: true });
        renameSync(kept, at);
      }
      expect((await made.next()).line).toBe("READY:T1-S1");
    },
  );

  test(
    "S5.2 that may not be read: said with its path, nothing is written, and it goes on when it may",
    limit,
    async ({ skip }) => {
      const lacks = needsNobody();
      skip(lacks !== false, String(lacks));
      const made = await worked();
      // Who is no root is that somebody already.
      const given = asNobody.length === 0 || spawnSync("chown", ["-R", `${nobody}`, made.folder]);
      expect(given === true || given.status === 0).toBe(true);
      const as = (...words: string[]) =>
        start([...asNobody, process.execPath, cli, ...words], {
          cwd: made.root,
          env: { HOLDFAST_HOME: join(made.folder, "home"), HOLDFAST_SESSION: "a" },
        }).ended;
      for (const path of files(made.root)) {
        const ours = made.read(path);
        chmodSync(made.at(path), 0);
        const ended = await as("next", "request");
        expect({ path, code: ended.code }).not.toEqual({ path, code: 0 });
        expect(ended.err).toContain(made.at(path));
        chmodSync(made.at(path), 0o644);
        expect(made.read(path)).toBe(ours);
      }
      const [, state = ""] = files(made.root);
      chmodSync(made.at(state), 0);
      const doctor = await as("doctor", "--fix");
      expect(doctor.code).not.toBe(0);
      expect(doctor.out).toContain(state);
      chmodSync(made.at(state), 0o644);
      expect((await as("next", "request")).out).toMatch(/^READY:T1-S1\n/);
    },
  );
});
