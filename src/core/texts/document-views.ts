import type { Text } from "../messages.ts";

/** Of the documents of memory and of requests, as they are shown. */
export const documentViewTexts = {
  "op.documents": {
    en: "show what is remembered, or the contracts of requests, and what is damaged of it",
    ko: "메모리나 요청의 계약을, 손상된 것까지 함께 보여 줍니다",
  },
  "op.documents.part": {
    en: "memory (of plans) or contracts (of requests)",
    ko: "memory(계획의 메모리) 또는 contracts(요청의 계약)",
  },
  "cli.documents.none": {
    en: "There are none yet. “holdfast plan” and “holdfast request” make them.",
    ko: "아직 없습니다. “holdfast plan”과 “holdfast request”가 만듭니다.",
  },
  "cli.documents.left": {
    en: "{count} more are not shown.",
    ko: "{count}개는 보여 주지 않았습니다.",
  },
  "cli.documents.example": { en: "what agents remember", ko: "에이전트가 기억하는 것" },
  "cli.documents.example.contracts": {
    en: "all contracts with their content, for a program",
    ko: "모든 계약을 내용까지 JSON으로",
  },
} as const satisfies Record<string, Text>;
