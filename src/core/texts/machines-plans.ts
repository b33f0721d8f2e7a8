// Why the machines of plan and request refuse an event, and what holds in each state.
import type { Text } from "../messages.ts";

export const planMachineTexts = {
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
  "request.reset_already": {
    en: "The request was reset and has ended; a new one can begin.",
    ko: "초기화되어 끝난 요청입니다. 새 요청을 시작할 수 있습니다.",
  },
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
