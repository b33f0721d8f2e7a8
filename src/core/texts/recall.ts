import type { Text } from "../messages.ts";

/** Of the search over a project's past. */
export const recallTexts = {
  "recall.cannot_open": {
    en: "The index “{file}” can not be opened: {detail}",
    ko: "색인 “{file}”(을/를) 열 수 없습니다: {detail}",
  },
  "recall.cannot_open.hint": {
    en: "It can be deleted at any time: the next “holdfast recall” builds it anew.",
    ko: "언제든 지워도 됩니다. 다음 “holdfast recall”이 새로 만듭니다.",
  },
} as const satisfies Record<string, Text>;
