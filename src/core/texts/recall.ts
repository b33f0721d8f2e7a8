import type { Text } from "../messages.ts";

/** Of the search over a project's past. */
export const recallTexts = {
  "op.recall": {
    en: "search this project's past: journal, documents, contracts, memory, reviews, what agents said",
    ko: "프로젝트의 지난 일을 찾습니다: 기록, 문서, 계약, 메모리, 검토, 에이전트가 한 말",
  },
  "op.recall.question": {
    en: "a question or a few words, Korean or English",
    ko: "질문이나 낱말 몇 개, 한국어 또는 영어",
  },
  "op.recall.limit": { en: "how many answers, 10 by default", ko: "답의 수. 기본 10" },
  "op.recall.since": {
    en: "not older than this: 2026-04-01, or 12h, 7d, 2w ago",
    ko: "이때부터만: 2026-04-01, 또는 12h, 7d, 2w 전",
  },
  "op.recall.in": { en: "only entries of this kind", ko: "이 종류에서만" },
  "op.recall.rebuild": {
    en: "throw the index away and build it anew",
    ko: "색인을 버리고 새로 만듭니다",
  },
  "cli.recall.example": { en: "ask in your own words", ko: "평소 말로 묻기" },
  "cli.recall.example.in": {
    en: "only reviews, of the last four weeks",
    ko: "지난 4주의 검토에서만",
  },
  "cli.recall.example.rebuild": { en: "build the index anew", ko: "색인 새로 만들기" },
  "cli.recall.note": {
    en: "The index is only a copy: it is brought up to date with each question, and may be deleted.",
    ko: "색인은 사본일 뿐입니다. 물을 때마다 최신으로 맞추며, 지워도 됩니다.",
  },
  "recall.no_words": { en: "There is no word to look for.", ko: "찾을 낱말이 없습니다." },
  "recall.no_words.hint": {
    en: 'Ask in your own words: holdfast recall "why did we choose …"',
    ko: '평소 말로 물어보세요: holdfast recall "왜 …(으)로 정했지"',
  },
  "recall.since": {
    en: "“{since}” is no time.",
    ko: "“{since}”(은/는) 시각이 아닙니다.",
  },
  "recall.since.hint": {
    en: "Give a date as 2026-04-01, or how long ago: 12h, 7d, 2w.",
    ko: "2026-04-01처럼 날짜를 적거나, 12h, 7d, 2w처럼 얼마 전인지 적어 주세요.",
  },
  "recall.nothing": {
    en: "Nothing fits, in {count} entries. Fewer or other words may.",
    ko: "항목 {count}개에서 맞는 것을 찾지 못했습니다. 낱말을 줄이거나 바꿔 보세요.",
  },
  "recall.rebuilt": {
    en: "The index was built anew: {count} entries.",
    ko: "색인을 새로 만들었습니다: 항목 {count}개.",
  },
  "recall.kind.journal": { en: "journal", ko: "기록" },
  "recall.kind.task": { en: "task", ko: "작업" },
  "recall.kind.question": { en: "question", ko: "질문" },
  "recall.kind.review": { en: "review", ko: "검토" },
  "recall.kind.unit": { en: "unit", ko: "단위" },
  "recall.kind.contract": { en: "contract", ko: "계약" },
  "recall.kind.knowledge": { en: "knowledge", ko: "지식" },
  "recall.kind.memory": { en: "memory", ko: "메모리" },
  "recall.kind.output": { en: "output", ko: "출력" },
  "doctor.recall.broken": {
    en: "The search index “{file}” is damaged.",
    ko: "검색 색인 “{file}”(이/가) 손상되었습니다.",
  },
  "doctor.recall.broken.hint": {
    en: "Run “holdfast doctor --fix” or “holdfast recall --rebuild”: it is built anew, nothing is lost.",
    ko: "“holdfast doctor --fix”나 “holdfast recall --rebuild”를 실행하세요. 새로 만들며, 잃는 것은 없습니다.",
  },
} as const satisfies Record<string, Text>;
