// Several sessions at one plan, as real processes, and some that are killed (S2.11, S5.2).
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { cli, holdfast, start } from "../cli/program.ts";
import { full, limit } from "../crash/programs.ts";
import { type Project, project } from "./world.ts";

const reporter = join(import.meta.dirname, "reporter.mjs");

const [shells, count] = full ? [8, 200] : [4, 24];
const tasks = Array.from({ length: count }, (_, n) => `T1.${n + 1}`);
const plan = `# Many\n${tasks.map((id) => `- [ ] ${id}: t`).join("\n")}\n`;

function begun(): Project {
  const made = project(plan);
  expect(made.call("orchestrate --in-session --parallel 1000").code).toBe(0);
  return made;
}

const session = ({ project: cwd, env }: Project, name: string) =>
  start([process.execPath, reporter, cli, name], { cwd, env });

describe("several sessions at one plan", () => {
  test(
    `S2.11 ${shells} shells and ${count} independent tasks: each is kept, none is done twice`,
    limit,
    async () => {
      const made = begun();
      const all = Array.from({ length: shells }, (_, n) => session(made, `shell-${n}`));
      const said = (await Promise.all(all.map(({ ended }) => ended))).flatMap(({ out }) =>
        out.trim().split("\n"),
      );
      const of = (word: string): string[] =>
        said.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
      expect(of("started").toSorted()).toEqual(tasks.toSorted());
      expect(of("done").toSorted()).toEqual(tasks.toSorted());
      const { tasks: lists, metrics } = made.state();
      expect(lists.completed.toSorted()).toEqual(tasks.toSorted());
      expect(metrics).toMatchObject({
        total_tasks: count,
        completed_count: count,
        failed_count: 0,
      });
      // The journal has each step once, and the average is that of what it tells.
      const rows = await journal(made);
      expect(rows.filter(({ trigger }) => trigger === "start").length).toBe(count);
      const seconds = rows.flatMap(({ trigger, metadata }) =>
        trigger === "complete" ? [(metadata as { seconds: number }).seconds] : [],
      );
      expect(seconds.length).toBe(count);
      const average = seconds.reduce((a, b) => a + b) / count;
      expect(metrics.average_task_time_seconds).toBeCloseTo(average, 2);
      expect(made.call("orchestrate --verify").out).toMatch(/^VERIFIED/);
    },
  );

  test(
    "S5.2 reporters that are killed at any moment lose nothing that was acknowledged",
    limit,
    async () => {
      const made = begun();
      const acknowledged: string[] = [];
      const kills = full ? 60 : 8;
      for (let n = 0; n < kills; n++) {
        const id = tasks[n] ?? "";
        const { child, ended } = start(
          [process.execPath, cli, "report", "orchestrate", `START:${id}`, "--session", "s"],
          { cwd: made.project, env: made.env },
        );
        // From the first instant of the program to after its end, in even steps.
        const timer = setTimeout(() => child.kill("SIGKILL"), (n * 700) / kills);
        const { code } = await ended;
        clearTimeout(timer);
        if (code === 0) acknowledged.push(id);
      }
      const held = made.state().tasks.in_progress;
      expect(held).toEqual(expect.arrayContaining(acknowledged));
      // Whatever was left, the same session goes on with it: told again, each comes to its end once.
      for (const id of tasks.slice(0, kills)) {
        expect([id, made.report(`START:${id}`, "s").code]).toEqual([id, 0]);
        expect([id, made.report(`DONE:${id}`, "s").out]).toEqual([id, "OK\n"]);
      }
      const done = (await journal(made)).filter(({ trigger }) => trigger === "complete");
      expect(done.map(({ entityId }) => entityId)).toEqual(tasks.slice(0, kills));
      const { out } = holdfast(["validate", ".claude/orchestrate-state.json"], {
        cwd: made.project,
        env: made.env,
      });
      expect(out).toContain("orchestrate-state.json");
      expect(made.call("orchestrate --verify").out).toMatch(/^VERIFIED/);
    },
  );
});

async function journal({ home }: Project) {
  const store = await openSqlite(join(home, "holdfast.db"));
  const rows = await store.transitions({ machine: "unit" });
  await store.close();
  return rows;
}
