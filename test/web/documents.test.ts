// The files of requests as people think of them, whatever is missing or damaged.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadCodec } from "../../src/formats/codec.ts";
import { formatOfPath } from "../../src/formats/registry.ts";
import type { Documents } from "../../web/data/wire.ts";
import { addressOf } from "../../web/screens/documents/place.ts";
import { broken, damagedIn, requestsOf } from "../../web/screens/contracts/model.ts";

const root = join(import.meta.dirname, "../fixtures/seeds/full");

/** As the server tells them. */
async function told(): Promise<Documents> {
  const paths = readdirSync(join(root, ".claude/orchestrator"), {
    recursive: true,
    encoding: "utf8",
  });
  const documents: Documents["documents"][number][] = [];
  for (const name of paths) {
    const path = `.claude/orchestrator/${name}`;
    const format = formatOfPath(path);
    if (format === undefined) continue;
    const read = (await loadCodec(format)).read(readFileSync(join(root, path)));
    if (read.ok) documents.push({ path, format, value: read.value, says: null, findings: [] });
  }
  return { stamp: "", unchanged: false, documents, requests: [], problems: [], left: 0 };
}

const damaged = (data: Documents, name: string): Documents => ({
  ...data,
  documents: data.documents.map((each) =>
    each.path.endsWith(name)
      ? { ...each, value: null, says: { message: "bad", hint: null }, findings: [] }
      : each,
  ),
});

describe("S4.2 the contracts of a request, put together", () => {
  test("tasks in their order, with what is begun and what is only planned, and its contracts", async () => {
    const [request, ...others] = requestsOf(await told());
    expect(others).toEqual([]);
    expect(request).toMatchObject({ key: "a1b2c3d4 R1", id: "R1", status: "active" });
    const [first, second] = request?.tasks ?? [];
    expect(first).toMatchObject({ id: "T1", name: "a API 구현", status: "in_progress" });
    expect(first?.subtasks.map(({ id, status }) => [id, status])).toEqual([
      ["T1-S1", "completed"],
      ["T1-S2", "in_progress"],
      ["T1-S3", "pending"],
    ]);
    expect(first?.subtasks[1]?.contract?.value?.test_cases).toHaveLength(2);
    expect(first?.design?.value?.invariants).toHaveLength(2);
    expect(second).toMatchObject({ id: "T2", name: "b API 구현", status: "pending" });
  });

  test("S4.3 a damaged state leaves plan and contracts standing, and is named", async () => {
    const [request] = requestsOf(damaged(await told(), "state.json"));
    expect(damagedIn(request as never).map(({ path }) => path)).toEqual([
      ".claude/orchestrator/sessions/a1b2c3d4/state.json",
    ]);
    expect(request?.text).toBe("XX컨트롤러 구현해줘");
    expect(request?.tasks.map(({ id }) => id)).toEqual(["T1", "T2"]);
  });

  test("a damaged plan and design leave what the state and the folders say", async () => {
    const data = damaged(damaged(await told(), "task-breakdown.yaml"), "design-contract.yaml");
    const [request] = requestsOf(data);
    expect(request?.tasks.map(({ id, name }) => [id, name])).toEqual([
      ["T1", "a API 구현"],
      ["T2", "T2"],
    ]);
    const [task] = request?.tasks ?? [];
    expect(broken(task?.brief, task?.design)).toHaveLength(1);
    expect(task?.brief?.value?.scope_out).toEqual(["인증 로직"]);
  });

  test("S4.2 requests that wait for their turn stand first; an older one keeps what the database knows", async () => {
    const data = await told();
    const gate = {
      subtask: "T1-S1",
      gate: "GATE-4",
      result: "passed",
      at: "",
      verdicts: [],
      uncovered: [],
    };
    const row = { task: "task_1", text: "Older", asks: null };
    const requests = requestsOf({
      ...data,
      documents: data.documents.filter(({ path }) => !/(?:state|session)\.json$/.test(path)),
      requests: [
        { ...row, id: "R2", status: "pending", text: "Waits", gates: [] },
        { ...row, id: "R1", status: "completed", gates: [gate as never] },
      ],
    });
    expect(requests.map(({ id, text, status }) => [id, text, status])).toEqual([
      ["R2", "Waits", "pending"],
      ["R1", "Older", "completed"],
    ]);
    const [, older] = requests;
    expect(older?.tasks[0]?.subtasks[0]).toMatchObject({
      status: "completed",
      gates: { "GATE-4": "passed" },
    });
  });
});

describe("S4.9 what was recalled leads to the document it stands in", () => {
  const cases: readonly [path: string, show: string | undefined][] = [
    [".claude/memory/task-state.json", "/memory?project=p&show=plan"],
    [".claude/memory/agents/researcher.json", "/memory?project=p&show=agent+researcher"],
    [".claude/memory/backup/task-state.json", undefined],
    [".claude/orchestrator/knowledge/a1/knowledge.yaml", "/contracts?project=p&show=knowledge"],
    [
      ".claude/orchestrator/sessions/a1/contracts/R1/explored.yaml",
      "/contracts?project=p&show=a1+R1",
    ],
    [
      ".claude/orchestrator/sessions/a1/contracts/R1/T1/T1-S2/test-result.yaml",
      "/contracts?project=p&show=a1+R1+T1-S2",
    ],
    ["TASKS.md", undefined],
  ];
  test.each(cases)("%s", (path, address) => {
    expect(addressOf(path, "p")).toBe(address);
  });
});
