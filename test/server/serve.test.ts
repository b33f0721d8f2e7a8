// `holdfast serve` as people run it: the built program, in a process of its own.
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ServerFile } from "../../src/app/server-file.ts";
import { type Running, cli, holdfast, start } from "../cli/program.ts";
import { patience } from "../patience.ts";
import { tagged } from "../engine/stage.ts";
import { type EngineWorld, engineWorld } from "../engine/world.ts";
import { type Answer, type Call, speak } from "./world.ts";

let world: EngineWorld;
let servers: Serving[] = [];
beforeEach(() => {
  world = engineWorld();
});
afterEach(async () => {
  // Whatever a test left at work is ended with a server's help.
  for (const server of servers)
    if (server.running.child.exitCode === null) await stop(server, "SIGKILL");
  const last = await serve();
  const { tasks } = (await ask(last, "/api/tasks")).json as unknown as { tasks: TaskLike[] };
  for (const { id, status } of tasks)
    if (status === "in_progress" || status === "review") {
      await ask(last, `/api/tasks/${id}/cancel`, { body: {} });
      await until(last, `/api/tasks/${id}/agent`, ({ status: now }) => now === "failed");
    }
  // One that is still there when its server ends would live on.
  await expectSoon(
    () => tagged(world.home).length === 0,
    () => "agents are left",
  );
  await stop(last, "SIGTERM");
  servers = [];
  await world.close();
});

interface TaskLike {
  readonly id: string;
  readonly status: string;
  readonly questions: string[];
  readonly openDependencies?: unknown[];
}

interface Serving {
  readonly running: Running;
  readonly file: ServerFile;
  /** What it printed so far. */
  readonly out: string[];
  readonly err: string[];
}

const surroundings = (locale = "C") => ({ cwd: world.root, env: world.env, locale });

/** Started, and ready. */
async function serve(words: readonly string[] = [], locale = "C"): Promise<Serving> {
  const running = start([process.execPath, cli, "serve", "--port", "0", ...words], {
    ...surroundings(locale),
    env: { ...world.env, LANG: locale },
  });
  const [out, err]: [string[], string[]] = [[], []];
  running.child.stdout.on("data", (text: string) => out.push(text));
  running.child.stderr.on("data", (text: string) => err.push(text));
  const soon = expectSoon(
    () => out.join("").includes("#token="),
    () => err.join(""),
  );
  const dead = running.ended.then(() => Promise.reject(new Error(err.join(""))));
  await Promise.race([soon, dead]);
  const file = JSON.parse(readFileSync(join(world.home, "server.json"), "utf8")) as ServerFile;
  const server = { running, file, out, err };
  servers.push(server);
  return server;
}

async function stop({ running }: Serving, signal: NodeJS.Signals) {
  running.child.kill(signal);
  return running.ended;
}

const ask = ({ file }: Serving, path: string, call: Call = {}): Promise<Answer> =>
  speak(file as never, path, call);

async function until(
  server: Serving,
  path: string,
  is: (task: TaskLike) => boolean,
): Promise<TaskLike> {
  let last = "";
  for (const began = Date.now(); Date.now() - began < patience;) {
    const answer = await ask(server, path);
    last = answer.text;
    if (is(answer.json as unknown as TaskLike)) return answer.json as unknown as TaskLike;
    await new Promise((turn) => setTimeout(turn, 20));
  }
  throw new Error(`still ${last}\n${server.err.join("")}`);
}

async function expectSoon(is: () => boolean, otherwise: () => string): Promise<void> {
  for (const began = Date.now(); !is();) {
    if (Date.now() - began > patience) throw new Error(otherwise());
    await new Promise((turn) => setTimeout(turn, 10));
  }
}

describe("holdfast serve (S7.1, S7.3, S7.6)", () => {
  test("S7.6 it says where it is, to people and in server.json for us alone, and takes it back when it ends", async () => {
    const server = await serve();
    const path = join(world.home, "server.json");
    expect(Object.keys(server.file)).toEqual(["url", "token", "pid", "startedAt"]);
    expect(server.file.pid).toBe(server.running.child.pid);
    expect(server.file.token).toMatch(/^[\w-]{43}$/);
    for (const file of ["server.json", "server.token"])
      expect(statSync(join(world.home, file)).mode & 0o777).toBe(0o600);
    expect(server.out.join("")).toContain(`${server.file.url}/#token=${server.file.token}`);
    expect(server.file.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(
      (await ask(server, "/healthz", { headers: { authorization: null } })).json,
    ).toMatchObject({ ok: true });
    expect(await stop(server, "SIGINT")).toMatchObject({ code: 0 });
    expect(server.err.join("")).toContain("Stopped. No agent is at work.");
    expect(existsSync(path)).toBe(false);
    expect(existsSync(`${path}.lock`)).toBe(false);
    const again = await serve();
    expect(again.file.token).toBe(server.file.token);
  });

  test("S7.6 a second server of the same home is refused and names the first; one that was killed is taken over", async () => {
    const first = await serve();
    const second = holdfast(["serve", "--port", "0"], surroundings());
    expect(second.code).toBe(5);
    expect(second.err).toContain(`${first.file.url} (process ${first.file.pid})`);
    const json = holdfast(["serve", "--port", "0", "--json"], surroundings());
    expect(JSON.parse(json.out)).toMatchObject({ error: { code: "locked" } });
    expect((await ask(first, "/healthz")).status).toBe(200);
    // Stopped by a person is not dead.
    first.running.child.kill("SIGSTOP");
    expect(holdfast(["serve", "--port", "0"], surroundings()).code).toBe(5);
    first.running.child.kill("SIGCONT");
    await stop(first, "SIGKILL");
    expect(existsSync(join(world.home, "server.json"))).toBe(true);
    const third = await serve();
    expect(third.file.pid).toBe(third.running.child.pid);
  });

  test("S7.1 what the command line asks for while a server runs is done by the server, and told line by line", async () => {
    const server = await serve(["--lang", "ko"]);
    const script = join(world.folder, "script.txt");
    writeFileSync(script, "write notes.md hello\ndone written");
    // oxfmt-ignore
    const made = holdfast(["task", "create", "--type", "custom", "--title", "T", "--description", "D", "--agent", "sample", "--script", script, "--submit", "--json"], surroundings());
    expect(made.code).toBe(0);
    const { id } = JSON.parse(made.out) as TaskLike;
    await until(server, `/api/tasks/${id}`, ({ status }) => status === "completed");
    await expectSoon(
      () => server.out.join("").includes("진행 중 → 완료"),
      () => server.out.join(""),
    );
    expect(server.out.join("")).toContain(`${id}  초안 → 대기 중`);
    const types = holdfast(["task", "types"], surroundings());
    expect(types.out).toContain("create_app");
    expect(holdfast(["task", "projects"], surroundings()).out).toContain(`* `);
    expect(holdfast(["task", "inbox"], surroundings()).out).toBe("Nothing waits for you.\n");
    await expectSoon(
      () => server.err.join("").includes(`${id} 완료: T`),
      () => server.err.join(""),
    );
  });

  test("S1.20 SIGTERM: it ends in good order, says how many agents live on, and goes on with them, secrets and all", async () => {
    const first = await serve();
    const body = {
      type: "custom",
      title: "T",
      description: "D",
      agent: "sample",
      submit: true,
      script: "need api_key API_KEY\nask choice Which? | A | B\nwrite a.md {answer}\ndone x",
    };
    const { id } = (await ask(first, "/api/tasks", { body })).json as unknown as TaskLike;
    await until(
      first,
      `/api/tasks/${id}`,
      ({ openDependencies }) => openDependencies?.length === 1,
    );
    expect(
      (await ask(first, `/api/tasks/${id}/provide`, { body: { value: "a-secret-value" } })).status,
    ).toBe(200);
    await until(first, `/api/tasks/${id}`, ({ questions }) => questions.length === 1);
    expect(await stop(first, "SIGTERM")).toMatchObject({ code: 0 });
    expect(first.err.join("")).toContain("1 agent(s) live on");
    const second = await serve();
    expect((await ask(second, `/api/tasks/${id}/answer`, { body: { answer: "B" } })).status).toBe(
      200,
    );
    const task = await until(
      second,
      `/api/tasks/${id}`,
      ({ status }) => status === "completed" || status === "failed",
    );
    expect(task.status).toBe("completed");
    const log = holdfast(["log", "--task", id, "--json"], surroundings()).out.trim().split("\n");
    const triggers = log.map((line) => (JSON.parse(line) as { trigger: string }).trigger);
    expect(triggers.filter((trigger) => trigger === "ask" || trigger === "answer")).toEqual([
      "ask",
      "answer",
    ]);
  });

  test("S6.5c runs of sessions that wait for their turn are left to them, without a word", async () => {
    for (const goal of ["one", "two"])
      expect(holdfast(["plan", goal, "--in-session", "--queue"], surroundings()).code).toBe(0);
    const server = await serve();
    const script = join(world.root, "ends.holdfast");
    writeFileSync(script, "done made\n");
    const words = ["--type", "custom", "--title", "T", "--description", "D", "--agent", "sample"];
    const made = holdfast(
      ["task", "create", ...words, "--script", script, "--submit", "--json"],
      surroundings(),
    );
    const { id } = JSON.parse(made.out) as TaskLike;
    // By now the queue was looked at, from its first place on.
    await until(server, `/api/tasks/${id}`, ({ status }) => status === "completed");
    expect(`${server.out.join("")}${server.err.join("")}`).not.toContain("session");
    const { tasks } = (await ask(server, "/api/tasks")).json as unknown as { tasks: TaskLike[] };
    expect(tasks.map(({ status }) => status).toSorted()).toEqual([
      "completed",
      "in_progress",
      "pending",
    ]);
    for (const _ of tasks.slice(1)) holdfast(["plan", "cancel"], surroundings());
  });

  test("S7.3 a second Ctrl-C ends it at once, even while somebody is still being answered", async () => {
    const server = await serve();
    const socket = connect(Number(new URL(server.file.url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    // A body that never comes.
    socket.write(
      `POST /session HTTP/1.1\r\nhost: ${new URL(server.file.url).host}\r\nauthorization: Bearer ${server.file.token}\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{`,
    );
    // It says so when it waits for it.
    await once(socket, "data");
    server.running.child.kill("SIGINT");
    await expectSoon(
      () => server.err.join("").includes("Stopping"),
      () => server.err.join(""),
    );
    server.running.child.kill("SIGINT");
    expect(await server.running.ended).toMatchObject({ code: null });
    expect(server.running.child.signalCode).toBe("SIGINT");
    socket.destroy();
  });

  test("S7.2 a port that is taken, a port that is none, an address of another machine: each is refused with what to do", async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
    const { port } = other.address() as AddressInfo;
    const taken = holdfast(["serve", "--port", String(port)], surroundings());
    expect(taken).toMatchObject({ code: 4 });
    expect(taken.err).toContain(`Port ${port} is taken`);
    expect(taken.err).toContain("--port 0");
    other.close();
    expect(holdfast(["serve", "--port", "65536"], surroundings())).toMatchObject({ code: 2 });
    expect(holdfast(["serve", "--port", "1.5"], surroundings())).toMatchObject({ code: 2 });
    expect(holdfast(["serve", "--slots", "0"], surroundings())).toMatchObject({ code: 2 });
    expect(holdfast(["serve", "--prt", "1"], surroundings()).err).toContain("--port");
    const remote = holdfast(["serve", "--port", "0", "--host", "0.0.0.0"], surroundings());
    expect(remote).toMatchObject({ code: 4 });
    expect(remote.err).toContain("--allow-remote");
    // Nothing of a refused one is left.
    expect(existsSync(join(world.home, "server.json"))).toBe(false);
    const meant = await serve(["--host", "0.0.0.0", "--allow-remote"]);
    expect(meant.err.join("")).toContain("not encrypted");
  });

  test("S7.2 its help has its flags and an example, in both languages; a misspelt command leads to it", () => {
    for (const lang of ["en", "ko"]) {
      const help = holdfast(["serve", "--help", "--lang", lang]).out;
      expect(help).toMatch(
        /--port <n>[^]*--host <name>[^]*--slots <n>[^]*--open[^]*--allow-remote/,
      );
      expect(help).toContain("holdfast serve --port 0 --slots 2");
    }
    expect(holdfast(["serv"]).err).toContain("holdfast serve");
  });
});
