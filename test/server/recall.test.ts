// The past through the doors (S4.9): what a task went through is found as it happens, over HTTP and on
// the command line, and an index that is damaged is told and mended.
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdfast } from "../cli/program.ts";
import { loadDriver } from "../../src/store/database/driver.ts";
import { type ServerWorld, serverWorld } from "./world.ts";

interface Hit {
  readonly kind: string;
  readonly title: string;
  readonly excerpt: string;
  readonly task: string | null;
  readonly place: string;
  readonly at: string | null;
}

let world: ServerWorld;
let id = "";
beforeAll(async () => {
  world = serverWorld();
  await world.serve();
  id = await world.task(
    "say 좌표계가 달라서 기존 위치를 모두 변환했습니다.\nask choice Which maps abroad? | Naver | Google\nsay {answer}\ndone written",
    { title: "지도 바꾸기", description: "구글 지도를 네이버 지도로 바꾼다." },
  );
  await world.until(
    `/api/tasks/${id}`,
    ({ questions }: { questions: string[] }) => questions.length > 0,
  );
});
afterAll(() => world.end());

async function ask(question: string, more = ""): Promise<readonly Hit[]> {
  const answer = await world.call(`/api/recall?question=${encodeURIComponent(question)}${more}`);
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
  return (answer.json as unknown as { hits: Hit[] }).hits;
}

test("S4.9 task, question and output are found in other words than they were said in, with source and time", async () => {
  expect((await ask("위치 변환은 왜 했지?"))[0]).toMatchObject({
    kind: "output",
    task: id,
    title: "지도 바꾸기",
    excerpt: expect.stringContaining("좌표계가"),
  });
  expect((await ask("map for shops abroad", "&in=question"))[0]).toMatchObject({
    kind: "question",
    task: id,
    at: expect.stringMatching(/^20/),
  });
  expect((await ask("네이버지도", "&in=task"))[0]).toMatchObject({ kind: "task", place: id });
  expect((await ask(id, "&in=journal&limit=1")).length).toBe(1);
});

test("S4.9 an answer given since is found by the next question; the terminal says the same", async () => {
  expect(await ask("abroad Google answer", "&since=2w&in=question")).toHaveLength(1);
  await world.call(`/api/tasks/${id}/answer`, { body: { answer: "Google" } });
  await world.until(`/api/tasks/${id}`, ({ status }: { status: string }) => status === "completed");
  const plan = join(world.root, "TASKS.md");
  writeFileSync(plan, "- [ ] T1.1: 쿠폰 중복 사용 막기\n");
  expect((await ask("쿠폰이 중복되면"))[0]).toMatchObject({ kind: "unit", place: "TASKS.md" });
  writeFileSync(plan, "- [ ] T1.1: 알림톡 붙이기\n");
  expect(await ask("쿠폰이 중복되면")).toEqual([]);
  const options = { cwd: world.root, env: { HOLDFAST_HOME: world.home } };
  const { code, out } = holdfast(["recall", "알림톡을 붙였나?", "--json"], options);
  expect(code).toBe(0);
  expect((JSON.parse(out) as { hits: Hit[] }).hits).toEqual(await ask("알림톡을 붙였나?"));
  rmSync(plan);
  expect(await ask("알림톡을 붙였나?")).toEqual([]);
});

test("S4.9 nothing to look for, no time and no such kind are refused with what to do", async () => {
  for (const query of ["", "?question=%3F", "?question=x&since=soon", "?question=x&in=rumours"]) {
    const { status, json } = await world.call(`/api/recall${query}`);
    expect({ query, status }).toEqual({ query, status: 400 });
    expect(json.error?.code).toBe("invalid_input");
  }
});

test("S6.1 a damaged index is told by doctor, mended by --fix, and replaced by who asks", async () => {
  const before = await ask("좌표 변환");
  const folder = join(world.home, "recall");
  const name = readdirSync(folder).find((each) => each.endsWith(".db")) ?? "";
  const options = { cwd: world.root, env: { HOLDFAST_HOME: world.home } };
  const damage = (from: number): void => {
    const database = loadDriver()(join(folder, name));
    // Until then all of it may lie in the log.
    database.exec("pragma wal_checkpoint(truncate)");
    database.close();
    const file = openSync(join(folder, name), "r+");
    for (let page = from; page < 20; page++)
      writeSync(file, Buffer.alloc(2048, 7), 0, 2048, page * 4096);
    closeSync(file);
  };
  damage(1);
  expect(holdfast(["doctor"], options).out).toMatch(/search index .* is damaged/);
  expect(holdfast(["doctor", "--fix"], options).out).toMatch(/index was built anew: \d+ entries/);
  expect(holdfast(["doctor"], options).out).not.toMatch(/search index/);
  expect(await ask("좌표 변환")).toEqual(before);
  damage(0);
  expect(await ask("좌표 변환")).toEqual(before);
  rmSync(folder, { recursive: true });
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, name), "no database at all, but long enough to look like something");
  expect(await ask("좌표 변환")).toEqual(before);
});
