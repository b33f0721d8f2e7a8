// `npm start` as a newcomer runs it: its own copy of the sample project, a server, work under way.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ServerFile } from "../../src/app/server-file.ts";
import { limit } from "../crash/programs.ts";
import { tagged } from "../engine/stage.ts";
import { speak } from "../server/world.ts";
import { type Running, root, start } from "./program.ts";

let folder: string;
let running: Running | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-start-"));
});
afterEach(async () => {
  if (running?.child.exitCode === null) running.child.kill("SIGKILL");
  await running?.ended;
  rmSync(folder, { recursive: true, force: true, maxRetries: 100, retryDelay: 20 });
});

interface Tasks {
  readonly tasks: { id: string; title: string; status: string; questions: string[] }[];
}

test(
  "S7.1 npm start shows a task under review and one with a question; it ends in good order, and goes on",
  limit,
  async () => {
    const env = { XDG_DATA_HOME: folder, HOME: folder };
    const begin = (): Running =>
      start([process.execPath, join(root, "scripts/start.mjs"), "--port", "0"], {
        env,
        locale: "ko_KR.UTF-8",
      });
    running = begin();
    const server = await ready(running);
    const stands = async (): Promise<string[]> =>
      (await list(server)).map(({ title, status, questions }) =>
        [title, status, questions.length].join(" "),
      );
    await expect
      .poll(async () => (await stands()).toSorted(), { interval: 100 })
      .toEqual(["동네 도서관 예약 in_progress 1", "할 일 목록 앱 review 0"]);
    running.child.kill("SIGINT");
    // The terminal's Ctrl-C reaches both; here only we do.
    process.kill(server.pid, "SIGINT");
    expect(await running.ended).toMatchObject({ code: 0 });

    running = begin();
    const again = await ready(running);
    expect(await list(again)).toHaveLength(2);
    for (const { id } of await list(again))
      await speak(again as never, `/api/tasks/${id}/cancel`, { body: {} });
    await expect
      .poll(async () => (await list(again)).map(({ status }) => status))
      .toEqual(["failed", "failed"]);
    // One that is still there when its server ends would live on.
    await expect.poll(() => tagged(join(folder, "holdfast-sample", "home"))).toEqual([]);
    process.kill(again.pid, "SIGTERM");
    expect(await running.ended).toMatchObject({ code: 0 });
  },
);

// --- internal ---

async function list(at: ServerFile): Promise<Tasks["tasks"]> {
  return ((await speak(at as never, "/api/tasks")).json as unknown as Tasks).tasks;
}

async function ready({ child }: Running): Promise<ServerFile> {
  await new Promise<void>((done, failed) => {
    let said = "";
    child.stdout.on("data", (text: string) => {
      said += text;
      if (said.includes("#token=")) done();
    });
    child.once("exit", () => failed(new Error(`it ended: ${said}`)));
  });
  const file = join(folder, "holdfast-sample", "home", "server.json");
  return JSON.parse(readFileSync(file, "utf8")) as ServerFile;
}
