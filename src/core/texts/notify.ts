// Notifications, and why one could not be sent.
import type { Text } from "../messages.ts";

export const notifyTexts = {
  "notify.review": { en: "{id} waits for your review: {title}", ko: "{id} 리뷰 대기: {title}" },
  "notify.question": { en: "{id} has a question: {title}", ko: "{id} 질문 있음: {title}" },
  "notify.dependency": {
    en: "{id} needs a value from you: {title}",
    ko: "{id} 값이 필요함: {title}",
  },
  "notify.completed": { en: "{id} is completed: {title}", ko: "{id} 완료: {title}" },
  "notify.failed": { en: "{id} has failed: {title}", ko: "{id} 실패: {title}" },
  "notify.held": {
    en: "{id} waits for a person before it goes on: {title}",
    ko: "{id} 계속하려면 사람이 필요함: {title}",
  },
  "notify.error": { en: "{id} reports an error: {title}", ko: "{id} 오류 알림: {title}" },
  "notify.review_waiting": {
    en: "{id} still waits for your review: {title}",
    ko: "{id} 아직 리뷰를 기다림: {title}",
  },
  "notify.question_overdue": {
    en: "{id} still waits for an answer: {title}",
    ko: "{id} 아직 답을 기다림: {title}",
  },
  "notify.escalation": {
    en: "{id} needs an answer now: {title}",
    ko: "{id} 지금 답이 필요함: {title}",
  },
  "notify.disk_low": {
    en: "{id} stands still, as all others: the disk is nearly full ({title})",
    ko: "{id} 멈춤: 디스크 공간이 부족해 모든 에이전트를 멈췄습니다({title})",
  },
  "notify.removal": {
    en: "What ended tasks keep on the disk will be removed, first that of {id} ({title}). holdfast task kept shows which and when.",
    ko: "끝난 작업이 디스크에 남긴 것을 지울 예정입니다. 먼저 {id}({title})부터 지웁니다. holdfast task kept로 대상과 날짜를 볼 수 있습니다.",
  },
  "notify.other": { en: "{id}: {event} ({title})", ko: "{id}: {event} ({title})" },
  "notify.unset": {
    en: "Nothing is sent to the webhook {name}: that variable is not set.",
    ko: "{name} 변수가 없어서 웹훅을 보내지 않습니다.",
  },
  "notify.not_sent": {
    en: "The webhook {name} was not told: {problem}",
    ko: "{name} 웹훅에 알리지 못했습니다: {problem}",
  },
  "notify.problem.address": {
    en: "its address is not an https address.",
    ko: "주소가 https 주소가 아닙니다.",
  },
  "notify.problem.private": {
    en: "its address leads into this machine or network.",
    ko: "주소가 이 컴퓨터나 내부 네트워크를 가리킵니다.",
  },
  "notify.problem.unresolved": {
    en: "its name could not be resolved.",
    ko: "이름을 찾을 수 없습니다.",
  },
  "notify.problem.timeout": {
    en: "it did not answer in time.",
    ko: "제때 응답하지 않았습니다.",
  },
  "notify.problem.failed": { en: "it did not take the message.", ko: "메시지를 받지 않았습니다." },
} as const satisfies Record<string, Text>;
