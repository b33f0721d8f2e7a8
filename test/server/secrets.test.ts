// Twenty secrets are provided over HTTP to an agent that spills them wherever it can. Afterwards they
// must stand nowhere but in what the agent itself wrote: its own raw output, which only the owner of
// the home may read, and the files of its workspace (docs/api.md says so).
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listen } from "./listener.ts";
import { type ServerWorld, routesOf, serverWorld } from "./world.ts";

const count = 20;
const names = Array.from({ length: count }, (_, place) => `CANARY_${place + 1}`);
const values = names.map((name, place) => `canary-${place}-${name.length}qXw7Zp${place}Vt`);

let world: ServerWorld;
let id = "";
/** Everything that ever left by the door. */
const left: string[] = [];
beforeAll(async () => {
  world = serverWorld();
  await world.serve();
  const stream = await listen(world.server, "?after=0");
  const agent = resolve(import.meta.dirname, "leaky-agent.mjs");
  id = await world.task("", {
    agent: `command:'${process.execPath}' '${agent}' ${names.join(",")}`,
    script: undefined,
  });
  for (const [place, name] of names.entries()) {
    const task = await world.until(
      `/api/tasks/${id}`,
      ({ openDependencies }: { openDependencies: { name: string }[] }) =>
        openDependencies.some((each) => each.name === name),
    );
    const [{ id: dependencyId } = { id: "" }] = task["openDependencies"] as unknown as {
      id: string;
    }[];
    const value = values[place];
    for (const body of [
      { dependencyId, value: { value } },
      { dependencyId, value, valeu: value },
      `{"value":"${value}"`,
    ])
      left.push((await world.call(`/api/tasks/${id}/provide`, { body })).text);
    left.push(
      (await world.call(`/api/tasks/${id}/provide`, { body: { dependencyId, value } })).text,
    );
  }
  const asked = await world.until(
    `/api/tasks/${id}`,
    ({ questions, status }: { questions: string[]; status: string }) =>
      questions.length > 0 || status === "failed",
  );
  left.push(...(await everything()));
  left.push((await world.call(`/api/tasks/${id}/answer`, { body: { answer: "No" } })).text);
  if (asked["status"] !== "in_progress") throw new Error(JSON.stringify(asked));
  await world.until(
    `/api/tasks/${id}`,
    ({ status }: { status: string }) => status === "completed" || status === "failed",
  );
  await world.until(`/api/tasks/${id}/zip`, ({ error }: { error?: object }) => error === undefined);
  left.push(...(await everything()), JSON.stringify(stream.heard), ...world.told);
  stream.close();
});
afterAll(() => world.end());

/** Every GET there is, about this task. */
async function everything(): Promise<string[]> {
  const paths = routesOf(world.server)
    .routes.table.filter(({ method, path }) => method === "GET" && path !== "/api/events")
    .map(({ path }) => path.replace("{id}", id));
  const recalled = "/api/recall?limit=100&question=canary%20test%20secret%20value%20key";
  return Promise.all([...paths, recalled].map(async (path) => (await world.call(path)).text));
}

const forms = values.flatMap((value) => [value, Buffer.from(value).toString("base64")]);
const spilt = (bytes: Buffer | string): string[] => forms.filter((form) => bytes.includes(form));

test("the agent did spill all of them: its own output and files are full of them", () => {
  const runs = filesBelow(join(world.home, "runs")).filter((file) => file.endsWith("/out"));
  const all = Buffer.concat(runs.map((file) => readFileSync(file)));
  expect(spilt(all)).toEqual(forms);
});

test("S6.6 twenty provided values are in no answer, no stream, no log line, no figure", () => {
  expect(left.length).toBeGreaterThan(100);
  const found = left.filter((text) => spilt(text).length > 0).map((text) => text.slice(0, 200));
  expect(found).toEqual([]);
  const task = left.filter((text) => text.includes("Shall I use"));
  expect(task.length).toBeGreaterThan(0);
});

test("S6.6 they lie clear in no file of the home, the database and its log included, but in what the agent wrote", () => {
  const ofAgent = /^(?:runs\/[^/]+\/(?:out|err)|workspaces\/[^/]+\/(?:leak\.txt|name-.*))$/;
  const files = filesBelow(world.home);
  expect(files.some((file) => file.endsWith("holdfast.db"))).toBe(true);
  const found = files
    .filter((file) => spilt(readFileSync(file)).length > 0 || spilt(file).length > 0)
    .map((file) => relative(world.home, file))
    .filter((file) => !ofAgent.test(file));
  expect(found).toEqual([]);
});

test("S6.6 what the agent wrote may be read by its user alone", () => {
  const streams = filesBelow(join(world.home, "runs")).filter((file) =>
    /\/(?:out|err|in)$/.test(file),
  );
  expect(streams.length).toBeGreaterThan(count);
  expect(streams.filter((file) => (statSync(file).mode & 0o077) !== 0)).toEqual([]);
  expect(statSync(world.home).mode & 0o077).toBe(0);
});

test("S6.6 no snapshot and no ZIP holds one, in content or name; what is harmless is in both", async () => {
  const repository = join(world.home, "trees", `${id}.git`);
  const git = (...args: string[]): Buffer =>
    execFileSync("git", ["--git-dir", repository, ...args], { maxBuffer: 1 << 28 });
  const objects = git("cat-file", "--batch-all-objects", "--batch");
  expect(objects.includes("nothing secret here")).toBe(true);
  expect(spilt(objects)).toEqual([]);
  const answer = await fetch(`${world.server.url}/api/tasks/${id}/zip`, {
    headers: { authorization: `Bearer ${world.server.token}` },
  });
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  expect(Object.keys(files)).toContain("clean.md");
  const inside = Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes)] as const);
  expect(inside.filter(([name, bytes]) => spilt(name).length + spilt(bytes).length > 0)).toEqual(
    [],
  );
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
