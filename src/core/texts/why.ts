import type { Text } from "../messages.ts";

/** What `why` says: what holds a thing back, and what would clear it. */
export const whyTexts = {
  "op.why": {
    en: "say what holds a thing back and what would clear it",
    ko: "무엇 때문에 멈춰 있는지, 어떻게 풀리는지 알려 줍니다",
  },
  "op.why.id": {
    en: "a unit, checkpoint, plan step, subtask or task: T1.5, cp-2, 3, T1-S2, task_abc123",
    ko: "단위, 체크포인트, 계획 단계, 하위 작업, 작업의 id: T1.5, cp-2, 3, T1-S2, task_abc123",
  },
  "cli.why.example.unit": { en: "a task of TASKS.md", ko: "TASKS.md의 작업 하나" },
  "cli.why.example.prefix": {
    en: "the one of a request, where several have that name",
    ko: "같은 이름이 여럿일 때 request의 것",
  },
  "cli.why.note.ids": {
    en: "A name that several workflows know is explained for each; develop:, orchestrate:, plan: or request: before it asks for one.",
    ko: "여러 흐름에 있는 이름이면 모두 설명합니다. 앞에 develop:, orchestrate:, plan:, request:를 붙이면 하나만 묻습니다.",
  },
  "why.unknown": {
    en: "Nothing in this project has the id “{id}”.",
    ko: "이 프로젝트에 id가 “{id}”인 것은 없습니다.",
  },
  "why.unknown.hint": {
    en: "“holdfast status” shows what there is.",
    ko: "무엇이 있는지는 “holdfast status”로 볼 수 있습니다.",
  },
  "why.unreadable": {
    en: "It may be in a file that can not be read. {problem}",
    ko: "읽을 수 없는 파일 안에 있을 수 있습니다. {problem}",
  },
  "why.held.run": {
    en: "Held by run {run} since {since}: “holdfast task show {task}” shows its agent.",
    ko: "{since}부터 {run} 실행이 맡고 있습니다. 에이전트는 “holdfast task show {task}” 명령으로 볼 수 있습니다.",
  },
  "why.held.session": {
    en: "Held by {session} since {since}.",
    ko: "{since}부터 {session}에서 맡고 있습니다.",
  },
  "why.done": { en: "It is done.", ko: "끝났습니다." },
  "why.may_start": {
    en: "Nothing holds it back: it may start.",
    ko: "막는 것이 없습니다. 시작할 수 있습니다.",
  },
  "why.task.dependency_failed": {
    en: "{failed} failed and will not complete by itself. Retry it: holdfast task retry {failed}. Or depend on something else: holdfast task cancel {id}, then task edit and task submit.",
    ko: "{failed} 작업이 실패해 저절로 완료되지 않습니다. 다시 시도하세요: holdfast task retry {failed}. 의존성을 바꾸려면 holdfast task cancel {id} 뒤에 task edit, task submit을 사용하세요.",
  },
  "why.task.dependency_deleted": {
    en: "A task it depends on was deleted. Depend on something else: holdfast task cancel {id}, then task edit and task submit.",
    ko: "의존하는 작업이 삭제되었습니다. 의존성을 바꾸세요: holdfast task cancel {id} 뒤에 task edit, task submit을 사용하세요.",
  },
  "why.when_completed": {
    en: "It goes on when these are completed: {ids}.",
    ko: "다음이 완료되면 진행됩니다: {ids}.",
  },
  "why.when_passed": {
    en: "It begins when these have passed: {ids}.",
    ko: "다음이 통과되면 시작합니다: {ids}.",
  },
  "why.event.allowed": {
    en: "{event}: possible now, leads to {to}",
    ko: "{event}: 지금 가능, {to}(으로/로) 바뀜",
  },
  "why.event.refused": { en: "{event}: not now. {reasons}", ko: "{event}: 아직 불가. {reasons}" },
  "why.checkpoint.phase": {
    en: "The run is in {phase}; checkpoints are worked on in IMPLEMENT.",
    ko: "지금은 {phase} 단계입니다. 체크포인트는 IMPLEMENT 단계에서 작업합니다.",
  },
  "why.checkpoint.escalated": {
    en: "It was given up in attempt {iteration} and needs a person.",
    ko: "{iteration}번째 시도에서 포기했고 사람의 판단이 필요합니다.",
  },
  "why.checkpoint.person": {
    en: "Someone has to decide: try it again from attempt 1, or skip it as passed.",
    ko: "1번째 시도부터 다시 할지, 통과한 것으로 넘길지 사람이 정해야 합니다.",
  },
  "why.checkpoint.validation": {
    en: "Attempt {iteration} of {max} is at work; it passes when its validation command gives what is expected.",
    ko: "{max}번 중 {iteration}번째 시도 중입니다. 검증 명령의 결과가 기대와 같으면 통과합니다.",
  },
  "why.unit.failed": { en: "Its attempts failed.", ko: "시도가 모두 실패했습니다." },
  "why.unit.retry": {
    en: "Try it again, or complete it by hand (move it from “failed” to “completed” in the file); what waits for it then wakes.",
    ko: "다시 시도하거나 직접 완료 처리해 주세요(파일에서 “failed”에서 “completed”로 옮기기). 기다리던 것들이 이어서 진행됩니다.",
  },
  "why.unit.clear": {
    en: "It is free again when these are completed or tried again: {ids}.",
    ko: "다음을 완료하거나 다시 시도하면 풀립니다: {ids}.",
  },
  "why.unit.at_work": {
    en: "It is being worked on; it is completed when its check passes.",
    ko: "작업 중입니다. 검사를 통과하면 완료됩니다.",
  },
  "why.unit.phase": {
    en: "It belongs to phase {phase}, and phase {current} is not done yet.",
    ko: "{phase}단계에 속하는데 아직 {current}단계가 끝나지 않았습니다.",
  },
  "why.unit.planned": {
    en: "It stands in {path}, line {line}; no run has taken it up yet.",
    ko: "{path} {line}번째 줄에 있지만, 아직 실행에 포함되지 않았습니다.",
  },
  "why.task.draft": {
    en: "It is a draft: it waits in the queue once it is submitted.",
    ko: "초안입니다. 제출하면 대기열에 들어갑니다.",
  },
  "why.task.pending": {
    en: "It waits in the queue: it starts when an agent is free.",
    ko: "대기열에 있습니다. 에이전트가 비면 시작합니다.",
  },
  "why.task.at_work": {
    en: "It is being worked on; “holdfast log --task {id}” shows how far it is.",
    ko: "작업 중입니다. “holdfast log --task {id}”(으로/로) 진행 상황을 볼 수 있습니다.",
  },
  "why.task.held": { en: "The run is held: {why}", ko: "실행이 멈춰 있습니다: {why}" },
  "why.task.question": { en: "Its agent asks: {question}", ko: "에이전트의 질문: {question}" },
  "why.task.dependency": { en: "Its agent needs: {name}", ko: "에이전트에게 필요한 것: {name}" },
  "why.task.review": { en: "It waits for a review.", ko: "리뷰를 기다립니다." },
  "why.task.decide": {
    en: "Someone has to look at it, and approve it or request changes.",
    ko: "결과를 확인하고 승인하거나 수정을 요청해야 합니다.",
  },
  "why.task.failure": { en: "It failed: {message}", ko: "실패했습니다: {message}" },
  "why.task.failed": {
    en: "“holdfast log --task {id}” shows what happened; a retry makes a new task of it.",
    ko: "무슨 일이 있었는지는 “holdfast log --task {id}”(으로/로) 볼 수 있습니다. 재시도하면 새 작업이 만들어집니다.",
  },
  "why.step.plan": {
    en: "Its plan {id} is {status}.",
    ko: "이 단계가 속한 계획 {id}의 상태가 {status}입니다.",
  },
  "why.step.error": { en: "It failed ({type}): {message}", ko: "실패했습니다({type}): {message}" },
  "why.step.failed": {
    en: "It is tried again while retries are left; after that a person is asked.",
    ko: "재시도가 남아 있으면 다시 시도하고, 다 쓰면 사람에게 묻습니다.",
  },
  "why.step.at_work": { en: "{agent} is at work on it.", ko: "{agent}(이/가) 작업 중입니다." },
  "why.plan.queued": {
    en: "One plan runs at a time, and {id} {name} is the current one.",
    ko: "계획은 한 번에 하나만 진행하며, 지금은 {id} {name}(이/가) 진행 중입니다.",
  },
  "why.plan.turn": { en: "It starts when its turn comes.", ko: "차례가 되면 시작합니다." },
  "why.plan.no_steps_left": { en: "No step is left to do.", ko: "남은 단계가 없습니다." },
  "why.plan.steps": { en: "Steps left: {ids}.", ko: "남은 단계: {ids}." },
  "why.plan.ended": { en: "It ended at {at}. {summary}", ko: "{at}에 끝났습니다. {summary}" },
  "why.request.stopped": { en: "The request is stopped.", ko: "요청이 중지되어 있습니다." },
  "why.request.discovery": {
    en: "It is still being explored and planned; tasks follow.",
    ko: "아직 탐색과 계획 중입니다. 작업은 그다음에 시작합니다.",
  },
  "why.request.left": { en: "Tasks left: {ids}.", ko: "남은 작업: {ids}." },
  "why.request.turn": {
    en: "One comes after the other, and these come first: {ids}.",
    ko: "순서대로 진행하며 다음이 먼저입니다: {ids}.",
  },
  "why.request.current": { en: "{id} is at work.", ko: "{id}(을/를) 진행하고 있습니다." },
  "why.gate.open": {
    en: "{gate} has not been passed yet.",
    ko: "아직 {gate}(을/를) 통과하지 않았습니다.",
  },
  "why.gate.failed": {
    en: "{gate} has failed.",
    ko: "{gate}(을/를) 통과하지 못했습니다.",
  },
  "why.gate.GATE-1": {
    en: "It passes when the test contract has at least one case and the test file exists.",
    ko: "테스트 계약에 케이스가 하나 이상 있고 테스트 파일이 있으면 통과합니다.",
  },
  "why.gate.GATE-2": {
    en: "It passes when Holdfast itself has run the test command, and that passed.",
    ko: "Holdfast가 직접 실행한 테스트 명령이 성공하면 통과합니다.",
  },
  "why.gate.GATE-3": {
    en: "It passes when only files named in the contract, and the test file, were changed.",
    ko: "계약에 적힌 파일과 테스트 파일만 바뀌었으면 통과합니다.",
  },
  "why.gate.GATE-4": {
    en: "It passes when the declared files exist and the design's boundaries and invariants are kept.",
    ko: "선언한 파일이 모두 있고 설계의 경계와 불변식을 지켰으면 통과합니다.",
  },
} as const satisfies Record<string, Text>;
