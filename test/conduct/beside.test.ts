// A foreground run among others in one home: it carries itself and nothing else (S6.5c), and a server or
// another run may be at work beside it.
import { type ChildProcessWithoutNullStreams, spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  watch,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Ended, cli, holdfast, start } from "../cli/program.ts";
import { type Features, approves, carriedOut, design, features } from "../develop/repository.ts";
import { designFile } from "../develop/world.ts";

const limit = { timeout: 600_000 };

test(
  "S6.5c a foreground run starts nothing that is queued, neither for another project nor for its own",
  limit,
  async () => {
    const made = features({ DESIGN: [design("cp-1")] });
    const other = neighbour(made);
    const queued = [queue(made, other), queue(made, made.project)];
    const { code } = await carriedOut(made, ["chat"], approves(made));
    expect([code, made.state()?.phase]).toEqual([0, "DONE"]);
    expect(queued.map((id) => statusOf(made, id))).toEqual(["pending", "pending"]);
    // What a command asks of one of them changes that one alone.
    expect(made.shell("task", "cancel", queued[1] ?? "")).toMatchObject({ code: 0 });
    expect(made.shell("task", "submit", queued[1] ?? "")).toMatchObject({ code: 0 });
    expect(queued.map((id) => statusOf(made, id))).toEqual(["pending", "pending"]);
  },
);

test(
  "S6.5c two foreground runs in two projects of one home: each carries its own to the end",
  limit,
  async () => {
    const first = features({ DESIGN: [{ ...design("cp-1"), until: "first" }] });
    const second = sharing(features({ DESIGN: [design("cp-1")] }), first);
    const waiting = carriedOut(first, ["chat"], approves(first));
    await spoken(first, "DESIGN");
    const { code } = await carriedOut(second, ["search"], approves(second));
    expect([code, second.state()?.phase, first.state()?.phase]).toEqual([0, "DONE", "DESIGN"]);
    first.open("first");
    expect([(await waiting).code, first.state()?.phase]).toEqual([0, "DONE"]);
  },
);

test(
  "S6.5c serve beside a foreground run starts, leaves its agents and commands alone, and starts what is queued",
  limit,
  async () => {
    const made = features({ DESIGN: [pipedDesign()], "cp-1": [{ until: "cp" }] });
    pipe(made);
    const queued = queue(made, neighbour(made));
    const run = carriedOut(made, ["chat"], approves(made));
    await spoken(made, "cp-1");
    const server = await served(made);
    made.open("cp");
    await appeared(join(made.folder, "validating"));
    // A second server comes while the run's own command is under way: nobody's leftover.
    await stopped(server);
    await served(made);
    release(made);
    expect([(await run).code, made.state()?.phase]).toEqual([0, "DONE"]);
    expect(Object.fromEntries(made.conversations())).toEqual({
      DESIGN: 1,
      REVIEW: 1,
      "cp-1": 1,
      MERGE: 1,
    });
    await until(made, join(made.folder, "neighbour"), () => statusOf(made, queued) === "completed");
  },
);

test(
  "S6.5c a server beside a foreground run goes on with it when the run's terminal is gone",
  limit,
  async () => {
    const made = features({ DESIGN: [design("cp-1")], "cp-1": [{ until: "cp" }] });
    const killing = new AbortController();
    const run = carriedOut(made, ["chat"], approves(made), killing.signal);
    await spoken(made, "cp-1");
    await served(made);
    killing.abort();
    await run;
    made.open("cp");
    let review: string | undefined;
    await until(made, made.project, () => (review = waitingReview(made)) !== undefined);
    expect(made.shell("task", "approve", review ?? "")).toMatchObject({ code: 0 });
    await until(made, made.project, () => made.state()?.phase === "DONE");
    expect(made.conversations().get("cp-1")).toBe(1);
  },
);

test(
  "S6.5c a terminal that follows a server's run carries it itself when the server ends",
  limit,
  async () => {
    const made = features({ DESIGN: [design("cp-1")], "cp-1": [{ until: "cp" }] });
    const server = await served(made);
    const run = carriedOut(made, ["chat"], approves(made));
    await spoken(made, "cp-1");
    await stopped(server);
    made.open("cp");
    expect([(await run).code, made.state()?.phase]).toEqual([0, "DONE"]);
    expect(made.conversations().get("cp-1")).toBe(1);
  },
);

// --- the neighbours ---

/** Another project of the same home. */
function neighbour({ folder }: Features): string {
  const project = join(folder, "neighbour");
  mkdirSync(project);
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  for (const words of [
    ["init", "-q", "-b", "main"],
    ["config", "user.name", "Test"],
    ["config", "user.email", "test@localhost"],
    ["commit", "-q", "--allow-empty", "-m", "begin"],
  ])
    expect(spawnSync("git", words, { cwd: project, env }).status).toBe(0);
  return project;
}

function sharing(made: Features, { home, env }: Features): Features {
  const shell: Features["shell"] = (...words) => holdfast(words, { cwd: made.project, env });
  return { ...made, home, env, shell };
}

/** A task of the sample agent, which needs nobody. */
function queue({ env }: Features, cwd: string): string {
  const words = ["--type", "custom", "--title", "Other", "--description", "Other"];
  const sample = ["--agent", "sample", "--submit", "--json"];
  const { out, err } = holdfast(["task", "create", ...words, ...sample], { cwd, env });
  expect(err).toBe("");
  return (JSON.parse(out) as { id: string }).id;
}

function statusOf({ shell }: Features, id: string): string {
  return (JSON.parse(shell("task", "show", id, "--json").out) as { status: string }).status;
}

function waitingReview({ shell }: Features): string | undefined {
  const { items } = JSON.parse(shell("task", "inbox", "--json").out) as {
    items: { kind: string; taskId: string }[];
  };
  return items.find(({ kind }) => kind === "review")?.taskId;
}

/** Looked at after each line of the journal. */
async function until({ env }: Features, cwd: string, is: () => boolean): Promise<void> {
  const { child } = start([process.execPath, cli, "log", "--follow"], { cwd, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  while (!is()) await new Promise((turn) => child.stdout.once("data", turn));
  child.kill("SIGKILL");
}

// --- the server ---

interface Served {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
}

async function served({ project, env }: Features): Promise<Served> {
  const words = ["serve", "--port", "0"];
  const server = start([process.execPath, cli, ...words], { cwd: project, env });
  onTestFinished(() => void server.child.kill("SIGKILL"));
  let said = "";
  await new Promise<void>((ready, failed) => {
    server.child.stdout.on("data", (text: string) => {
      said += text;
      if (said.includes("#token=")) ready();
    });
    void server.ended.then(({ err }) => failed(new Error(err)));
  });
  return server;
}

async function stopped({ child, ended }: Served): Promise<void> {
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0 });
}

// --- what happens when ---

/** The unit's agent has begun to speak. */
async function spoken({ conversations, log }: Features, unit: string): Promise<void> {
  await seen(log, () => conversations().has(unit));
}

async function appeared(path: string): Promise<void> {
  await seen(join(path, ".."), () => existsSync(path));
}

async function seen(path: string, is: () => boolean): Promise<void> {
  await new Promise<void>((turn) => {
    const look = (): void => {
      if (!is()) return;
      watching.close();
      turn();
    };
    const watching = watch(path, look);
    look();
  });
}

/** A checkpoint whose validation says that it has begun, and ends when the test lets it. */
function pipedDesign() {
  const place = '"$HOLDFAST_HOME"/..';
  const held = `{ exec 3<> ${place}/pipe; : > ${place}/validating; read word <&3; }`;
  const command = `test -e ${place}/released || ${held}; cat cp-1.txt`;
  const validation = { command, expected: "1 passed" };
  const entry = { id: "cp-1", description: "makes cp-1", validation };
  return { write: { [designFile]: JSON.stringify({ checkpoints: [entry] }) } };
}

function pipe({ folder }: Features): void {
  expect(spawnSync("mkfifo", [join(folder, "pipe")]).status).toBe(0);
}

function release({ folder }: Features): void {
  writeFileSync(join(folder, "released"), "");
  // Refused where nobody reads: the command was ended.
  const file = openSync(join(folder, "pipe"), constants.O_WRONLY | constants.O_NONBLOCK);
  writeSync(file, "go\n");
  closeSync(file);
}
