// Why the machines of develop and orchestrate refuse an event, and what holds in each state.
import type { Text } from "../messages.ts";

export const unitMachineTexts = {
  // Phases of develop.
  "develop.no_checkpoints": {
    en: "The design defines no checkpoints yet.",
    ko: "설계에 아직 체크포인트가 정의되지 않았습니다.",
  },
  "develop.design_unapproved": {
    en: "A person has to approve the design first.",
    ko: "먼저 사람이 설계를 승인해야 합니다.",
  },
  "develop.findings": {
    en: "Blocking findings of the review: {count}. Send the design back, or clear them.",
    ko: "리뷰에서 나온 차단 문제: {count}건. 설계로 돌려보내거나 해결해 주세요.",
  },
  "develop.no_strategy": {
    en: "No strategy is chosen: direct, subagent or agent-teams.",
    ko: "구현 전략이 정해지지 않았습니다: direct, subagent, agent-teams 중 하나입니다.",
  },
  "develop.no_round_left": {
    en: "The review has sent the design back {max} times already; now a person decides.",
    ko: "리뷰에서 설계로 이미 {max}번 돌려보냈습니다. 이제 사람이 결정해야 합니다.",
  },
  "develop.checkpoints_left": {
    en: "Checkpoints that have not passed: {ids}.",
    ko: "아직 통과하지 못한 체크포인트: {ids}.",
  },
  "develop.checks_fail": {
    en: "Final checks fail: {checks}.",
    ko: "최종 검사가 실패했습니다: {checks}.",
  },
  "develop.merge_unapproved": {
    en: "A person has to approve the merge first.",
    ko: "먼저 사람이 병합을 승인해야 합니다.",
  },
  "develop.holds.no_strategy": {
    en: "no strategy is set before IMPLEMENT",
    ko: "IMPLEMENT 전에는 전략이 없어야 합니다",
  },
  "develop.holds.strategy": { en: "a strategy is set", ko: "전략이 정해져 있어야 합니다" },
  "develop.holds.has_checkpoints": {
    en: "there is at least one checkpoint",
    ko: "체크포인트가 하나 이상 있어야 합니다",
  },
  "develop.holds.none_begun": {
    en: "no checkpoint has begun",
    ko: "시작한 체크포인트가 없어야 합니다",
  },
  "develop.holds.all_passed": {
    en: "every checkpoint has passed",
    ko: "모든 체크포인트가 통과했어야 합니다",
  },

  // Checkpoint.
  "checkpoint.waits_for": {
    en: "It waits for other checkpoints: {ids}.",
    ko: "다른 체크포인트가 통과하기를 기다립니다: {ids}.",
  },
  "checkpoint.not_validated": {
    en: "The validation command has not been run yet.",
    ko: "검증 명령을 아직 실행하지 않았습니다.",
  },
  "checkpoint.differed": {
    en: "The validation command did not give what is expected.",
    ko: "검증 명령의 결과가 기대한 것과 다릅니다.",
  },
  "checkpoint.has_matched": {
    en: "The validation command gave what is expected: it has passed.",
    ko: "검증 명령의 결과가 기대한 것과 같습니다. 통과한 것입니다.",
  },
  "checkpoint.unclassified": {
    en: "The failure has no class yet.",
    ko: "실패 원인이 아직 분류되지 않았습니다.",
  },
  "checkpoint.attempt_left": {
    en: "Attempt {iteration} of {max}: another one is left.",
    ko: "{max}회 중 {iteration}번째 시도입니다. 시도가 남아 있습니다.",
  },
  "checkpoint.other_attempt": {
    en: "This was attempt {iteration} of {max}.",
    ko: "{max}회 중 {iteration}번째 시도였습니다.",
  },
  "checkpoint.holds.not_begun": { en: "iteration is 0", ko: "iteration이 0이어야 합니다" },
  "checkpoint.holds.attempt": {
    en: "iteration is 1, 2 or 3",
    ko: "iteration이 1, 2, 3 중 하나여야 합니다",
  },

  // Unit.
  "unit.waits_for": { en: "It waits for: {ids}.", ko: "먼저 끝나야 하는 것: {ids}." },
  "unit.no_dead_dependency": {
    en: "Nothing it depends on is failed or blocked.",
    ko: "의존하는 것 중에 실패하거나 막힌 것이 없습니다.",
  },
  "unit.blocked_by": {
    en: "Failed or blocked, and it depends on them: {ids}.",
    ko: "의존하는 것이 실패했거나 막혀 있습니다: {ids}.",
  },
  "unit.no_slot": {
    en: "All slots are taken; it starts when one is free.",
    ko: "자리가 모두 찼습니다. 자리가 나면 시작합니다.",
  },
  "unit.claimed": {
    en: "Session {session} works on it.",
    ko: "세션 {session}(이/가) 작업하고 있습니다.",
  },
  "unit.still_worked_on": {
    en: "Its agent still lives, or its claim still runs.",
    ko: "에이전트가 아직 살아 있거나 점유 기한이 남아 있습니다.",
  },
  "unit.not_checked": {
    en: "Its check has not been run yet.",
    ko: "검사를 아직 실행하지 않았습니다.",
  },
  "unit.check_failed": { en: "Its check fails.", ko: "검사가 실패했습니다." },
  "unit.same_error": {
    en: "The same error came {times} times in a row.",
    ko: "같은 오류가 {times}번 연속으로 났습니다.",
  },
  "unit.no_retry_left": {
    en: "All {limit} retries are used up.",
    ko: "재시도 {limit}회를 모두 썼습니다.",
  },
  "unit.retry_left": {
    en: "{done} of {limit} retries used: it is tried again.",
    ko: "재시도 {limit}회 중 {done}회를 썼습니다. 다시 시도합니다.",
  },
  "unit.holds.dependencies": {
    en: "everything it depends on is completed",
    ko: "의존하는 것이 모두 완료되어 있어야 합니다",
  },
  "unit.holds.unclaimed": { en: "no session has a claim on it", ko: "점유한 세션이 없어야 합니다" },
} as const satisfies Record<string, Text>;
