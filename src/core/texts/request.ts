// The workflow request: contracts, gates, its command and its tool (S4).
import type { Text } from "../messages.ts";

export const requestTexts = {
  "request.expected.file": {
    en: "a file of the project that agents may change, not one of Holdfast's or git's own",
    ko: "에이전트가 바꿀 수 있는 프로젝트 파일(Holdfast나 git의 파일은 제외)",
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
    en: "retry: go on with all retries again",
    ko: "retry: 재시도 횟수를 되돌리고 이어서 진행",
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
  "request.no_test_file": {
    en: "GATE-1: the test contract names {path}, and there is no such file.",
    ko: "GATE-1: 테스트 계약에 적힌 {path} 파일이 없습니다.",
  },
  "request.stray": {
    en: "GATE-3: changed outside the design's file_refs and the test file: {files}. Undo them, or let the plan and the design name them.",
    ko: "GATE-3: 설계의 file_refs와 테스트 파일 밖에서 바뀐 파일이 있습니다: {files}. 되돌리거나 계획과 설계에 포함하세요.",
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
  "request.all_done": { en: "{id} is complete.", ko: "{id}(이/가) 완료되었습니다." },
  "request.was_reset": { en: "{id} was reset.", ko: "{id}(을/를) 초기화했습니다." },
} as const satisfies Record<string, Text>;
