import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareUnitIds, formatUnitId, parseUnitId } from "../core/ids.ts";
import { languages, render } from "../core/messages.ts";
import {
  type TaskList,
  checkOff,
  isTaskListPath,
  maxTaskListBytes,
  parseTaskList,
  taskListPaths,
  tasksNotFound,
} from "./task-list.ts";

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, "../../test/fixtures/task-lists", `${name}.md`), "utf8");

/** The only task of a text without problems. */
function only(text: string): TaskList["tasks"][number] {
  const { tasks, problems } = parseTaskList(text);
  expect(problems).toEqual([]);
  expect(tasks).toHaveLength(1);
  return tasks[0]!;
}

const dependenciesOf = (list: TaskList): Record<string, readonly string[]> =>
  Object.fromEntries(list.tasks.map(({ id, dependencies }) => [id, dependencies]));
const codes = (list: TaskList): string[] =>
  list.problems.map(({ code, line, id }) => `${code} ${line} ${id ?? "-"}`);
const said = (found: TaskList["problems"] | TaskList["notices"]): string[] =>
  found.map(({ line, text }) => `${line}: ${render("en", text)}`);

const checkOf = (rest: string): string | undefined => only(`### [ ] T1.1: a\n${rest}`).check;
const withoutMarks = (text: string): string => text.replace(/\[[^[\]]{0,6}\]/g, "[]");

/** Four tasks to hang dependencies on. */
const four = "- [ ] T1.1: a\n- [ ] T1.2: b\n- [ ] T1.3: c\n- [ ] T0.5.2: d\n";

/** A diagram below the four; its body begins in line 7. */
const diagram = (...lines: string[]): TaskList =>
  parseTaskList(`${four}\n\`\`\`mermaid\n${lines.join("\n")}\n\`\`\`\n`);

describe("S2.4 a task line", () => {
  test.each([
    ["### [ ] Phase 1, T1.1: Title", false],
    ["- [ ] T1.1: Title", false],
    ["* [x] T1.1: Title", true],
    ["+ [X] T1.1: Title", true],
    ["1. [ ] T1.1: Title", false],
    ["12) [ ] T1.1: Title", false],
    ["#### [] Phase 1, T1.1: Title", false],
    ["### [x] T1.1: Title ###", true],
    ["###[ ] T1.1: Title", false],
    ["-[ ] T1.1: Title", false],
    ["- [ x ] T1.1: Title", true],
    ["- [✓] T1.1: Title", true],
    ["- [✔️] T1.1: Title", true],
    ["- [✅] T1.1: Title", true],
    ["- [v] T1.1: Title", true],
    ["- [ ] **T1.1**: Title", false],
    ["- [ ] **T1.1:** Title", false],
    ["- [ ] **T1.1: Title**", false],
    ["- **[ ] T1.1: Title**", false],
    ["- [ ] `T1.1` Title", false],
    ["- [ ] [T1.1] Title", false],
    ["- [ ] (T1.1) Title", false],
    ["- [ ] T1.1：Title", false],
    ["- [ ] T1.1 ： Title", false],
    ["- [ ] T1.1 - Title", false],
    ["- [ ] T1.1 — Title", false],
    ["- [ ] T1.1. Title", false],
    ["- [ ] T1.1 Title", false],
    ["- [ ]\tT1.1\tTitle\t ", false],
    ["- [ ] 🔴 T1.1: Title", false],
    ["- [ ] Task T1.1: Title", false],
    ["- [ ] 태스크 T1.1: Title", false],
    ["### [ ] Phase 1: T1.1 - Title", false],
    ["### [ ] [Phase 1] T1.1: Title", false],
    ["### [ ] 페이즈 1, T1.1: Title", false],
    ["### [ ] 1단계, T1.1: Title", false],
    ["\t- [ ] T1.1: Title", false],
  ])("reads %j", (line, checked) => {
    const { id, title, phase, ...task } = only(line);
    expect({ id, title, phase, checked: task.checked }).toEqual({
      id: "T1.1",
      title: "Title",
      phase: 1,
      checked,
    });
  });

  test.each(["T1.3", "T0.5.2", "P2-R1-T1", "P2-S1-T3", "P2-S1-V", "P0-T0.1", "T12.345"])(
    "keeps the id %s exactly, and its phase follows from it",
    (id) => {
      for (const line of [`- [ ] ${id}: 제목`, `### [ ] ${id} 제목`, `- [ ] **${id}** - 제목`]) {
        const task = only(line);
        expect(task.id).toBe(id);
        expect(formatUnitId(parseUnitId(task.id)!)).toBe(id);
        expect(task.phase).toBe(Number(/\d+/.exec(id)?.[0]));
        expect(task.title).toBe("제목");
      }
    },
  );

  test("keeps emphasis, code and brackets inside a title", () => {
    expect(only("- [ ] T1.1: **굵게** 시작").title).toBe("**굵게** 시작");
    expect(only("- [ ] T1.1: 끝은 `code`").title).toBe("끝은 `code`");
    expect(only("- [ ] T1.1: C# (새 것) [메모]").title).toBe("C# (새 것) [메모]");
    expect(only("- [ ] T1.1: T1.0 다음").title).toBe("T1.0 다음");
  });

  test("in a quote, a table, a fence or a comment is not a task", () => {
    const list = parseTaskList(
      [
        "> - [ ] T1.1: 인용",
        "| - [ ] T1.2 | 표 |",
        "~~~md",
        "- [ ] T1.3: 물결 울타리",
        "```",
        "- [ ] T1.4: 아직 그 안",
        "~~~",
        "- ````",
        "  - [ ] T1.5: 목록 안의 울타리",
        "  ```",
        "  - [ ] T1.6: 더 짧은 표시는 닫지 않는다",
        "  ````",
        "<!-- - [ ] T1.7: 주석 --> ",
        "<!-- 여러 줄",
        "- [ ] T1.8: 주석",
        "--> - [ ] T1.9: 주석 뒤의 조각은 목록이 아니다",
        "- [ ] T1.10: 진짜 <!-- 메모 -->",
        "- [ ] T1.11: `<!--` 처리",
      ].join("\n"),
    );
    expect(list.problems).toEqual([]);
    expect(list.tasks.map(({ id, title }) => [id, title])).toEqual([
      ["T1.9", "주석 뒤의 조각은 목록이 아니다"],
      ["T1.10", "진짜"],
      ["T1.11", "`<!--` 처리"],
    ]);
  });

  test("in lower case is not a task, and a notice says how it is written", () => {
    const list = parseTaskList("- [ ] t1.1: 소문자\n- [ ] p2-s1-v: 소문자\n- [ ] T1.2: 대문자");
    expect(list.tasks.map(({ id }) => id)).toEqual(["T1.2"]);
    expect(list.problems).toEqual([]);
    expect(list.notices.map(({ line, id }) => [line, id])).toEqual([
      [1, "t1.1"],
      [2, "p2-s1-v"],
    ]);
    expect(said(list.notices)[0]).toContain("T1.1");
  });

  test("with a mark that is neither empty nor a tick counts as open, with a notice", () => {
    const { tasks, notices } = parseTaskList("### [/] T4.2: 하는 중\n### [-] T4.3: 미룸");
    expect(tasks.map(({ checked }) => checked)).toEqual([false, false]);
    expect(notices.map(({ line, id }) => [line, id])).toEqual([
      [1, "T4.2"],
      [2, "T4.3"],
    ]);
  });

  test("is not a link, a footnote or a label in brackets", () => {
    const text = "- [x](T1.1)\n- [1] T1.2: 각주\n- [P] T1.3: 표시\n- [x]: T1.4\n- [ ] T1.5: 작업";
    expect(only(text).id).toBe("T1.5");
  });
});

describe("S2.4 sub-items", () => {
  const parent = "### [ ] T1.1: 가\n";

  test("of a task are not tasks: a plain checklist, and ids that are only spoken of", () => {
    const list = parseTaskList(
      `${parent}- [ ] 테스트 통과\n- [x] T0.5.2 테스트 통과\n- [ ] T1.1: 병합\n  - [ ] T3 인스턴스\n` +
        "### [ ] T0.5.2: 나\n",
    );
    expect(list.tasks.map(({ id }) => id)).toEqual(["T1.1", "T0.5.2"]);
    expect(list.problems).toEqual([]);
    expect(list.notices).toEqual([]);
  });

  test("that name an unknown id get a notice; set apart by a colon they are tasks", () => {
    const list = parseTaskList(`${parent}- [ ] T1.8 확인\n- [ ] T1.9: 작업\n`);
    expect(list.tasks.map(({ id }) => id)).toEqual(["T1.1", "T1.9"]);
    expect(list.notices.map(({ line, id }) => [line, id])).toEqual([[2, "T1.8"]]);
  });

  test("deeper than a list task are its own; beside it they are tasks without a colon too", () => {
    const list = parseTaskList("- [ ] T1.1 가\n  - [ ] T1.2 언급\n- [ ] T1.2 나\n");
    expect(list.tasks.map(({ id, line }) => [id, line])).toEqual([
      ["T1.1", 1],
      ["T1.2", 3],
    ]);
  });
});

describe("S2.4 phases and title", () => {
  test.each([
    ["## Phase 1: 로그인 화면", "로그인 화면", "로그인-화면"],
    ["## Phase 1 - 이름", "이름", "이름"],
    ["## Phase 1 — Log in / sign up!", "Log in / sign up!", "log-in-sign-up"],
    ["## 페이즈 1", "", ""],
    ["## 페이즈 1: 이름", "이름", "이름"],
    ["## 1단계: 이름", "이름", "이름"],
    ["## M1: FEAT-0 인증 (Phase 1)", "FEAT-0 인증", "feat-0-인증"],
    ["## 🚀 **Phase 1**: Name", "Name", "name"],
    ["# Phase 1: Name", "Name", "name"],
    ["## [ ] Phase 1: Name", "Name", "name"],
    ["## P1 - Name", "Name", "name"],
  ])("%s", (heading, name, slug) => {
    const { phases, title, notices } = parseTaskList(`${heading}\n### [ ] T1.1: a`);
    expect(phases).toEqual([{ number: 1, name, slug, line: 1 }]);
    expect(title).toBeNull();
    expect(notices).toEqual([]);
  });

  test("headings that only speak of phases name none", () => {
    const text =
      "## Phase 1+ (worktree)\n## Phase 1-3\n## M1 목표\n## Phase 완료 조건\n- [ ] T1.1: a";
    expect(parseTaskList(text).phases).toEqual([{ number: 1, name: "", slug: "", line: 5 }]);
  });

  test("M0.5 belongs to phase 0 and does not rename it", () => {
    const { phases, notices } = parseTaskList(
      "## M0: 준비\n### [ ] T0.1: a\n## M0.5: 계약\n### [ ] T0.5.1: b",
    );
    expect(phases).toEqual([{ number: 0, name: "준비", slug: "준비", line: 1 }]);
    expect(notices).toEqual([]);
  });

  test("a heading with tasks beats an overview; two with tasks are told", () => {
    const { phases, notices } = parseTaskList(
      "## Phase 1: 개요\n글\n## Phase 1: 진짜\n- [ ] T1.1: a\n## Phase 1: 또\n- [ ] T1.2: b",
    );
    expect(phases.map(({ name, line }) => [name, line])).toEqual([["진짜", 3]]);
    expect(said(notices)).toEqual([expect.stringMatching(/^5: .*line 3.*진짜/)]);
  });

  test("a contradiction between id, line and heading is a notice naming both; the id counts", () => {
    const list = parseTaskList(
      "## Phase 2: 둘\n### [ ] Phase 3, T2.1: a\n### [ ] T4.1: b\n## 부록\n### [ ] T5.1: c",
    );
    expect(list.tasks.map(({ phase }) => phase)).toEqual([2, 4, 5]);
    expect(said(list.notices)).toEqual([
      expect.stringMatching(/^2: T2\.1 .*phase 2.*phase 3/),
      expect.stringMatching(/^3: T4\.1 .*phase 4.*phase 2/),
    ]);
  });

  test("the order of phases is a barrier, never an edge (S2.6)", () => {
    const list = parseTaskList("- [ ] T0.1: a\n- [ ] T2.1: b\n- [ ] P5-S1-V: c");
    expect(list.edges).toEqual([]);
    expect(list.tasks.every(({ dependencies }) => dependencies.length === 0)).toBe(true);
    expect(list.barriers).toEqual([
      { before: 0, after: 2, source: "implicit" },
      { before: 2, after: 5, source: "implicit" },
    ]);
  });

  test("the title is the first heading of level one, outside front matter and fences", () => {
    const text = "---\n# no\nkey: value\n---\n```sh\n# no\n```\n# 제목 #\n# 둘째\n- [ ] T1.1: a";
    expect(parseTaskList(text).title).toBe("제목");
    expect(parseTaskList("- [ ] T1.1: a").title).toBeNull();
    expect(parseTaskList("---\n# 선 아래 제목\n\n---\n- [ ] T1.1: a").title).toBe("선 아래 제목");
  });
});

describe("S2.4 fields", () => {
  test.each(["담당", "담당자", "owner", "Owner", "agent"])("%s is the owner", (key) => {
    for (const line of [
      `**${key}**: alice`,
      `**${key}:** alice`,
      `- **${key}**: alice`,
      `- ${key}: alice`,
      `${key}: alice`,
      `  * ${key} ： \`alice\``,
      `__${key}__:  alice  `,
      `${key}:alice`,
    ])
      expect(only(`### [ ] T1.1: a\n\n${line}\n`).owner).toBe("alice");
  });

  test.each(["의존성", "의존", "depends", "depends on", "Depends_On", "dependencies", "deps"])(
    "%s are the dependencies",
    (key) => {
      const list = parseTaskList(`${four}- [ ] T1.4: e\n  - **${key}**: T1.1, T1.2`);
      expect(list.problems).toEqual([]);
      expect(list.tasks.at(-1)?.dependencies).toEqual(["T1.1", "T1.2"]);
    },
  );

  test.each([
    ["T0.5.2 (설명)", ["T0.5.2"]],
    ["T1.1, T1.2", ["T1.1", "T1.2"]],
    ["[T1.1, T1.2]", ["T1.1", "T1.2"]],
    ["`T1.1`、**T1.2**", ["T1.1", "T1.2"]],
    ["T1.1 완료 필요", ["T1.1"]],
    ["T1.1과 T1.2가 끝난 뒤", ["T1.1", "T1.2"]],
    ["T1.1 (T1.2의 후속) - **독립 개발 가능**", ["T1.1"]],
    ["(T1.1, T1.2)", ["T1.1", "T1.2"]],
    ["T1.1, T1.1", ["T1.1"]],
    ["T1.1~T1.3", ["T1.1", "T1.2", "T1.3"]],
    ["T1.1 ~ T1.3", ["T1.1", "T1.2", "T1.3"]],
    ["T1.1-T1.3", ["T1.1", "T1.2", "T1.3"]],
    ["T1.1 – T1.2, T0.5.2", ["T1.1", "T1.2", "T0.5.2"]],
    ["T1.1부터 T1.3까지", ["T1.1", "T1.2", "T1.3"]],
    ["없음", []],
    ["없음 (T1.1과 무관)", []],
    ["none", []],
    ["N/A", []],
    ["-", []],
    ["[]", []],
    ["", []],
  ])("the dependencies %j", (value, expected) => {
    const list = parseTaskList(`${four}- [ ] T1.4: e\n  - 의존성: ${value}\n`);
    expect(said(list.problems)).toEqual([]);
    expect(said(list.notices)).toEqual([]);
    expect(list.tasks.at(-1)?.dependencies).toEqual(expected);
    expect(list.edges).toEqual(
      expected.map((from) => ({ from, to: "T1.4", source: "explicit", line: 6 })),
    );
  });

  test("dependencies and files may be lists below their key", () => {
    const task = parseTaskList(
      `${four}### [ ] T1.4: e\n- **의존성**:\n  - T1.1 (이유)\n  - T1.2\n- **파일**:\n\n` +
        "  - `src/a.ts`: 새 파일\n  - `src/b.ts` (수정)\n- **담당**: kim\n**의존**\n",
    ).tasks.at(-1);
    expect(task).toMatchObject({
      dependencies: ["T1.1", "T1.2"],
      files: ["src/a.ts", "src/b.ts"],
      owner: "kim",
      other: [],
    });
  });

  test("dependencies without an id are told, not dropped in silence", () => {
    const list = parseTaskList("- [ ] T1.1: a\n  - 의존성: Phase 0 완료 후\n  - 의존: P0 전체");
    expect(list.problems).toEqual([]);
    expect(list.notices.map(({ line, id }) => [line, id])).toEqual([
      [2, "T1.1"],
      [3, "T1.1"],
    ]);
    expect(list.tasks[0]?.other).toEqual([{ key: "의존성", value: "Phase 0 완료 후" }]);
  });

  test("병렬 names tasks that may run at the same time; an unknown one is a notice", () => {
    const list = parseTaskList(
      `${four}- [ ] T1.4: e\n  - 병렬: T1.3과 병렬 가능\n- [ ] T1.5: f\n  - parallel: T1.1~T1.2, T9.9`,
    );
    expect(list.tasks.slice(-2).map(({ parallelWith }) => parallelWith)).toEqual([
      ["T1.3"],
      ["T1.1", "T1.2"],
    ]);
    expect(list.problems).toEqual([]);
    expect(list.notices.map(({ line, id }) => [line, id])).toEqual([[8, "T1.5"]]);
  });

  test.each([
    ["`tests/x.py` → `src/y.py`", ["tests/x.py", "src/y.py"]],
    ["src/a.ts, src/b.ts (새 파일)", ["src/a.ts", "src/b.ts"]],
    ["app/(auth)/page.tsx -> app/layout.tsx", ["app/(auth)/page.tsx", "app/layout.tsx"]],
    ["[a.ts, b.ts]", ["a.ts", "b.ts"]],
    ["없음", []],
  ])("the files %j", (value, expected) => {
    expect(only(`- [ ] T1.1: a\n  - 파일: ${value}`).files).toEqual(expected);
  });

  test("worktree, risk, model and check are read; every other field is kept as written", () => {
    expect(
      only(
        "### [ ] T1.1: a\n- **Worktree**: `worktree/phase-1-x`\n- risk: High\n- **model**: opus\n" +
          "- check: `npm test`\n- **스펙**: 가입, 조회\n- **TDD**: RED → GREEN\n- domain: auth\n" +
          "- http://example.com 참고\n- GET /api/users/[id]: 조회\n",
      ),
    ).toMatchObject({
      worktree: "worktree/phase-1-x",
      risk: "high",
      model: "opus",
      check: "npm test",
      other: [
        { key: "스펙", value: "가입, 조회" },
        { key: "TDD", value: "RED → GREEN" },
        { key: "domain", value: "auth" },
        { key: "GET /api/users/[id]", value: "조회" },
      ],
    });
  });

  test("a check is a command: code, a fence, or words without Korean; never a sentence", () => {
    expect(checkOf("- 검증: `npm test` 통과 후 `npm run build`")).toBe("npm test && npm run build");
    expect(checkOf("- check: npm test -- login")).toBe("npm test -- login");
    expect(checkOf("**검증**:\n```bash\n$ npm test\n\nnpm run lint\n```")).toBe(
      "npm test\nnpm run lint",
    );
    expect(checkOf("- 검증: 로그인 화면이 열린다")).toBeUndefined();
    expect(checkOf("**검증**:\n```ts\nrun()\n```")).toBeUndefined();
    expect(checkOf("**검증 항목**:\n```bash\nnpm test\n```")).toBeUndefined();
  });

  test("a worktree outside the project is refused (S5.4)", () => {
    for (const path of ["../x", "/tmp/x", "worktree/../../x", "C:\\x", "-rf"]) {
      const list = parseTaskList(`- [ ] T1.1: a\n  - worktree: ${path}`);
      expect(codes(list)).toEqual(["PARSE_FAIL 2 T1.1"]);
      expect(list.tasks[0]?.worktree).toBeNull();
    }
  });

  test("belong to the task above them, until a heading of its level or above ends it", () => {
    const list = parseTaskList(
      "### [ ] T1.1: a\n#### 세부\n- 담당: kim\n\n## 부록\n- 담당: lee\n\n- [ ] T1.2: b\n\n### 끝\n- 담당: choi",
    );
    expect(list.tasks.map(({ owner, line, endLine }) => [owner, line, endLine])).toEqual([
      ["kim", 1, 3],
      [null, 8, 8],
    ]);
  });
});

describe("S2.4 Mermaid", () => {
  test.each([
    ["T1.1 --> T1.2", { "T1.2": ["T1.1"] }],
    ["T1.1-->T1.2;T0.5.2-->T1.3;", { "T1.2": ["T1.1"], "T1.3": ["T0.5.2"] }],
    ["T0.5.2 --> T1.1 --> T1.2", { "T1.1": ["T0.5.2"], "T1.2": ["T1.1"] }],
    ["T1.1 & T0.5.2 --> T1.2 & T1.3", { "T1.2": ["T1.1", "T0.5.2"], "T1.3": ["T1.1", "T0.5.2"] }],
    ["T1.1 -->|이유 --> T9.9| T1.2", { "T1.2": ["T1.1"] }],
    ["T1.1 -- 이유 - 하나 --> T1.2", { "T1.2": ["T1.1"] }],
    ["T1.1 -. 느슨 .-> T1.2", { "T1.2": ["T1.1"] }],
    ["T1.1 == 굵게 ==> T1.2", { "T1.2": ["T1.1"] }],
    ["T1.1 -.-> T1.2", { "T1.2": ["T1.1"] }],
    ["T1.1 ==> T1.2", { "T1.2": ["T1.1"] }],
    ["T1.1 ----> T1.2", { "T1.2": ["T1.1"] }],
    ["T1.1 --x T1.2", { "T1.2": ["T1.1"] }],
    ["T1.1 --- T1.2", {}],
    ["T1.1 ~~~ T1.2", {}],
    ['A["T1.1: 로그인 (새 것)"] --> B[T1.2 화면]', { "T1.2": ["T1.1"] }],
    ["T1_1 --> T1_2[화면]", { "T1.2": ["T1.1"] }],
    ["A((T1.1)) --> B{{T1.2}} --> C[(T1.3)]", { "T1.2": ["T1.1"], "T1.3": ["T1.2"] }],
    ["T1.1:::done --> T1.2", { "T1.2": ["T1.1"] }],
    ['A@{ shape: rect, label: "T1.1: a" } --> T1.2', { "T1.2": ["T1.1"] }],
    ["T1.1[Phase 1, T1.1: 가] --> T1.2[Phase 1, T1.2: 나]", { "T1.2": ["T1.1"] }],
  ])("%s", (line, expected) => {
    for (const header of ["graph TD", "flowchart LR", "---\ntitle: x\n---\n%% y\ngraph TD;"]) {
      const list = diagram(header, `    ${line}`);
      expect(said(list.problems)).toEqual([]);
      expect(said(list.notices)).toEqual([]);
      const found = Object.entries(dependenciesOf(list)).filter(([, ids]) => ids.length > 0);
      expect(Object.fromEntries(found)).toEqual(expected);
      expect(list.edges.every(({ source }) => source === "mermaid")).toBe(true);
    }
  });

  test("a label may come after the arrow, and a task after the diagram", () => {
    const list = parseTaskList(
      `\`\`\`mermaid\ngraph TD\na --> b\na["T1.1"]\nb["T1.2"]\n\`\`\`\n${four}`,
    );
    expect(dependenciesOf(list)["T1.2"]).toEqual(["T1.1"]);
    expect(list.edges[0]).toEqual({ from: "T1.1", to: "T1.2", source: "mermaid", line: 3 });
  });

  test("subgraphs, classes, styles, clicks, directions and comments are no edges", () => {
    const list = diagram(
      "flowchart TD",
      "%% T9.1 --> T9.2",
      'subgraph M1["M1: 묶음"]',
      "direction LR",
      "T1.1",
      "end",
      "T1.1 --> T1.2 %% 끝",
      "classDef done fill:#9f6",
      "class T1.1 done",
      "style T1.1 fill:#bbf",
      "linkStyle 0 stroke:red",
      'click T1.1 "https://example.com"',
    );
    expect(said(list.problems)).toEqual([]);
    expect(said(list.notices)).toEqual([]);
    expect(list.edges).toHaveLength(1);
  });

  test("an unknown node is MISSING_DEP with its line; phases only repeat the barrier", () => {
    const list = diagram(
      "graph TD",
      "subgraph 뒤쪽",
      "T1.1",
      "end",
      "T1.1 --> T9.9",
      "시작((시작)) --> T1.1",
      "뒤쪽 --> T1.2",
      "P0 --> P1",
      "X[T1.7: 없는 작업] --> T1.1",
    );
    expect(codes(list)).toEqual([
      "MISSING_DEP 11 T9.9",
      "MISSING_DEP 12 시작",
      "MISSING_DEP 13 뒤쪽",
      "MISSING_DEP 15 T1.7",
    ]);
    expect(list.notices.map(({ line }) => line)).toEqual([14]);
  });

  test("other diagrams are left alone; one whose nodes name no task is told", () => {
    expect(diagram("sequenceDiagram", "T1.1->>T1.2: x").notices).toEqual([]);
    const list = diagram("graph TD", "A[로그인] --> B[홈]");
    expect(list.problems).toEqual([]);
    expect(list.notices.map(({ line }) => line)).toEqual([6]);
  });

  test("a line that can not be read is told, and counts as far as it was read", () => {
    const list = diagram("graph TD", "T1.1 --> T1.2 --> ???", 'T1.2 --> A["T1.3');
    expect(dependenciesOf(list)["T1.2"]).toEqual(["T1.1"]);
    expect(list.notices.map(({ line }) => line)).toEqual([8, 9]);
  });

  test("fields and diagrams add up; what both say is one edge, the field's", () => {
    const list = parseTaskList(
      `${four}- [ ] T1.4: e\n  - 의존성: T1.1\n\`\`\`mermaid\ngraph TD\nT1.1 --> T1.4\nT1.2 --> T1.4\n\`\`\``,
    );
    expect(list.edges.map(({ from, source, line }) => [from, source, line])).toEqual([
      ["T1.1", "explicit", 6],
      ["T1.2", "mermaid", 10],
    ]);
  });

  test("a resource or screen stands for all its tasks, in fields and diagrams", () => {
    const list = parseTaskList(fixture("domain-ids"));
    expect(list.problems).toEqual([]);
    expect(dependenciesOf(list)).toEqual({
      "P0-T0.1": [],
      "P1-R1-T1": ["P0-T0.1"],
      "P1-R1-T2": ["P1-R1-T1", "P0-T0.1"],
      "P2-S1-T1": ["P1-R1-T1", "P1-R1-T2"],
      "P2-S1-V": ["P2-S1-T1", "P1-R1-T1", "P1-R1-T2"],
    });
  });
});

describe("S2.4 problems", () => {
  test("are all collected, each with its line and id", () => {
    expect(codes(parseTaskList(fixture("broken")))).toEqual([
      "CIRCULAR_DEP 6 T1.1",
      "MISSING_DEP 9 T1.2",
      "MISSING_DEP 9 T1.2",
      "DUPLICATE_ID 11 T1.1",
      "PARSE_FAIL 13 T1",
      "PARSE_FAIL 15 T1.3.4.5",
      "PARSE_FAIL 19 T1.7",
      "PARSE_FAIL 22 T1.10",
      "PARSE_FAIL 23 T1.10",
      "PARSE_FAIL 26 T1.11",
      "CIRCULAR_DEP 34 T3.1",
      "MISSING_DEP 38 T7.7",
      "MISSING_DEP 39 끝",
      "PARSE_FAIL 44 -",
    ]);
  });

  test("carry what S2.11 prints after ERROR:CODE", () => {
    const details = parseTaskList(fixture("broken")).problems.map(({ detail }) => detail);
    expect(details.slice(0, 4)).toEqual(["T1.1->T1.2->T1.1", "T9.9", "t1.1", "T1.1"]);
  });

  test("a cycle may be closed by a diagram", () => {
    const list = parseTaskList(
      "- [ ] T1.1: a\n  - 의존: T1.2\n- [ ] T1.2: b\n```mermaid\ngraph TD\nT1.1 --> T1.2\n```",
    );
    expect(list.problems).toMatchObject([
      { code: "CIRCULAR_DEP", line: 2, id: "T1.1", detail: "T1.1->T1.2->T1.1" },
    ]);
  });

  test("S2.4 a missing dependency never means the task that names it", () => {
    const [alone] = said(parseTaskList("- [ ] T0.1: a\n  - deps: T0.9").problems);
    expect(alone).not.toContain("Did you mean");
    const other = "- [ ] T0.1: a\n  - deps: T0.9\n- [ ] T0.2: b";
    expect(said(parseTaskList(other).problems)[0]).toContain("Did you mean T0.2?");
  });

  test("a missing dependency says what may have been meant", () => {
    const list = parseTaskList(
      "- [ ] T1.10: a\n- [ ] T1.20: c\n  - 의존: T1.100\n  - deps: t1.10\n### T1.3: 상자 없음\n### [ ] T1.4: b\n의존: T1.3",
    );
    const texts = said(list.problems);
    expect(texts[0]).toContain("Did you mean T1.10?");
    expect(texts[1]).toContain("Did you mean T1.10?");
    expect(texts[2]).toContain("Line 5 names it without a checkbox");
    expect(list.notices.map(({ line, id }) => [line, id])).toEqual([[5, "T1.3"]]);
  });

  test("a range needs every task in it, in order, and one differing number", () => {
    for (const range of ["T1.1~T1.4", "T1.3~T1.1", "T1.1~T0.5.2", "T1.1~3", "T1.1~T2.2"])
      expect(codes(parseTaskList(`${four}- [ ] T1.9: e\n  - 의존: ${range}`))).toEqual([
        "PARSE_FAIL 6 T1.9",
      ]);
  });

  test("the same id twice names both lines", () => {
    const list = parseTaskList("- [ ] T1.1: a\n- [ ] T1.2: b\n- [ ] T1.1: c");
    expect(list.problems).toMatchObject([{ code: "DUPLICATE_ID", line: 3, column: 7, id: "T1.1" }]);
    expect(said(list.problems)[0]).toMatch(/line 1 .*line 3/);
    expect(list.tasks.map(({ title }) => title)).toEqual(["a", "b"]);
  });

  test("a closing checklist that repeats the headings is a summary, not a duplicate", () => {
    const list = parseTaskList(fixture("korean-headings"));
    expect(list.problems).toEqual([]);
    expect(said(list.notices)).toEqual([
      expect.stringContaining("“M0” is a phase"),
      expect.stringMatching(/^132: From line 132 on, 7 lines/),
      expect.stringMatching(/^138: The box of T1\.3 in line 138/),
    ]);
    const odd = "### [ ] T1.1: 로그인\n- 담당: a\n## 끝\n- [ ] T1.1: 전혀 다른 일\n";
    expect(codes(parseTaskList(odd))).toEqual(["DUPLICATE_ID 4 T1.1"]);
  });

  test("an id-like word at task level that is no id is refused; elsewhere it is talk", () => {
    const words = ["T1", "T1.1.1.1", "P2-X", "P1-R1", "T1.1-login", "T01.1", "T1.1a"];
    for (const each of words)
      expect(
        codes(
          parseTaskList(`- [ ] ${each}: a
- [ ] T1.2: b`),
        ),
      ).toEqual([`PARSE_FAIL 1 ${each}`]);
    const talk = "- [ ] P1 급함\n- [ ] 장보기\n- [ ] t3.medium 준비\n- [ ] TDD\n- [ ] T1.2: b";
    expect(only(talk).id).toBe("T1.2");
  });

  test("no task at all shows the accepted form, and the line that lacks a box", () => {
    for (const text of ["", "\uFEFF", "# 제목\n글", "- [ ] 장보기"]) {
      expect(codes(parseTaskList(text))).toEqual(["PARSE_FAIL 1 -"]);
      expect(said(parseTaskList(text).problems)[0]).toContain("- [ ] T1.1: Title");
    }
    const boxless = parseTaskList("# 제목\n### P0-T0.1: 초기화\n### P0-T0.2: 설정");
    expect(codes(boxless)).toEqual(["PARSE_FAIL 2 P0-T0.1"]);
    expect(said(boxless.problems)[0]).toContain("### [ ] P0-T0.1: Title");
  });

  test("a fence or comment that never ends is told where it begins", () => {
    expect(codes(parseTaskList("- [ ] T1.1: a\n```\n- [ ] T1.2: b"))).toEqual(["PARSE_FAIL 2 -"]);
    expect(codes(parseTaskList("- [ ] T1.1: a\n<!-- x\n- [ ] T1.2: b"))).toEqual([
      "PARSE_FAIL 2 -",
    ]);
  });

  test("a dependency on a later phase can never be met in order: a notice names both", () => {
    const list = parseTaskList("- [ ] T1.1: a\n  - 의존: T2.1\n- [ ] T2.1: b");
    expect(list.problems).toEqual([]);
    expect(said(list.notices)).toEqual([expect.stringMatching(/^2: T1\.1 .*T2\.1/)]);
  });

  test("a project without a plan gets TASKS_NOT_FOUND with the places looked at", () => {
    const problem = tasksNotFound();
    expect(problem.code).toBe("TASKS_NOT_FOUND");
    for (const path of taskListPaths) {
      expect(render("ko", problem.text)).toContain(path);
      expect(isTaskListPath(path)).toBe(true);
    }
    expect(isTaskListPath("docs/NOTES.md")).toBe(false);
    expect(isTaskListPath("MYTASKS.md")).toBe(false);
  });

  test("and notices read well in both languages: no blank is left open", () => {
    for (const name of ["broken", "korean-headings", "domain-ids", "english-list"]) {
      const { problems, notices } = parseTaskList(fixture(name));
      for (const { text } of [...problems, ...notices])
        for (const language of languages)
          expect(render(language, text)).not.toMatch(/\{\w+\}|\([가-힣]+\/[가-힣]+\)|undefined/);
    }
    const [circular, missing] = parseTaskList(fixture("broken")).problems;
    expect(render("ko", missing!.text)).toContain("T1.2가 기다리는 T9.9가 계획에 없습니다.");
    expect(render("ko", circular!.text)).toContain("T1.1->T1.2->T1.1");
  });
});

describe("S2.4 whole plans", () => {
  test("in Korean, with headings, milestones and a diagram", () => {
    const list = parseTaskList(fixture("korean-headings"));
    expect(list.title).toBe("동네 도서관 대출 앱");
    expect(list.phases.map(({ number, slug }) => [number, slug])).toEqual([
      [0, "프로젝트-준비"],
      [1, "회원과-로그인"],
    ]);
    expect(list.tasks.filter(({ checked }) => checked).map(({ id }) => id)).toEqual([
      "T0.1",
      "T0.2",
    ]);
    expect(dependenciesOf(list)).toEqual({
      "T0.1": [],
      "T0.2": ["T0.1"],
      "T0.5.1": ["T0.2"],
      "T0.5.2": ["T0.5.1"],
      "T1.1": ["T0.5.2"],
      "T1.2": ["T1.1"],
      "T1.3": ["T1.1", "T1.2"],
    });
    expect(list.tasks.find(({ id }) => id === "T1.1")).toMatchObject({
      owner: "backend-specialist",
      parallelWith: ["T1.2"],
      files: ["tests/api/test_member.py", "app/api/member.py"],
      worktree: "worktree/phase-1-auth",
      risk: "high",
      check: "# 회원 API만 돌린다\npytest tests/api/test_member.py -q",
    });
    expect(list.tasks.find(({ id }) => id === "T1.2")?.check).toBeUndefined();
  });

  test("in English, with list items", () => {
    const list = parseTaskList(fixture("english-list"));
    expect(list.problems).toEqual([]);
    expect(list.notices).toEqual([]);
    expect(list.title).toBe("Weather station");
    expect(list.tasks.map(({ id, title, owner }) => [id, title, owner])).toEqual([
      ["T0.1", "Repository and tooling", "alice"],
      ["T0.2", "Continuous integration", "bob"],
      ["T1.1", "Store readings", null],
      ["T1.2", "Fetch readings", null],
      ["T1.3", "Alarm", null],
      ["T2.1", "Charts", null],
      ["T2.10", "Export", null],
    ]);
    expect(dependenciesOf(list)).toEqual({
      "T0.1": [],
      "T0.2": ["T0.1"],
      "T1.1": ["T0.1", "T0.2"],
      "T1.2": ["T1.1", "T0.2"],
      "T1.3": ["T1.1", "T1.2"],
      "T2.1": ["T1.1", "T1.2"],
      "T2.10": [],
    });
    expect(list.tasks[3]?.files).toEqual(["src/fetch.ts", "src/fetch.test.ts"]);
  });

  test("read the same with CRLF, a BOM, trailing blanks and decomposed Hangul", () => {
    for (const name of ["korean-headings", "domain-ids", "english-list"]) {
      const text = fixture(name);
      const plain = parseTaskList(text);
      expect(parseTaskList(`\uFEFF${text.replaceAll("\n", "\r\n")}`)).toEqual(plain);
      expect(parseTaskList(text.replaceAll("\n", " \t\n"))).toEqual(plain);
      const decomposed = parseTaskList(text.normalize("NFD"));
      expect(JSON.parse(JSON.stringify(decomposed).normalize("NFC"))).toMatchObject({
        title: plain.title,
        phases: plain.phases,
        tasks: plain.tasks,
        edges: plain.edges,
      });
    }
  });
});

describe("S2.9 checkOff", () => {
  test("ticks exactly those boxes and changes not one other byte", () => {
    const text =
      "\uFEFF# 제목\r\n### [] Phase 0, T0.1: 가\r\n- [ ] T0.1 확인\r\n* [  ] **T0.2**: 나\t\r\n" +
      "```\r\n- [ ] T0.2: 코드\r\n```\r\n1. [X] T0.3: 다\n- [/] T0.4: 라\n- [ ] T0.5: 마";
    expect(checkOff(text, ["T0.1", "T0.2", "T0.3", "T0.4"])).toBe(
      text.replace("### []", "### [x]").replace("* [  ]", "* [x]").replace("- [/]", "- [x]"),
    );
    expect(checkOff(text, [])).toBe(text);
  });

  test("ticks a summary's box along with the task's", () => {
    const text = fixture("korean-headings");
    const ticked = checkOff(text, ["T0.5.1"]);
    expect(ticked).toContain("### [x] Phase 0, T0.5.1: API 계약");
    expect(ticked).toContain("- [x] T0.5.1: API 계약");
    expect(ticked.length).toBe(text.length + 1);
  });

  test("an id that is not in the plan is a not_found Fault that names it", () => {
    expect(() => checkOff("- [ ] T1.1: a", ["T1.1", "T9.9"])).toThrow(
      expect.objectContaining({ code: "not_found", message: expect.stringContaining(": T9.9.") }),
    );
  });
});

// --- a plan printed in random forms is read back as the same plan ---

interface ModelTask {
  id: string;
  title: string;
  checked: boolean;
  owner: string | null;
  dependencies: string[];
  inDiagram: boolean;
  parallelWith: string[];
  files: string[];
  worktree: string | null;
  risk: string | null;
  model: string | null;
  check: string | null;
  choices: number[];
}

const number = fc.nat({ max: 99 });
const unitId = fc.oneof(
  fc.tuple(number, number).map(([a, b]) => `T${a}.${b}`),
  fc.tuple(number, number, number).map(([a, b, c]) => `T${a}.${b}.${c}`),
  fc.tuple(number, number, number).map(([a, b, c]) => `P${a}-T${b}.${c}`),
  fc
    .tuple(number, fc.constantFrom("R", "S"), number, number)
    .map(([a, kind, b, c]) => `P${a}-${kind}${b}-T${c}`),
  fc.tuple(number, fc.constantFrom("R", "S"), number).map(([a, kind, b]) => `P${a}-${kind}${b}-V`),
);
const word = fc.constantFrom(
  ...'로그인 화면 세션 API 저장 (수정) login page: fix C# v2 50% "따옴표" a/b 의존성: 없음'.split(
    " ",
  ),
);
const title = fc
  .tuple(fc.constantFrom("회원", "Build", "데이터베이스", "x"), fc.array(word, { maxLength: 6 }))
  .map(([first, rest]) => [first, ...rest].join(" "));
const maybe = (...values: string[]): fc.Arbitrary<string | null> =>
  fc.option(fc.constantFrom(...values));

const plan = fc.uniqueArray(unitId, { minLength: 1, maxLength: 60, size: "max" }).chain((ids) =>
  fc.tuple(
    ...ids.map((id, place) =>
      fc.record<ModelTask>({
        id: fc.constant(id),
        title,
        checked: fc.boolean(),
        owner: maybe("kim", "backend-specialist", "김 개발", "@lee"),
        // Only earlier tasks: the plan has no cycle.
        dependencies: fc.subarray(ids.slice(Math.max(0, place - 6), place)),
        inDiagram: fc.boolean(),
        parallelWith: fc.subarray(ids.filter((other) => other !== id).slice(0, 4)),
        files: fc.subarray(["src/a.ts", "app/(auth)/페이지.tsx", "test/b-1.py"]),
        worktree: maybe("worktree/phase-1-x", "worktree/단계"),
        risk: maybe("low", "medium", "high", "critical"),
        model: maybe("opus", "gpt-5"),
        check: maybe("npm test", "pytest -q && ruff check ."),
        choices: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
      }),
    ),
  ),
);

/** Prints a task; each choice picks one of the accepted forms. */
function printTask(task: ModelTask, headings: boolean): string {
  let next = 0;
  const pick = <T>(...forms: T[]): T => forms[(task.choices[next++] ?? 0) % forms.length]!;
  const lead = headings ? pick("###", "###", "###") : pick("-", "*", "+", "7.", "3)");
  const box = task.checked ? pick("[x]", "[X]", "[✓]", "[ x ]") : pick("[ ]", "[]", "[  ]");
  const phase = parseUnitId(task.id)!.phase;
  const prefix = pick("", `Phase ${phase}, `, `페이즈 ${phase}: `, "Task ");
  const name = pick(
    `${task.id}: ${task.title}`,
    `**${task.id}**: ${task.title}`,
    `**${task.id}:** ${task.title}`,
    `\`${task.id}\` ${task.title}`,
    `${task.id}：${task.title}`,
    `${task.id} - ${task.title}`,
    `${task.id} ${task.title}`,
  );
  const field = (keys: string[], value: string): string => {
    const key = pick(...keys);
    return pick(
      `**${key}**: ${value}`,
      `- **${key}**: ${value}`,
      `  - ${key}: ${value}`,
      `${key}: ${value}`,
      `\t* **${key}:** ${value}`,
      `  - ${key}： ${value}`,
    );
  };
  const listing = (ids: string[]): string =>
    ids.length === 0
      ? pick("없음", "none", "-", "[]")
      : pick(
          ids.join(", "),
          `[${ids.join(", ")}]`,
          ids.map((id) => `${id} (T0.0 설명)`).join(", "),
          `${ids.join("과 ")} 완료 필요`,
          ids.map((id) => `\`${id}\``).join("、"),
        );
  const fields: string[] = [];
  const add = (keys: string[], value: string | null): void => {
    if (value !== null) fields.push(field(keys, value));
  };
  if (!task.inDiagram)
    add(["의존성", "의존", "depends", "Depends on", "deps"], listing(task.dependencies));
  add(["담당", "담당자", "owner"], task.owner);
  add(["병렬", "parallel"], listing(task.parallelWith));
  if (task.files.length > 0)
    add(["파일", "files"], task.files.map((file) => `\`${file}\``).join(pick(", ", " → ")));
  add(["Worktree", "worktree", "워크트리"], task.worktree);
  add(["risk", "위험도"], task.risk);
  add(["model"], task.model);
  if (task.check !== null) add(["check", "검증"], pick(task.check, `\`${task.check}\``));
  if (pick(true, false)) fields.reverse();
  const extra = pick("", "\n설명 한 줄", "\n- [ ] 하위 항목", "\n```sh\n- [ ] T1.1: 코드\n```");
  return `${lead} ${box} ${prefix}${name}\n${fields.join("\n")}${extra}\n`;
}

function printDiagram(tasks: readonly ModelTask[]): string {
  const lines = ["```mermaid", "flowchart TD"];
  for (const [place, task] of tasks.entries()) {
    const { dependencies, choices } = task;
    if (!task.inDiagram || dependencies.length === 0) continue;
    const arrow = ["-->", "-.->", "==>", "-->|왜|", "-- 왜 -->"][(choices[39] ?? 0) % 5];
    if ((choices[38] ?? 0) % 2 === 0) {
      lines.push(`  n${place}["${task.id}: x (y)"]`);
      lines.push(`  ${dependencies.join(" & ")} ${arrow} n${place}`);
    } else for (const id of dependencies) lines.push(`  ${id}${arrow}${task.id}`);
  }
  return [...lines, "```", ""].join("\n");
}

describe("S2.4 properties", () => {
  test("a plan printed in any of the accepted forms is read back as the same plan", () => {
    fc.assert(
      fc.property(
        plan,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (tasks, headings, crlf, first) => {
          const drawn = printDiagram(tasks);
          const body = tasks.map((task) => printTask(task, headings)).join("\n");
          const text = `# 계획\n${first ? drawn : ""}\n${body}\n## 끝\n${first ? "" : drawn}`;
          const list = parseTaskList(crlf ? text.replaceAll("\n", "\r\n") : text);
          expect(said(list.problems)).toEqual([]);
          expect(
            list.tasks.map((task) => ({
              ...task,
              dependencies: task.dependencies.toSorted(),
              parallelWith: task.parallelWith.toSorted(),
              line: 0,
              endLine: 0,
            })),
          ).toEqual(
            tasks.map(({ id, risk, model, check, ...task }) => ({
              id,
              phase: parseUnitId(id)!.phase,
              title: task.title,
              checked: task.checked,
              owner: task.owner,
              dependencies: task.dependencies.toSorted(),
              parallelWith: task.parallelWith.toSorted(),
              files: task.files,
              worktree: task.worktree,
              ...(risk === null ? {} : { risk }),
              ...(model === null ? {} : { model }),
              ...(check === null ? {} : { check }),
              line: 0,
              endLine: 0,
              other: [],
            })),
          );
          const numbers = list.phases.map((phase) => phase.number);
          expect(numbers).toEqual(
            [...new Set(tasks.map(({ id }) => parseUnitId(id)!.phase))].toSorted((a, b) => a - b),
          );
        },
      ),
      { seed: 20260121, numRuns: 400 },
    );
  });

  const scrap = fc.constantFrom(
    ..."# ## ### - * 1. [ ] [x] [ ] [/] T1.1 T1.2 T0.5.2 P2-S1-V P1-R1 t1.1 T1 : ： - ~ , ( ) ** ` ``` ~~~".split(
      " ",
    ),
    ..."mermaid graph flowchart TD subgraph end --> -.-> ==> -- | & ; %% <!-- --> 의존성 담당 파일 병렬".split(
      " ",
    ),
    ..."check 검증 Phase 1 페이즈 M0.5 없음 none worktree ../x 로그인 \t \r \0 \u3000 🚀 é".split(
      " ",
    ),
    " ",
    "  ",
    "",
  );
  const garbage = fc.oneof(
    fc.array(
      fc.array(scrap, { maxLength: 14, size: "max" }).map((words) => words.join(" ")),
      {
        maxLength: 60,
        size: "max",
      },
    ),
    fc.array(
      fc.array(scrap, { maxLength: 30, size: "max" }).map((words) => words.join("")),
      {
        maxLength: 30,
        size: "max",
      },
    ),
    fc.array(fc.string({ unit: "binary", maxLength: 80, size: "max" }), { maxLength: 30 }),
  );

  test("no text makes it throw; what it finds has a place, and ids come back exactly", () => {
    fc.assert(
      fc.property(garbage, (lines) => {
        const text = lines.join("\n");
        const list = parseTaskList(text);
        const count = text.split("\n").length;
        for (const { line, column, text: message } of [...list.problems, ...list.notices]) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(count);
          expect(column).toBeGreaterThanOrEqual(1);
          for (const language of languages) render(language, message);
        }
        for (const { id, dependencies, line, endLine } of list.tasks) {
          expect(formatUnitId(parseUnitId(id)!)).toBe(id);
          expect(text.split("\n")[line - 1]?.normalize("NFC")).toContain(id);
          expect(endLine).toBeGreaterThanOrEqual(line);
          for (const other of dependencies)
            expect(list.tasks.some((t) => t.id === other)).toBe(true);
        }
        expect(list.tasks.length > 0 || list.problems.length > 0).toBe(true);
      }),
      { seed: 20260121, numRuns: 3000 },
    );
  });

  test("checkOff ticks every task of any text, twice changes nothing, and touches only boxes", () => {
    fc.assert(
      fc.property(garbage, (lines) => {
        const text = lines.join("\n");
        const ids = parseTaskList(text).tasks.map(({ id }) => id);
        const ticked = checkOff(text, ids);
        const after = parseTaskList(ticked);
        expect(after.tasks.map(({ id, checked }) => [id, checked])).toEqual(
          ids.map((id) => [id, true]),
        );
        expect(checkOff(ticked, ids)).toBe(ticked);
        expect(withoutMarks(ticked)).toBe(withoutMarks(text));
      }),
      { seed: 20260121, numRuns: 2000 },
    );
  });
});

describe("S5.4 limits", () => {
  test("100,000 tasks are read, one more is refused with its line", () => {
    const ids = Array.from({ length: 100_000 }, (_, i) => `T${i % 100}.${Math.floor(i / 100)}`);
    const text = ids.map((id) => `- [ ] ${id}: 작업\n  - 의존: T0.0`).join("\n");
    const list = parseTaskList(text);
    expect(list.tasks).toHaveLength(100_000);
    expect(list.tasks.map(({ id }) => id).toSorted(compareUnitIds)[100]).toBe("T0.100");
    expect(list.edges).toHaveLength(100_000);
    expect(codes(list)).toEqual(["CIRCULAR_DEP 2 T0.0"]);
    const more = parseTaskList(`${ids.map((id) => `- [ ] ${id}: x`).join("\n")}\n- [ ] T100.1: y`);
    expect(more.tasks).toHaveLength(100_000);
    expect(codes(more)).toEqual(["PARSE_FAIL 100001 -"]);
  });

  test("a file over 4 MiB is refused by bytes, a line over 64 Ki characters is skipped", () => {
    expect(parseTaskList(`- [ ] T1.1: a\n${"가\n".repeat(maxTaskListBytes / 4)}`).problems).toEqual(
      [expect.objectContaining({ code: "PARSE_FAIL", line: 1 })],
    );
    const list = parseTaskList(`- [ ] T1.1: a\n- [ ] T1.2: ${"b".repeat(65_536)}\n- [ ] T1.3: c`);
    expect(codes(list)).toEqual(["PARSE_FAIL 2 -"]);
    expect(list.tasks.map(({ id }) => id)).toEqual(["T1.1", "T1.3"]);
  });

  test("small words that stand for millions of edges are refused, not worked off", () => {
    const group = Array.from({ length: 2000 }, (_, i) => `- [ ] P1-R1-T${i}: x`).join("\n");
    const names = Array.from({ length: 2000 }, (_, i) => `P1-R1-T${i}`).join(" & ");
    const waiting = Array.from({ length: 2000 }, (_, i) => `- [ ] T2.${i}: x\n  - 의존: P1-R1`);
    for (const text of [
      `${group}\n${waiting.join("\n")}`,
      `${group}\n\`\`\`mermaid\ngraph TD\n${`${names} --> ${names}\n`.repeat(9)}\`\`\``,
      `${group}\n- [ ] T2.1: x\n${"  - 의존: P1-R1-T0~P1-R1-T900\n".repeat(9000)}`,
      `${group}\n- [ ] T2.1: x\n${"  - 의존: T5.1~T5.900\n".repeat(9000)}`,
      `${group}\n- [ ] T2.1: x\n${"  - 병렬: P1-R1\n".repeat(9000)}`,
    ])
      expect(said(parseTaskList(text).problems).at(-1)).toContain("1000000 dependencies");
  });

  // Without an assertion on time: a pattern that backtracks would not end within the test's own.
  test.each([
    " ",
    "- ",
    "[",
    "- [ ] ",
    "*",
    "**",
    "`",
    "(",
    "(a ",
    " (",
    "T1.",
    "T1.1~",
    "T1.1-",
    "P1-T",
    "P1-",
    "<!--",
    "<!-- -->",
    "-->",
    "의존성: ",
    "a: ",
    ":",
    "#",
    " #",
    "단계 1 ",
    "1",
    "\t",
    "_",
    "T1.1 & ",
    "A --> ",
    "A -- ",
    "A[",
    'A["',
    "A -.- ",
  ])("a line of 64 Ki %j, in every place a line can stand, is read to its end", (piece) => {
    const line = piece.repeat(Math.floor(65_000 / piece.length));
    const places = [
      line,
      `- [ ] ${line}`,
      `### [ ] T1.1: ${line}`,
      `## Phase 1 ${line}`,
      `- [ ] T1.1: a\n의존성: ${line}`,
      `- [ ] T1.1: a\n- 파일: ${line}`,
      `- [ ] T1.1: a\n- 검증: ${line}`,
      `- [ ] T1.1: a\n- **${line}`,
      `- [ ] T1.1: a\n\`\`\`mermaid\ngraph TD\nT1.1 ${line}\n\`\`\``,
      `- [ ] T1.1: a\n\`\`\`mermaid\ngraph TD\n${line}\n\`\`\``,
      `- [ ] T1.1: a\n${`${piece}\n`.repeat(100_000)}`,
    ];
    for (const text of places) expect(parseTaskList(text).problems).toBeInstanceOf(Array);
  });
});
