// In which language a task speaks: that of the client that made it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runFolder } from "../../src/agents/run.ts";
import { type ServerWorld, serverWorld } from "./world.ts";

let world: ServerWorld;
beforeAll(async () => {
  world = serverWorld();
  await world.serve();
});
afterAll(() => world.end());

interface Waiting {
  readonly openDependencies: readonly { readonly description: string }[];
  readonly openQuestions: readonly unknown[];
}

const until = async (id: string, is: (task: Waiting) => boolean): Promise<Waiting> =>
  (await world.until(`/api/tasks/${id}`, is)) as unknown as Waiting;

describe("S7.4 the language of a task is that of who made it", () => {
  const korean = { headers: { "accept-language": "ko" } };
  const made = async (body: object): Promise<string> => {
    const about = { title: "A task", description: "Do it.", agent: "sample", ...body };
    return String((await world.call("/api/tasks", { ...korean, body: about })).json["id"]);
  };

  test("its agent is told it, whatever the server's locale is", async () => {
    const id = await made({ type: "custom", script: "need api_key KEY\n", submit: true });
    const { openDependencies } = await until(id, (task) => task.openDependencies.length > 0);
    expect(openDependencies[0]?.description).toBe("샘플 스크립트를 이어 가는 데 필요합니다.");
  });

  test("its phases are put to the agent in it, whoever submits the draft", async () => {
    const id = await made({ type: "create_app", script: "ask choice A? | B\n" });
    await world.call(`/api/tasks/${id}/submit`, { body: {} });
    await until(id, ({ openQuestions }) => openQuestions.length > 0);
    const store = await world.server.serving.context("en", new AbortController().signal).store();
    const [run] = await store.entities({ taskId: id, kind: "process" });
    const prompt = readFileSync(join(runFolder(world.home, run?.id ?? ""), "in"), "utf8");
    expect(prompt).toContain("## 4단계 중 1단계: 기획\n\n코드를 쓰기 전에");
  });
});
