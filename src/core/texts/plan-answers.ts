// What is wrong with the answer of a planner, a verifier or a closer (S3.2, S3.7b).
import type { Text } from "../messages.ts";

export const planAnswerTexts = {
  "plan.bad.json": { en: "line {line}: {problem}", ko: "{line}행: {problem}" },
  "plan.bad.value": {
    en: "{pointer}: expected {expected}, got {got}",
    ko: "{pointer}: {expected} 형식이어야 하는데 {got}입니다",
  },
  "plan.bad.unknown": {
    en: "{pointer}: no such field is known",
    ko: "{pointer}: 알 수 없는 필드입니다",
  },
  "plan.bad.missing": { en: "{pointer}: is missing", ko: "{pointer}: 빠져 있습니다" },
  "plan.bad.unfilled": {
    en: "{pointer}: is still the form's “…”; put your own words there",
    ko: "{pointer}: 양식의 “…”이 그대로입니다. 직접 내용을 쓰세요",
  },
  "plan.bad.agent": { en: "{pointer}: {unsafe}", ko: "{pointer}: {unsafe}" },
  "plan.bad.file": {
    en: "{pointer}: {path} lies outside the project",
    ko: "{pointer}: {path}(은/는) 프로젝트 밖에 있습니다",
  },
  "plan.bad.same_id": {
    en: "/steps: the id {id} is used twice",
    ko: "/steps: id {id}(이/가) 두 번 쓰였습니다",
  },
  "plan.bad.no_step": {
    en: "/steps: step {id} depends on {missing}, which is no step",
    ko: "/steps: {id}단계가 의존하는 {missing}단계가 없습니다",
  },
  "plan.bad.cycle": {
    en: "/steps: dependencies go in a circle: {path}",
    ko: "/steps: 의존 관계가 순환합니다: {path}",
  },
  "plan.bad.criterion": {
    en: "{pointer}: must be a number from 1 to {count}, each once",
    ko: "{pointer}: 1부터 {count}까지의 번호를 한 번씩만 써야 합니다",
  },
  "plan.bad.unjudged": {
    en: "/criteria: not judged: {numbers}",
    ko: "/criteria: 판정하지 않은 기준: {numbers}",
  },
  "plan.bad.no_answer": { en: "no answer came: {reason}", ko: "답이 오지 않았습니다: {reason}" },
} as const satisfies Record<string, Text>;
