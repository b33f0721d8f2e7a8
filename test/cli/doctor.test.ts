import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createContext } from "../../src/app/context.ts";
import type { Checkup } from "../../src/app/operations/doctor.ts";
import { self } from "../../src/store/identity.ts";
import { type Ended, holdfast, root } from "./program.ts";

const seeds = join(root, "test/fixtures/seeds");

let folder = "";
let project = "";
let home = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-doctor-")));
  project = join(folder, "project");
  home = join(folder, "home");
  mkdirSync(project);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const doctor = (words: readonly string[] = [], env: Record<string, string> = {}): Ended =>
  holdfast(["doctor", ...words], { cwd: project, env: { HOLDFAST_HOME: home, ...env } });
const checkup = (words: readonly string[] = []): Checkup =>
  JSON.parse(doctor([...words, "--json"]).out) as Checkup;
const seeded = (): void => cpSync(join(seeds, "full"), project, { recursive: true });

const state = (): string => join(project, ".claude/orchestrate-state.json");

/** Files as a process of ours leaves them beside a document. */
function leave(name: string, text: string, secondsAgo = 60): string {
  const path = join(project, ".claude", name);
  writeFileSync(path, text);
  const then = Date.now() / 1000 - secondsAgo;
  utimesSync(path, then, then);
  return path;
}

const holder = (more: object): string =>
  JSON.stringify({ holdfast: 1, token: "aa", took: [], process: { ...self(), ...more } });

/** As any update would know it from then on. */
async function adopt(): Promise<void> {
  const context = createContext({
    cwd: project,
    env: { HOLDFAST_HOME: home },
    language: "en",
    ended: () => new AbortController().signal,
    tell: () => {},
    emit: () => {},
  });
  const documents = await context.documents();
  await documents.read({ path: state(), format: "orchestrate-state" });
  await context.close();
}

describe("holdfast doctor", () => {
  test("S6.1 a sound project exits 0, says so of each thing, and nothing is made or changed", () => {
    seeded();
    const { code, out } = doctor();
    expect(code).toBe(0);
    expect(out).toContain(`✓ project  ${project}, because it holds .develop-workflow`);
    expect(out).toContain("✓ home");
    expect(out).toContain("✓ documents  15 valid");
    expect(out).toContain(
      "! documents  .claude/orchestrate-state.json: /tasks/in_progress/0: T1.3",
    );
    expect(out).toContain("No problem found.");
    expect(existsSync(home)).toBe(false);
    expect(checkup().lines.map(({ topic }) => topic)).toEqual(
      expect.arrayContaining(["node", "git", "project", "home", "database", "locks", "sandbox"]),
    );
  });

  test("S6.7 it says openly that agents run with the user's rights", () => {
    expect(doctor().out).toContain("! sandbox  none: an agent runs with your rights");
    expect(doctor(["--lang", "ko"]).out).toContain("! 샌드박스  없음:");
    expect(doctor(["--lang", "ko"]).out).not.toMatch(/\{\w+\}|\([가-힣]+\/[가-힣]+\)/);
  });

  test("S2.7 a lock that names nobody is a problem, and --fix removes it once it is old enough", () => {
    seeded();
    const lock = leave("orchestrate-state.json.lock", "");
    expect(doctor().code).toBe(4);
    expect(checkup().lines.find(({ topic }) => topic === "locks")).toMatchObject({
      level: "problem",
      path: ".claude/orchestrate-state.json.lock",
      hint: expect.stringContaining("doctor --fix") as string,
    });
    const fixed = doctor(["--fix"]);
    expect(fixed.code).toBe(0);
    expect(fixed.out).toContain("→ removed the lock .claude/orchestrate-state.json.lock");
    expect(existsSync(lock)).toBe(false);
  });

  test("S2.7 a nameless lock of this very moment is left alone", () => {
    seeded();
    const lock = leave("orchestrate-state.json.lock", "", -1);
    expect(doctor(["--fix"])).toMatchObject({ code: 0 });
    expect(existsSync(lock)).toBe(true);
  });

  test("S2.7 a living holder is named and never removed", () => {
    seeded();
    const lock = leave("orchestrate-state.json.lock", holder({}));
    expect(doctor(["--fix"]).out).toContain(`process ${process.pid} on ${self().host} is at work`);
    expect(existsSync(lock)).toBe(true);
  });

  test("S5.1 what a dead process left is told with its number, and --fix sweeps it", () => {
    seeded();
    const left = [
      leave("orchestrate-state.json.lock", holder({ start: "0" })),
      leave(".orchestrate-state.json.aa.tmp", "half"),
      leave(".orchestrate-state.json.bb.old", "older"),
      leave(".orchestrate-state.json.cc.own", holder({ start: "0" })),
    ];
    const before = checkup();
    expect(before.ok).toBe(true);
    expect(before.lines.filter(({ topic }) => topic === "locks")).toHaveLength(4);
    expect(doctor().out).toContain(
      `left by process ${process.pid} on ${self().host}, which is gone`,
    );
    expect(checkup(["--fix"]).fixed).toEqual([
      "removed 4 leftover file(s) beside .claude/orchestrate-state.json",
    ]);
    expect(left.filter((path) => existsSync(path))).toEqual([]);
    expect(checkup().lines.find(({ topic }) => topic === "locks")?.level).toBe("ok");
  });

  test("files of other programs that merely look alike are none of its business", () => {
    seeded();
    const others = ["package.json.lock", "state.json.lock", ".state.json.x.tmp"];
    for (const name of others) writeFileSync(join(project, name), "");
    leave("settings.json.lock", "");
    expect(checkup().lines.find(({ topic }) => topic === "locks")?.level).toBe("ok");
  });

  test("S2.9 a damaged document exits 6; --fix puts the backup in its place and keeps the bad one", () => {
    seeded();
    const good = readFileSync(state(), "utf8");
    writeFileSync(state(), good.slice(0, 100));
    expect(doctor().code).toBe(6);
    expect(doctor().out).toContain("“holdfast validate .claude/orchestrate-state.json”");
    // Without a backup it stays as it is, and is still told.
    expect(doctor(["--fix"]).code).toBe(6);
    expect(readFileSync(state(), "utf8")).toBe(good.slice(0, 100));
    writeFileSync(`${state()}.bak`, good);
    const fixed = doctor(["--fix"]);
    expect(fixed.code).toBe(0);
    expect(fixed.err).toContain("the backup is in its place");
    expect(readFileSync(state(), "utf8")).toBe(good);
    const [kept = ""] = readdirSync(join(home, "quarantine"));
    expect(readFileSync(join(home, "quarantine", kept), "utf8")).toBe(good.slice(0, 100));
  });

  test("S5.3 a document changed by hand is a notice; --fix takes the change over and tells it", async () => {
    seeded();
    await adopt();
    expect(doctor().out).not.toContain("not as Holdfast last wrote it");
    const edited = readFileSync(state(), "utf8").replace('"retry_limit": 10', '"retry_limit": 5');
    writeFileSync(state(), edited);
    const look = doctor();
    expect(look.code).toBe(0);
    expect(look.out).toContain("! documents  .claude/orchestrate-state.json: is not as Holdfast");
    const fixed = doctor(["--fix"]);
    expect(fixed.err).toContain("/config/retry_limit: 10 → 5");
    expect(fixed.out).toContain("→ .claude/orchestrate-state.json and the database agree again");
    expect(readFileSync(state(), "utf8")).toBe(edited);
    expect(doctor().out).not.toContain("not as Holdfast last wrote it");
    rmSync(state());
    expect(doctor().out).toContain("is gone, though Holdfast has written it");
    expect(doctor(["--fix"]).code).toBe(0);
    expect(readFileSync(state(), "utf8")).toBe(edited);
  });

  test("S7.5 a home that others may write, or inside the project, is a problem with its remedy", () => {
    mkdirSync(home);
    chmodSync(home, 0o777);
    expect(doctor()).toMatchObject({ code: 4 });
    expect(doctor().out).toContain(`chmod 700 ${home}`);
    const inside = doctor([], { HOLDFAST_HOME: join(project, ".holdfast") });
    expect(inside.code).toBe(4);
    expect(inside.out).toContain("lies inside the project");
  });

  test("S7.2 a damaged database exits 6, and the documents are looked at all the same", () => {
    seeded();
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, "holdfast.db"), Buffer.alloc(8192, 0x55));
    expect(doctor()).toMatchObject({
      code: 6,
      out: expect.stringMatching(/✗ database .*\n.*Copy .*\n✓ documents  15 valid/) as string,
    });
  });

  test("git that is not there is a notice: looking at files works without", () => {
    const ended = doctor([], { PATH: folder });
    expect(ended.code).toBe(0);
    expect(ended.out).toContain("! Git  git was not found");
  });
});
