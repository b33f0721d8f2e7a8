// A request under way: contracts, gates, what agents and people are told (S4).
import type { Text } from "../messages.ts";

export const requestTexts = {
  "request.expected.file": {
    en: "a file of the project that agents may change, not one of Holdfast's or git's own",
    ko: "에이전트가 바꿀 수 있는 프로젝트 파일(Holdfast나 git의 파일은 제외)",
  },
  "request.expected.filled": {
    en: "your own words in the place of the form's “…”",
    ko: "양식의 “…” 자리에 직접 쓴 내용",
  },
  "request.expected.there": {
    en: "a file that is in the project",
    ko: "프로젝트에 있는 파일",
  },
  "request.expected.entity": {
    en: "an entity of file_refs: {known}",
    ko: "file_refs의 entity: {known}",
  },
  "request.expected.kept": {
    en: "the completed task {id} “{name}”, kept as it is",
    ko: "완료된 작업 {id} “{name}”의 유지",
  },
  "request.brief.tests_pass": { en: "its tests pass", ko: "테스트 통과" },
  "request.result.code_only": {
    en: "No known test runner in the output: by its exit code alone ({code}).",
    ko: "출력에서 알려진 테스트 실행기를 찾지 못해 종료 코드({code})로만 판단했습니다.",
  },
  "request.result.none_ran": {
    en: "{runner}: no test was run.",
    ko: "{runner}: 실행된 테스트가 없습니다.",
  },
  "request.result.counted": {
    en: "{runner}: {passed} passed, {failed} failed, {skipped} skipped; exit code {code}.",
    ko: "{runner}: 통과 {passed}, 실패 {failed}, 건너뜀 {skipped}, 종료 코드 {code}.",
  },
  "request.ask": {
    en: "{id} is stopped at {unit}, its retries are used up. {why}",
    ko: "{id}(이/가) {unit}에서 멈췄습니다. 재시도를 모두 썼습니다. {why}",
  },
  "request.ask.retry": {
    en: "retry: try it again, with the retries of what is stuck given back",
    ko: "retry: 멈춘 단위의 재시도 횟수를 되돌리고 다시 시도",
  },
  "request.ask.stop": { en: "stop: leave it stopped", ko: "stop: 멈춘 채로 두기" },
  "request.not_now": {
    en: "The request can not do that now.",
    ko: "지금은 요청에 그렇게 할 수 없습니다.",
  },
  "request.try_again": { en: "{why}", ko: "{why}" },
  "request.pitfall": {
    en: "{gate} failed on this in {subtask}, and passed once it was mended.",
    ko: "{subtask}에서 이 때문에 {gate}(이/가) 실패했고, 고친 뒤 통과했습니다.",
  },
  "request.assumed_wrong": {
    en: "{why} What was explored says otherwise:\n{assumptions}",
    ko: "{why} 탐색한 내용과 다릅니다.\n{assumptions}",
  },
  "request.no_replan": {
    en: "{why} It can not be planned again: {refused}",
    ko: "{why} 다시 계획할 수 없습니다. {refused}",
  },
  "request.refused_contract": {
    en: "{path} was refused. Mend these fields and write it again:\n{findings}",
    ko: "{path}(을/를) 받아들일 수 없습니다. 다음 필드를 고쳐서 다시 쓰세요.\n{findings}",
  },
  "request.cancelled": {
    en: "The agent of {unit} was ended by a person; the request is stopped.",
    ko: "사람이 {unit}의 에이전트를 종료하여 요청을 멈췄습니다.",
  },
  "request.agent_failed": {
    en: "{unit}: the agent failed. {reason}",
    ko: "{unit}: 에이전트가 실패했습니다. {reason}",
  },
  "request.no_draft": {
    en: "{path} is not there: the result has to be written to this file.",
    ko: "{path} 파일이 없습니다. 결과를 이 파일에 써야 합니다.",
  },
  "request.not_landed": {
    en: "The finished work could not be merged. {reason}",
    ko: "끝난 작업을 병합하지 못했습니다. {reason}",
  },
  "request.left_stopped": {
    en: "Left stopped at {unit}. “holdfast request resume” goes on.",
    ko: "{unit}에서 멈춘 채로 둡니다. “holdfast request resume”으로 이어 갑니다.",
  },
  "request.command_failed": {
    en: "“{command}” ended with {code}.\n{output}",
    ko: "“{command}” 명령이 {code}(으)로 끝났습니다.\n{output}",
  },
  "request.bad_verdict": {
    en: "The verdict has another form than was asked for: items, each with item, holds and why.",
    ko: "판단 결과의 형식이 다릅니다. items의 항목마다 item, holds, why가 있어야 합니다.",
  },
  "request.no_verdict": {
    en: "No verdict on: {items}. Each item has to be judged.",
    ko: "판단하지 않은 항목이 있습니다: {items}. 모든 항목을 판단해야 합니다.",
  },
  "request.unfounded": {
    en: "The verdict gives no reason for: {items}. Say in `why` what you found.",
    ko: "이유가 없는 판단이 있습니다: {items}. 확인한 내용을 `why`에 쓰세요.",
  },
  "request.no_test_file": {
    en: "GATE-1: the test contract names {path}, and there is no such file.",
    ko: "GATE-1: 테스트 계약에 적힌 {path} 파일이 없습니다.",
  },
  "request.stray": {
    en: "GATE-3: changed outside the design's file_refs and the test file: {files}. Undo them, or let the plan and the design name them.",
    ko: "GATE-3: 설계의 file_refs와 테스트 파일 밖에서 바뀐 파일이 있습니다: {files}. 되돌리거나 계획과 설계에 포함하세요.",
  },
  "request.lesson.test_file": {
    en: "Write the test file that the test contract names ({path}) before you report the tests.",
    ko: "테스트 계약에 적은 {path} 파일을 작성한 다음 테스트를 보고하세요.",
  },
  "request.lesson.stray": {
    en: "Change only files that the design's file_refs name; to change {files}, plan and design it first.",
    ko: "설계의 file_refs에 적힌 파일만 바꾸세요. {files} 파일을 바꾸려면 먼저 계획과 설계에 포함하세요.",
  },
  "request.lesson.breached": {
    en: "Check the change against the design before you report it; it was broken here: {breaches}",
    ko: "보고하기 전에 변경이 설계를 지키는지 확인하세요. 지켜지지 않았던 것: {breaches}",
  },
  "request.lesson.tests": {
    en: "Run “{command}” and make it pass before you report; it failed with: {reason}",
    ko: "보고하기 전에 “{command}” 명령을 실행해 통과하는지 확인하세요. 실패했던 이유: {reason}",
  },
  "request.stray_since": {
    en: "Changed since GATE-3 was passed, and outside the design: {files}.",
    ko: "GATE-3 통과 이후 설계 밖에서 바뀐 파일이 있습니다: {files}.",
  },
  "request.stray_since.hint": {
    en: "Undo these changes, then “holdfast report request DONE:{unit}” again.",
    ko: "이 변경을 되돌린 뒤 “holdfast report request DONE:{unit}” 명령을 다시 실행하세요.",
  },
  "request.breached": {
    en: "GATE-4: not as designed: {breaches}",
    ko: "GATE-4: 설계와 다릅니다: {breaches}",
  },
  "request.tests_failed": {
    en: "GATE-2: “{command}”: {reason} Recommended: {action}.\n{output}",
    ko: "GATE-2: “{command}”: {reason} 권고: {action}.\n{output}",
  },
  "request.contract_gone": {
    en: "{name} is not there any more.",
    ko: "{name} 파일이 더 이상 없습니다.",
  },
  "request.restless": {
    en: "The request is being changed by others all the time.",
    ko: "다른 곳에서 요청을 계속 바꾸고 있습니다.",
  },
  "request.restless.hint": { en: "Try again in a moment.", ko: "잠시 뒤에 다시 시도하세요." },
  "request.check_stopped": {
    en: "The check of {unit} was interrupted; nothing has changed. Report it again.",
    ko: "{unit}의 확인이 중단되어 아무것도 바뀌지 않았습니다. 다시 보고하세요.",
  },
  "request.check_due": {
    en: "A check of {unit} was interrupted. “holdfast report request DONE:{unit}” runs it.",
    ko: "{unit}의 확인이 중단되어 있습니다. “holdfast report request DONE:{unit}” 명령으로 실행합니다.",
  },
  "request.headless": {
    en: "{id} is driven by Holdfast itself; there is nothing for a session to do.",
    ko: "{id}(은/는) Holdfast가 직접 진행하고 있어 세션에서 할 일이 없습니다.",
  },
  "request.is_stopped": {
    en: "{id} is stopped. “holdfast request resume” goes on.",
    ko: "{id}(이/가) 멈춰 있습니다. “holdfast request resume”으로 이어 갑니다.",
  },
  "request.asked": {
    en: "{question}\nA person decides: “holdfast request resume” tries again, “holdfast request reset” ends it.",
    ko: "{question}\n사람이 결정해야 합니다. “holdfast request resume”은 다시 시도하고 “holdfast request reset”은 끝냅니다.",
  },
  "request.others": {
    en: "Others are at work on {id}.",
    ko: "다른 세션이 {id}(을/를) 진행하고 있습니다.",
  },
  "request.says.role": {
    en: "{unit}, as {role}. Begin with “holdfast report request START:{unit}”.",
    ko: "{unit}, 역할: {role}. “holdfast report request START:{unit}” 명령으로 시작하세요.",
  },
  "request.unreported": {
    en: "{ids}: not reported as done yet. “holdfast report request DONE:<unit>” has it checked.",
    ko: "{ids}: 아직 완료로 보고하지 않았습니다. “holdfast report request DONE:<단위>”로 확인을 받으세요.",
  },
  "request.stop_hook": {
    en: "This session holds {ids} of the request. Finish and report it, or report FAIL with a reason.",
    ko: "이 세션이 요청의 {ids}(을/를) 맡고 있습니다. 끝내고 보고하거나 이유와 함께 FAIL로 보고하세요.",
  },
  "request.not_started": {
    en: "{unit} was not started by this session.",
    ko: "이 세션이 {unit}(을/를) 시작하지 않았습니다.",
  },
  "request.not_started.hint": {
    en: "“holdfast report request START:{unit}” takes it.",
    ko: "“holdfast report request START:{unit}” 명령으로 맡으세요.",
  },
  "request.claimed": {
    en: "{unit} is held by another session ({session}).",
    ko: "{unit}(은/는) 이미 맡은 세션이 있습니다: {session}",
  },
  "request.not_wanted": {
    en: "{unit} is not to be done now.",
    ko: "지금은 {unit}(을/를) 할 차례가 아닙니다.",
  },
  "request.next.hint": {
    en: "“holdfast next request” says what is.",
    ko: "지금 할 일은 “holdfast next request”로 확인하세요.",
  },
  "request.own_work.hint": {
    en: "Let that session ask “holdfast next request”. A session that took up nothing for an hour no longer counts; a lone session may judge its own work.",
    ko: "그 세션에서 “holdfast next request”를 실행하세요. 한 시간 동안 아무 일도 맡지 않은 세션은 제외되며, 혼자인 세션은 자기 작업을 판정할 수 있습니다.",
  },
  "request.bad_line.hint": {
    en: "START:T1-S1, DONE:T1-S1 or FAIL:T1-S1:reason.",
    ko: "START:T1-S1, DONE:T1-S1, FAIL:T1-S1:이유 중 하나로 쓰세요.",
  },
  "request.all_done": { en: "{id} is complete.", ko: "{id}(이/가) 완료되었습니다." },
  "request.was_reset": { en: "{id} was reset.", ko: "{id}(을/를) 초기화했습니다." },
} as const satisfies Record<string, Text>;
