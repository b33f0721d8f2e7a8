import type { Text } from "../messages.ts";

/** Why a machine refuses an event, and what holds in each state. */
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
    en: "Give an answer: it can not be empty.",
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
    en: "Give a value: it can not be empty.",
    ko: "값을 입력해 주세요. 비워 둘 수 없습니다.",
  },
  "dependency.has_nul": {
    en: "The value holds a NUL character, which no environment variable can.",
    ko: "값에 NUL 문자가 있습니다. 환경 변수에는 쓸 수 없는 문자입니다.",
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

  // Task of a plan.
  "plan-task.other_current": {
    en: "Task {id} is current, and only one can be. Finish or cancel it, or queue this one.",
    ko: "지금 진행 중인 작업은 {id}입니다. 한 번에 하나만 할 수 있으니, 끝내거나 취소하거나 이 작업을 대기열에 넣어 주세요.",
  },
  "plan-task.no_steps": { en: "The plan has no steps yet.", ko: "계획에 아직 단계가 없습니다." },
  "plan-task.steps_left": {
    en: "Steps that are not completed: {steps}.",
    ko: "아직 완료되지 않은 단계: {steps}.",
  },
  "plan-task.holds.none_begun": { en: "no step has begun", ko: "시작한 단계가 없어야 합니다" },
  "plan-task.holds.all_completed": {
    en: "every step is completed",
    ko: "모든 단계가 완료되어 있어야 합니다",
  },

  // Step of a plan.
  "plan-step.waits_for": {
    en: "It waits for other steps: {steps}.",
    ko: "다른 단계가 끝나기를 기다립니다: {steps}.",
  },
  "plan-step.unclassed": {
    en: "The failure has no type yet.",
    ko: "실패 유형이 아직 정해지지 않았습니다.",
  },
  "plan-step.critical": {
    en: "The failure is critical: a person has to look at it.",
    ko: "치명적인 실패입니다. 사람이 확인해야 합니다.",
  },
  "plan-step.no_retry_left": {
    en: "All {max} retries are used up: a person is asked.",
    ko: "재시도 {max}회를 모두 썼습니다. 사람에게 묻습니다.",
  },
  "plan-step.retry_left": {
    en: "{done} of {max} retries used: it is tried again first.",
    ko: "재시도 {max}회 중 {done}회를 썼습니다. 먼저 다시 시도합니다.",
  },
  "plan-step.holds.no_times": {
    en: "neither a start nor a completion is recorded",
    ko: "시작 시각과 완료 시각이 없어야 합니다",
  },
  "plan-step.holds.started": {
    en: "a start is recorded, a completion is not",
    ko: "시작 시각이 있고 완료 시각은 없어야 합니다",
  },
  "plan-step.holds.both_times": {
    en: "a start and a completion are recorded",
    ko: "시작 시각과 완료 시각이 있어야 합니다",
  },
  "plan-step.holds.error": { en: "the error is recorded", ko: "오류가 기록되어 있어야 합니다" },

  // Request.
  "request.not_active": {
    en: "The request is {status}, not active.",
    ko: "요청의 상태가 active가 아니라 {status}입니다.",
  },
  "request.not_stopped": { en: "The request is not stopped.", ko: "중지된 요청이 아닙니다." },
  "request.stopped_already": {
    en: "The request is stopped already.",
    ko: "이미 중지된 요청입니다.",
  },
  "request.not_explored": {
    en: "The code has not been explored yet: explored.yaml is missing or invalid.",
    ko: "코드 탐색이 끝나지 않았습니다. explored.yaml이 없거나 올바르지 않습니다.",
  },
  "request.no_breakdown": {
    en: "There is no plan yet: task-breakdown.yaml is missing or invalid.",
    ko: "계획이 아직 없습니다. task-breakdown.yaml이 없거나 올바르지 않습니다.",
  },
  "request.wrong_assumptions": {
    en: "{wrong} of {all} assumptions are wrong: the plan is made again.",
    ko: "가정 {all}개 중 {wrong}개가 틀렸습니다. 계획을 다시 세웁니다.",
  },
  "request.no_retry_left": {
    en: "It went back to planning {max} times already; now a person decides.",
    ko: "이미 {max}번 계획으로 되돌아갔습니다. 이제 사람이 결정해야 합니다.",
  },
  "request.tasks_left": {
    en: "Tasks that are not completed: {ids}.",
    ko: "아직 완료되지 않은 작업: {ids}.",
  },
  "request.holds.open": {
    en: "the status is active or stopped",
    ko: "상태가 active 또는 stopped여야 합니다",
  },
  "request.holds.completed": { en: "the status is completed", ko: "상태가 completed여야 합니다" },
  "request.holds.current_task": {
    en: "a current task is named",
    ko: "현재 작업이 정해져 있어야 합니다",
  },

  // Subtask.
  "subtask.no_test_cases": {
    en: "GATE-1: the test contract has no test case.",
    ko: "GATE-1: 테스트 계약에 테스트 케이스가 없습니다.",
  },
  "subtask.no_test_file": {
    en: "GATE-1: the test file does not exist.",
    ko: "GATE-1: 테스트 파일이 없습니다.",
  },
  "subtask.stray_files": {
    en: "GATE-3: changed outside the contract: {files}.",
    ko: "GATE-3: 계약 범위 밖의 파일이 바뀌었습니다: {files}.",
  },
  "subtask.gate_3_first": {
    en: "GATE-3 has to pass before GATE-4.",
    ko: "GATE-4보다 GATE-3이 먼저 통과해야 합니다.",
  },
  "subtask.breaches": {
    en: "GATE-4: the design contract is broken: {breaches}.",
    ko: "GATE-4: 설계 계약을 어겼습니다: {breaches}.",
  },
  "subtask.command_not_run": {
    en: "GATE-2: the test command has not been run yet.",
    ko: "GATE-2: 테스트 명령을 아직 실행하지 않았습니다.",
  },
  "subtask.command_failed": {
    en: "GATE-2: the test command failed.",
    ko: "GATE-2: 테스트 명령이 실패했습니다.",
  },
  "subtask.not_recommended": {
    en: "GATE-2: the advice is “{advice}”, not “complete”.",
    ko: "GATE-2: 권고가 “complete”가 아니라 “{advice}”입니다.",
  },
  "subtask.no_gate_retry": {
    en: "All {max} retries of this gate are used up.",
    ko: "이 게이트의 재시도 {max}회를 모두 썼습니다.",
  },
  "subtask.no_test_retry": {
    en: "All {max} retries of the tests are used up.",
    ko: "테스트 재시도 {max}회를 모두 썼습니다.",
  },
  "subtask.retry_left": {
    en: "{done} of {max} retries used: it is tried again.",
    ko: "재시도 {max}회 중 {done}회를 썼습니다. 다시 시도합니다.",
  },
  "subtask.code_at_fault": {
    en: "The advice is to change the code, not the design.",
    ko: "설계가 아니라 코드를 고치라는 권고입니다.",
  },
  "subtask.design_at_fault": {
    en: "The advice is to change the design.",
    ko: "설계를 고치라는 권고입니다.",
  },
  "subtask.contracts_there": {
    en: "No contract of this phase is missing.",
    ko: "이 단계에 필요한 계약이 모두 있습니다.",
  },
  "subtask.holds.not_completed": {
    en: "the status is pending or in_progress",
    ko: "상태가 pending 또는 in_progress여야 합니다",
  },
  "subtask.holds.in_progress": {
    en: "the status is in_progress",
    ko: "상태가 in_progress여야 합니다",
  },
  "subtask.holds.completed": { en: "the status is completed", ko: "상태가 completed여야 합니다" },
  "subtask.holds.none_passed": { en: "no gate has passed", ko: "통과한 게이트가 없어야 합니다" },
  "subtask.holds.gate_1": {
    en: "GATE-1 has passed, GATE-2 and GATE-4 have not",
    ko: "GATE-1은 통과했고 GATE-2와 GATE-4는 통과하지 않았어야 합니다",
  },
  "subtask.holds.gates_1_3_4": {
    en: "GATE-1, 3 and 4 have passed, GATE-2 has not",
    ko: "GATE-1, 3, 4는 통과했고 GATE-2는 통과하지 않았어야 합니다",
  },
  "subtask.holds.all_gates": {
    en: "GATE-1 and 2 have passed, and 3 and 4 where they are recorded",
    ko: "GATE-1과 2가 통과했고, 기록되어 있다면 3과 4도 통과했어야 합니다",
  },
} as const satisfies Record<string, Text>;
