import type { Text } from "./index.ts";

export const inboxTexts = {
  "inbox.count": {
    en: "{count} [count:thing waits|things wait] for you",
    ko: "나를 기다리는 일 {count}건",
  },
  "inbox.none": { en: "Nothing waits for you.", ko: "기다리는 일이 없습니다." },
  "inbox.working": {
    en: "{count} [count:agent is|agents are] at work. What they need comes here.",
    ko: "에이전트 {count}개가 일하고 있습니다. 필요한 것이 생기면 여기에 나타납니다.",
  },
  "inbox.idle": {
    en: "No agent is at work. Questions, needs and reviews come here once one is.",
    ko: "지금 일하는 에이전트가 없습니다. 질문, 필요한 값, 리뷰가 생기면 여기에 나타납니다.",
  },
  "inbox.none_of_kind": { en: "None of this kind.", ko: "이 종류는 없습니다." },
  "inbox.blocked": {
    en: "“{title}” waits for a task that will not complete",
    ko: "“{title}” 작업이 완료될 수 없는 작업을 기다립니다",
  },
  "inbox.blocked.deleted": { en: "{id} was deleted.", ko: "{id} 작업은 삭제되었습니다." },
  "inbox.blocked.way": {
    en: "A retry takes the place of a failed task. To depend on something else, cancel this task and edit the draft.",
    ko: "다시 시도한 작업이 실패한 작업을 대신합니다. 의존성을 바꾸려면 이 작업을 취소하고 초안을 고치세요.",
  },
  "inbox.needs": { en: "{name} is needed", ko: "{name}(이/가) 필요합니다" },
  "inbox.review": { en: "{title} · review of phase {phase}", ko: "{title} · {phase}단계 리뷰" },
  "inbox.blocks": {
    en: "{count} [count:task waits|tasks wait] for this",
    ko: "작업 {count}개가 이것을 기다립니다",
  },
  "inbox.deadline": { en: "due {time}", ko: "{time}까지" },
  "inbox.stands": { en: "stands still until you answer", ko: "답하지 않으면 계속 멈춰 있습니다" },
  "inbox.files": { en: "{count} [count:file|files]", ko: "파일 {count}개" },
  "inbox.comments": { en: "{count} [count:draft|drafts] of comments", ko: "의견 초안 {count}" },
  "inbox.open_review": { en: "Review", ko: "리뷰하기" },
  "inbox.sent": { en: "Sent: {text}", ko: "보냄: {text}" },
  "inbox.itself": { en: "Clears by itself · nothing to do", ko: "기다리면 풀리는 일 · 할 일 없음" },
  "inbox.tasks": { en: "{count} [count:task|tasks]", ko: "작업 {count}개" },
  "inbox.questions": { en: "{count} questions: {about}", ko: "질문 {count}개: {about}" },
  "inbox.permission": {
    en: "The agent asks to use {tool}",
    ko: "에이전트가 {tool} 사용을 허락해 달라고 합니다",
  },
  "permission.why": {
    en: "Why not? Sent along with a refusal (optional)",
    ko: "거부하는 이유(선택, 거부할 때 함께 전달)",
  },
  "ask.own": { en: "or in your own words", ko: "또는 직접 입력" },
  "ask.several": { en: "(more than one may be chosen)", ko: "(여러 개 고를 수 있음)" },
  "ask.answered": { en: "{done} of {count} answered", ko: "{count}개 중 {done}개 답함" },
  "ask.send_all": { en: "Send all answers", ko: "모두 보내기" },
  "ask.default": { en: "(default)", ko: "(기본값)" },
  "ask.chosen": { en: "“{option}” is chosen. Send:", ko: "“{option}”(을/를) 골랐습니다. 보내기:" },
  "ask.answer": { en: "Your answer", ko: "답" },
  "ask.send": { en: "Send answer", ko: "답 보내기" },
  "need.value": { en: "Value of {name}", ko: "{name} 값" },
  "need.paste": { en: "Paste the value", ko: "값 붙여넣기" },
  "need.provide": { en: "Provide", ko: "제공" },
  "need.provided": { en: "the value, sealed", ko: "값(암호화됨)" },
  "need.sealed": {
    en: "Stored encrypted, never shown again.",
    ko: "암호화해 저장하고 다시 보여 주지 않습니다.",
  },
  "first.question": { en: "An agent asks you something.", ko: "에이전트가 묻고 있습니다." },
  "first.question.more": {
    en: "It stands still until you answer, and costs nothing meanwhile. Answer right here.",
    ko: "답할 때까지 멈춰 있고, 그동안 비용이 들지 않습니다. 여기서 바로 답하면 됩니다.",
  },
  "first.answered": { en: "Your answer is on its way.", ko: "답을 보냈습니다." },
  "first.answered.more": {
    en: "The agent goes on by itself. Its output is in the task beside this list.",
    ko: "에이전트가 알아서 이어 갑니다. 출력은 옆의 작업 화면에서 볼 수 있습니다.",
  },
  "first.review": {
    en: "A phase is done and waits for your review.",
    ko: "한 단계가 끝나 리뷰를 기다립니다.",
  },
  "first.review.more": {
    en: "Read the files, comment on lines, then approve or request changes. Nothing goes on without you.",
    ko: "파일을 읽고, 줄마다 의견을 남기고, 승인하거나 변경을 요청하세요. 승인 없이는 넘어가지 않습니다.",
  },
  "first.notify": {
    en: "Be told when something waits for you?",
    ko: "기다리는 일이 생기면 알려 드릴까요?",
  },
  "first.notify.more": {
    en: "A notification of the desktop, only for what waits for you and for failures.",
    ko: "나를 기다리는 일과 실패만 데스크톱 알림으로 알립니다.",
  },
  "first.notify.yes": { en: "Notify me", ko: "알림 받기" },
  "first.notify.no": { en: "No", ko: "받지 않기" },
  "first.seen": { en: "Got it", ko: "알겠습니다" },
} as const satisfies Record<string, Text>;
