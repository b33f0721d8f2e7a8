import type { Text } from "../messages.ts";

/** What hooks and steps start from (docs/adr/0012). */
export const startTexts = {
  "doctor.start.none": {
    en: "hooks and the steps of runs start without a snapshot that fits this Node, and take longer",
    ko: "이 Node에 맞는 시작 스냅숏이 없어 훅과 실행 단계가 더 오래 걸립니다",
  },
  "doctor.start.hint": {
    en: "“holdfast doctor --fix” makes it, for a user who may write in {path}.",
    ko: "{path}에 쓸 수 있는 사용자로 “holdfast doctor --fix”를 실행하면 만들어집니다.",
  },
  "doctor.fixed.start": {
    en: "made the snapshots that hooks and steps start from",
    ko: "훅과 실행 단계의 시작 스냅숏을 만들었습니다",
  },
  "init.start": {
    en: "Hooks and the steps of runs start faster from now on: their snapshots are made.",
    ko: "훅과 실행 단계의 시작 스냅숏을 만들어, 이제 더 빨리 시작합니다.",
  },
} as const satisfies Record<string, Text>;
