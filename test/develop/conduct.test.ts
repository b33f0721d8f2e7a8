// develop without a session, over real documents: a small loop plays who carries the orders out (S0).
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { develop } from "../../src/app/conduct/develop.ts";
import { startDevelop } from "../../src/app/develop.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { Order, OrderOutcome, Orders } from "../../src/workflows/orders.ts";
import { World, designFile, refusal, stateFile } from "./world.ts";

const limit = { timeout: 600_000 };

const design = (...ids: readonly string[]): string =>
  `checkpoints:\n${ids
    .map(
      (id) =>
        `  - id: ${id}\n    description: ${id}\n    validation: { command: "check ${id}", expected: ok }\n`,
    )
    .join("")}`;

/** A headless run, and a world in which its orders come to what the test says. */
class Headless {
  readonly world = new World();
  id = "";
  /** In the order in which outcomes were taken. */
  readonly done: string[] = [];

  async begin(agent = "sample"): Promise<void> {
    const wanted = { feature: "chat", headless: true, agent } as const;
    this.id = (await this.world.with((context) => startDevelop(context, wanted))).id;
  }

  orders(): Promise<Orders> {
    return this.world.with((context) => develop.orders(context, this.id));
  }

  beginOrder(key: string): Promise<boolean> {
    return this.world.with((context) => develop.begin(context, this.id, key));
  }

  take(outcome: OrderOutcome): Promise<string | void> {
    return this.world.with((context) => develop.take(context, this.id, outcome));
  }

  /** Until it has ended. `answer`: what an order comes to; null: as it should. */
  async play(answer: (order: Order) => Partial<OrderOutcome> | null, most = 100): Promise<Orders> {
    for (let step = 0; step < most; step++) {
      const wanted = await this.orders();
      if (wanted.kind !== "orders") return wanted;
      const [order] = wanted.orders;
      if (order === undefined) throw new Error("nothing is wanted, and it has not ended");
      await this.beginOrder(order.key);
      // Told twice, each counts once: who was killed in between tells it again.
      if (!(await this.beginOrder(order.key))) throw new Error(`${order.key} was not begun`);
      const outcome = { ...asItShould(order), ...answer(order), key: order.key } as OrderOutcome;
      await this.take(outcome);
      await this.take(outcome);
      this.done.push(order.key);
    }
    throw new Error(`no end after ${this.done.join(", ")}`);
  }
}

/** cp-1 can not be built here, and the person who is asked ends it. */
function gaveUp(order: Order): Partial<OrderOutcome> | null {
  if (order.kind === "ask") return { answer: "stop" };
  return order.key.startsWith("cp-1")
    ? { kind: "failed", why: "agent", reason: "ENV_ISSUE" }
    : null;
}

function asItShould(order: Order): OrderOutcome {
  const { key } = order;
  if (order.kind === "command") return { kind: "ran", key, code: 0, output: "ok" };
  if (order.kind === "land") return { kind: "landed", key, commit: "c" };
  if (order.kind === "ask") return { kind: "answered", key, answer: order.options[0] ?? "" };
  const files = { [designFile]: design("cp-1", "cp-2"), "docs/develop/review.md": "APPROVED\n" };
  return { kind: "done", key, commit: "c", changed: [], words: "done", files };
}

describe("a run without a session", () => {
  test(
    "S0.3 S0.5 S0.7 it is played to its end; the file is written at its moments alone",
    limit,
    async () => {
      const run = new Headless();
      await run.begin();
      const end = await run.play((order) =>
        order.key === "cp-1-1-halt" ? { code: 1, output: "expected 1, got 2" } : null,
      );
      expect(end).toEqual({ kind: "ended", result: "completed", why: "" });
      expect(run.done).toEqual([
        "DESIGN-1",
        "REVIEW-2",
        "cp-1-1",
        "cp-1-1-halt",
        "cp-1-2",
        "cp-1-2-halt",
        "cp-2-1",
        "cp-2-1-halt",
        "MERGE-3",
        "MERGE-3-cp-1",
        "MERGE-3-cp-2",
        "MERGE-4-land",
      ]);
      expect(run.world.writes).toBe(9);
      expect(run.world.state).toMatchObject({
        phase: "DONE",
        strategy: "subagent",
        checkpoints: { "cp-1": { status: "passed", iteration: 2 } },
      });
      const store = await openSqlite(join(run.world.home, "holdfast.db"));
      const lines = await store.transitions({ taskId: run.id, machine: "develop-phase" });
      await store.close();
      expect(lines.map(({ to }) => to)).toEqual(["REVIEW", "IMPLEMENT", "MERGE", "DONE"]);
    },
  );

  test(
    "S0.4 a cyclic design goes back to its agent with what is wrong and where",
    limit,
    async () => {
      const run = new Headless();
      await run.begin();
      await run.beginOrder("DESIGN-1");
      const cyclic = design("cp-1").replace("validation", "dependencies: [cp-1]\n    validation");
      const made = { commit: "c", changed: [], words: "", files: { [designFile]: cyclic } };
      await run.take({ kind: "done", key: "DESIGN-1", ...made });
      const wanted = await run.orders();
      const [again] = wanted.kind === "orders" ? wanted.orders : [];
      expect(again?.key).toBe("DESIGN-2");
      expect(again?.kind === "agent" && again.prompt).toContain(
        `${designFile}:4 /checkpoints/0/dependencies/0`,
      );
      expect(run.world.state.phase).toBe("DESIGN");
    },
  );

  test(
    "S0.5 what does not pass in three attempts is asked, and goes on as the person says",
    limit,
    async () => {
      const run = new Headless();
      await run.begin();
      let asked = "";
      const end = await run.play((order) => {
        if (order.kind === "command" && order.key.startsWith("cp-2"))
          return { code: 1, output: "red" };
        if (order.kind !== "ask") return null;
        asked = order.question;
        return { answer: order.options.find((option) => option.startsWith("skip")) ?? "" };
      });
      expect(end).toMatchObject({ result: "completed" });
      expect(run.done.filter((key) => key.startsWith("cp-2"))).toEqual(
        "cp-2-1 cp-2-1-halt cp-2-2 cp-2-2-halt cp-2-3-diagnosis cp-2-3 cp-2-3-halt cp-2-3-ask".split(
          " ",
        ),
      );
      expect(asked).toMatch(/1\. LOGIC_ERROR[^]*red[^]*3\. LOGIC_ERROR/);
      // What a person let pass is not asked for again.
      expect(run.done).not.toContain("MERGE-3-cp-2");
    },
  );

  test(
    "S0.6 a team is led by the run's own agent alone: no other is started for it",
    limit,
    async () => {
      const five = ["cp-1", "cp-2", "cp-3", "cp-4", "cp-5"];
      const designs = (order: Order): Partial<OrderOutcome> | null =>
        order.key === "DESIGN-1" ? { files: { [designFile]: design(...five) } } : null;
      const strategyOf = async (agent: string): Promise<string | undefined> => {
        const run = new Headless();
        const claude = join(run.world.folder, "claude");
        writeFileSync(claude, "", { mode: 0o755 });
        run.world.env = { HOLDFAST_CLAUDE: claude };
        await run.begin(agent);
        await run.play(designs, 60);
        return run.world.state.strategy;
      };
      expect(await strategyOf("claude")).toBe("agent-teams");
      expect(await strategyOf("sample")).toBe("subagent");
    },
  );

  test(
    "S0.6 sessions keep out of it; a person takes it into a session, and back",
    limit,
    async () => {
      const run = new Headless();
      await run.begin();
      const { world } = run;
      expect(await world.ready()).toBe("WAIT");
      expect((await refusal(world.report("START:DESIGN"))).text).toContain("Holdfast's own agents");
      expect((await world.begin(undefined, { resume: true })).line).toBe("READY:DESIGN");
      await world.report("START:DESIGN");
      const back = { headless: true, resume: true } as const;
      await world.with((context) => startDevelop(context, back));
      world.design("cp-1");
      expect((await refusal(world.report("DONE:DESIGN"))).code).toBe("refused");
      expect((await run.play(() => null)).kind).toBe("ended");
    },
  );

  test(
    "S0.8 a run that was begun anew ends for who still conducts it; its outcomes change nothing",
    limit,
    async () => {
      const run = new Headless();
      await run.begin();
      await run.beginOrder("DESIGN-1");
      await run.world.begin("search", { restart: true });
      const before = readFileSync(join(run.world.project, stateFile), "utf8");
      expect(await run.orders()).toMatchObject({ kind: "ended", result: "failed" });
      await run.take({ ...asItShould({ kind: "agent", key: "DESIGN-1" } as Order) });
      expect(await run.beginOrder("DESIGN-1")).toBe(false);
      expect(readFileSync(join(run.world.project, stateFile), "utf8")).toBe(before);
    },
  );

  test(
    "S0.7 stopped by a person it has failed, and resumed it goes on where it was",
    limit,
    async () => {
      const run = new Headless();
      await run.begin();
      expect(await run.play(gaveUp)).toMatchObject({ result: "failed" });
      expect(run.done.at(-1)).toBe("cp-1-1-ask");
      const store = await openSqlite(join(run.world.home, "holdfast.db"));
      const status = (await store.task(run.id))?.status;
      await store.close();
      expect(status).toBe("failed");
      expect((await refusal(run.world.report("START:cp-2"))).text).toContain("was stopped");
      const { id } = await run.world.with((context) =>
        startDevelop(context, { headless: true, resume: true }),
      );
      expect(id).toBe(run.id);
      expect(await run.orders()).toMatchObject({ orders: [{ key: "cp-1-4-ask", unit: "cp-1" }] });
    },
  );
});
