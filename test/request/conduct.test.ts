// A request without a session: its conductor over documents on a disk, played by a small loop in the
// place of who carries orders out (S4.4, S4.8). Each call opens everything anew, as after a crash.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requestConductor } from "../../src/app/conduct/request.ts";
import { startRequest } from "../../src/app/request/begin.ts";
import type { Order, OrderOutcome, Orders } from "../../src/workflows/orders.ts";
import { projectHash } from "../../src/core/ids.ts";
import type { Knowledge } from "../../src/formats/knowledge.ts";
import { parseYaml } from "../../src/formats/yaml.ts";
import { failing, source, testFile, type Script, usual } from "./scripted.ts";
import { type World, world } from "./world.ts";

const limit = { timeout: 600_000 };

const gitEnvironment = {
  PATH: process.env["PATH"],
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b",
};

const begin = (made: World, text: string) =>
  made.with((context) => startRequest(context, { text, headless: true, agent: "sample" }));
const ordersOf = (made: World, task: string): Promise<Orders> =>
  made.with((context) => requestConductor.orders(context, task));
const open = async (made: World, task: string): Promise<readonly Order[]> => {
  const orders = await ordersOf(made, task);
  return orders.kind === "orders" ? orders.orders : [];
};
const take = (made: World, task: string, outcome: OrderOutcome): Promise<string | void> =>
  made.with((context) => requestConductor.take(context, task, outcome));

describe("a request that Holdfast drives", () => {
  test(
    "S4.8 killed after each outcome: whoever comes next wants the same, and the end is the same",
    limit,
    async () => {
      const made = world();
      const { taskId, id } = await begin(made, "read items");
      expect(id).toBe("R1");
      const script: Script = {
        outcome: (key, order) =>
          key === "T1-S1.run-1"
            ? { kind: "ran", key: order.key, code: 1, output: failing }
            : undefined,
      };
      const keys: string[] = [];
      for (
        let [order] = await open(made, taskId);
        order !== undefined;
        [order] = await open(made, taskId)
      ) {
        keys.push(order.key);
        // Told twice it is begun once; and one that is not wanted is not begun.
        for (const wanted of [order.key, order.key, "R1.nothing-1"])
          expect(
            await made.with((context) => requestConductor.begin(context, taskId, wanted)),
          ).toBe(wanted === order.key);
        const outcome = usual(order, script);
        await take(made, taskId, outcome);
        const after = await open(made, taskId);
        await take(made, taskId, outcome);
        expect(await open(made, taskId)).toEqual(after);
        expect(keys.length).toBeLessThan(40);
      }
      expect(keys.slice(-7).map((key) => key.replace(/^R1\.T1-S1\./, ""))).toEqual(
        "implement-2 diff-2 verify-2 judge-2 run-2 R1.land-1".split(" ").toSpliced(0, 0, "run-1"),
      );
      expect(await ordersOf(made, taskId)).toMatchObject({ kind: "ended", result: "completed" });
      const journal = await made.with(async (context) =>
        (await context.store()).transitions({ taskId }),
      );
      expect(journal.filter(({ machine }) => machine === "task").map(({ to }) => to)).toEqual([
        "in_progress",
        "completed",
      ]);
      const gate = journal.find(({ trigger }) => trigger === "pass_gate_4");
      expect(gate?.metadata).toMatchObject({
        gate: "GATE-4",
        verdicts: expect.arrayContaining([
          expect.objectContaining({ item: "INV-1", by: "verifier" }),
        ]),
      });
    },
  );

  test(
    "S4.7 at its end knowledge.yaml holds what was decided and mended; learn brings back what it lost",
    limit,
    async () => {
      const made = world();
      const { taskId } = await begin(made, "read items");
      const script: Script = {
        outcome: (key, order) =>
          key === "T1-S1.run-1"
            ? { kind: "ran", key: order.key, code: 1, output: failing }
            : undefined,
      };
      for (
        let [order] = await open(made, taskId);
        order !== undefined;
        [order] = await open(made, taskId)
      )
        await take(made, taskId, usual(order, script));
      const path = `.claude/orchestrator/knowledge/${projectHash(made.root)}/knowledge.yaml`;
      const known = (): Knowledge => {
        const read = parseYaml(made.read(path));
        if (!read.ok) throw new Error(made.read(path));
        return read.value as Knowledge;
      };
      const learned = known();
      expect(learned).toMatchObject({
        decisions: [{ topic: "read an item" }],
        pitfalls: [
          {
            description: expect.stringContaining("make it pass"),
            reason: expect.stringContaining("GATE-2"),
            learned_from: "T1",
          },
        ],
      });
      await made.with(async (context) =>
        (await context.documents()).update({
          files: [{ path: made.at(path), format: "knowledge" }],
          event: { trigger: "lost" },
          apply: () => ({
            documents: new Map([[made.at(path), { ...learned, decisions: [], pitfalls: [] }]]),
            result: null,
          }),
        }),
      );
      expect(known().pitfalls).toEqual([]);
      expect((await made.request("learn")).line).toBe("LEARNED:0:1:1");
      expect(known().pitfalls).toEqual(learned.pitfalls);
      expect(known().decisions[0]?.decision).toBe(learned.decisions[0]?.decision);
    },
  );

  test(
    "S4.2 a second one has no orders until the first has ended; a session may take neither",
    limit,
    async () => {
      const made = world();
      const first = await begin(made, "one");
      const second = await begin(made, "two");
      expect(second).toMatchObject({ id: "R2", waitsFor: "R1" });
      expect(await open(made, second.taskId)).toEqual([]);
      expect((await made.next()).line).toBe("WAIT");
      await expect(made.report("START:explore")).rejects.toMatchObject({ code: "refused" });
      await made.request("reset");
      expect(await ordersOf(made, first.taskId)).toMatchObject({ kind: "ended", result: "failed" });
      expect((await open(made, second.taskId)).map(({ key }) => key)).toEqual([
        "R2.explore-1",
        "R2.plan-1",
      ]);
      expect(made.state().request).toMatchObject({ id: "R2", original_request: "two" });
    },
  );

  test(
    "S4.4 orders say what merges, what is wanted, and what stays out of the branch",
    limit,
    async () => {
      const made = world();
      made.write(".holdfast/prompts/request/implementer.md", "Write like the neighbours.\n");
      const { taskId } = await begin(made, "read items");
      const seen = new Map<string, Order>();
      for (
        let [order] = await open(made, taskId);
        order !== undefined;
        [order] = await open(made, taskId)
      ) {
        seen.set(order.key.replace(/^R1\.(?:T1-S1\.)?/, ""), order);
        await take(made, taskId, usual(order));
      }
      expect(seen.get("test-1")).toMatchObject({
        role: "qa-engineer",
        merges: true,
        branch: { name: "request-R1" },
      });
      expect(seen.get("implement-1")).toMatchObject({
        merges: true,
        wanted: [source, "test/item.test.ts"],
        prompt: expect.stringContaining("Write like the neighbours."),
      });
      expect(seen.get("verify-1")).toMatchObject({ role: "verifier", merges: false });
      expect(seen.get("run-1")).toMatchObject({ kind: "command", command: "npx vitest run" });
      expect(seen.get("diff-1")).toMatchObject({
        kind: "command",
        command: expect.stringMatching(/diff --name-only/),
      });
    },
  );

  test(
    "S4.4 its commands are git's own: what a subtask changed, by names of any letters",
    limit,
    async () => {
      const made = world();
      const { taskId } = await begin(made, "read items");
      const folder = join(made.folder, "branch");
      mkdirSync(folder);
      const sh = (command: string) =>
        spawnSync("/bin/sh", ["-c", command], {
          cwd: folder,
          encoding: "utf8",
          env: gitEnvironment,
        });
      const commit = "git add -A && git commit -qm x";
      writeFileSync(join(folder, "old.txt"), "");
      expect(sh(`git init -q && ${commit}`)).toMatchObject({ status: 0 });
      const stray = ["상품 목록.md", "a\tb.md"];
      const script: Script = {
        outcome: (_key, order) => {
          if (order.kind !== "command") return undefined;
          const { status: code, stdout: output } = sh(order.command);
          return { kind: "ran", key: order.key, code, output };
        },
      };
      for (
        let [order] = await open(made, taskId);
        order?.key !== "R1.plan-2";
        [order] = await open(made, taskId)
      ) {
        if (order === undefined) throw new Error("nothing is wanted");
        if (order.key === "R1.T1-S1.test-1") {
          mkdirSync(join(folder, "test"));
          writeFileSync(join(folder, testFile), "");
          sh(commit);
        }
        if (order.key === "R1.T1-S1.implement-1") {
          for (const name of stray) writeFileSync(join(folder, name), "");
          sh(`git rm -q old.txt; ${commit}`);
        }
        await take(made, taskId, usual(order, script));
      }
      const journal = await made.with(async (context) =>
        (await context.store()).transitions({ taskId }),
      );
      const failed = journal.find(({ trigger }) => trigger === "fail_gate_3");
      expect((failed?.metadata as { why: string } | undefined)?.why).toContain(
        ["a\tb.md", "old.txt", "상품 목록.md"].join(", "),
      );
    },
  );
});
