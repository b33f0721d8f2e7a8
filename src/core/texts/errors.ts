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
  "disk.limit": {
    en: "{path} could not be written and is as it was: it would be larger than this process may write.",
    ko: "이 프로세스가 쓸 수 있는 크기를 넘어서 {path}(을/를) 쓰지 못했습니다. 파일은 그대로입니다.",
  },
  "disk.limit.hint": {
    en: "“ulimit -f” shows the limit; raise it, then try again.",
    ko: "“ulimit -f”로 한도를 확인하고 늘린 뒤 다시 시도해 주세요.",
  },
  "disk.no_folder": {
    en: "{path} can not be written: its folder is gone.",
    ko: "폴더가 사라져서 {path}(을/를) 쓸 수 없습니다.",
  },
  "disk.no_folder.hint": {
    en: "Somebody may have moved the project meanwhile. Go to where it is now, then try again.",
    ko: "그사이 프로젝트를 옮겼을 수 있습니다. 지금 있는 위치로 가서 다시 시도해 주세요.",
  },
} as const satisfies Record<string, Text>;
