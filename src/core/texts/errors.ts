import type { Text } from "../messages.ts";

/** Faults that any part may raise. */
export const errorTexts = {
  "error.internal": {
    en: "Something inside Holdfast went wrong: {detail}",
    ko: "Holdfast 내부에서 문제가 생겼습니다: {detail}",
  },
  "error.internal.hint": {
    en: "This is a bug in Holdfast. Please report it with the command you ran.",
    ko: "Holdfast의 버그입니다. 실행한 명령과 함께 알려 주세요.",
  },
} as const satisfies Record<string, Text>;
