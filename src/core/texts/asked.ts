import type { Text } from "../messages.ts";

/** Questions with several parts, permissions and checks, as a terminal shows them. */
export const askedTexts = {
  "cli.task.part.several": { en: "any of", ko: "여러 개 선택" },
  "cli.task.part.one": { en: "one of", ko: "하나 선택" },
  "cli.task.part.free": { en: "or your own words", ko: "또는 직접 입력" },
  "cli.task.part.words": { en: "your own words", ko: "직접 입력" },
  "cli.task.answer_parts": {
    en: "Answer each, in this order: {command}",
    ko: "순서대로 모두 답하세요: {command}",
  },
  "cli.task.answer_one": { en: "Answer: {command}", ko: "답하기: {command}" },
  "cli.task.example.answer_parts": {
    en: "several questions at once, in their order; more than one choice is a list",
    ko: "여러 질문에 순서대로 한 번에 답하기. 여러 개를 고르면 목록으로",
  },
  "cli.task.example.answer_deny": {
    en: "refuse a permission, and say why",
    ko: "권한 요청을 거절하고 이유를 알리기",
  },
  "cli.task.checked": {
    en: "phase {phase} checked in {time}: passed",
    ko: "{phase}단계 검증 {time}: 통과",
  },
  "cli.task.accepted": {
    en: "phase {phase} was accepted by a person, without a verifier's verdict",
    ko: "{phase}단계는 검증 에이전트의 판정 없이 사람이 받아들였습니다",
  },
  "cli.task.checked.failed": {
    en: "phase {phase} checked in {time}: not passed",
    ko: "{phase}단계 검증 {time}: 통과하지 못함",
  },
} as const satisfies Record<string, Text>;
