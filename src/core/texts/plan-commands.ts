// The commands `plan` and `memory`, and what memory refuses (S3.9).
import type { Text } from "../messages.ts";

export const planCommandTexts = {
  "op.plan": {
    en: "plan a goal as steps, and look after the plan",
    ko: "목표를 단계로 계획하고 진행합니다",
  },
  "op.plan.goal": {
    en: "What is to be reached; or one of: {actions}",
    ko: "이룰 목표, 또는 다음 중 하나: {actions}",
  },
  "op.plan.detail": {
    en: "For edit a file, for retry a step, for resume and cancel a plan's id, for replan and fail the reason",
    ko: "edit은 파일, retry는 단계, resume과 cancel은 계획 id, replan과 fail은 이유",
  },
  "op.plan.queue": {
    en: "Wait for the end of the plan that is under way",
    ko: "진행 중인 계획이 끝나기를 기다립니다",
  },
  "op.plan.review": {
    en: "A person approves the steps before any of them begins",
    ko: "단계를 시작하기 전에 사람이 승인합니다",
  },
  "op.plan.in_session": {
    en: "Agents in sessions of their own work through it (next, report)",
    ko: "세션의 에이전트가 진행합니다(next, report)",
  },
  "op.plan.resume": {
    en: "Go on with the current plan; steps that no living session holds are open again",
    ko: "현재 계획을 이어 갑니다. 맡은 세션이 없는 단계는 다시 열립니다",
  },
  "op.plan.dry_run": {
    en: "Say what would happen; nothing is written",
    ko: "무엇을 할지만 보여 주고 아무것도 쓰지 않습니다",
  },
  "op.memory": {
    en: "read and change what agents share and remember",
    ko: "에이전트의 공유 컨텍스트와 메모리를 읽고 바꿉니다",
  },
  "op.memory.action": {
    en: "get, set, add (to a list), remove or list; history, context and agent <name> read those",
    ko: "get, set, add(목록에 추가), remove, list. history, context, agent <이름>은 그것을 읽습니다",
  },
  "op.memory.path": {
    en: "shared_data.<name>, preferences.<name>, agents.<agent>.cache.<name>, …",
    ko: "shared_data.<이름>, preferences.<이름>, agents.<에이전트>.cache.<이름> 등",
  },
  "op.memory.value": {
    en: "JSON; what is none is a text. @file reads it from a file",
    ko: "JSON. JSON이 아니면 글자 그대로 저장합니다. @파일은 파일에서 읽습니다",
  },
  "cli.plan.example.begin": { en: "begin a plan for a session", ko: "세션에서 진행할 계획 시작" },
  "cli.plan.example.status": { en: "where it stands", ko: "진행 상황 보기" },
  "cli.plan.example.queue": { en: "after the one under way", ko: "진행 중인 계획 다음에 시작" },
  "cli.plan.example.edit": { en: "steps of your own", ko: "단계를 직접 고치기" },
  "cli.plan.example.replan": { en: "plan the rest again", ko: "나머지를 다시 계획" },
  "cli.plan.note": {
    en: "After “plan”: status, approve, edit, pause, resume [id], retry [step], replan <why>, fail [why], cancel [id].",
    ko: "“plan” 다음에: status, approve, edit, pause, resume [id], retry [단계], replan <이유>, fail [이유], cancel [id].",
  },
  "cli.plan.wave": { en: "wave {wave}: {ids}", ko: "{wave}차: {ids}" },
  "cli.plan.waiting": { en: "  waits: {id} {name}", ko: "  대기: {id} {name}" },
  "cli.plan.head": {
    en: "{id} {name}: {status}, at “{stage}”",
    ko: "{id} {name}: {status}, “{stage}” 단계",
  },
  "cli.memory.example.list": { en: "what there is", ko: "무엇이 있는지 보기" },
  "cli.memory.example.get": { en: "one value", ko: "값 하나 읽기" },
  "cli.memory.example.set": { en: "change a preference", ko: "선호 바꾸기" },
  "cli.memory.example.add": { en: "add to an agent's cache", ko: "에이전트 캐시에 추가" },
  "cli.memory.example.remove": { en: "take it away", ko: "지우기" },

  "memory.bad_path": {
    en: "“{path}” is no place of the memory.",
    ko: "“{path}”(은/는) 메모리에 있는 위치가 아닙니다.",
  },
  "memory.bad_path.hint": {
    en: "shared_data.<name>, preferences.<name>, agents.<agent>.preferences|cache|statistics.<name>; to read also: context, task, history. A name with dots: /shared_data/a.b",
    ko: "shared_data.<이름>, preferences.<이름>, agents.<에이전트>.preferences|cache|statistics.<이름>. 읽기는 context, task, history도 됩니다. 이름에 점이 있으면: /shared_data/a.b",
  },
  "memory.read_only": {
    en: "“{path}” can be read, not changed: Holdfast keeps it.",
    ko: "“{path}”(은/는) 읽을 수만 있습니다. Holdfast가 관리합니다.",
  },
  "memory.nothing": { en: "Nothing is at “{path}”.", ko: "“{path}”에 아무것도 없습니다." },
  "memory.needs_path": {
    en: "“memory {action}” needs a place.",
    ko: "“memory {action}”에는 위치가 필요합니다.",
  },
  "memory.needs_value": {
    en: "“memory {action}” needs a value.",
    ko: "“memory {action}”에는 값이 필요합니다.",
  },
  "memory.tidied": {
    en: "Removed from the cache of “{agent}”, not written for {days} days: {count} ({names}).",
    ko: "“{agent}”의 캐시에서 {days}일 동안 쓰이지 않은 항목 {count}개를 지웠습니다: {names}.",
  },
  "memory.not_own": {
    en: "The memory of “{agent}” is its own. The caller works as: {own}.",
    ko: "“{agent}”의 메모리는 그 에이전트만 바꿀 수 있습니다. 호출한 쪽의 에이전트: {own}.",
  },
  "memory.not_own.hint": {
    en: "What others need to know belongs in shared_data.<name>; a person may change every memory.",
    ko: "다른 에이전트가 알아야 할 것은 shared_data.<이름>에 남기세요. 사람은 모든 메모리를 바꿀 수 있습니다.",
  },
  "memory.unfilled": {
    en: "The value is still a form's “…”; give the value itself.",
    ko: "값이 양식의 “…” 그대로입니다. 실제 값을 넣으세요.",
  },
  "memory.bad_value": {
    en: "The value is no JSON: {problem}",
    ko: "값이 JSON이 아닙니다: {problem}",
  },
  "memory.bad_value.hint": {
    en: "What begins with a brace, a bracket or a quote is read as JSON; other words are a text.",
    ko: "중괄호, 대괄호, 따옴표로 시작하면 JSON으로 읽고, 그 밖의 말은 글자 그대로 저장합니다.",
  },
  "memory.changed": { en: "{path} is written.", ko: "{path}(을/를) 저장했습니다." },
  "memory.same": { en: "{path} was so already.", ko: "{path}(은/는) 이미 그렇습니다." },
} as const satisfies Record<string, Text>;
