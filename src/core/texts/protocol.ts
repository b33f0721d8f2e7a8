import type { Text } from "../messages.ts";

/** What is wrong with a marker an agent wrote. Read by the agent and by people. */
export const protocolTexts = {
  "protocol.unclosed": {
    en: "{marker} was never closed. End it with {closer}, alone on a line.",
    ko: "{marker} 블록이 닫히지 않았습니다. {closer}만 있는 줄로 끝내 주세요.",
  },
  "protocol.wrong_closer": {
    en: "{marker} was closed by {found}. End it with {closer}, alone on a line.",
    ko: "{marker} 블록이 {found}(으로/로) 닫혔습니다. {closer}만 있는 줄로 끝내 주세요.",
  },
  "protocol.too_large": {
    en: "{marker} is larger than {limit} bytes. Put the long parts in a file and name it.",
    ko: "{marker}의 크기가 {limit}바이트를 넘습니다. 긴 내용은 파일에 넣고 파일 이름을 적어 주세요.",
  },
  "protocol.field_too_long": {
    en: "“{field}” is longer than {limit} characters. Shorten it.",
    ko: "“{field}” 항목이 {limit}자를 넘습니다. 줄여 주세요.",
  },
  "protocol.missing_field": {
    en: "The field “{field}” is missing.",
    ko: "“{field}” 항목이 없습니다.",
  },
  "protocol.unknown_field": {
    en: "There is no field “{field}” here. Known: {known}.",
    ko: "여기에는 “{field}” 항목이 없습니다. 쓸 수 있는 항목: {known}.",
  },
  "protocol.duplicate_field": {
    en: "The field “{field}” is given more than once.",
    ko: "“{field}” 항목이 두 번 이상 있습니다.",
  },
  "protocol.bad_value": {
    en: "“{field}” can not be “{value}”. Allowed: {allowed}.",
    ko: "“{field}” 항목에 “{value}”(은/는) 쓸 수 없습니다. 가능한 값: {allowed}.",
  },
  "protocol.not_text": {
    en: "“{field}” has to be a single text.",
    ko: "“{field}” 항목은 하나의 글이어야 합니다.",
  },
  "protocol.not_a_list": {
    en: "“{field}” has to be a list: one “- item” a line, or [a, b].",
    ko: "“{field}” 항목은 목록이어야 합니다. 한 줄에 “- 항목” 하나씩, 또는 [a, b] 형식으로 적어 주세요.",
  },
  "protocol.options_needed": {
    en: "A choice needs “options” to choose from.",
    ko: "choice 질문에는 고를 수 있는 “options” 목록이 필요합니다.",
  },
  "protocol.stray_line": {
    en: "This line is not “key: value”: “{line}”. Indent the lines that continue a value.",
    ko: "“key: value” 형식이 아닌 줄입니다: “{line}”. 값이 이어지는 줄은 들여쓰기해 주세요.",
  },
  "protocol.bad_json": {
    en: "What follows {marker} is not a valid JSON object.",
    ko: "{marker} 다음 내용이 올바른 JSON 객체가 아닙니다.",
  },
  "protocol.no_criteria": {
    en: "A verification result needs “criteria”, a list with at least one entry.",
    ko: "검증 결과에는 하나 이상의 “criteria” 목록이 필요합니다.",
  },
  "protocol.bad_criterion": {
    en: "Criterion {number} needs an “id”, a “status” of passed or failed, and texts elsewhere.",
    ko: "{number}번째 기준에는 “id”와 passed 또는 failed인 “status”가 필요하고, 나머지는 글이어야 합니다.",
  },
  "protocol.bad_seconds": {
    en: "“retry_after” is a number of seconds, not “{value}”.",
    ko: "“retry_after”는 초 단위 숫자여야 합니다. 받은 값: “{value}”.",
  },
  "protocol.bad_time": {
    en: "“reset_at” is an ISO time with its zone or a Unix time in seconds, not “{value}”.",
    ko: "“reset_at”은 시간대가 있는 ISO 시각이나 초 단위 유닉스 시각이어야 합니다. 받은 값: “{value}”.",
  },
  "protocol.several": { en: "{first} {next}", ko: "{first} {next}" },
  "protocol.bad_token": {
    en: "A marker token is 8 to 128 letters, digits, “-” or “_”.",
    ko: "마커 토큰은 영문자, 숫자, “-”, “_”로 된 8~128자여야 합니다.",
  },
  "protocol.bad_state": {
    en: "The saved state of the output parser can not be read.",
    ko: "저장된 출력 해석 상태를 읽을 수 없습니다.",
  },
} as const satisfies Record<string, Text>;
