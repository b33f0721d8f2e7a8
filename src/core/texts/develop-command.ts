// The command `develop`: its options, examples and what it says ahead of a run.
import type { Text } from "../messages.ts";

export const developCommandTexts = {
  "op.develop": {
    en: "develop a feature from design to merge, with checkpoints that Holdfast checks itself",
    ko: "기능을 설계부터 병합까지 개발합니다. 체크포인트는 Holdfast가 직접 검증합니다",
  },
  "op.develop.feature": { en: "what is to be built, in a line", ko: "만들 기능, 한 줄로" },
  "op.develop.strategy": {
    en: "direct, subagent or agent-teams; chosen by the checkpoints where it is not given",
    ko: "direct, subagent, agent-teams 중 하나. 없으면 체크포인트를 보고 정합니다",
  },
  "op.develop.resume": {
    en: "continue the run that is under way",
    ko: "진행 중이던 작업을 이어 갑니다",
  },
  "op.develop.restart": {
    en: "start over: the state file is removed, after a backup",
    ko: "처음부터 시작합니다. 상태 파일은 백업한 뒤 지웁니다",
  },
  "op.develop.in_session": {
    en: "agents in sessions of their own do the work, with “next” and “report”",
    ko: "각자의 세션에 있는 에이전트가 “next”와 “report”로 작업합니다",
  },
  "op.develop.dry_run": {
    en: "say what lies ahead; nothing is written",
    ko: "앞으로 할 일만 보여 주고 아무것도 쓰지 않습니다",
  },
  "op.develop.approve": {
    en: "a person: approve the design, the review or the merge that waits for it",
    ko: "사람: 기다리고 있는 설계, 리뷰, 병합을 승인합니다",
  },
  "op.develop.send_back": {
    en: "a person: send it back with this feedback",
    ko: "사람: 이 피드백과 함께 돌려보냅니다",
  },
  "op.develop.retry": {
    en: "a person: open this escalated checkpoint again",
    ko: "사람: escalated 체크포인트를 다시 엽니다",
  },
  "op.develop.skip": {
    en: "a person: let this escalated checkpoint count as passed",
    ko: "사람: escalated 체크포인트를 통과로 처리합니다",
  },
  "op.develop.unit": { en: "what this checkpoint asks for", ko: "이 체크포인트가 요구하는 내용" },
  "develop.dry_run": {
    en: "{phase}: {count} checkpoints, strategy {strategy}. Nothing was written.",
    ko: "{phase}: 체크포인트 {count}개, 전략 {strategy}. 아무것도 쓰지 않았습니다.",
  },
  "develop.dry_run.undefined": {
    en: "{phase}: the design has not defined its checkpoints yet ({path}). Nothing was written.",
    ko: "{phase}: 아직 체크포인트가 정의되지 않았습니다({path}). 아무것도 쓰지 않았습니다.",
  },
  "develop.wave": { en: "Round {number}: {ids}", ko: "{number}회차: {ids}" },
  "cli.develop.example.begin": {
    en: "for an agent in its own session",
    ko: "각자의 세션에 있는 에이전트용으로 시작",
  },
  "cli.develop.example.resume": { en: "go on where it was", ko: "멈춘 곳에서 이어 가기" },
  "cli.develop.example.approve": {
    en: "approve what waits for you",
    ko: "기다리고 있는 것을 승인",
  },
  "cli.develop.example.skip": {
    en: "decide about an escalated checkpoint",
    ko: "escalated 체크포인트 결정",
  },
  "cli.choose": { en: "Choose 1–{count}: ", ko: "선택 (1–{count}): " },
} as const satisfies Record<string, Text>;
