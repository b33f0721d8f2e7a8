// Of the machines of a task.
import type { Text } from "./index.ts";

export const machineTexts = {
  "tab.machines": { en: "Machines", ko: "상태 기계" },
  "machines.title": { en: "Which machine", ko: "상태 기계 고르기" },
  "machines.now": { en: "now", ko: "지금" },
  "machines.taken": { en: "{count}×", ko: "{count}회" },
  "machines.pick": {
    en: "Choose an arrow to see when it was taken and what its guard asks.",
    ko: "화살표를 고르면 언제 지나갔는지, 어떤 조건이 있는지 보입니다.",
  },
  "machines.walked": { en: "Path so far", ko: "지나온 길" },
  "machines.all": { en: "All arrows", ko: "모든 화살표" },
  "machines.refusals": { en: "Refused with", ko: "거절되는 경우" },
  "machines.needs": { en: "Must bring", ko: "함께 있어야 하는 것" },
  "machines.effects": { en: "Then", ko: "그다음 하는 일" },
  "machines.always": { en: "No guard: always taken.", ko: "조건이 없습니다. 언제나 지나갑니다." },
  "machines.when": { en: "Taken", ko: "지나간 때" },
  "machines.never": { en: "Not taken so far.", ko: "아직 지나가지 않았습니다." },
  "machines.diagram": {
    en: "State diagram. Every arrow is also in the list below it.",
    ko: "상태 다이어그램입니다. 모든 화살표는 아래 목록에도 있습니다.",
  },
  "machines.not_begun": { en: "It has not moved yet.", ko: "아직 움직이지 않았습니다." },
} as const satisfies Record<string, Text>;
