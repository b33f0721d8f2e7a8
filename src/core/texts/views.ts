import type { Text } from "../messages.ts";

/** What stands behind the pictures of the page: units, figures, machines, settings, a test message. */
export const viewTexts = {
  "op.units": {
    en: "show the units of a workflow, and what waits for what",
    ko: "흐름의 단위와, 무엇이 무엇을 기다리는지 보여 줍니다",
  },
  "op.units.workflow": {
    en: "the workflow; without it the one at work",
    ko: "흐름. 없으면 지금 진행 중인 흐름",
  },
  "op.units.project": {
    en: "the project, by its id or folder; without it the one of this folder",
    ko: "프로젝트의 id 또는 폴더. 없으면 이 폴더의 프로젝트",
  },
  "op.units.since": {
    en: "the stamp of an earlier answer: if nothing is different, little is sent",
    ko: "이전 응답의 stamp. 달라진 것이 없으면 짧게 답합니다",
  },
  "units.none": {
    en: "There are no units of “{workflow}” in this project.",
    ko: "이 프로젝트에는 “{workflow}”의 단위가 없습니다.",
  },
  "units.none.hint": {
    en: "“holdfast status” shows what there is.",
    ko: "무엇이 있는지는 “holdfast status”로 볼 수 있습니다.",
  },
  "cli.units.none": { en: "No workflow has units yet.", ko: "아직 단위가 있는 흐름이 없습니다." },
  "cli.units.example": { en: "the workflow that is at work", ko: "지금 진행 중인 흐름" },
  "cli.units.example.one": { en: "the checkpoints of develop", ko: "develop의 체크포인트" },
  "cli.units.waits": { en: "after {ids}", ko: "{ids} 다음" },
  "cli.units.critical": { en: "Sets the pace: {ids}", ko: "속도를 정하는 순서: {ids}" },
  "op.metrics": {
    en: "show where time and money went, by day and by task",
    ko: "시간과 비용이 어디에 쓰였는지 날짜와 작업별로 보여 줍니다",
  },
  "op.metrics.days": { en: "how many days back, today included", ko: "오늘을 포함한 일수" },
  "op.metrics.zone": {
    en: "the time zone in which days begin: Asia/Seoul",
    ko: "하루의 기준이 되는 시간대. 예: Asia/Seoul",
  },
  "metrics.zone": {
    en: "There is no time zone “{zone}”.",
    ko: "“{zone}”(이라는/라는) 시간대는 없습니다.",
  },
  "metrics.zone.hint": {
    en: "Give one as Asia/Seoul or UTC.",
    ko: "Asia/Seoul이나 UTC처럼 적어 주세요.",
  },
  "cli.metrics.example": { en: "the last two weeks", ko: "지난 두 주" },
  "cli.metrics.example.days": {
    en: "the last 30 days, as a program reads them",
    ko: "지난 30일을 JSON으로",
  },
  "cli.metrics.sums": {
    en: "{cost}, {tokens} tokens. Agents worked {worked}, waited {waited} for people and {limit} at limits; {retries} retries.",
    ko: "{cost}, 토큰 {tokens}. 에이전트 작업 {worked}, 사람 대기 {waited}, 한도 대기 {limit}, 재시도 {retries}회.",
  },
  "op.machines": {
    en: "show the tables by which tasks and agents change their state",
    ko: "작업과 에이전트의 상태가 바뀌는 표를 보여 줍니다",
  },
  "cli.machines.example": { en: "every row, with its guards", ko: "모든 행과 조건" },
  "op.settings": {
    en: "show how this project is set up; secrets by name alone",
    ko: "이 프로젝트의 설정을 보여 줍니다. 비밀 값은 이름만 나옵니다",
  },
  "cli.settings.example": {
    en: "agent, slots, budgets, webhooks",
    ko: "에이전트, 슬롯, 예산, 웹훅",
  },
  "cli.settings.agent": { en: "agent", ko: "에이전트" },
  "cli.settings.slots": { en: "slots", ko: "슬롯" },
  "cli.settings.task": { en: "budget of a task", ko: "작업 예산" },
  "cli.settings.day": { en: "budget of a day", ko: "하루 예산" },
  "cli.settings.no_limit": { en: "no limit", ko: "제한 없음" },
  "cli.settings.secrets": { en: "secrets", ko: "비밀 값" },
  "op.notify": {
    en: "send a test to the webhooks of this project",
    ko: "이 프로젝트의 웹훅에 시험 메시지를 보냅니다",
  },
  "op.notify.name": {
    en: "only the one of this environment variable",
    ko: "이 환경 변수의 웹훅 하나만",
  },
  "cli.notify.example": { en: "each of them, once", ko: "각각 한 번씩" },
  "notify.taken": { en: "It was taken.", ko: "받았습니다." },
  "notify.none": {
    en: "This project names no webhook.",
    ko: "이 프로젝트에는 웹훅이 없습니다.",
  },
  "notify.no_name": {
    en: "This project names no webhook “{name}”.",
    ko: "이 프로젝트에 “{name}” 웹훅은 없습니다.",
  },
  "notify.none.hint": {
    en: "Name one in holdfast.yaml, under notify and webhooks: the environment variable of the server that holds the address.",
    ko: "holdfast.yaml의 notify 아래 webhooks에, 주소가 든 서버 환경 변수의 이름을 적어 주세요.",
  },
} as const satisfies Record<string, Text>;
