// The workflow orchestrate: TASKS.md worked through by sessions (S2.11).
import type { Text } from "../messages.ts";

export const orchestrateTexts = {
  "orchestrate.no_unit": {
    en: "The run knows no task “{id}”.",
    ko: "실행에 “{id}” 태스크가 없습니다.",
  },
  "orchestrate.no_unit.hint": {
    en: "“holdfast next orchestrate” names those that may be done; “holdfast orchestrate --verify” compares plan and state.",
    ko: "지금 할 수 있는 태스크는 “holdfast next orchestrate”로, 계획과 상태의 차이는 “holdfast orchestrate --verify”로 확인하세요.",
  },
  "orchestrate.phase_waits": {
    en: "{id} belongs to phase {phase}, and phase {current} is not done yet.",
    ko: "{id}(은/는) {phase}단계에 속하는데 아직 {current}단계가 끝나지 않았습니다.",
  },
  "orchestrate.asks": {
    en: "Phase {phase} is done, and in mode normal a person lets the next one begin.",
    ko: "{phase}단계가 끝났습니다. normal 모드에서는 사람이 다음 단계를 시작하게 합니다.",
  },
  "orchestrate.asks.hint": {
    en: "Ask the user; “holdfast orchestrate --resume” goes on.",
    ko: "사용자에게 물어보세요. “holdfast orchestrate --resume”으로 이어 갑니다.",
  },
  "orchestrate.next.hint": {
    en: "“holdfast next orchestrate” says what may be done now; “holdfast why <id>” what holds a task back.",
    ko: "지금 할 수 있는 일은 “holdfast next orchestrate”로, 막힌 이유는 “holdfast why <id>”로 확인하세요.",
  },
  "orchestrate.gate": {
    en: "Phase {phase} ends with this; its commands have to pass first.",
    ko: "이것으로 {phase}단계가 끝나므로 단계의 명령이 먼저 통과해야 합니다.",
  },
  "orchestrate.not_started": {
    en: "{id} is not in progress ({status}), so there is nothing to report on it.",
    ko: "{id}(은/는) 진행 중이 아니어서({status}) 보고할 것이 없습니다.",
  },
  "orchestrate.unclaimed": {
    en: "{id} is in progress, and no session here holds it.",
    ko: "{id}(은/는) 진행 중이지만 맡은 세션이 없습니다.",
  },
  "orchestrate.unclaimed.hint": {
    en: "If nobody works on it any more, “holdfast orchestrate --resume” opens it again.",
    ko: "아무도 작업하고 있지 않다면 “holdfast orchestrate --resume”으로 다시 열 수 있습니다.",
  },
  "orchestrate.claimed": {
    en: "{id} is held by another session ({session}).",
    ko: "{id}(은/는) 이미 맡은 세션이 있습니다: {session}",
  },
  "orchestrate.claimed.hint": {
    en: "What you made is kept where it is. Ask “holdfast next orchestrate” for what is left.",
    ko: "작업한 내용은 그대로 남아 있습니다. 남은 일은 “holdfast next orchestrate”로 확인하세요.",
  },
  "orchestrate.news.began": {
    en: "{project}: a run has begun, {total} tasks.",
    ko: "{project}: 실행을 시작했습니다. 태스크 {total}개.",
  },
  "orchestrate.news.failed": {
    en: "{project}: {id} has failed.",
    ko: "{project}: {id} 실패.",
  },
  "orchestrate.news.phase": {
    en: "{project}: phase {phase} is done ({done} of {total} tasks).",
    ko: "{project}: {phase}단계 완료(태스크 {total}개 중 {done}개).",
  },
  "orchestrate.news.all": {
    en: "{project}: all done. {done} completed, {failed} failed.",
    ko: "{project}: 모두 끝났습니다. 완료 {done}개, 실패 {failed}개.",
  },
  "orchestrate.not_begun": {
    en: "No orchestrate run has begun in this project.",
    ko: "이 프로젝트에서 시작된 orchestrate 실행이 없습니다.",
  },
  "orchestrate.not_begun.hint": {
    en: "Begin with “holdfast orchestrate --in-session”.",
    ko: "“holdfast orchestrate --in-session”으로 시작하세요.",
  },
  "orchestrate.corrupt": {
    en: "{problem}. “holdfast orchestrate --rebuild-state” keeps the file aside and makes the state again from the plan.",
    ko: "{problem}. “holdfast orchestrate --rebuild-state”를 실행하면 파일을 따로 보관하고 계획에서 상태를 다시 만듭니다.",
  },
  "orchestrate.at_line": {
    en: "{path}, line {line}: {problem}",
    ko: "{path} {line}번째 줄: {problem}",
  },
  "orchestrate.plan.hint": {
    en: "“holdfast validate” names all that is wrong with the plan.",
    ko: "계획의 문제는 “holdfast validate”로 모두 확인할 수 있습니다.",
  },
  "orchestrate.bad_ask": {
    en: "“{ask}” is not a question that orchestrate knows.",
    ko: "“{ask}”(은/는) orchestrate가 아는 질문이 아닙니다.",
  },
  "orchestrate.bad_ask.hint": {
    en: "Ask RESOLVE_NEXT, RESOLVE_NEXT:PHASE:2, or nothing.",
    ko: "RESOLVE_NEXT, RESOLVE_NEXT:PHASE:2로 묻거나 생략하세요.",
  },
  "orchestrate.bad_line.hint": {
    en: "Write START:T1.3, DONE:T1.3 or FAIL:T1.3:reason.",
    ko: "START:T1.3, DONE:T1.3 또는 FAIL:T1.3:이유로 쓰세요.",
  },
  "orchestrate.unreported": {
    en: "{ids} is still in progress: report it with “holdfast report orchestrate DONE:…” (or FAIL:…), so that it is checked.",
    ko: "{ids}(은/는) 아직 진행 중입니다. “holdfast report orchestrate DONE:…”(또는 FAIL:…)로 보고해야 검증됩니다.",
  },
  "orchestrate.stop": {
    en: "This session still holds {ids}. Go on, or report each with “holdfast report orchestrate DONE:…” or FAIL:….",
    ko: "이 세션이 아직 {ids}(을/를) 맡고 있습니다. 계속하거나 각각 “holdfast report orchestrate DONE:…” 또는 FAIL:…로 보고하세요.",
  },
  "orchestrate.no_tasks": {
    en: "The state has no tasks. “holdfast orchestrate --rebuild-state” makes it anew from the plan.",
    ko: "상태에 태스크가 없습니다. “holdfast orchestrate --rebuild-state”로 계획에서 다시 만들 수 있습니다.",
  },
  "orchestrate.no_phase": {
    en: "There is no phase {phase}.",
    ko: "{phase}단계는 없습니다.",
  },
  "orchestrate.says.ready": {
    en: "Phase {phase}. START what you take, then DONE or FAIL it.",
    ko: "{phase}단계. 맡을 때 START, 끝나면 DONE 또는 FAIL로 보고하세요.",
  },
  "orchestrate.says.wait": { en: "At work: {ids}.", ko: "작업 중: {ids}" },
  "orchestrate.says.failed": {
    en: "All that could be done is; {count} failed or blocked.",
    ko: "할 수 있는 일은 끝났습니다. 실패하거나 막힌 태스크 {count}개.",
  },
  "orchestrate.says.phase_waits": {
    en: "Phase {phase} is not done yet.",
    ko: "{phase}단계가 아직 끝나지 않았습니다.",
  },
  "orchestrate.says.phase_open": {
    en: "Phase {phase} was completed by hand; its commands and its merge are still to come. “holdfast orchestrate --resume” runs them.",
    ko: "{phase}단계는 직접 완료 처리되었고 단계의 명령과 병합이 남아 있습니다. “holdfast orchestrate --resume”으로 실행하세요.",
  },
  "orchestrate.gate_failed": {
    en: "Phase {phase} was completed by hand, and its commands fail, so it is not merged:\n{reason}\nCorrect it on the branch of the phase, or in the project where it has none; then resume.",
    ko: "{phase}단계는 직접 완료 처리되었지만 단계의 명령이 실패해 병합하지 않았습니다:\n{reason}\n단계의 브랜치에서(브랜치가 없으면 프로젝트에서) 고친 뒤 이어서 진행하세요.",
  },
  "orchestrate.says.phase_failed": {
    en: "Phase {phase} can not go on: {ids} failed. A person decides: “holdfast orchestrate --retry <id>”, or complete it by hand, or set orchestrate.failed_phase in holdfast.yaml.",
    ko: "{phase}단계를 더 진행할 수 없습니다. 실패: {ids}. 사람이 결정합니다: “holdfast orchestrate --retry <id>”, 직접 완료 처리, 또는 holdfast.yaml의 orchestrate.failed_phase 설정.",
  },
  "orchestrate.says.retry": {
    en: "{id} may be tried again; START it anew.",
    ko: "{id}(을/를) 다시 시도할 수 있습니다. START로 다시 시작하세요.",
  },
  "orchestrate.says.limited": {
    en: "A rate limit is no attempt: {id} is ready again. Wait until the limit is over.",
    ko: "사용량 한도는 시도로 세지 않습니다. {id}(은/는) 다시 준비 상태입니다. 한도가 풀릴 때까지 기다리세요.",
  },
  "orchestrate.says.blocked": {
    en: "{id} has failed for good; {count} tasks that need it are blocked.",
    ko: "{id}(은/는) 최종 실패했습니다. 이에 의존하는 태스크 {count}개가 막혔습니다.",
  },
  "orchestrate.check_failed": {
    en: "{id} is not done:\n{feedback}",
    ko: "{id}(은/는) 아직 끝나지 않았습니다:\n{feedback}",
  },
  "orchestrate.check_failed.hint": {
    en: "Mend it and report DONE:{id} again, or report FAIL:{id}:reason. The task stays yours.",
    ko: "고친 뒤 DONE:{id}(을/를) 다시 보고하거나 FAIL:{id}:이유로 보고하세요. 태스크는 계속 이 세션이 맡습니다.",
  },
  "orchestrate.check_stopped": {
    en: "The check of {id} was stopped; nothing was changed.",
    ko: "{id}의 검사가 중단되었습니다. 바뀐 것은 없습니다.",
  },
  "orchestrate.lands": {
    en: "It lands on branch {branch}, whatever is checked out later.",
    ko: "결과는 {branch} 브랜치에 병합됩니다. 나중에 무엇을 체크아웃해도 바뀌지 않습니다.",
  },
  "orchestrate.settled": {
    en: "Settled as you said; nothing of either side was thrown away.",
    ko: "선택한 대로 정리했습니다. 어느 쪽의 작업도 버리지 않았습니다.",
  },
  "orchestrate.verify.not_there": {
    en: "{id} is completed, but its work is not in {target} nor on a branch of this run.",
    ko: "{id}(은/는) 완료로 되어 있지만 작업이 {target}에도 이 실행의 브랜치에도 없습니다.",
  },
  "orchestrate.verify.only_plan": {
    en: "{id} (line {line}) is in the plan and not in the state yet; the next step takes it in.",
    ko: "{line}번째 줄의 {id}(은/는) 계획에 있지만 아직 상태에 없습니다. 다음 진행 때 반영됩니다.",
  },
  "orchestrate.verify.only_state": {
    en: "{id} ({status}) is in the state and no longer in the plan. Put it back, or run “holdfast orchestrate --rebuild-state”.",
    ko: "{id}({status})(은/는) 상태에 있지만 계획에는 더 이상 없습니다. 계획에 되돌리거나 “holdfast orchestrate --rebuild-state”를 실행하세요.",
  },
  "orchestrate.verify.checked": {
    en: "The box of {id} (line {line}) is checked, and the state says {status}.",
    ko: "{id}({line}번째 줄)의 체크박스는 표시되어 있는데 상태는 {status}입니다.",
  },
  "orchestrate.verify.unchecked": {
    en: "{id} is completed, and its box (line {line}) is open; “holdfast orchestrate --check-off” ticks it.",
    ko: "{id}(은/는) 완료되었는데 체크박스({line}번째 줄)가 비어 있습니다. “holdfast orchestrate --check-off”로 표시할 수 있습니다.",
  },
  "orchestrate.verify.dependencies": {
    en: "{id} (line {line}) needs {plan} in the plan and {state} in the state; the next step takes the plan's.",
    ko: "{id}({line}번째 줄)의 의존성이 계획에는 {plan}, 상태에는 {state}입니다. 다음 진행 때 계획을 따릅니다.",
  },
  "orchestrate.verify.by_hand": {
    en: "{id} was completed by hand: nothing that an agent made is merged for it.",
    ko: "{id}(은/는) 직접 완료 처리되었습니다. 이 태스크로 병합된 에이전트의 작업은 없습니다.",
  },
  "orchestrate.verify.by_hand_merged": {
    en: "{id} was completed by hand; the branch also has what the failed attempt {keys} had made.",
    ko: "{id}(은/는) 직접 완료 처리되었습니다. 실패한 시도 {keys}의 작업도 브랜치에 있습니다.",
  },
  "orchestrate.verify.journal": {
    en: "{id} is {status} in the state, and the journal last saw it as {told}.",
    ko: "{id}(은/는) 상태에서 {status}인데 기록에는 마지막으로 {told}(으)로 남아 있습니다.",
  },
  "orchestrate.verify.list": {
    en: "{id} stands in “{status}” and belongs in “{should}”; the next step moves it.",
    ko: "{id}(은/는) “{status}”에 있지만 “{should}”에 있어야 합니다. 다음 진행 때 옮겨집니다.",
  },
  "orchestrate.prompt.check": {
    en: "It is done when this command passes; Holdfast runs it itself:",
    ko: "다음 명령이 통과하면 완료됩니다. Holdfast가 직접 실행합니다:",
  },
  "orchestrate.prompt.failed": {
    en: "An earlier attempt failed (retry {retry} of {limit}): {problem}",
    ko: "이전 시도가 실패했습니다({limit}회 중 {retry}번째 재시도): {problem}",
  },
  "orchestrate.prompt.plain": {
    en: "Mend what went wrong and try again.",
    ko: "잘못된 부분을 고쳐서 다시 시도하세요.",
  },
  "orchestrate.prompt.read_code": {
    en: "Read the code around the failure and its tests before you change anything.",
    ko: "무엇이든 바꾸기 전에 실패한 부분의 코드와 테스트를 먼저 읽으세요.",
  },
  "orchestrate.prompt.debug": {
    en: "Debug it systematically: reproduce the failure, state what you expect, narrow it down, and only then change code.",
    ko: "체계적으로 디버깅하세요. 실패를 재현하고, 기대한 동작을 적고, 원인을 좁힌 다음에 코드를 바꾸세요.",
  },
  "orchestrate.prompt.last": {
    en: "This is the last attempt. If it can not be done, say exactly why, and what a person has to decide.",
    ko: "마지막 시도입니다. 할 수 없다면 정확한 이유와 사람이 결정해야 할 것을 밝히세요.",
  },
  "orchestrate.refused": { en: "This is not possible now.", ko: "지금은 할 수 없습니다." },
} as const satisfies Record<string, Text>;
