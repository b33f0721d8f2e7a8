// The demo of `npm start`, in folders of its own: for tests that look at what a newcomer sees.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerFile } from "../../src/app/server-file.ts";
import { tagged } from "../engine/stage.ts";
import { speak } from "../server/world.ts";
import { type Ended, type Running, root, start } from "./program.ts";

export interface DemoTask {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly questions: readonly string[];
  readonly workspace: string | null;
}

export interface Demo {
  readonly running: Running;
  readonly server: ServerFile;
  /** What it answers to a client of this language. */
  readonly get: (path: string, language?: string) => Promise<string>;
  readonly tasks: () => Promise<readonly DemoTask[]>;
}

/** Removed with what still runs in it. */
export function demoFolder(): {
  readonly folder: string;
  readonly end: (running: Running | undefined) => Promise<void>;
} {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-start-"));
  const end = async (running: Running | undefined): Promise<void> => {
    if (running?.child.exitCode === null) running.child.kill("SIGKILL");
    await running?.ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 100, retryDelay: 20 });
  };
  return { folder, end };
}

/** Where the demo of a language keeps everything. */
export function demoPlace(folder: string, language: string): string {
  return join(folder, "holdfast-sample", language);
}

export function startDemo(folder: string, locale: string, flags: readonly string[] = []): Running {
  return start([process.execPath, join(root, "scripts/start.mjs"), "--port", "0", ...flags], {
    env: { XDG_DATA_HOME: folder, HOME: folder },
    locale,
  });
}

/** Once its server listens. */
export async function demoOf(running: Running, place: string): Promise<Demo> {
  await new Promise<void>((done, failed) => {
    let said = "";
    running.child.stdout.on("data", (text: string) => {
      said += text;
      if (said.includes("#token=")) done();
    });
    running.child.once("exit", () => failed(new Error(`it ended: ${said}`)));
  });
  const server = JSON.parse(readFileSync(join(place, "home", "server.json"), "utf8")) as ServerFile;
  const get = async (path: string, language = "en"): Promise<string> =>
    (await speak(server as never, path, { headers: { "accept-language": language } })).text;
  const tasks = async (): Promise<readonly DemoTask[]> =>
    (JSON.parse(await get("/api/tasks")) as { tasks: DemoTask[] }).tasks;
  return { running, server, get, tasks };
}

/** Looks until it is so; the limit is the test's or hook's own. */
export async function until(is: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await is())) await new Promise((turn) => setTimeout(turn, 50));
}

/** Cancels its tasks, so that no agent of theirs outlives the server, and ends it. */
export async function endDemo({ running, server, tasks }: Demo, place: string): Promise<Ended> {
  for (const { id } of await tasks())
    await speak(server as never, `/api/tasks/${id}/cancel`, { body: {} });
  await until(async () => (await tasks()).every(({ status }) => status === "failed"));
  await until(() => tagged(join(place, "home")).length === 0);
  process.kill(server.pid, "SIGTERM");
  return running.ended;
}
