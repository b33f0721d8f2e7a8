// No field of a request's files is written and never used (S4.2b): each is looked for in what agents are
// told, what is accepted, what gates see, what people see and what can be recalled.
import { expect, test } from "vitest";
import { contractReaders } from "../../src/app/recall/_contracts.ts";
import type { Looked } from "../../src/app/operations/_look.ts";
import { requestGlance } from "../../src/app/operations/_status-parts.ts";
import { requestRun } from "../../src/app/operations/_units-documents.ts";
import { printYaml } from "../../src/formats/yaml.ts";
import { complaintsAbout } from "../../src/workflows/request/accept.ts";
import { judged } from "../../src/workflows/request/assumptions.ts";
import type { Board } from "../../src/workflows/request/board.ts";
import { applyOutcome } from "../../src/workflows/request/apply.ts";
import { briefOf } from "../../src/workflows/request/brief.ts";
import { itemsToJudge, scanned, strayFiles } from "../../src/workflows/request/gates.ts";
import { withDesign } from "../../src/workflows/request/learn.ts";
import { newRun } from "../../src/workflows/request/private.ts";
import { stateOf } from "../../src/workflows/request/start.ts";
import { promptOf } from "../../src/workflows/request/prompts/prompt.ts";
import { type AgentStep, stepsOf } from "../../src/workflows/request/steps.ts";
import { fieldOf, fieldsOf, leavesOf, otherwise } from "../fields.ts";
import { Play } from "./play.ts";
import { agentFiles, done, failing, formIn, source, testFile, usual } from "./scripted.ts";

type Whole = Required<{ [K in keyof Board]: NonNullable<Board[K]> }>;

const now = "2026-02-02T00:00:00Z";
const design = {
  interfaces: [
    {
      name: "read",
      input: { type: "object", fields: [{ name: "id", type: "string" }] },
      output: { type: "object", fields: [{ name: "item", type: "Item" }] },
      contract: "by id",
    },
  ],
  boundaries: [{ from: "item", to: "database", allowed: false, note: "by its port alone" }],
};

/** Its tests failed once, so that all contracts are there; every role's step on the way. */
function played(): { board: Whole; steps: AgentStep[] } {
  const play = new Play();
  const steps = new Map<string, AgentStep>();
  for (let [order] = play.orders(); order !== undefined; [order] = play.orders()) {
    for (const step of stepsOf(play.board()))
      if (step.kind === "agent" && !steps.has(step.work)) steps.set(step.work, step);
    if (order.key === "R1.T1-S1.implement-2") break;
    play.take(outcomeOf(order));
  }
  const board = play.board() as Whole;
  const knowledge = {
    ...board.knowledge,
    patterns: { naming: "camelCase" },
    pitfalls: [{ id: "P1", description: "a trap", reason: "fell in", learned_from: "T0" }],
  };
  const manifest = { claude_md: "/projects/shop/CLAUDE.md", agents_md: "/projects/shop/AGENTS.md" };
  const session = { ...board.session, manifest };
  return { board: { ...board, session, knowledge }, steps: [...steps.values()] };
}

function outcomeOf(order: Parameters<typeof usual>[0]) {
  if (order.key === "R1.T1-S1.run-1")
    return { kind: "ran", key: order.key, code: 1, output: failing } as const;
  if (order.key !== "R1.T1-S1.judge-1" || order.kind !== "agent") return usual(order, { design });
  const form = formIn(order);
  const [draft = ""] = order.wanted;
  const failed = [{ id: "TC-1", name: "reads_an_item", category: "code_error", message: "1 ≠ 2" }];
  const execution = { ...(form["execution"] as object), command: "npx vitest run", result: "fail" };
  const text = printYaml({
    ...form,
    execution,
    summary: { total: 1, passed: 0, failed: 1, skipped: 0 },
    failed_tests: failed,
    recommendation: { action: "retry_implementation", reason: "wrong" },
  });
  return done(order, { ...agentFiles(order, { design }), [draft]: text });
}

const parts = {
  "request-session": "session",
  "request-state": "state",
  explored: "explored",
  "task-breakdown": "breakdown",
  "design-brief": "brief",
  "design-contract": "design",
  "test-contract": "tests",
  "test-result": "result",
  knowledge: "knowledge",
} as const satisfies Record<string, keyof Whole>;

async function seen(board: Whole, steps: readonly AgentStep[]): Promise<string> {
  const { state, session, explored, breakdown, brief, design: designed, tests, result } = board;
  const looked = {
    at: (_path: string, format: keyof typeof parts) => Promise.resolve(board[parts[format]]),
    sessions: () => Promise.resolve([{ path: "state.json", state, updatedAt: session.updated_at }]),
  } as unknown as Looked;
  return JSON.stringify([
    steps.map((step) => promptOf(board, step, {})),
    stepsOf(board),
    complaintsAbout(board, "explored", explored),
    complaintsAbout(board, "task-breakdown", breakdown),
    complaintsAbout(board, "design-contract", designed),
    complaintsAbout(board, "test-contract", tests),
    complaintsAbout(board, "test-result", result),
    judged(breakdown.assumptions, explored),
    briefOf(breakdown, explored, "T1", "en", now),
    orderOf(board),
    itemsToJudge(board),
    strayFiles(board, [source, testFile]),
    scanned(board, { [source]: 'import "database";\n' }),
    withDesign(board.knowledge, designed, brief, now).decisions,
    Object.entries(parts).map(([format, part]) =>
      contractReaders[format as keyof typeof parts]?.(board[part] as never, now),
    ),
    await requestGlance(looked),
    await requestRun(looked),
  ]);
}

/** In which order tasks come, once the plan is in. */
function orderOf(board: Whole): unknown {
  const run = newRun({ id: "R1", text: board.run.text, language: "en", branch: null }, ["plan"]);
  const discovering = { ...board, run, state: stateOf({ run }) };
  const step = stepsOf(discovering).find(({ kind }) => kind === "agent") as AgentStep;
  const outcome = { kind: "done", key: step.key, commit: null, changed: [], words: "" } as const;
  const drafts = { [step.draft ?? ""]: { ok: true, value: board.breakdown } as const };
  return applyOutcome(discovering, { ...outcome, files: {} }, drafts, now).state.task_order;
}

async function safely(board: Whole, steps: readonly AgentStep[]): Promise<string> {
  try {
    return await seen(board, steps);
  } catch (cause) {
    // It stumbles over it: it has been read.
    return String(cause);
  }
}

/** Read before anything else of the file is: what is newer is refused, whose hand it is not as well. */
const byTheFormat = ["/version", "/created_by"];
/** Whose it is: written anew when the project has moved (S4.1). */
const whose = ["/project/path", "/project/name", "/project/hash", "/project"];

test.each(Object.keys(parts) as (keyof typeof parts)[])(
  "S4.2b every field of %s is used",
  async (format) => {
    const { board, steps } = played();
    const fields = await fieldsOf(format);
    const part = parts[format];
    const before = await seen(board, steps);
    const [there, used] = [new Set<string>(), new Set<string>()];
    for (const { path } of leavesOf(board[part])) {
      const names = path.map((_, at) => fieldOf(path.slice(0, at + 1), fields));
      for (const name of names) there.add(name);
      const changed = { ...board, [part]: otherwise(board[part], path) } as Whole;
      if ((await safely(changed, steps)) === before) continue;
      for (const name of names) used.add(name);
    }
    const known = new Set([...byTheFormat, ...(format === "knowledge" ? whose : [])]);
    expect([...fields].filter((field) => !there.has(field))).toEqual([]);
    expect([...fields].filter((field) => !used.has(field) && !known.has(field))).toEqual([]);
  },
);
