// Every type of task from draft to completed, by the API and by the command line: the same calls, put
// in the one form and the other (S1.2–S1.6, S1.17, S1.22). The command line is a process of its own
// beside the server that owns the task.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OperationName, operations } from "../../src/app/operations.ts";
import { cli, start } from "../cli/program.ts";
import { type Course, courses, ownType } from "../engine/courses.ts";
import { limit } from "../crash/programs.ts";
import { type ServerWorld, serverWorld } from "./world.ts";

let world: ServerWorld;
beforeAll(async () => {
  world = serverWorld();
  writeFileSync(join(world.root, "holdfast.yaml"), ownType);
  await world.serve();
});
afterAll(() => world.end());

type Input = Readonly<Record<string, string>>;
type Way = (name: OperationName, input: Input) => Promise<Record<string, never>>;

const ways: Readonly<Record<string, Way>> = {
  "the API": async (name, input) => {
    const [method, path] = (operations[name] as { http: readonly [string, string] }).http;
    const { id = "", ...rest } = input;
    const target = path.replace("{id}", id);
    const call =
      method === "GET"
        ? await world.call(`${target}?${new URLSearchParams(rest).toString()}`)
        : await world.call(target, { body: rest });
    if (call.status !== 200) throw new Error(`${name}: ${call.status} ${call.text}`);
    return call.json;
  },
  "the command line": async (name, input) => {
    const { id, script, ...rest } = input;
    const file = join(world.folder, "script.txt");
    if (script !== undefined) writeFileSync(file, script);
    const flags = Object.entries({ ...rest, ...(script === undefined ? {} : { script: file }) });
    const words = [
      ...name.split(" "),
      ...(id === undefined ? [] : [id]),
      ...flags.flatMap(([field, value]) => [
        `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        value,
      ]),
      "--json",
    ];
    const { ended } = start([process.execPath, cli, ...words], {
      cwd: world.root,
      env: world.env,
    });
    const { code, out, err } = await ended;
    if (code !== 0) throw new Error(`${words.join(" ")}: ${code} ${out}${err}`);
    return JSON.parse(out) as Record<string, never>;
  },
};

const cases = Object.keys(ways).flatMap((way) =>
  Object.keys(courses).map((type) => [way, type] as const),
);

test.each(cases)(
  "S1.17 by %s, %s goes from draft to completed: question, dependency, limit, rework, reviews, each step in the log",
  limit,
  async (wayName, type) => {
    const way = ways[wayName] as Way;
    const course = courses[type] as Course;
    const { script } = course;
    const made = await way("task create", {
      type,
      title: "A list",
      description: "Do it.",
      agent: "sample",
      script,
    });
    const id = String(made["id"]);
    expect(made).toMatchObject({ status: "draft", totalPhases: course.phases, progress: 0 });
    const queued = await way("task submit", { id });
    expect(queued).toMatchObject({ totalPhases: course.phases });

    const path = `/api/tasks/${id}`;
    await world.until(path, ({ questions }) => (questions as string[]).length > 0);
    const asking = await way("task agent", { id });
    expect(asking).toMatchObject({
      status: "waiting_question",
      blockedBy: "question",
      tokensUsed: 1200,
    });
    await way("task answer", { id, answer: "blue" });
    await world.until(path, ({ dependencies }) => (dependencies as string[]).length > 0);
    expect(await way("task show", { id })).toMatchObject({
      status: "in_progress",
      currentPhase: 1,
      blockedBy: "dependency",
    });
    await way("task provide", { id, value: "s3cret-value" });
    if (course.reviewed) await reviewAll(way, id, course);
    const ended = await world.until(
      path,
      ({ status }) => status === "completed" || status === "failed",
    );
    expect(ended).toMatchObject({ status: "completed", progress: 100, failure: null });
    const workspace = String(ended["workspace"]);
    expect(course.files.filter((file) => !existsSync(join(workspace, file)))).toEqual([]);
    expect(readFileSync(join(workspace, "answer.txt"), "utf8")).toContain("Blue");
    await judgeLog(id, course, type);
  },
);

// --- internal ---

/** Approves what it was shown; of the second phase it wants something else first. */
async function reviewAll(way: Way, id: string, { phases }: Course): Promise<void> {
  let seen = "";
  const next = async (phase: number): Promise<{ reviewId: string; hash: string }> => {
    await world.until(`/api/tasks/${id}`, ({ status, reviews }) => {
      if (status === "failed") throw new Error("it failed");
      return (reviews as string[]).some((review) => review !== seen);
    });
    const shown = await way("task review", { id });
    expect(shown).toMatchObject({ status: "open", phase });
    seen = String(shown["id"]);
    return { reviewId: seen, hash: String(shown["hash"]) };
  };
  for (let phase = 1; phase <= phases; phase++) {
    let review = await next(phase);
    if (phase === 2) {
      const { reviewId } = review;
      await way("task request-changes", { id, reviewId, feedback: "Say more." });
      review = await next(phase);
    }
    await way("task approve", { id, ...review });
  }
}

async function judgeLog(id: string, course: Course, type: string): Promise<void> {
  const { json } = await world.call(`/api/log?task=${id}&limit=500`);
  const log = json["transitions"] as unknown as Record<"machine" | "from" | "to", string>[];
  const of = (machine: string): string[] =>
    log.flatMap((each) => (each.machine === machine ? `${each.from}→${each.to}` : []));
  // Custom names no file and no check: there is nothing to refuse.
  const refused = type === "custom" ? [] : ["in_progress→in_progress"];
  const phase = (n: number): string[] => [
    "in_progress→review",
    ...(n === 2 ? ["review→in_progress", "in_progress→review"] : []),
    n === course.phases ? "review→completed" : "review→in_progress",
  ];
  expect(of("task")).toEqual([
    "none→draft",
    "draft→pending",
    "pending→in_progress",
    ...refused,
    ...(course.reviewed
      ? Array.from({ length: course.phases }, (_, place) => phase(place + 1)).flat()
      : ["in_progress→completed"]),
  ]);
  expect(of("agent")).toEqual(
    expect.arrayContaining([
      "idle→running",
      "running→waiting_question",
      "waiting_question→running",
      "running→waiting_dependency",
      "waiting_dependency→running",
      "running→paused",
      "paused→running",
    ]),
  );
  expect(of("agent").at(-1)).toMatch(/→completed$/);
}
