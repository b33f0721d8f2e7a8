// Of the search over a project's past.
import type { Text } from "./index.ts";

export const recallTexts = {
  "nav.recall": { en: "Recall", ko: "지난 일" },
  "recall.ask": { en: "Ask about this project's past", ko: "이 프로젝트의 지난 일 묻기" },
  "recall.placeholder": {
    en: "Why did we …? What was decided about …?",
    ko: "왜 …했지? …는 어떻게 하기로 했나?",
  },
  "recall.kinds": { en: "Only of one kind", ko: "한 종류만" },
  "recall.kind.all": { en: "All", ko: "전체" },
  "recall.kind.journal": { en: "Journal", ko: "기록" },
  "recall.kind.task": { en: "Tasks", ko: "작업" },
  "recall.kind.question": { en: "Questions", ko: "질문" },
  "recall.kind.review": { en: "Reviews", ko: "리뷰" },
  "recall.kind.unit": { en: "Units", ko: "단위" },
  "recall.kind.contract": { en: "Contracts", ko: "계약" },
  "recall.kind.knowledge": { en: "Knowledge", ko: "지식" },
  "recall.kind.memory": { en: "Memory", ko: "메모리" },
  "recall.kind.output": { en: "Output", ko: "출력" },
  "recall.start": { en: "Ask in your own words.", ko: "평소 말로 물어보세요." },
  "recall.start.hint": {
    en: "Korean or English, a question or a few words. It looks through journal, tasks, reviews, contracts, knowledge, memory and what agents printed.",
    ko: "한국어든 영어든, 질문이든 낱말 몇 개든 됩니다. 기록, 작업, 리뷰, 계약, 지식, 메모리와 에이전트가 출력한 내용에서 찾습니다.",
  },
  "recall.none": { en: "Nothing fits.", ko: "맞는 것을 찾지 못했습니다." },
  "recall.none.hint": {
    en: "Fewer or other words may. Looked in [count:{count} entry|{count} entries].",
    ko: "낱말을 줄이거나 바꿔 보세요. 항목 {count}개에서 찾았습니다.",
  },
  "recall.found": {
    en: "[count:{count} answer|{count} answers], best first",
    ko: "답 {count}개, 잘 맞는 순서",
  },
} as const satisfies Record<string, Text>;
