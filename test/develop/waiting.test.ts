// What waits for a person is still there when its process was killed, and what the person says meanwhile is
// taken by the next one (S0.9, S1.15).
import { existsSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Features, approves, carriedOut, design, features } from "./repository.ts";
import { stateFile } from "./world.ts";

const limit = { timeout: 600_000 };

test(
  "S0.9 S1.15 a design and a merge that wait for a person keep waiting over kills; approved while nobody runs, they are taken",
  limit,
  async () => {
    const made = features({ DESIGN: [design("cp-1")] });
    const first = await waitingAt(made, ["chat"], review);
    expect(await waitingAt(made, ["--resume"], review)).toBe(first);
    expect(statusOf(made, first)).toBe("review");
    expect(made.shell("develop", "--approve")).toMatchObject({ code: 0 });
    expect(statusOf(made, first)).toBe("completed");
    const merge = await waitingAt(made, ["--resume"], review);
    expect(made.state()?.phase).toBe("MERGE");
    expect(await waitingAt(made, ["--resume"], review)).toBe(merge);
    expect(made.shell("task", "approve", merge)).toMatchObject({ code: 0 });
    const { code } = await carriedOut(made, ["--resume"], approves(made));
    expect([code, made.state()?.phase]).toEqual([0, "DONE"]);
    expect(Object.fromEntries(made.conversations())).toEqual({
      DESIGN: 1,
      REVIEW: 1,
      "cp-1": 1,
      MERGE: 1,
    });
  },
);

test(
  "S0.9 no session takes a finished design's place: it is refused, says whose it is, and changes nothing",
  limit,
  async () => {
    const made = features({ DESIGN: [design("cp-1")] });
    const waiting = await waitingAt(made, ["chat"], review);
    const { code, err } = made.shell("develop", "--resume", "--in-session", "--session", "a");
    expect([code, err.includes(`holdfast task approve ${waiting}`)]).toEqual([4, true]);
    expect(statusOf(made, waiting)).toBe("review");
    const { code: end } = await carriedOut(made, ["--resume"], approves(made));
    expect([end, made.conversations().get("DESIGN")]).toEqual([0, 1]);
  },
);

test(
  "S1.15 sent back while nobody runs, a design is mended by the agent that made it",
  limit,
  async () => {
    const made = features({ DESIGN: [design("cp-1")] });
    const waiting = await waitingAt(made, ["chat"], review);
    expect(made.shell("develop", "--send-back", "smaller steps")).toMatchObject({ code: 0 });
    expect(statusOf(made, waiting)).toBe("in_progress");
    const { out } = made.shell("task", "show", waiting, "--json");
    expect(out).not.toContain('"cancelled"');
    expect(made.shell("task", "cancel", runOf(made))).toMatchObject({ code: 0 });
  },
);

test(
  "S1.15 a question of an agent, and one of the run, answered while nobody runs, are not asked again",
  limit,
  async () => {
    const red = { write: { "red.txt": "0 passed\n" } };
    const made = features({
      DESIGN: [{ ...design("cp-1"), ask: "Which colour?" }],
      "cp-1": [red, red, red, {}],
    });
    const asked = await waitingAt(made, ["chat"], question);
    expect(made.shell("task", "answer", asked, "--answer", "red")).toMatchObject({ code: 0 });
    const run = await waitingAt(made, ["--resume"], question, approves(made));
    expect([run, made.conversations().get("DESIGN")]).toEqual([runOf(made), 1]);
    expect(made.shell("task", "answer", run, "--answer", "retry")).toMatchObject({ code: 0 });
    const { code, out } = await carriedOut(made, ["--resume"], approves(made, "stop"));
    expect([code, made.state()?.phase]).toEqual([0, "DONE"]);
    expect(out).not.toContain("holdfast task answer");
    expect(made.conversations().get("cp-1")).toBe(4);
  },
);

test(
  "S0.8 a state.yaml that a person removed is not written back: the old state is kept and reported, and a new run begins",
  limit,
  async () => {
    const made = features({ DESIGN: [{ until: "never" }] });
    const session = ["--in-session", "--session", "a"];
    expect(made.shell("develop", "chat", ...session)).toMatchObject({ code: 0 });
    const path = join(made.project, stateFile);
    const held = readFileSync(path, "utf8");
    rmSync(path);
    const { code, err } = made.shell("develop", "--resume", ...session);
    const [, kept = ""] = /kept in (\S+state\.yaml)/.exec(err) ?? [];
    expect([code, readFileSync(kept, "utf8"), existsSync(path)]).toEqual([3, held, false]);
    // Put back, it is the run again.
    writeFileSync(path, held);
    expect(made.shell("develop", "--resume", ...session).out).toContain("chat");
    const run = runOf(made);
    rmSync(dirname(path), { recursive: true });
    expect(made.shell("develop", "search", ...session)).toMatchObject({ code: 0 });
    expect([made.state()?.feature, made.state()?.phase]).toEqual(["search", "DESIGN"]);
    expect([statusOf(made, run), statusOf(made, runOf(made))]).toEqual(["failed", "in_progress"]);
  },
);

test(
  "S0.8 removed under a run that works, state.yaml ends it with its agents; it says why, and nothing is written back",
  limit,
  async () => {
    const made = features({ DESIGN: [{ until: "never" }] });
    const path = join(made.project, stateFile);
    const watching = watch(made.log, () => {
      if (made.conversations().has("DESIGN")) rmSync(path, { force: true });
    });
    onTestFinished(() => watching.close());
    const { code, out, err } = await carriedOut(made, ["chat"], () => undefined);
    expect([code, existsSync(path)]).toEqual([4, false]);
    expect(`${out}${err}`).toContain("was removed, which gives up the run");
    const open = made.shell(
      "task",
      "list",
      "--run",
      runOf(made),
      "--status",
      "in_progress",
      "--json",
    );
    expect(JSON.parse(open.out)).toMatchObject({ tasks: [] });
  },
);

// --- internal ---

const review = /holdfast task approve (task_\w+)/;
const question = /holdfast task answer (task_\w+)/;

/** Killed as soon as it says that this waits; gives the task that does. */
async function waitingAt(
  made: Features,
  words: readonly string[],
  what: RegExp,
  person: (line: string) => void = () => undefined,
): Promise<string> {
  const killing = new AbortController();
  let task = "";
  const watching = (line: string): void => {
    const found = what.exec(line)?.[1];
    if (found === undefined) return person(line);
    task = found;
    killing.abort();
  };
  await carriedOut(made, words, watching, killing.signal);
  expect(task).not.toBe("");
  return task;
}

function statusOf({ shell }: Features, id: string): string {
  return (JSON.parse(shell("task", "show", id, "--json").out) as { status: string }).status;
}

function runOf({ shell }: Features): string {
  const { tasks } = JSON.parse(shell("task", "list", "--json").out) as { tasks: { id: string }[] };
  return tasks[0]?.id ?? "";
}
