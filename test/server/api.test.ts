import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unzipSync } from "fflate";
import { git } from "../engine/world.ts";
import { type Json, type ServerWorld, routesOf, serverWorld } from "./world.ts";
import { pagePaths } from "../../src/server/static.ts";

let world: ServerWorld;
beforeAll(async () => {
  world = serverWorld();
  writeFileSync(join(world.root, "holdfast.yaml"), settings);
  git(world.root, ["add", "."], world.env);
  git(world.root, ["commit", "-q", "-m", "settings"], world.env);
  await world.serve();
});
afterAll(() => world.end());

/** Two phases, each ended by a review. */
const settings = `version: 1
agent: sample
task_types:
  memo:
    title: A memo
    phases:
      - { name: Draft, prompt: Write it., deliverables: [{ path: memo.md }] }
      - { name: Final, prompt: Polish it., deliverables: [{ path: final.md }], review: false }
`;
const memo = "write memo.md a memo\nphase 1\nwrite final.md done\nphase 2";
const asking = "ask choice Which colour? | Red | Blue\nsay {answer}\ndone written";

const reviewOf = async (id: string): Promise<string> => {
  const task = await world.until(
    `/api/tasks/${id}`,
    ({ reviews }: { reviews: string[] }) => reviews.length > 0,
  );
  return (task["reviews"] as unknown as string[])[0] ?? "";
};
const questionOf = async (id: string): Promise<string> => {
  const task = await world.until(
    `/api/tasks/${id}`,
    ({ questions }: { questions: string[] }) => questions.length > 0,
  );
  return (task["questions"] as unknown as string[])[0] ?? "";
};

/** What the refusal says. */
async function bad(path: string, body: unknown): Promise<string | undefined> {
  const answer = await world.call(path, { body });
  expect(answer.status).toBe(400);
  expect(answer.json.error?.code).toBe("invalid_input");
  return answer.json.error?.message;
}

const firstId = (json: Json): string => (json["tasks"] as unknown as { id: string }[])[0]?.id ?? "";

describe("the API (S1.22)", () => {
  test("S1.22 a task and its agent are flat, with exactly the fields of the specification and ours", async () => {
    const id = await world.task(asking);
    await questionOf(id);
    const task = (await world.call(`/api/tasks/${id}`)).json;
    expect(task).toMatchObject({ id, status: "in_progress", currentPhase: 1, progress: 0 });
    // oxfmt-ignore
    expect(Object.keys(task).toSorted()).toEqual([
      "actions", "agent", "agentStatus", "answers", "archived", "attempts", "blockedBy", "completedAt", "costUsd",
      "createdAt", "currentPhase", "decisions", "dependencies", "dependsOn", "description", "failedAt", "failure",
      "held", "holds", "id", "openDependencies", "openQuestions", "openReviews", "phaseName", "phases", "priority", "progress",
      "projectId", "questions", "retryOf", "reviews", "run", "startedAt", "status", "title", "tokens", "totalPhases", "type",
      "unit", "updatedAt", "waits", "workspace", "zip", "zipBytes",
    ]);
    const agent = (await world.call(`/api/tasks/${id}/agent`)).json;
    expect(agent).toMatchObject({
      status: "waiting_question",
      currentPhase: 1,
      currentStep: null,
      tokensUsed: 0,
      blockedBy: "question",
    });
    // oxfmt-ignore
    expect(Object.keys(agent).toSorted()).toEqual([
      "blockedBy", "checkpoint", "cost", "currentPhase", "currentStep", "holds", "id", "lastUpdate", "name",
      "progress", "status", "tokensUsed",
    ]);
    // Its snapshot may come between the two calls.
    const both = async () => [
      (await world.call(`/api/tasks/${id}/agent`)).json,
      (await world.call(`/api/tasks/${id}/agents`)).json["agents"],
    ];
    await expect.poll(async () => isSame(await both())).toBe(true);
  });

  test("S1.22 an error is {code, message, hint, allowed?}: not found, refused, invalid, and the language is the client's", async () => {
    const unknown = await world.call("/api/tasks/task_none");
    expect(unknown.status).toBe(404);
    expect(unknown.json).toEqual({
      error: {
        code: "not_found",
        message: "There is no task task_none.",
        hint: expect.any(String),
      },
    });
    const draft = await world.call("/api/tasks", {
      body: { type: "custom", title: "T", description: "D" },
    });
    const refused = await world.call(`/api/tasks/${String(draft.json["id"])}/pause`, { body: {} });
    expect(refused.status).toBe(409);
    expect(refused.json.error).toEqual({
      code: "refused",
      message: expect.any(String),
      hint: "Allowed now: submit, edit, delete.",
      allowed: ["submit", "edit", "delete"],
    });
    const korean = await world.call("/api/tasks/task_none", {
      headers: { "accept-language": "de;q=0.9, ko-KR, en;q=0.5" },
    });
    expect(korean.json.error).toMatchObject({
      code: "not_found",
      message: "task_none라는 작업이 없습니다.",
    });
    const nowhere = await world.call("/api/nothing");
    expect(nowhere).toMatchObject({ status: 404, json: { error: { code: "not_found" } } });
    const method = await world.call(`/api/tasks/${String(draft.json["id"])}/submit`);
    expect(method).toMatchObject({ status: 405, headers: { allow: "POST" } });
  });

  test("S1.22 an unknown field, a wrong type and a broken body are 400 and name the place", async () => {
    const task = { type: "custom", title: "T", description: "D" };
    expect(await bad("/api/tasks", { ...task, titel: "x" })).toContain("titel");
    expect(await bad("/api/tasks", { ...task, dependsOn: ["a", 7] })).toContain("dependsOn/1");
    expect(await bad("/api/tasks", { type: "custom" })).toContain("title");
    expect(await bad("/api/tasks/x/submit", { id: "y" })).toContain("id");
    expect(
      await bad("/api/tasks", '{"type":"custom","title":"T","__proto__":{"submit":true}}'),
    ).toContain("__proto__");
    expect(await bad("/api/tasks", "[]")).toBe("The body is not a JSON object.");
    expect(await bad("/api/tasks", "{")).toBe("The body is not a JSON object.");
    expect(await bad("/api/tasks", { ...task, type: "nothing" })).toContain("no task type");
  });

  test("S1.22 a query is typed by the schema: numbers, truth values, enumerations", async () => {
    const two = await world.call("/api/tasks?limit=1&archived=false");
    expect(two.status).toBe(200);
    expect(two.json["tasks"]).toHaveLength(1);
    const cursor = encodeURIComponent(String(two.json["cursor"]));
    const next = await world.call(`/api/tasks?limit=1&cursor=${cursor}`);
    expect(firstId(next.json)).not.toBe(firstId(two.json));
    const wrong = ["limit=many", "limit=0", "limit=1.5", "status=late", "limit=1&limit=2"];
    for (const query of [...wrong, "archived=yes", "nonsense=1", "constructor=1"]) {
      const { status, json } = await world.call(`/api/tasks?${query}`);
      expect({ query, status, code: json.error?.code }).toEqual({
        query,
        status: 400,
        code: "invalid_input",
      });
    }
  });

  test("S1.5 two approvals at once over HTTP: one is taken, one is refused with 409", async () => {
    const id = await world.task(memo, { type: "memo" });
    const reviewId = await reviewOf(id);
    const shown = (await world.call(`/api/tasks/${id}/review`)).json;
    const approve = () =>
      world.call(`/api/tasks/${id}/approve`, { body: { reviewId, hash: shown["hash"] } });
    const answers = await Promise.all([approve(), approve()]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const no = answers.find(({ status }) => status === 409);
    expect(no?.json.error).toMatchObject({ code: "refused" });
    await world.until(
      `/api/tasks/${id}`,
      ({ status }: { status: string }) => status === "completed",
    );
  });

  test("S1.5 what changed since it was shown is not approved, and feedback sends it back", async () => {
    const id = await world.task(memo, { type: "memo" });
    const reviewId = await reviewOf(id);
    const stale = await world.call(`/api/tasks/${id}/approve`, {
      body: { reviewId, hash: "0".repeat(64) },
    });
    expect(stale.status).toBe(409);
    const empty = await world.call(`/api/tasks/${id}/request-changes`, {
      body: { reviewId, feedback: " " },
    });
    expect(empty.status).toBe(409);
    const back = await world.call(`/api/tasks/${id}/request-changes`, {
      body: {
        reviewId,
        feedback: "Shorter.",
        comments: [{ path: "memo.md", line: 1, text: "this" }],
      },
    });
    expect(back).toMatchObject({ status: 200, json: { status: "in_progress" } });
  });

  test("S1.22 Idempotency-Key: sent twice it is done once, and answers the same; it counts for its own task alone", async () => {
    const [one, other] = [await world.task(asking), await world.task(asking)];
    const questions = { [one]: await questionOf(one), [other]: await questionOf(other) };
    const answer = (id: string, key: string, text = "Blue") =>
      world.call(`/api/tasks/${id}/answer`, {
        body: { answer: text, questionId: questions[id] },
        headers: { "idempotency-key": key },
      });
    const [first, again] = [await answer(one, "k1"), await answer(one, "k1")];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect((await answer(one, "k2")).status).toBe(409);
    expect(await answer(other, "k1", "Green")).toMatchObject({ status: 400 });
    expect((await answer(other, "k3")).status).toBe(200);
    const log = await world.server.serving.context("en", new AbortController().signal).store();
    for (const id of [one, other]) {
      const answered = (await log.transitions({ taskId: id })).filter(
        ({ trigger }) => trigger === "answer",
      );
      expect(answered).toHaveLength(1);
    }
  });

  test("S1.22 Idempotency-Key: an answer without the question's id, and a new task, are taken once too", async () => {
    const body = {
      type: "custom",
      title: "Once",
      description: "Do it.",
      script: asking,
      submit: true,
    };
    const make = (key: string) =>
      world.call("/api/tasks", { body, headers: { "idempotency-key": key } });
    const [made, again, other] = [await make("new"), await make("new"), await make("newer")];
    expect([made.status, again.status, other.status]).toEqual([200, 200, 200]);
    expect(again.json["id"]).toBe(made.json["id"]);
    expect(other.json["id"]).not.toBe(made.json["id"]);
    const id = String(made.json["id"]);
    await questionOf(id);
    const answer = () =>
      world.call(`/api/tasks/${id}/answer`, {
        body: { answer: "Blue" },
        headers: { "idempotency-key": "a" },
      });
    expect([(await answer()).status, (await answer()).status]).toEqual([200, 200]);
  });

  test("S1.2 a task that is to be submitted at once and may not be leaves no draft behind", async () => {
    const count = async (): Promise<number> =>
      ((await world.call("/api/tasks?limit=500")).json["tasks"] as unknown as object[]).length;
    const before = await count();
    const refused = await world.call("/api/tasks", {
      body: { type: "custom", title: "", description: "Do it.", submit: true },
    });
    expect(refused.status).toBe(409);
    await expect.poll(count).toBe(before);
  });

  test("S1.22 a task may be made for any project of the home; one that nobody knows is refused", async () => {
    const { projects } = (await world.call("/api/projects")).json as unknown as {
      projects: { id: string; root: string }[];
    };
    const body = { type: "custom", title: "There", description: "Do it." };
    for (const project of [projects[0]?.id, projects[0]?.root]) {
      const made = await world.call("/api/tasks", { body: { ...body, project } });
      expect(made).toMatchObject({ status: 200, json: { projectId: projects[0]?.id } });
    }
    const unknown = await world.call("/api/tasks", { body: { ...body, project: "/nowhere" } });
    expect(unknown).toMatchObject({ status: 404, json: { error: { code: "not_found" } } });
  });

  test("S1.6 the ZIP is streamed with a safe name; before there is one, that is said", async () => {
    const id = await world.task("write notes.md all is well\ndone written");
    const early = await world.call(`/api/tasks/${await world.task(asking)}/zip`);
    expect(early).toMatchObject({ status: 409, json: { error: { code: "refused" } } });
    await world.until(
      `/api/tasks/${id}`,
      ({ status }: { status: string }) => status === "completed",
    );
    await expect.poll(async () => (await world.call(`/api/tasks/${id}/zip`)).status).toBe(200);
    const answer = await fetch(`${world.server.url}/api/tasks/${id}/zip`, {
      headers: { authorization: `Bearer ${world.server.token}` },
    });
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="${id}.zip"`);
    expect(answer.headers.get("content-type")).toBe("application/zip");
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(bytes.length).toBe(Number(answer.headers.get("content-length")));
    const files = unzipSync(bytes);
    expect(Buffer.from(files["notes.md"] ?? []).toString("utf8")).toContain("all is well");
    const outside = await world.call(`/api/tasks/${encodeURIComponent("../../holdfast.db")}/zip`);
    expect(outside.status).toBe(404);
  });

  test("S1.22 the inbox holds what waits for a person: what blocks most first, then what waits longest", async () => {
    const [old, blocking, urgent] = [
      await world.task(asking),
      await world.task(asking),
      await world.task(asking, { priority: "critical" }),
    ];
    for (const id of [old, blocking, urgent]) await questionOf(id);
    const waiting = { dependsOn: [blocking], title: "Later" };
    await world.task("done x", waiting);
    const { items } = (await world.call("/api/inbox")).json as unknown as { items: InboxItem[] };
    const place = (id: string): number => items.findIndex(({ taskId }) => taskId === id);
    expect(place(urgent)).toBe(0);
    expect(place(blocking)).toBe(1);
    expect(place(old)).toBeGreaterThan(1);
    expect(items[1]).toMatchObject({
      kind: "question",
      question: "Which colour?",
      options: ["Red", "Blue"],
      blocks: 2,
    });
    const rest = items.slice(2).map(({ since }) => since);
    expect(rest).toEqual(rest.toSorted());
  });

  test("S1.21 the journal can be asked for a task's transitions; what would never end is refused", async () => {
    const id = await world.task("done x");
    await world.until(`/api/tasks/${id}`, isCompleted);
    const log = (await world.call(`/api/log?task=${id}&limit=2`)).json as unknown as Log;
    expect(log.transitions).toHaveLength(2);
    expect(log.transitions[1]).toMatchObject({ taskId: id, type: "state_transition" });
    const all = (await world.call(`/api/log?task=${id}&limit=0`)).json as unknown as Log;
    expect(all.transitions[0]).toMatchObject({ from: "none", to: "draft", trigger: "create" });
    const endless = await world.call(`/api/log?task=${id}&follow=true`);
    expect(endless.status).toBe(400);
    expect(endless.json.error?.hint).toContain("/api/events");
  });

  test("S1.17 types and projects are listed, with the project's own type and the one we are in", async () => {
    const { types } = (await world.call("/api/types")).json as unknown as {
      types: { name: string; builtIn: boolean }[];
    };
    expect(types.map(({ name }) => name)).toEqual([
      "create_app",
      "modify_app",
      "workflow",
      "custom",
      "develop",
      "plan",
      "request",
      "orchestrate",
      "memo",
    ]);
    expect(types.at(-1)).toMatchObject({
      title: "A memo",
      builtIn: false,
      phases: [
        { name: "Draft", review: true, deliverables: ["memo.md"] },
        { name: "Final", review: false, deliverables: ["final.md"] },
      ],
    });
    const { projects } = (await world.call("/api/projects")).json as unknown as {
      projects: object[];
    };
    expect(projects).toEqual([
      {
        id: expect.any(String),
        root: world.root,
        here: true,
        tasks: expect.any(Number),
        createdAt: expect.any(String),
      },
    ]);
  });
});

interface Log {
  readonly transitions: readonly object[];
}

const isCompleted = ({ status }: { status: string }): boolean => status === "completed";

interface InboxItem {
  readonly taskId: string;
  readonly since: string;
}

describe("what describes the API", () => {
  test("S1.22 OpenAPI 3.1 has every route, each schema compiles, and the answers keep to it", async () => {
    const api = (await world.call("/api/openapi.json")).json as unknown as OpenApi;
    expect(api.openapi).toBe("3.1.0");
    const { routes } = routesOf(world.server);
    for (const { method, path } of routes.table) {
      if (["/api", "/session", "/api/openapi.json", "/assets/{file}"].includes(path)) continue;
      if ((pagePaths as readonly string[]).includes(path)) continue;
      expect(api.paths[path]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined();
    }
    const ajv = new Ajv({ strict: false });
    for (const operation of Object.values(api.paths).flatMap((path) => Object.values(path)))
      for (const schema of schemasIn(operation)) ajv.compile(schema);
    const tasks = await world.call("/api/tasks");
    const shape =
      api.paths["/api/tasks"]?.["get"]?.responses["200"]?.content?.["application/json"]?.schema;
    expect(ajv.validate(shape ?? false, tasks.json)).toBe(true);
  });

  test("the page lists every operation with its fields, in both languages, and loads nothing from elsewhere", async () => {
    for (const language of ["en", "ko"]) {
      const page = await world.call("/api", { headers: { "accept-language": language } });
      expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(page.text).toContain(`<html lang="${language}">`);
      const { routes } = routesOf(world.server);
      for (const { method, path } of routes.table)
        expect(page.text).toContain(`<code>${method} ${path}</code>`);
      expect(page.text).not.toMatch(/<script|<link|<img|<iframe|src=|@import|url\(|https?:/);
      expect(page.text).not.toMatch(/\bundefined\b|\[object/);
      expect(page.text).toContain("prefers-color-scheme: dark");
    }
  });

  test("S6.6 what may run is named by the policy: a style's hash on this page, files of our own on the other", async () => {
    const { text, headers } = await world.call("/api");
    const policy = String(headers["content-security-policy"]);
    const [, inside = ""] = /<style>([^]*?)<\/style>/.exec(text) ?? [];
    const hash = createHash("sha256").update(inside).digest("base64");
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
    expect(policy).not.toMatch(/unsafe|script-src/);
    for (const path of ["/", "/board", "/t/task_x/review"]) {
      const page = await world.call(path, { headers: { authorization: null } });
      expect(page.status).toBe(200);
      expect(page.headers["content-security-policy"]).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self'; /,
      );
      expect(page.text).not.toMatch(/<style|<script>|\son\w+=|https?:/);
    }
  });

  test("S6.2 an address nobody knows is the page as a 404 for a browser, and JSON for everybody else", async () => {
    const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
    const opened = { authorization: null, accept, "sec-fetch-mode": "navigate" };
    const linked = { ...opened, "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" };
    const { text, headers } = await world.call("/");
    for (const path of ["/graph", "/t", "/g/a/b", "/nothing/at/all"])
      for (const sent of [opened, linked]) {
        const page = await world.call(path, { headers: sent });
        expect([path, page.status, page.text]).toEqual([path, 404, text]);
        expect(page.headers["content-security-policy"]).toBe(headers["content-security-policy"]);
      }
    const refused = { status: 401, json: { error: { code: "unauthorized" } } };
    const unknown = { status: 404, json: { error: { code: "not_found" } } };
    expect(await world.call("/graph", { headers: { authorization: null } })).toMatchObject(refused);
    expect(await world.call("/graph")).toMatchObject(unknown);
    expect(await world.call("/api/graph", { headers: opened })).toMatchObject(refused);
    expect(await world.call("/api/graph", { headers: { accept } })).toMatchObject(unknown);
    expect(await world.call("/assets/none.js", { headers: opened })).toMatchObject(unknown);
    const rebound = { ...opened, host: "evil.example" };
    expect(await world.call("/graph", { headers: rebound })).toMatchObject({ status: 403 });
    expect(await world.call("/graph", { headers: { accept }, body: {} })).toMatchObject(unknown);
  });

  test("S6.6 a file of the page is served for ever under its own name, packed if wanted, and nothing beside it", async () => {
    const { text } = await world.call("/");
    const names = [...text.matchAll(/assets\/[\w.-]+/g)].map(([name]) => name);
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      const plain = await world.call(`/${name}`, { headers: { authorization: null } });
      expect(plain.status).toBe(200);
      expect(plain.headers["cache-control"]).toContain("immutable");
      const packed = await world.call(`/${name}`, { headers: { "accept-encoding": "gzip, br" } });
      expect(packed.headers["content-encoding"]).toBe("gzip");
    }
    for (const path of [
      "/assets/..%2Findex.html",
      "/assets/%2e%2e%2fcli.js",
      "/assets/none.js",
      "/assets/.gz",
    ])
      expect((await world.call(path)).status).toBe(404);
  });
});

interface OpenApi {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, OpenOperation>>;
}
interface OpenOperation {
  readonly parameters?: readonly { readonly schema: object }[];
  readonly requestBody?: Content;
  readonly responses: Record<string, Content>;
}
interface Content {
  readonly content?: Record<string, { readonly schema: object }>;
}

const inside = (content: Content | undefined): object[] =>
  Object.values(content?.content ?? {}).map(({ schema }) => schema);

function schemasIn({ parameters = [], requestBody, responses }: OpenOperation): object[] {
  return [
    ...parameters.map(({ schema }) => schema),
    ...inside(requestBody),
    ...Object.values(responses).flatMap(inside),
  ];
}

describe("limits", () => {
  test("a body of more than a mebibyte is refused with 413, said or not said beforehand", async () => {
    const large = `{"type":"custom","title":"${"x".repeat(1_100_000)}"}`;
    const said = await world.call("/api/tasks", { body: large });
    expect(said).toMatchObject({ status: 413, json: { error: { code: "too_large" } } });
    const { routes, port } = routesOf(world.server);
    const unsaid = await routes.app.request("http://127.0.0.1/api/tasks", {
      method: "POST",
      headers: {
        host: `127.0.0.1:${port}`,
        authorization: `Bearer ${world.server.token}`,
        "content-type": "application/json",
      },
      body: new ReadableStream({
        pull: (controller) => controller.enqueue(Buffer.alloc(65_536, "x")),
      }),
      duplex: "half",
    });
    expect(unsaid.status).toBe(413);
  });

  test("writes are limited a minute, reads are not touched by it, and the bucket fills again", async () => {
    let now = 0;
    const { routes, port } = routesOf(world.server, {
      now: () => now,
      rates: { read: 100, write: 3 },
    });
    const ask = async (method: "GET" | "POST"): Promise<Response> =>
      routes.app.request(method === "GET" ? "/api/projects" : "/session", {
        method,
        headers: {
          host: `127.0.0.1:${port}`,
          authorization: `Bearer ${world.server.token}`,
          "content-type": "application/json",
        },
      });
    for (let count = 0; count < 3; count++) expect((await ask("POST")).status).toBe(200);
    const no = await ask("POST");
    expect(no.status).toBe(429);
    expect(no.headers.get("retry-after")).toBe("20");
    expect(await no.json()).toMatchObject({ error: { code: "too_many_requests" } });
    expect((await ask("GET")).status).toBe(200);
    now += 20_000;
    expect((await ask("POST")).status).toBe(200);
    expect((await ask("POST")).status).toBe(429);
  });
});

function isSame([one, all]: readonly unknown[]): boolean {
  return isDeepStrictEqual([one], all);
}
