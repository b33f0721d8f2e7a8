// Of the settings.
import type { Text } from "./index.ts";

export const setupTexts = {
  "nav.settings": { en: "Settings", ko: "설정" },
  "setup.here": { en: "this server's", ko: "이 서버의 프로젝트" },
  "setup.projects": { en: "Projects", ko: "프로젝트" },
  "setup.tasks": { en: "{count} [count:task|tasks]", ko: "작업 {count}개" },
  "setup.agents": { en: "Agents found", ko: "찾은 에이전트" },
  "setup.agents.none": {
    en: "Which agents are here could not be found out.",
    ko: "어떤 에이전트가 있는지 알 수 없습니다.",
  },
  "setup.usable": { en: "usable", ko: "사용 가능" },
  "setup.not_usable": { en: "not usable", ko: "사용할 수 없음" },
  "setup.work": { en: "How it works", ko: "작업 방식" },
  "setup.agent": { en: "Agent of new tasks", ko: "새 작업의 에이전트" },
  "setup.agent.none": {
    en: "none; each task names one",
    ko: "없음. 작업마다 지정해야 합니다",
  },
  "setup.slots": { en: "Agents at once", ko: "동시에 일하는 에이전트" },
  "setup.slots.of": { en: "{used} of {total} in use", ko: "{total}개 중 {used}개 사용 중" },
  "setup.permissions": { en: "What agents may do unasked", ko: "묻지 않고 할 수 있는 일" },
  "setup.permission.read-only": { en: "read only", ko: "읽기만" },
  "setup.permission.edits": { en: "edit files", ko: "파일 편집" },
  "setup.permission.everything": { en: "everything", ko: "모두" },
  "setup.types": { en: "Own task types", ko: "프로젝트의 작업 유형" },
  "setup.budgets": { en: "Budgets", ko: "예산" },
  "setup.budget.task": { en: "Of a task", ko: "작업 하나" },
  "setup.budget.day": { en: "Of a day", ko: "하루" },
  "setup.no_limit": { en: "no limit", ko: "제한 없음" },
  "setup.minutes": { en: "{count} min of work", ko: "작업 {count}분" },
  "setup.tokens": { en: "{count} tokens", ko: "토큰 {count}" },
  "setup.webhooks": { en: "Webhooks", ko: "웹훅" },
  "setup.webhooks.none": {
    en: "None. Name one in holdfast.yaml under notify.",
    ko: "없습니다. holdfast.yaml의 notify에 이름을 적으면 됩니다.",
  },
  "setup.webhook.set": { en: "address is set", ko: "주소 있음" },
  "setup.webhook.unset": {
    en: "no address in the server's environment",
    ko: "서버 환경 변수에 주소 없음",
  },
  "setup.webhook.test": { en: "Send a test", ko: "시험 메시지 보내기" },
  "setup.webhook.sending": { en: "Sending …", ko: "보내는 중 …" },
  "setup.secrets": { en: "Secrets", ko: "비밀 값" },
  "setup.secrets.none": {
    en: "None are kept. Agents ask for what they need; you provide it in the Inbox.",
    ko: "보관된 값이 없습니다. 에이전트가 필요할 때 인박스에서 요청합니다.",
  },
  "setup.secrets.hint": {
    en: "By name alone: a value is never shown again.",
    ko: "이름만 보입니다. 값은 다시 보여 주지 않습니다.",
  },
  "setup.secret.project": { en: "for the project", ko: "프로젝트 전체" },
  "setup.browser": { en: "This browser", ko: "이 브라우저" },
  "setup.file": {
    en: "Set in holdfast.yaml at the project's root; read anew when it changes.",
    ko: "프로젝트 폴더의 holdfast.yaml에서 정합니다. 바뀌면 다시 읽습니다.",
  },
  "setup.no_file": {
    en: "There is no holdfast.yaml: what is usual holds.",
    ko: "holdfast.yaml이 없어 기본값을 씁니다.",
  },
} as const satisfies Record<string, Text>;
