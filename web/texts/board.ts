import type { Text } from "./index.ts";

export const boardTexts = {
  "board.count": { en: "{count} [count:task|tasks]", ko: "작업 {count}개" },
  "board.search": { en: "Search tasks", ko: "작업 검색" },
  "board.project": { en: "All projects", ko: "모든 프로젝트" },
  "board.type": { en: "All types", ko: "모든 유형" },
  "board.priority": { en: "All priorities", ko: "모든 우선순위" },
  "board.status": { en: "All states", ko: "모든 상태" },
  "board.view": { en: "View", ko: "보기" },
  "board.columns": { en: "Board", ko: "보드" },
  "board.list": { en: "List", ko: "목록" },
  "board.none": { en: "There are no tasks yet.", ko: "아직 작업이 없습니다." },
  "board.none.hint": {
    en: "holdfast task create makes one; it appears here at once.",
    ko: "holdfast task create로 만들면 바로 여기에 나타납니다.",
  },
  "board.none_fits": { en: "No task fits these filters.", ko: "이 필터에 맞는 작업이 없습니다." },
  "board.clear": { en: "Clear filters", ko: "필터 지우기" },
  "board.all": { en: "All {count} as a list", ko: "{count}개 모두 목록으로 보기" },
  "board.blocked_by": { en: "Waits for {title}", ko: "{title}(을/를) 기다림" },
  "board.blocked_by_many": {
    en: "Waits for {title} and {count} more",
    ko: "{title} 외 {count}개를 기다림",
  },
} as const satisfies Record<string, Text>;
