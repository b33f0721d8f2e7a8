import type { Text } from "../messages.ts";

/** The room on the disk, for who asks: `doctor`, `why`. */
export const diskTexts = {
  "doctor.topic.disk": { en: "disk", ko: "디스크" },
  "doctor.disk": {
    en: "{free} MB free at {path}; below {floor} MB nothing new starts and agents stand still",
    ko: "{path}에 {free}MB 남음. {floor}MB보다 적으면 새로 시작하지 않고 에이전트도 멈춰 둡니다",
  },
  "doctor.disk.unwatched": {
    en: "{free} MB free at {path}; nobody looks at it (disk.floor_megabytes is 0)",
    ko: "{path}에 {free}MB 남음. 지켜보지 않습니다(disk.floor_megabytes가 0)",
  },
  "doctor.disk.low": {
    en: "only {free} MB free at {path}; below {floor} MB nothing new starts and agents stand still",
    ko: "{path}에 {free}MB만 남음. {floor}MB보다 적어 새로 시작하지 않고 에이전트도 멈춰 둡니다",
  },
  "doctor.disk.hint": {
    en: "Make room: “holdfast task kept” lists what ended tasks keep. Or lower disk.floor_megabytes in holdfast.yaml.",
    ko: "공간을 비우세요. 끝난 작업이 차지한 공간은 “holdfast task kept”로 볼 수 있습니다. 또는 holdfast.yaml의 disk.floor_megabytes를 낮추세요.",
  },
  "why.task.disk": {
    en: "Its agent stands still: there was too little room on the disk.",
    ko: "디스크 공간이 부족해 에이전트를 멈춰 두었습니다.",
  },
  "why.task.room": {
    en: "It goes on by itself when there is room on the disk. “holdfast task kept” lists what ended tasks keep there.",
    ko: "디스크 공간이 생기면 저절로 이어 갑니다. 끝난 작업이 차지한 공간은 “holdfast task kept”로 볼 수 있습니다.",
  },
} as const satisfies Record<string, Text>;
