import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newRunData, newRunId, newRunRow } from "../_run-row.ts";
import { createContext } from "../context.ts";
import { operation as inbox } from "../operations/task/inbox.ts";
import { holdRun, letRun, placeRun } from "./row.ts";

test("S6.2 a run that is held waits since it was held, whatever its row was written for since", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-row-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "project/.git"), { recursive: true });
  const context = createContext({
    cwd: join(folder, "project"),
    env: { HOLDFAST_HOME: join(folder, "home"), PATH: process.env["PATH"] },
    language: "en",
    ended: () => new AbortController().signal,
    tell: () => undefined,
    emit: () => undefined,
  });
  onTestFinished(() => context.close());
  const store = await context.store();
  const [id, begun] = [newRunId(), new Date(0).toISOString()];
  const about = { id, projectId: (await context.projectRow()).id, workflow: "plan" };
  const wish = { title: "a", description: "", agent: "sample", language: "en" } as const;
  const row = { ...newRunRow({ ...about, status: "in_progress" }, begun), data: newRunData(wish) };
  await store.commit({ tasks: [row] });
  const since = async () => {
    const { items } = await inbox.run(context, {});
    return items.map(({ kind, since: at }) => `${kind} ${Date.parse(at)}`);
  };
  await letRun(store, id, {}, 1_000);
  await holdRun(store, id, "a file is in the way", null, 2_000);
  await placeRun(store, id, { phase: 2, phases: 2, name: "work" }, 3_000);
  expect(await since()).toEqual(["held 2000"]);
  await letRun(store, id, {}, 4_000);
  expect(await since()).toEqual([]);
  await holdRun(store, id, "another one is", null, 5_000);
  expect(await since()).toEqual(["held 5000"]);
});
