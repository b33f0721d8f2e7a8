// What plans leave in a project after a while: every document of its memory, as people and agents would
// have written it.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Language } from "../../src/core/messages.ts";

/** Says one thing in the language of the project; or something else altogether. */
export type Word = (en: string, ko: string) => string;

export const wordsIn =
  (language: Language): Word =>
  (en, ko) =>
    language === "ko" ? ko : en;

/** That many minutes into the morning of which all of it is. */
export const at = (minute: number): string =>
  new Date(Date.UTC(2026, 10, 15, 9, minute)).toISOString();

export function writeMemory(root: string, word: Word): void {
  const write = json(root, ".claude/memory");
  write("task-state.json", {
    version: "1.0",
    current_task: planOf(word),
    pending_tasks: [
      {
        id: "task-2026-11-15-003",
        name: word("Translate the guide", "안내서 번역"),
        status: "pending",
        started_at: null,
        plan: {
          goal: word("Korean and Japanese", "한국어와 일본어로 옮긴다"),
          success_criteria: [],
          steps: [],
        },
        context: {},
      },
    ],
    last_updated: at(40),
  });
  write("shared-context.json", {
    version: "1.0",
    session: { id: "session-2026-11-15-001", started_at: at(0) },
    shared_data: {
      current_topic: word("What is new in 2.0", "2.0에서 달라진 점"),
      target_languages: ["ko", "ja", "en"],
      research_results: {
        sources: [
          { title: word("Change log", "변경 기록"), path: "CHANGELOG.md", lines: 214 },
          {
            title: word("Issues of the last month", "지난달 이슈"),
            path: "docs/issues.md",
            lines: 38,
          },
        ],
        open_questions: [
          word(
            "Is the old API removed or only deprecated?",
            "예전 API는 없어지나요, 아니면 폐기 예정인가요?",
          ),
        ],
      },
    },
    preferences: { tone: word("plain", "담백하게"), emoji: false },
    last_updated: at(35),
  });
  write("agents/researcher.json", {
    version: "1.0",
    agent: "researcher",
    preferences: { depth: word("three sources for each claim", "주장마다 출처 셋") },
    cache: { recent_topics: [word("release notes", "릴리스 노트"), "semver"], common_patterns: [] },
    statistics: { reports_written: 12, avg_quality_score: 0.92 },
    last_updated: at(20),
  });
  write("agents/writing-assistant.json", {
    version: "1.0",
    agent: "writing-assistant",
    preferences: {},
    cache: {},
    statistics: { posts_written: 50 },
    last_updated: at(10),
  });
  write("task-history.json", historyOf(word));
}

/** Writes documents below a folder of a project. */
export function json(root: string, folder: string) {
  return (path: string, value: unknown): void =>
    put(join(root, folder, path), `${JSON.stringify(value, null, 2)}\n`);
}

export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

// --- internal ---

function planOf(word: Word): object {
  const step = (id: number, name: string, agent: string, more: object): object => ({
    id,
    name,
    agent,
    cluster: word("content", "콘텐츠"),
    status: "pending",
    dependencies: id === 1 ? [] : [id - 1],
    started_at: null,
    completed_at: null,
    output: null,
    error: null,
    ...more,
  });
  const done = { status: "completed", started_at: at(1), completed_at: at(12) };
  return {
    id: "task-2026-11-15-002",
    name: word("Release notes for 2.0", "2.0 릴리스 노트"),
    status: "in_progress",
    started_at: at(0),
    updated_at: at(40),
    orchestrator: "orchestrator",
    plan: {
      goal: word("Notes that a user reads to the end", "사용자가 끝까지 읽는 릴리스 노트"),
      success_criteria: [
        word(
          "Every breaking change has its way out",
          "호환되지 않는 변경마다 옮겨 가는 방법이 있다",
        ),
        word("No longer than one page", "한 쪽을 넘지 않는다"),
      ],
      steps: [
        step(1, word("Collect what changed", "바뀐 점 모으기"), "researcher", {
          ...done,
          output: { changes: 31, breaking: ["config.format", "--legacy"] },
        }),
        step(2, word("Outline", "개요 잡기"), "writing-assistant", done),
        step(3, word("Write the notes", "본문 쓰기"), "writing-assistant", {
          status: "in_progress",
          started_at: at(30),
          error: {
            type: "validation",
            message: word("longer than one page", "한 쪽을 넘었습니다"),
            timestamp: at(36),
            retries: 1,
          },
        }),
        step(4, word("Check links and versions", "링크와 버전 확인"), "reviewer", {}),
      ],
      current_step: 3,
    },
    context: {
      user_request: word("Write release notes for 2.0, please.", "2.0 릴리스 노트 써 줘"),
      constraints: [word("No marketing words", "홍보 문구는 쓰지 않는다")],
      resources: ["CHANGELOG.md"],
    },
    artifacts: [
      { type: "file", path: "docs/outline.md", description: word("The outline", "개요 문서") },
    ],
    issues: [
      {
        step_id: 1,
        type: "transient",
        message: word("The issue tracker did not answer", "이슈 추적기가 응답하지 않음"),
        resolution: word("Read from the local export", "로컬에 내보낸 파일에서 읽음"),
        resolved: true,
        resolved_at: at(8),
      },
    ],
  };
}

function historyOf(word: Word): object {
  const ended = (number: number, name: string, result: string, more: object): object => ({
    id: `task-2026-11-1${number}-001`,
    name,
    result,
    started_at: `2026-11-1${number}T09:00:00Z`,
    completed_at: `2026-11-1${number}T09:42:00Z`,
    duration_seconds: 2_520,
    summary: word("Seven pages, reviewed by two people.", "일곱 쪽, 두 사람이 검토했습니다."),
    ...more,
  });
  return {
    version: "1.0",
    tasks: [
      ended(2, word("Guide for beginners", "초보자 안내서"), "success", {
        metrics: { steps_total: 5, steps_completed: 5, retries: 1, tokens_used: 84_200 },
        lessons: [
          word(
            "Screenshots go out of date; commands do not.",
            "화면 사진은 낡지만 명령은 낡지 않는다.",
          ),
        ],
        artifacts: [{ type: "file", path: "docs/guide.md" }],
      }),
      ended(3, word("Compare three databases", "데이터베이스 셋 비교"), "partial", {
        metrics: { steps_total: 4, steps_completed: 3, retries: 5, tokens_used: 240_000 },
        lessons: [word("Measure on the same machine.", "같은 기계에서 재야 한다.")],
      }),
      ended(4, word("Newsletter", "소식지"), "failure", {
        summary: word("No sender.", "보내는 주소가 없었습니다."),
      }),
    ],
    statistics: { total_tasks: 128, success_rate: 0.91, avg_duration_seconds: 1_980 },
  };
}
