// What a request leaves in a project: every contract, as its agents would have written it, and its row
// in the database with what its gates found.
import { join } from "node:path";
import { rowOf } from "../../src/app/_wiring.ts";
import { newRow } from "../../src/app/request/rows.ts";
import { projectHash } from "../../src/core/ids.ts";
import { printYaml } from "../../src/formats/yaml.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { newRun, noWork } from "../../src/workflows/request/private.ts";
import { type Word, at, json, put } from "./remembered.ts";

/** In the files and, with what its gates found, in the database. */
export async function writeContracts(root: string, database: string, word: Word): Promise<void> {
  const hash = projectHash(root);
  const folder = `.claude/orchestrator/sessions/${hash}`;
  const write = json(root, folder);
  write("session.json", {
    version: 1,
    project: { path: root, name: "shop-web", hash },
    status: "active",
    current_task: "T1",
    created_at: at(0),
    updated_at: at(50),
    manifest: { claude_md: join(root, "CLAUDE.md"), agents_md: null },
  });
  write("state.json", requestStateOf(word));
  const contract = yaml(root, `${folder}/contracts/R1`);
  for (const [path, value] of Object.entries(contractsOf(word))) contract(path, value);
  yaml(root, `.claude/orchestrator/knowledge/${hash}`)(
    "knowledge.yaml",
    knowledgeOf(root, hash, word),
  );
  await writeRow(root, database, word);
}

// --- internal ---

function yaml(root: string, folder: string) {
  return (path: string, value: unknown): void => put(join(root, folder, path), printYaml(value));
}

function requestStateOf(word: Word): object {
  const gates = { "GATE-1": "passed", "GATE-2": "passed", "GATE-3": "passed", "GATE-4": "passed" };
  return {
    version: 2,
    request: {
      id: "R1",
      original_request: word(
        "Add an order API with a stock check",
        "재고를 확인하는 주문 API를 추가해 줘",
      ),
      status: "active",
      current_task: "T1",
      global_phase: "task_loop",
    },
    tasks: {
      T1: {
        name: word("Order API", "주문 API"),
        status: "in_progress",
        current_subtask: "T1-S2",
        subtasks: {
          "T1-S1": {
            name: word("Stock check", "재고 확인"),
            status: "completed",
            phase: "complete",
            gates,
          },
          "T1-S2": {
            name: word("POST /orders", "POST /orders 구현"),
            status: "in_progress",
            phase: "implementation",
            gates: { "GATE-1": "passed", "GATE-3": "passed", "GATE-4": "failed" },
          },
        },
        subtask_order: ["T1-S1", "T1-S2"],
        created_at: at(5),
        updated_at: at(50),
      },
    },
    task_order: ["T1", "T2"],
  };
}

function contractsOf(word: Word): Record<string, object> {
  const head = { version: 1, request_id: "R1", created_at: at(6) };
  const task = { ...head, task_id: "T1", task_name: word("Order API", "주문 API") };
  const files = [
    { entity: "OrderService", path: "src/orders/service.ts", status: "to_create" },
    { entity: "StockRepository", path: "src/stock/repository.ts", status: "exists" },
  ];
  return {
    "explored.yaml": {
      ...head,
      created_by: "code-explore",
      project_manifest: { claude_md: "/shop-web/CLAUDE.md", agents_md: null },
      explored_files: [
        {
          path: "src/stock/repository.ts",
          summary: word("Reads and reserves stock", "재고를 읽고 예약한다"),
        },
      ],
      directory_structure: { src: word("Code", "소스 코드"), test: word("Tests", "테스트") },
    },
    "task-breakdown.yaml": {
      ...head,
      created_by: "planner",
      original_request: word(
        "Add an order API with a stock check",
        "재고를 확인하는 주문 API를 추가해 줘",
      ),
      objective: word("Orders that never oversell", "재고보다 많이 팔지 않는 주문"),
      tasks: [
        {
          id: "T1",
          name: word("Order API", "주문 API"),
          objective: word("An endpoint that takes orders", "주문을 받는 엔드포인트"),
          subtasks: [
            { id: "T1-S1", name: word("Stock check", "재고 확인"), description: "" },
            { id: "T1-S2", name: word("POST /orders", "POST /orders 구현"), description: "" },
          ],
        },
        {
          id: "T2",
          name: word("Receipts", "영수증"),
          objective: word("A receipt for every order", "주문마다 영수증"),
          subtasks: [{ id: "T2-S1", name: word("PDF", "PDF 만들기"), description: "" }],
        },
      ],
      assumptions: [word("Stock is kept in one table", "재고는 표 하나에 있다")],
      task_order: ["T1", "T2"],
    },
    "T1/design-brief.yaml": {
      ...task,
      created_by: "orchestrator",
      objective: word("An endpoint that takes orders", "주문을 받는 엔드포인트"),
      subtasks: [
        { id: "T1-S1", name: word("Stock check", "재고 확인") },
        { id: "T1-S2", name: word("POST /orders", "POST /orders 구현") },
      ],
      completion_criteria: [
        word("Two orders at once never oversell", "동시에 주문해도 재고를 넘지 않는다"),
      ],
      scope_in: [word("Orders and stock", "주문과 재고")],
      scope_out: [word("Payment", "결제")],
      file_refs: files,
    },
    "T1/design-contract.yaml": {
      ...task,
      created_by: "architect",
      invariants: [
        { id: "INV-1", rule: word("Stock is never negative", "재고는 음수가 되지 않는다") },
        {
          id: "INV-2",
          rule: word("The domain knows no database", "도메인은 데이터베이스를 모른다"),
        },
      ],
      interfaces: [
        {
          name: "OrderService.place",
          input: { type: "OrderRequest", fields: [{ name: "items", type: "Item[]" }] },
          output: { type: "Result<Order, OutOfStock>" },
          contract: word("Reserves, then writes", "예약한 뒤 주문을 쓴다"),
        },
      ],
      boundaries: [
        { from: "OrderController", to: "OrderService", allowed: true },
        {
          from: "OrderController",
          to: "StockRepository",
          allowed: false,
          note: word("only through the service", "서비스를 거쳐서만"),
        },
      ],
      layer_assignments: [{ component: "OrderService", layer: "application" }],
      file_refs: files,
    },
    "T1/T1-S2/test-contract.yaml": {
      ...head,
      task_id: "T1",
      subtask_id: "T1-S2",
      created_by: "qa-engineer",
      subtask_name: word("Stock check", "재고 확인"),
      test_cases: [
        {
          id: "TC-1",
          name: word("Enough stock", "재고가_충분하면_예약된다"),
          target: "StockRepository.reserve",
          given: word("five in stock", "재고 다섯 개"),
          when: word("three are reserved", "세 개를 예약"),
          // oxlint-disable-next-line unicorn/no-thenable -- the format's own word
          then: word("two are left", "두 개가 남는다"),
          category: "happy_path",
        },
      ],
      coverage_targets: ["StockRepository.reserve"],
      test_file_path: "test/stock.test.ts",
    },
    "T1/T1-S2/test-result.yaml": {
      ...head,
      task_id: "T1",
      subtask_id: "T1-S2",
      created_by: "qa-engineer",
      execution: { command: "npm test -- stock", timestamp: at(30), result: "fail" },
      summary: { total: 4, passed: 2, failed: 1, skipped: 1 },
      failed_tests: [
        {
          id: "TC-2",
          name: word("Two at once", "동시에_둘이_예약"),
          category: "implementation_error",
          message: word("expected 0, got -1", "0이어야 하는데 -1"),
        },
      ],
      recommendation: {
        action: "retry_implementation",
        reason: word("The reservation is not atomic", "예약이 원자적이지 않음"),
      },
    },
  };
}

function knowledgeOf(root: string, hash: string, word: Word): object {
  return {
    version: 1,
    project: { path: root, name: "shop-web", hash },
    patterns: {
      error_handling: word("Result<T, E>, never thrown", "Result<T, E>, 던지지 않음"),
      naming: { methods: "camelCase", classes: "PascalCase" },
    },
    decisions: [
      {
        id: "D1",
        topic: word("Money", "금액"),
        decision: word("Integers in the smallest unit", "가장 작은 단위의 정수로"),
        rationale: word("No rounding", "반올림이 없다"),
        refs: ["src/money.ts"],
        created_at: "2026-11-02",
      },
      {
        id: "D2",
        topic: word("Stock", "재고"),
        decision: word("Reserve, then confirm", "예약한 뒤 확정"),
        rationale: "",
        refs: [],
        created_at: "2026-11-15",
      },
    ],
    pitfalls: [
      {
        id: "P1",
        description: word("The test database is lax", "시험 DB에는 제약이 없다"),
        reason: word("It is made from a dump", "덤프로 만들기 때문"),
        learned_from: "T1-S1",
      },
    ],
    updated_at: at(45),
  };
}

async function writeRow(root: string, database: string, word: Word): Promise<void> {
  const store = await openSqlite(database);
  const project = await rowOf(store, root);
  const text = word("Add an order API with a stock check", "재고를 확인하는 주문 API를 추가해 줘");
  const run = newRun({ id: "R1", text, language: "en", branch: null }, []);
  const verdicts = [
    {
      item: "boundary OrderController → StockRepository",
      holds: false,
      why: word("the controller imports it in line 3", "3번째 줄에서 불러옴"),
      by: "code" as const,
    },
    {
      item: "INV-1",
      holds: true,
      why: word("Reserved under a lock", "잠금 안에서 예약함"),
      by: "verifier" as const,
    },
  ];
  const gate = (result: "passed" | "failed", found: typeof verdicts, uncovered: string[]) => ({
    result,
    at: at(44),
    verdicts: found,
    uncovered,
  });
  const none: typeof verdicts = [];
  const gates = {
    "GATE-1": gate("passed", none, []),
    "GATE-3": gate("passed", none, []),
    "GATE-4": gate("failed", verdicts, [word("INV-2: no such file", "INV-2: 파일이 없음")]),
  };
  const row = newRow({ ...run, work: { "T1-S2": { ...noWork, gates } } }, true, {
    projectId: project.id,
    language: "en",
    agent: "sample",
    now: at(50),
  });
  await store.commit({ tasks: [row] });
  await store.close();
}
