import type { Text } from "../messages.ts";

/** What the built-in task types and their phases are called; `own`: as a project named it. */
export const taskTypeTexts = {
  "type.own": { en: "{name}", ko: "{name}" },

  "type.create_app.title": { en: "Create an app", ko: "앱 만들기" },
  "type.create_app.1": { en: "Planning", ko: "기획" },
  "type.create_app.2": { en: "Design", ko: "설계" },
  "type.create_app.3": { en: "Development", ko: "개발" },
  "type.create_app.4": { en: "Testing", ko: "테스트" },

  "type.modify_app.title": { en: "Change an app", ko: "앱 고치기" },
  "type.modify_app.1": { en: "Analysis", ko: "분석" },
  "type.modify_app.2": { en: "Planning", ko: "계획" },
  "type.modify_app.3": { en: "Implementation", ko: "구현" },
  "type.modify_app.4": { en: "Testing", ko: "테스트" },

  "type.workflow.title": { en: "Build a workflow", ko: "워크플로 만들기" },
  "type.workflow.1": { en: "Planning", ko: "기획" },
  "type.workflow.2": { en: "Design", ko: "설계" },
  "type.workflow.3": { en: "Development", ko: "개발" },
  "type.workflow.4": { en: "Testing", ko: "테스트" },

  "type.custom.title": { en: "Anything else", ko: "그 밖의 작업" },
  "type.custom.1": { en: "Execution", ko: "실행" },
} as const satisfies Record<string, Text>;
