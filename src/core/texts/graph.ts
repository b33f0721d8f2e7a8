import type { Text } from "../messages.ts";

/** Ids, dependencies and retries: why an id, a step in the graph or a further try is refused. */
export const graphTexts = {
  "id.empty": {
    en: "The id is empty. Give it a name of letters and digits.",
    ko: "id가 비어 있습니다. 글자와 숫자로 된 이름을 지어 주세요.",
  },
  "id.too_long": {
    en: "The id “{id}” is too long: at most {characters} characters and {bytes} bytes. Shorten it.",
    ko: "id “{id}”(이/가) 너무 깁니다. {characters}자, {bytes}바이트 이하로 줄여 주세요.",
  },
  "id.invisible": {
    en: "The id “{id}” holds a control or invisible character. Type it again without it.",
    ko: "id “{id}”에 제어 문자나 보이지 않는 문자가 있습니다. 그 문자 없이 다시 입력해 주세요.",
  },
  "id.look_alike": {
    en: "The id “{id}” is written with look-alike or decomposed characters. Type it again as “{fixed}”.",
    ko: "id “{id}”에 모양만 같은 문자나 풀어 쓴 문자가 있습니다. “{fixed}”(으로/로) 다시 입력해 주세요.",
  },
  "id.separator": {
    en: "The id “{id}” holds “{found}”, which would leave its folder. Use “-” or “_” instead.",
    ko: "id “{id}”에 폴더를 벗어나게 하는 “{found}”(이/가) 있습니다. 대신 “-”나 “_”를 써 주세요.",
  },
  "id.character": {
    en: "The id “{id}” holds “{found}”. Use letters, digits, spaces and . _ - @ + only.",
    ko: "id “{id}”에 “{found}”(이/가) 있습니다. 글자, 숫자, 띄어쓰기와 . _ - @ + 만 쓸 수 있습니다.",
  },
  "id.edge": {
    en: "The id “{id}” may not begin with “.”, “-” or a space, nor end with “.” or a space. Remove it.",
    ko: "id “{id}”의 맨 앞에는 “.”, “-”, 띄어쓰기를, 맨 뒤에는 “.”, 띄어쓰기를 둘 수 없습니다. 지워 주세요.",
  },
  "id.reserved": {
    en: "The id “{id}” is a name the system or Holdfast keeps for itself. Choose another one.",
    ko: "“{id}”(은/는) 시스템이나 Holdfast가 따로 쓰는 이름입니다. 다른 id를 골라 주세요.",
  },
  "graph.unknown_id": {
    en: "There is no unit “{id}” in this plan.",
    ko: "이 계획에는 “{id}” 작업 단위가 없습니다.",
  },
  "graph.did_you_mean": { en: "Did you mean “{id}”?", ko: "혹시 “{id}”(을/를) 말씀하셨나요?" },
  "graph.not_possible": {
    en: "“{operation}” is not possible for {id}: it is {status}. It would have to be {needed}.",
    ko: "{id}의 상태가 {status}(이라/라) “{operation}”(을/를) 할 수 없습니다. {needed} 상태여야 합니다.",
  },
} as const satisfies Record<string, Text>;
