import type { Text } from "../messages.ts";

/** Complaints and notices about stored documents. */
export const formatTexts = {
  // What a place in a document should hold.
  "format.mismatch": {
    en: "expected {expected}, got {got}",
    ko: "기대한 값은 {expected}, 실제 값은 {got}입니다",
  },
  "format.missing": {
    en: "the field “{field}” is missing; expected {expected}",
    ko: "“{field}” 필드가 없습니다. {expected}(이/가) 있어야 합니다",
  },
  "format.unknown": {
    en: "the field “{field}” is not part of this format; known: {known}",
    ko: "“{field}” 필드는 이 형식에 없습니다. 쓸 수 있는 필드: {known}",
  },
  "format.unknown_closest": {
    en: "the field “{field}” is not part of this format; did you mean “{closest}”?",
    ko: "“{field}” 필드는 이 형식에 없습니다. 혹시 “{closest}”인가요?",
  },
  "format.expected.type": { en: "{type}", ko: "{type}" },
  "format.expected.one_of": { en: "one of {values}", ko: "{values} 중 하나" },
  "format.expected.exactly": { en: "exactly {value}", ko: "정확히 {value}" },
  "format.expected.at_least": { en: "a number of at least {limit}", ko: "{limit} 이상의 수" },
  "format.expected.at_most": { en: "a number of at most {limit}", ko: "{limit} 이하의 수" },
  "format.expected.above": { en: "a number above {limit}", ko: "{limit}보다 큰 수" },
  "format.expected.items": { en: "at least {limit} item(s)", ko: "항목 {limit}개 이상" },
  "format.expected.absent": { en: "no such field", ko: "이 필드가 없는 것" },
  "format.expected.something_else": {
    en: "a value that satisfies “{keyword}”",
    ko: "“{keyword}” 조건에 맞는 값",
  },
  "format.expected.anything": { en: "a value", ko: "값" },
  "format.type.string": { en: "a text", ko: "문자열" },
  "format.type.number": { en: "a number", ko: "숫자" },
  "format.type.integer": { en: "a whole number", ko: "정수" },
  "format.type.boolean": { en: "true or false", ko: "true 또는 false" },
  "format.type.null": { en: "null", ko: "null" },
  "format.type.array": { en: "a list", ko: "목록" },
  "format.type.object": { en: "an object", ko: "객체" },
  "format.type.or": { en: "{one} or {other}", ko: "{one} 또는 {other}" },
  "format.got.nothing": { en: "nothing", ko: "없음" },
  "format.got.value": { en: "{type} {value}", ko: "{type} {value}" },
  "format.got.items": { en: "a list of {count} item(s)", ko: "항목 {count}개짜리 목록" },
  "format.got.hidden": { en: "{type} (hidden: it is a secret)", ko: "{type}(비밀 값이라 숨김)" },

  // Patterns, by name.
  "format.pattern.command": {
    en: "a command that is not blank and holds no NUL character",
    ko: "비어 있지 않고 NUL 문자가 없는 명령",
  },
  "format.pattern.filled": { en: "a text that is not blank", ko: "비어 있지 않은 문자열" },
  "format.pattern.time": {
    en: "an ISO 8601 time such as 2026-02-16T10:00:00Z",
    ko: "2026-02-16T10:00:00Z 같은 ISO 8601 시각",
  },
  "format.pattern.dayOrTime": {
    en: "an ISO 8601 day or time such as 2026-02-16",
    ko: "2026-02-16 같은 ISO 8601 날짜나 시각",
  },
  "format.pattern.checkpointId": {
    en: "a checkpoint id such as cp-1",
    ko: "cp-1 같은 체크포인트 id",
  },
  "format.pattern.checkpointKey": {
    en: "a checkpoint id such as cp-1",
    ko: "cp-1 같은 체크포인트 id",
  },
  "format.pattern.unitId": {
    en: "a task id such as T1.3, T0.5.2, P2-R1-T1 or P2-S1-V",
    ko: "T1.3, T0.5.2, P2-R1-T1, P2-S1-V 같은 작업 id",
  },
  "format.pattern.phaseKey": { en: "a phase such as phase_1", ko: "phase_1 같은 단계 이름" },
  "format.pattern.fraction": { en: "a progress such as 2/6", ko: "2/6 같은 진행률" },
  "format.pattern.planTaskId": {
    en: "an id such as task-2026-02-16-001",
    ko: "task-2026-02-16-001 같은 id",
  },
  "format.pattern.planSessionId": {
    en: "an id such as session-2026-02-16-001",
    ko: "session-2026-02-16-001 같은 id",
  },
  "format.pattern.requestId": { en: "a request id such as R1", ko: "R1 같은 요청 id" },
  "format.pattern.taskId": { en: "a task id such as T1", ko: "T1 같은 작업 id" },
  "format.pattern.subtaskId": { en: "a subtask id such as T1-S1", ko: "T1-S1 같은 하위 작업 id" },
  "format.pattern.projectHash": { en: "8 hexadecimal digits", ko: "16진수 8자리" },
  "format.pattern.commit": {
    en: "a commit of at least 7 hexadecimal digits",
    ko: "16진수 7자리 이상의 커밋",
  },
  "format.pattern.webhook": { en: "an https address", ko: "https 주소" },
  "format.pattern.agentName": {
    en: "a name that can be a file name",
    ko: "파일 이름으로 쓸 수 있는 이름",
  },
  "format.pattern.relativePath": {
    en: "a path inside the project, without “..”",
    ko: "“..” 없이 프로젝트 안을 가리키는 경로",
  },
  "format.pattern.absolutePath": { en: "an absolute path", ko: "절대 경로" },
  "format.pattern.typeName": {
    en: "a name of small letters, digits, “-” and “_”",
    ko: "영문 소문자, 숫자, “-”, “_”로 된 이름",
  },
  "format.pattern.variableName": {
    en: "the name of an environment variable",
    ko: "환경 변수 이름",
  },
  "format.pattern.other": { en: "a text that matches {source}", ko: "{source} 형식의 문자열" },
  // Text that can not be read at all.
  "format.not_utf8": {
    en: "this line is not valid UTF-8; save the file as UTF-8",
    ko: "이 줄은 올바른 UTF-8이 아닙니다. 파일을 UTF-8로 저장해 주세요",
  },
  "format.not_json": { en: "not JSON here: “{found}”", ko: "여기부터 JSON이 아닙니다: “{found}”" },
  "format.json_cut_off": {
    en: "the JSON ends too early, as if the file were cut off",
    ko: "JSON이 중간에 끝납니다. 파일이 잘린 것 같습니다",
  },
  "format.not_yaml": { en: "not YAML: {detail}", ko: "YAML이 아닙니다: {detail}" },
  "format.duplicate_key": {
    en: "the key “{key}” stands here twice; keep one",
    ko: "“{key}” 키가 두 번 나옵니다. 하나만 남겨 주세요",
  },
  "format.forbidden_key": {
    en: "the key “{key}” is not allowed",
    ko: "“{key}” 키는 쓸 수 없습니다",
  },
  "format.lossy_number": {
    en: "the number {token} can not be kept exactly; write it as a text in quotes",
    ko: "숫자 {token}(은/는) 정확히 보존할 수 없습니다. 따옴표로 감싸 문자열로 적어 주세요",
  },
  "format.too_deep": {
    en: "nested deeper than {max} levels",
    ko: "{max}단계보다 깊게 중첩되어 있습니다",
  },
  "format.too_large": {
    en: "{size} bytes are more than the {max} allowed for this format",
    ko: "{size}바이트로, 이 형식에 허용된 {max}바이트를 넘습니다",
  },
  "format.alias": {
    en: "anchors, aliases and merge keys are not allowed; write the value out",
    ko: "앵커, 별칭, 병합 키는 쓸 수 없습니다. 값을 그대로 적어 주세요",
  },
  "format.tag": { en: "the tag “{tag}” is not allowed", ko: "“{tag}” 태그는 쓸 수 없습니다" },
  "format.directive": {
    en: "directives (“%…”) are not allowed; remove this line",
    ko: "지시자(“%…”)는 쓸 수 없습니다. 이 줄을 지워 주세요",
  },
  "format.control_character": {
    en: "the control character {code} is not allowed here; remove it",
    ko: "제어 문자 {code}(은/는) 여기에 쓸 수 없습니다. 지워 주세요",
  },
  "format.lone_surrogate": {
    en: "this text holds half of a character (a lone surrogate); write it anew",
    ko: "이 문자열에 반쪽 문자(짝 없는 서로게이트)가 있습니다. 다시 적어 주세요",
  },
  "format.too_many_parts": {
    en: "more than {max} lines, items or signs: too much for one YAML file",
    ko: "줄, 항목, 기호가 {max}개를 넘어 YAML 파일 하나로는 너무 큽니다",
  },
  "format.several_documents": {
    en: "one document a file: remove the second “---”",
    ko: "파일 하나에 문서 하나만 둘 수 있습니다. 두 번째 “---”를 지워 주세요",
  },
  "format.key_not_text": {
    en: "a key must be a plain text or number",
    ko: "키는 문자열이나 숫자여야 합니다",
  },

  // Versions.
  "format.newer_version": {
    en: "version {found} is newer than the {known} this Holdfast knows; update Holdfast",
    ko: "버전 {found}(은/는) 이 Holdfast가 아는 {known}보다 새 버전입니다. Holdfast를 업데이트해 주세요",
  },
  "format.unknown_version": {
    en: "version {found} is not known; expected {known}",
    ko: "버전 {found}(은/는) 알 수 없습니다. {known}(이/가) 필요합니다",
  },
  // What each format is.
  "format.title.develop-state": { en: "Where a develop run stands", ko: "develop 진행 상태" },
  "format.title.checkpoint-definitions": {
    en: "The checkpoints a design defines",
    ko: "설계가 정의한 체크포인트",
  },
  "format.title.orchestrate-state": {
    en: "The task lists of an orchestrate run",
    ko: "orchestrate 작업 목록 상태",
  },
  "format.title.task-state": {
    en: "The current plan and those that wait",
    ko: "현재 계획과 대기 중인 계획",
  },
  "format.title.task-history": {
    en: "Plans that ended, with statistics",
    ko: "끝난 계획의 이력과 통계",
  },
  "format.title.shared-context": {
    en: "What the agents of a plan share",
    ko: "에이전트가 공유하는 컨텍스트",
  },
  "format.title.agent-memory": { en: "What one agent remembers", ko: "에이전트별 메모리" },
  "format.title.request-session": { en: "The session of a request", ko: "request 세션" },
  "format.title.request-state": {
    en: "Tasks, subtasks and gates of a request",
    ko: "request의 작업, 하위 작업, 게이트 상태",
  },
  "format.title.explored": { en: "What was found in the code", ko: "코드 탐색 결과" },
  "format.title.task-breakdown": {
    en: "A request cut into tasks and subtasks",
    ko: "작업과 하위 작업으로 나눈 요청",
  },
  "format.title.design-brief": { en: "What a task has to achieve", ko: "작업별 설계 정의서" },
  "format.title.design-contract": {
    en: "The design a task is bound to",
    ko: "작업이 지켜야 할 설계 계약",
  },
  "format.title.test-contract": {
    en: "What a subtask's tests must show",
    ko: "하위 작업의 테스트 계약",
  },
  "format.title.test-result": {
    en: "What the tests of a subtask showed",
    ko: "하위 작업의 테스트 결과",
  },
  "format.finding_in": { en: "{path}{place}: {problem}", ko: "{path}{place}: {problem}" },
  "format.title.knowledge": { en: "What the project taught us", ko: "프로젝트 지식" },
  "format.title.project-settings": {
    en: "A project's settings and task types",
    ko: "프로젝트 설정과 작업 유형",
  },
  "format.title.task-list": {
    en: "The plan that orchestrate works through",
    ko: "orchestrate가 수행할 작업 계획",
  },
} as const satisfies Record<string, Text>;
