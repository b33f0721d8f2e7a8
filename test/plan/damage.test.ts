// Files of the memory that somebody broke (S3.7, S5.3, S5.4): each is told in words that name it, nothing
// is overwritten unseen, and the plan goes on from what is known or stops with what to do.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { start } from "../cli/program.ts";
import { Stage, asNobody, needsNobody } from "../cli/stage.ts";
import { plan, verdict } from "./play.ts";
import { PlanProject } from "./world.ts";

const limit = { timeout: 600_000 };
const memory = ".claude/memory";
/** Each with a call that reads it, and one that works on with it. */
const files: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["task-state.json", ["plan", "status"], ["next", "plan"]],
  ["task-history.json", ["memory", "get", "history"], ["next", "plan"]],
  ["shared-context.json", ["memory", "get", "context"], ["memory", "set", "shared_data.a", "1"]],
  [
    "agents/writer.json",
    ["memory", "get", "agents.writer"],
    ["memory", "set", "agents.writer.cache.a", "1"],
  ],
];

async function working(): Promise<PlanProject> {
  const project = new PlanProject();
  await project.begin("Ship it");
  await project.report(`PLAN:${plan([{ id: 1 }])}`);
  await project.memory("set", "agents.writer.cache.a", "1");
  return project;
}

const kept = (project: PlanProject): string[] =>
  readdirSync(join(project.home, "quarantine")).map((name) =>
    readFileSync(join(project.home, "quarantine", name), "utf8"),
  );

describe("a broken file of the memory", () => {
  test(
    "S3.7 cut off or emptied: a read reports it (6) and writes nothing, an update brings ours back; a newer version is left by both",
    limit,
    async () => {
      const project = await working();
      await project.memory("set", "shared_data.a", "1");
      const broken: readonly ((text: string) => string)[] = [
        (text) => text.slice(0, text.length / 2),
        () => "",
      ];
      for (const [file, reads, words] of files) {
        const path = join(project.root, memory, file);
        const ours = readFileSync(path, "utf8");
        for (const spoil of broken) {
          const theirs = spoil(ours);
          writeFileSync(path, theirs);
          const looked = await project.call(reads, false);
          expect({ file, ...looked }).toMatchObject({
            file,
            code: 6,
            err: expect.stringContaining(path),
          });
          expect(readFileSync(path, "utf8")).toBe(theirs);
          const ended = await project.call(words);
          expect(ended).toMatchObject({ code: 0, err: expect.stringContaining(path) });
          expect(ended.err).toContain("quarantine");
          expect(kept(project)).toContain(theirs);
          expect(readFileSync(path, "utf8")).toBe(ours);
        }
        // Of another version it is whole, and only not ours to read.
        const newer = ours.replace('"1.0"', '"2.0"');
        writeFileSync(path, newer);
        for (const call of [reads, words])
          expect({ file, ...(await project.call(call, false)) }).toMatchObject({
            file,
            code: 4,
            err: expect.stringContaining(path),
          });
        expect(readFileSync(path, "utf8")).toBe(newer);
        writeFileSync(path, ours);
      }
      expect(await project.next()).toBe("READY:1");
    },
  );

  test(
    "S5.4 a folder or a link in its place: refused by its name, nothing touched, doctor says so",
    limit,
    async () => {
      const project = await working();
      const placed: readonly ((path: string, aside: string) => void)[] = [
        (path) => mkdirSync(path),
        (path, aside) => symlinkSync(aside, path),
      ];
      for (const [file, words] of files)
        for (const put of placed) {
          const path = join(project.root, memory, file);
          const aside = join(project.root, "aside.json");
          const ours = readFileSync(path, "utf8");
          renameSync(path, aside);
          put(path, aside);
          for (const call of [
            words,
            ["plan", "cancel"],
            ["plan", "other", "--in-session", "--queue"],
          ]) {
            if (call !== words && file.startsWith("agents")) continue;
            const ended = await project.call(call, false);
            expect({ call, code: ended.code }).toEqual({ call, code: 4 });
            expect(ended.err).toContain(`${path} is not a regular file`);
          }
          const doctor = await project.call(["doctor", "--fix"], false);
          expect(doctor).toMatchObject({ code: 4, out: expect.stringContaining(file) });
          expect(lstatSync(path).isFile()).toBe(false);
          expect(readFileSync(aside, "utf8")).toBe(ours);
          rmSync(path, { recursive: true });
          renameSync(aside, path);
          expect((await project.call(words)).code).toBe(0);
        }
      expect(await project.next()).toBe("READY:1");
    },
  );

  test(
    "S3.7 a lost home: a newer version stops, a cut file is put right with its copy kept",
    limit,
    async () => {
      const from = await working();
      for (const [file] of files) {
        const project = new PlanProject();
        const text = from.read(`${memory}/${file}`);
        const newer = text.replace('"1.0"', '"2.0"');
        project.write(`${memory}/${file}`, newer);
        const words = file.startsWith("agents")
          ? ["memory", "get", "agents.writer"]
          : ["plan", "x", "--in-session"];
        const ended = await project.call(words, false);
        expect({ file, code: ended.code, err: ended.err }).toMatchObject({
          file,
          code: 4,
          err: expect.stringContaining("2.0"),
        });
        expect(project.read(`${memory}/${file}`)).toBe(newer);
        const cut = new PlanProject();
        cut.write(`${memory}/${file}`, text.slice(0, 40));
        await cut.call(words, false);
        await cut.call(["doctor", "--fix"], false);
        await cut.check();
        expect(kept(cut)).toContain(text.slice(0, 40));
      }
    },
  );

  test(
    "S3.7 a lost home: a file with one unknown word or version is reported and left by every read",
    limit,
    async () => {
      const from = await working();
      const spoilt = [
        (text: string) => text.replace('"in_progress"', '"almost"'),
        (text: string) => text.replace('"1.0"', '"0.3"'),
        (text: string) => text.replace('"1.0"', "7"),
      ];
      for (const [file, reads] of files)
        for (const [place, spoil] of spoilt.entries()) {
          if (place === 0 && file !== "task-state.json") continue;
          const project = new PlanProject();
          const theirs = spoil(from.read(`${memory}/${file}`));
          project.write(`${memory}/${file}`, theirs);
          // Also where this home has a database, and from every door that reads.
          await project.call(["memory", "set", "agents.other.cache.a", "1"], false);
          const all = [reads, ...(file.includes("context") ? [["memory", "list"]] : [])];
          for (const words of all) {
            const ended = await project.call(words, false);
            expect({ file, words, ...ended }).toMatchObject({
              file,
              words,
              code: place === 0 ? 6 : 4,
              err: expect.stringContaining(file),
            });
          }
          // Nor does an update replace what another version wrote.
          const updates = place > 0 && file !== "agents/writer.json";
          const begun = updates ? await project.call(["plan", "x", "--in-session"], false) : null;
          expect(begun?.code ?? 4).toBe(4);
          expect(project.read(`${memory}/${file}`)).toBe(theirs);
        }
    },
  );

  test(
    "S3.7 a current plan that the history knows as ended is reconciled and reported, by next and by report",
    limit,
    async () => {
      const from = await working();
      await from.begin("Next", "--queue");
      await from.report("START:1");
      await from.report("DONE:1:made");
      const { current_task: task } = from.state();
      const at = new Date(Date.now() + 60_000).toISOString();
      const times = { started_at: at, completed_at: at, duration_seconds: 1 };
      const entry = {
        id: task?.id,
        name: task?.name,
        result: "success",
        ...times,
        summary: "there",
      };
      const statistics = { total_tasks: 1, success_rate: 1, avg_duration_seconds: 1 };
      const history = JSON.stringify({ version: "1.0", tasks: [entry], statistics });
      const brought = (): PlanProject => {
        const other = new PlanProject();
        other.write(`${memory}/task-state.json`, from.read(`${memory}/task-state.json`));
        other.write(`${memory}/task-history.json`, history);
        return other;
      };
      const [one, other] = [brought(), brought()];
      const before = one.read(`${memory}/task-state.json`);
      expect((await one.plan("status")).out).toContain("has ended according to the history");
      expect(one.read(`${memory}/task-state.json`)).toBe(before);
      const next = await one.call(["next", "plan", "--session", "a"]);
      // What waited for it has its turn.
      expect(next).toMatchObject({ code: 0, line: "READY:PLAN" });
      expect(next.out).toContain("has ended according to the history");
      expect(one.state()).toMatchObject({ current_task: { name: "Next" }, pending_tasks: [] });
      expect(one.history().tasks).toHaveLength(1);
      const told = await other.report(`VERDICT:${verdict([true])}`);
      expect(told).toMatchObject({
        code: 4,
        err: expect.stringContaining("has ended according to the history"),
      });
      expect(await other.next()).toBe("READY:PLAN");
    },
  );

  test(
    "S3.7 safe repairs are made and listed; two files that disagree are reconciled",
    limit,
    async () => {
      const project = new PlanProject();
      const from = await working();
      const { pending_tasks: _, ...state } = from.state();
      project.write(`${memory}/task-state.json`, JSON.stringify(state, null, 2));
      const fixed = await project.call(["plan", "--resume"]);
      expect(fixed.err).toContain("/pending_tasks was missing, now []");
      expect(fixed.line).toBe("READY:1");
      // It has ended by the history, which somebody brought along.
      const { current_task: task } = project.state();
      const at = new Date(Date.now() + 60_000).toISOString();
      const entry = {
        id: task?.id,
        name: task?.name,
        result: "success",
        started_at: at,
        completed_at: at,
        duration_seconds: 1,
        summary: "elsewhere",
      };
      const other = new PlanProject();
      other.write(`${memory}/task-state.json`, project.read(`${memory}/task-state.json`));
      const statistics = { total_tasks: 1, success_rate: 1, avg_duration_seconds: 1 };
      other.write(
        `${memory}/task-history.json`,
        JSON.stringify({ version: "1.0", tasks: [entry], statistics }),
      );
      expect((await other.call(["doctor", "--fix"])).out).toContain(
        "has ended according to the history",
      );
      expect(other.state().current_task).toBeNull();
      expect(other.history().tasks).toHaveLength(1);
    },
  );
});

describe("as another user", () => {
  test(
    "S5.2 a file that may not be read, a folder that may not be written: told, nothing changed",
    limit,
    async ({ skip }) => {
      const lacks = needsNobody();
      skip(lacks !== false, String(lacks));
      const stage = new Stage("en");
      const as = (words: readonly string[]) => stage.run(words, { before: asNobody });
      mkdirSync(join(stage.project, ".git"));
      writeFileSync(join(stage.project, ".git/HEAD"), "ref: refs/heads/main\n");
      mkdirSync(stage.home);
      chmodSync(stage.home, 0o700);
      stage.give(stage.home, stage.project);
      expect((await as(["plan", "Ship it", "--in-session"])).code).toBe(0);
      const path = join(stage.project, memory, "task-state.json");
      const ours = readFileSync(path, "utf8");
      chmodSync(path, 0);
      for (const words of [
        ["next", "plan"],
        ["plan", "cancel"],
        ["plan", "status"],
      ]) {
        const ended = await as(words);
        expect(ended.code).not.toBe(0);
        expect(ended.err).toContain(path);
      }
      chmodSync(path, 0o644);
      expect((await as(["memory", "set", "agents.writer.cache.a", "1"])).code).toBe(0);
      for (const [file, words] of files) {
        const one = join(stage.project, memory, file);
        const before = readFileSync(one, "utf8");
        chmodSync(one, 0);
        const ended = await as(words);
        expect({ file, code: ended.code }).not.toEqual({ file, code: 0 });
        expect(ended.err).toContain(one);
        chmodSync(one, 0o644);
        expect(readFileSync(one, "utf8")).toBe(before);
      }
      chmodSync(path, 0);
      const doctor = await as(["doctor", "--fix"]);
      expect(doctor.code).not.toBe(0);
      expect(doctor.out).toContain(`${memory}/task-state.json`);
      chmodSync(path, 0o644);
      chmodSync(join(stage.project, memory), 0o555);
      const shut = await as(["plan", "cancel"]);
      expect(shut.code).not.toBe(0);
      expect(shut.err).toContain(memory);
      expect(readFileSync(path, "utf8")).toBe(ours);
      chmodSync(join(stage.project, memory), 0o755);
      expect((await as(["plan", "cancel"])).code).toBe(0);
      expect(existsSync(`${path}.lock`)).toBe(false);
    },
  );
});

describe("several processes", () => {
  test("S3.3 ids of a day count up, and one plan is current", limit, async () => {
    const project = new PlanProject();
    const goals = Array.from({ length: 6 }, (_, place) => `goal ${place}`);
    const ended = await Promise.all(
      goals.map((goal) => {
        const words = [join(import.meta.dirname, "../../dist/cli.cjs"), "plan", goal];
        return start([process.execPath, ...words, "--in-session", "--queue"], {
          cwd: project.root,
          env: { HOLDFAST_HOME: project.home },
        }).ended;
      }),
    );
    expect(ended.map(({ code }) => code)).toEqual(goals.map(() => 0));
    await project.check();
    const { current_task: current, pending_tasks: pending } = project.state();
    expect(current?.status).toBe("in_progress");
    expect(pending.map(({ status }) => status)).toEqual(Array(5).fill("pending"));
    const all = [...(current ? [current] : []), ...pending];
    expect(all.map(({ id }) => Number(id.slice(-3)))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(all.map(({ name }) => name).toSorted()).toEqual(goals);
  });
});
