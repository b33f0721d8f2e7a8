import type { Text } from "../messages.ts";

/** Why a machine refuses an event, and what holds in each state. */
export const machineTexts = {
  "machine.no_transition": {
    en: "“{event}” is not possible while {machine} is {state}. Possible now: {allowed}.",
    ko: "{machine}의 상태가 {state}일 때는 “{event}”(을/를) 할 수 없습니다. 지금 할 수 있는 것: {allowed}.",
  },
  "machine.unknown_state": {
    en: "{machine} has no state “{state}”. Known: {known}.",
    ko: "{machine}에는 “{state}” 상태가 없습니다. 가능한 값: {known}.",
  },
  "machine.broken": {
    en: "{machine} {id} is {state}, but that needs: {rule}",
    ko: "{machine} {id}의 상태는 {state}인데, 지켜져야 할 규칙이 깨졌습니다: {rule}",
  },
  "machine.task": { en: "the task", ko: "작업" },
  "task.incomplete": { en: "Fill in first: {fields}.", ko: "먼저 채워 주세요: {fields}." },
  "task.waits_for_tasks": {
    en: "It waits for other tasks: {ids}.",
    ko: "다른 작업이 끝나기를 기다립니다: {ids}.",
  },
  "task.no_slot": {
    en: "All agent slots are taken; it starts when one is free.",
    ko: "에이전트 자리가 모두 찼습니다. 자리가 나면 시작합니다.",
  },
  "task.was_last_phase": { en: "That was the last phase.", ko: "마지막 단계였습니다." },
  "task.phases_left": {
    en: "Phase {phase} of {total}: phases are left.",
    ko: "{total}단계 중 {phase}단계입니다. 아직 남은 단계가 있습니다.",
  },
  "task.no_review_asked": {
    en: "This phase asks for no review.",
    ko: "이 단계는 리뷰가 필요 없습니다.",
  },
  "task.review_asked": {
    en: "This phase has to be reviewed first.",
    ko: "이 단계는 먼저 리뷰를 받아야 합니다.",
  },
  "task.needs_hash": {
    en: "Say what you approve: the hash shown with the review.",
    ko: "무엇을 승인하는지 알려 주세요: 리뷰에 표시된 해시가 필요합니다.",
  },
  "task.artefacts_changed": {
    en: "The files changed since they were shown. Look at them again, then approve.",
    ko: "보신 뒤에 파일이 바뀌었습니다. 다시 확인하고 승인해 주세요.",
  },
  "task.needs_feedback": {
    en: "Say what should change: feedback is required.",
    ko: "무엇을 바꿔야 할지 피드백을 적어 주세요.",
  },
  "task.no_rework_left": {
    en: "All {max} reworks are used up.",
    ko: "재작업 {max}회를 모두 썼습니다.",
  },
  "task.rework_left": {
    en: "{done} of {max} reworks used: the agent tries again.",
    ko: "재작업 {max}회 중 {done}회를 썼습니다. 에이전트가 다시 시도합니다.",
  },
  "task.already_paused": { en: "It is paused already.", ko: "이미 일시중지되어 있습니다." },
  "task.not_paused": { en: "It is not paused.", ko: "일시중지 상태가 아닙니다." },
  "task.already_archived": { en: "It is archived already.", ko: "이미 보관되어 있습니다." },
  "task.holds.not_started": {
    en: "no start, phase or end is recorded yet",
    ko: "시작, 단계, 종료 기록이 아직 없어야 합니다",
  },
  "task.holds.in_a_phase": {
    en: "it has started, is in one of its phases and has not ended",
    ko: "시작했고, 단계 안에 있으며, 끝나지 않았어야 합니다",
  },
  "task.holds.completed_at": {
    en: "the completion time is set, a failure time is not",
    ko: "완료 시각이 있고 실패 시각은 없어야 합니다",
  },
  "task.holds.full_progress": { en: "progress is 100", ko: "진행률이 100이어야 합니다" },
  "task.holds.failed_at": {
    en: "the failure time is set, a completion time is not",
    ko: "실패 시각이 있고 완료 시각은 없어야 합니다",
  },
} as const satisfies Record<string, Text>;
