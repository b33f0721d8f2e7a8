// The commands `request` and `contracts`: what they are, and what they answer (S4.7, S4.8).
import type { Text } from "../messages.ts";

export const requestCommandTexts = {
  "request.no_text": { en: "A request needs words.", ko: "요청 내용이 비어 있습니다." },
  "request.carried": {
    en: "The project was moved: its session was carried over from {from} to {to}.",
    ko: "프로젝트가 옮겨져 세션을 {from}에서 {to}(으)로 이어받았습니다.",
  },
  "request.session_stopped": {
    en: "Several sessions were active: {newest} is the newest and stays, {hash} was stopped.",
    ko: "활성 세션이 여럿이어서 가장 최근의 {newest}만 남기고 {hash}(은/는) 멈췄습니다.",
  },
  "request.not_begun": {
    en: "No request has begun in this project.",
    ko: "이 프로젝트에서 시작된 요청이 없습니다.",
  },
  "request.not_begun.hint": {
    en: '“holdfast request "<text>" --in-session” begins one.',
    ko: '“holdfast request "<내용>" --in-session”으로 시작하세요.',
  },
  "request.resume.hint": {
    en: "“holdfast request resume” goes on; “holdfast request status” says where it stands.",
    ko: "“holdfast request resume”으로 이어 가고, 상태는 “holdfast request status”로 확인하세요.",
  },
  "request.dry.waits": {
    en: "It would wait until {id} has ended.",
    ko: "{id}(이/가) 끝날 때까지 기다리게 됩니다.",
  },
  "request.dry.begins": {
    en: "It would begin now: “{text}”.",
    ko: "지금 시작하게 됩니다: “{text}”.",
  },
  "request.dry.steps": {
    en: "Explore and plan side by side; for each task a design; for each subtask tests (GATE-1), implementation (GATE-3, GATE-4), verification (GATE-2).",
    ko: "탐색과 계획을 함께 진행하고, 작업마다 설계하며, 하위 작업마다 테스트 작성(GATE-1), 구현(GATE-3, GATE-4), 검증(GATE-2)을 거칩니다.",
  },
  "request.waiting": { en: "Waiting behind it: {ids}.", ko: "대기 중: {ids}." },
  "request.queued": {
    en: "{id} waits until {before} has ended.",
    ko: "{id}(은/는) {before}(이/가) 끝날 때까지 기다립니다.",
  },
  "request.begun": { en: "{id} has begun.", ko: "{id}(을/를) 시작했습니다." },
  "request.stopped_now": {
    en: "{id} is stopped; “holdfast request resume” goes on.",
    ko: "{id}(을/를) 멈췄습니다. “holdfast request resume”으로 이어 갑니다.",
  },
  "request.resumed": { en: "{id} goes on.", ko: "{id}(을/를) 이어 갑니다." },
  "request.reset_now": {
    en: "{id} was reset; its state is kept in {kept}, its contracts stay.",
    ko: "{id}(을/를) 초기화했습니다. 상태는 {kept}에 보관했고 계약은 그대로 있습니다.",
  },
  "request.learned": {
    en: "Known of this project: {patterns} patterns, {decisions} decisions, {pitfalls} pitfalls.",
    ko: "이 프로젝트의 지식: 패턴 {patterns}개, 결정 {decisions}개, 주의할 점 {pitfalls}개.",
  },
  "request.learn.title": {
    en: "Look for the patterns of this project",
    ko: "이 프로젝트의 패턴 찾기",
  },
  "request.learn.hint": {
    en: "Patterns come from code-explore: have them written as told below, then “holdfast request learn --patterns <file>”; or “holdfast request learn --agent <name>” has an agent look for them.",
    ko: "패턴은 code-explore 역할이 적습니다. 아래대로 작성한 뒤 “holdfast request learn --patterns <파일>”을 실행하거나, “holdfast request learn --agent <이름>”으로 에이전트에게 맡기세요.",
  },
  "request.status.hint": {
    en: "“holdfast request status” says where it stands.",
    ko: "상태는 “holdfast request status”로 확인하세요.",
  },
  "contracts.no_format": {
    en: "A contract is checked by its format and its text.",
    ko: "계약을 확인하려면 형식과 내용이 필요합니다.",
  },
  "contracts.no_format.hint": {
    en: "format: {known}; text: the whole file.",
    ko: "format: {known}. text: 파일 전체 내용.",
  },
  "contracts.writes_none": {
    en: "{unit} writes no contract now.",
    ko: "{unit}(은/는) 지금 작성할 계약이 없습니다.",
  },
  "op.request": {
    en: "turn a request into contracts, tests, implementation and verification, each behind gates",
    ko: "요청을 계약, 테스트, 구현, 검증으로 나누어 게이트를 거치며 진행합니다",
  },
  "op.request.text": {
    en: "what is wanted; or status, resume, reset, stop, learn",
    ko: "요청 내용, 또는 status, resume, reset, stop, learn",
  },
  "op.request.in_session": {
    en: "agents in their own sessions do the work, with “next” and “report”",
    ko: "각자의 세션에 있는 에이전트가 “next”와 “report”로 작업합니다",
  },
  "op.request.dry_run": {
    en: "say what would happen; changes nothing",
    ko: "무엇을 하게 될지 알려 줍니다. 아무것도 바꾸지 않습니다",
  },
  "op.request.agent": { en: "which agent works", ko: "작업할 에이전트" },
  "op.request.patterns": {
    en: "with learn: a YAML file of patterns, one line each",
    ko: "learn과 함께: 한 줄에 하나씩 패턴을 적은 YAML 파일",
  },
  "op.contracts": {
    en: "read the contracts of your own role in a request, or hand in the one you wrote: what is wrong comes back field by field",
    ko: "요청에서 맡은 역할의 계약을 읽거나 작성한 계약을 냅니다. 잘못된 곳은 필드별로 알려 줍니다",
  },
  "op.contracts.unit": {
    en: "explore, plan, T1 or T1-S1; without it the first you may work on",
    ko: "explore, plan, T1, T1-S1 중 하나. 없으면 할 수 있는 첫 단위",
  },
  "op.contracts.format": {
    en: "check “text” by this format alone",
    ko: "“text”를 이 형식으로만 확인합니다",
  },
  "op.contracts.text": {
    en: "the contract as you wrote it (@file: from a file)",
    ko: "작성한 계약 내용(@파일: 파일에서 읽음)",
  },
  "cli.request.example.begin": { en: "begin a request for sessions", ko: "세션용 요청 시작" },
  "cli.request.example.status": { en: "where it stands, gate by gate", ko: "게이트별 현재 상태" },
  "cli.request.example.resume": {
    en: "go on; what a person was asked about has its retries again",
    ko: "이어서 진행(사람에게 물어본 단위는 재시도 횟수를 되돌림)",
  },
  "cli.request.example.learn": {
    en: "add patterns to knowledge.yaml",
    ko: "knowledge.yaml에 패턴 추가",
  },
  "cli.request.note": {
    en: "A second request waits until the first has ended.",
    ko: "두 번째 요청은 첫 요청이 끝날 때까지 기다립니다.",
  },
  "cli.contracts.example.read": {
    en: "the contracts of the step at hand",
    ko: "지금 단계의 계약 보기",
  },
  "cli.contracts.example.hand": { en: "hand in a contract", ko: "계약 제출" },
} as const satisfies Record<string, Text>;
