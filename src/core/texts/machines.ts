import type { Text } from "../messages.ts";

/** Why the machines of a task and of an agent refuse an event, and what holds in each state. */
export const machineTexts = {
  // Any machine.
  "machine.no_transition": {
    en: "“{event}” is not possible while {machine} is {state}. Possible now: {allowed}.",
    ko: "{machine}의 상태가 {state}일 때는 “{event}”(을/를) 할 수 없습니다. 지금 할 수 있는 것: {allowed}.",
  },
  "machine.unknown_state": {
    en: "Unknown state “{state}” of {machine}{id}. Known: {known}.",
    ko: "{machine}{id}의 상태 “{state}”(은/는) 알 수 없는 값입니다. 가능한 값: {known}.",
  },
  "machine.broken": {
    en: "Broken record: {machine}{id} is {state}, but that needs: {rule}.",
    ko: "기록이 어긋났습니다. {machine}{id}의 상태가 {state}일 때 지켜져야 할 규칙: {rule}.",
  },
  "machine.person_only": { en: "Only a person may do this.", ko: "이 일은 사람만 할 수 있습니다." },
  "machine.task": { en: "the task", ko: "작업" },
  "machine.agent": { en: "the agent", ko: "에이전트" },
  "machine.develop-phase": { en: "the development", ko: "개발 워크플로" },
  "machine.checkpoint": { en: "the checkpoint", ko: "체크포인트" },
  "machine.unit": { en: "the unit", ko: "작업 단위" },
  "machine.plan-task": { en: "the planned task", ko: "계획 작업" },
  "machine.plan-step": { en: "the step", ko: "계획 단계" },
  "machine.request": { en: "the request", ko: "요청" },
  "machine.subtask": { en: "the subtask", ko: "하위작업" },

  // The phase a task and its agent are in.
  "phase.was_last": { en: "That was the last phase.", ko: "마지막 단계였습니다." },
  "phase.left": {
    en: "Phase {phase} of {total}: phases are left.",
    ko: "{total}단계 중 {phase}단계입니다. 아직 남은 단계가 있습니다.",
  },
  "phase.no_review_asked": {
    en: "This phase asks for no review.",
    ko: "이 단계는 리뷰가 필요 없습니다.",
  },
  "phase.review_asked": {
    en: "This phase has to be reviewed first.",
    ko: "이 단계는 먼저 리뷰를 받아야 합니다.",
  },
  "phase.needs_feedback": {
    en: "Say what should change: feedback is required.",
    ko: "무엇을 바꿔야 할지 피드백을 적어 주세요.",
  },
  "phase.no_rework_left": {
    en: "All {max} reworks are used up.",
    ko: "재작업 {max}회를 모두 썼습니다.",
  },
  "phase.rework_left": {
    en: "{done} of {max} reworks used: the agent tries again.",
    ko: "재작업 {max}회 중 {done}회를 썼습니다. 에이전트가 다시 시도합니다.",
  },

  // Task.
  "task.incomplete": { en: "Fill in first: {fields}.", ko: "먼저 채워 주세요: {fields}." },
  "task.waits_for_tasks": {
    en: "It waits for other tasks: {ids}.",
    ko: "다른 작업이 끝나기를 기다립니다: {ids}.",
  },
  "task.no_slot": {
    en: "All agent slots are taken; it starts when one is free.",
    ko: "에이전트 자리가 모두 찼습니다. 자리가 나면 시작합니다.",
  },
  "task.needs_hash": {
    en: "Say what you approve: the hash shown with the review.",
    ko: "무엇을 승인하는지 알려 주세요: 리뷰에 표시된 해시가 필요합니다.",
  },
  "task.artefacts_changed": {
    en: "The files changed since they were shown. Look at them again, then approve.",
    ko: "보신 뒤에 파일이 바뀌었습니다. 다시 확인하고 승인해 주세요.",
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

  // Agent.
  "agent.task_not_pending": {
    en: "Its task is {status}; only a pending task is given to an agent.",
    ko: "작업 상태가 {status}입니다. 대기 중인 작업만 에이전트에 맡길 수 있습니다.",
  },
  "agent.nothing_to_verify": {
    en: "Its task is {status}: a verifier judges a task that is at work.",
    ko: "작업이 {status} 상태입니다. 검증 에이전트는 진행 중인 작업만 확인합니다.",
  },
  "agent.not_a_verifier": {
    en: "Only a verifier gives a verdict.",
    ko: "검증 에이전트만 판정을 내릴 수 있습니다.",
  },
  "agent.already_provided": {
    en: "What it asks for was provided already.",
    ko: "요청한 의존성은 이미 제공되었습니다.",
  },
  "agent.already_answered": {
    en: "The question was answered already.",
    ko: "이미 답변한 질문입니다.",
  },
  "agent.needs_answer": {
    en: "Give an answer: it cannot be empty.",
    ko: "답변을 적어 주세요. 비워 둘 수 없습니다.",
  },
  "agent.deliverables_missing": {
    en: "Deliverables of this phase are missing: {files}.",
    ko: "이 단계의 산출물이 없습니다: {files}.",
  },
  "agent.no_review_yet": {
    en: "There is nothing to review yet: the phase is still being verified.",
    ko: "아직 리뷰할 것이 없습니다. 이 단계를 검증하는 중입니다.",
  },
  "agent.review_is_open": {
    en: "The phase was verified already and waits for a person's review.",
    ko: "이 단계는 이미 검증되어 리뷰를 기다리고 있습니다.",
  },
  "agent.no_attempt_left": {
    en: "It ended without finishing the phase, and no attempt is left.",
    ko: "단계를 끝내지 못하고 종료되었고, 남은 시도가 없습니다.",
  },
  "agent.attempts_left": {
    en: "Attempts left: {left}. It is resumed.",
    ko: "남은 시도: {left}회. 이어서 실행합니다.",
  },
  "agent.not_held": { en: "Nothing holds it.", ko: "멈춰 있을 이유가 없습니다." },
  "agent.held_by": { en: "It is held by: {holds}.", ko: "멈춰 있는 이유: {holds}." },
  "agent.held_already": {
    en: "It is held by “{hold}” already.",
    ko: "이미 “{hold}”(으로/로) 멈춰 있습니다.",
  },
  "agent.not_held_by": {
    en: "It is not held by “{hold}”.",
    ko: "“{hold}”(으로/로) 멈춘 상태가 아닙니다.",
  },
  "agent.no_other_hold": { en: "Nothing else holds it.", ko: "그 밖에 멈춰 있을 이유가 없습니다." },
  "agent.nothing_parks_it": {
    en: "Say what parks it: limit, budget or disk.",
    ko: "멈추는 이유를 알려 주세요: limit, budget, disk 중 하나입니다.",
  },
  "agent.holds.not_begun": {
    en: "no phase, step, progress or token is recorded yet",
    ko: "단계, 세부 단계, 진행률, 토큰 기록이 아직 없어야 합니다",
  },
  "agent.holds.in_a_phase": { en: "it is in a phase", ko: "단계 안에 있어야 합니다" },
  "agent.holds.nothing_stops_it": {
    en: "it is blocked by nothing and held by nothing",
    ko: "막는 것도, 멈춰 둔 이유도 없어야 합니다",
  },
  "agent.holds.blocked_by_nothing": {
    en: "it is blocked by nothing",
    ko: "막는 것이 없어야 합니다",
  },
  "agent.holds.blocked_by": {
    en: "it is blocked by: {what}",
    ko: "막는 것이 {what}(이어야/여야) 합니다",
  },
  "agent.holds.held": {
    en: "at least one hold is on",
    ko: "멈춰 둔 이유가 하나 이상 있어야 합니다",
  },

  // A dependency's value. It may be a secret: no text has a blank for it.
  "dependency.none": { en: "It waits for no dependency.", ko: "기다리는 의존성이 없습니다." },
  "dependency.needs_value": {
    en: "Give a value: it cannot be empty.",
    ko: "값을 입력해 주세요. 비워 둘 수 없습니다.",
  },
  "dependency.has_nul": {
    en: "The value holds a NUL character, which no environment variable can.",
    ko: "값에 NUL 문자가 있습니다. 환경 변수에는 쓸 수 없는 문자입니다.",
  },
  "dependency.value_or_file": {
    en: "Give either a value or a file.",
    ko: "값과 파일 중 하나만 제공하세요.",
  },
  "dependency.no_file": {
    en: "A file can be given for a dependency of type file only.",
    ko: "파일은 file 유형의 의존성에만 제공할 수 있습니다.",
  },
  "dependency.yes_or_no": {
    en: "A permission is answered with yes or no.",
    ko: "권한 요청에는 yes 또는 no로 답해 주세요.",
  },
  "dependency.name_at_version": {
    en: "Name the package with its version, as in name@1.2.3.",
    ko: "패키지를 버전과 함께 적어 주세요. 예: name@1.2.3",
  },
  "dependency.unconfirmed": {
    en: "A person has to confirm the package before it is installed.",
    ko: "패키지를 설치하기 전에 사람이 확인해야 합니다.",
  },
} as const satisfies Record<string, Text>;
