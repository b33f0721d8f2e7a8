// The command orchestrate, and what it adds to next and report: its help, and what it answers.
import type { Text } from "../messages.ts";

export const orchestrateCommandTexts = {
  "op.orchestrate": {
    en: "work through TASKS.md, by itself or for sessions: begin, resume, look ahead, compare, rebuild",
    ko: "TASKS.md를 스스로 또는 세션으로 진행합니다: 시작, 재개, 미리 보기, 비교, 재생성",
  },
  "op.orchestrate.in_session": {
    en: "nobody is started: agents in their own sessions do the work, with “next” and “report”",
    ko: "에이전트를 띄우지 않습니다. 각자의 세션에 있는 에이전트가 “next”와 “report”로 작업합니다",
  },
  "op.orchestrate.agent": {
    en: "who works on the tasks (default: as holdfast.yaml says)",
    ko: "태스크를 맡을 에이전트(기본: holdfast.yaml의 설정)",
  },
  "op.orchestrate.onto": {
    en: "the branch to land on; else the one that is checked out when the run begins",
    ko: "결과를 병합할 브랜치. 없으면 실행을 시작할 때 체크아웃된 브랜치",
  },
  "op.orchestrate.settle": {
    en: "where you and the run disagree about a branch: “theirs” is what is there now, “ours” what the run made",
    ko: "브랜치를 두고 사람과 실행이 어긋날 때: “theirs”는 지금 있는 것, “ours”는 실행이 만든 것",
  },
  "op.orchestrate.resume": {
    en: "go on; what nobody works on any more is ready again; in mode normal: let the next phase begin",
    ko: "이어서 진행합니다. 아무도 작업하지 않는 태스크는 다시 준비 상태가 됩니다. normal 모드에서는 다음 단계를 시작하게 합니다",
  },
  "op.orchestrate.rebuild_state": {
    en: "make the state again from TASKS.md (a checked box is completed), the journal and the earlier state; not while someone works",
    ko: "TASKS.md(체크된 항목은 완료), 기록, 이전 상태에서 상태를 다시 만듭니다. 작업 중일 때는 할 수 없습니다",
  },
  "op.orchestrate.yes": {
    en: "with --rebuild-state: where the sources disagree, take as completed what one of them says is",
    ko: "--rebuild-state와 함께: 출처가 서로 다르면 한 곳이라도 완료인 태스크를 완료로 봅니다",
  },
  "op.orchestrate.verify": {
    en: "compare TASKS.md, state and journal; changes nothing",
    ko: "TASKS.md, 상태, 기록을 비교합니다. 아무것도 바꾸지 않습니다",
  },
  "op.orchestrate.dry_run": {
    en: "show in which waves the rest would run, and the longest chain; changes nothing",
    ko: "남은 태스크의 병렬 실행 순서와 가장 긴 사슬을 보여 줍니다. 아무것도 바꾸지 않습니다",
  },
  "op.orchestrate.check_off": {
    en: "tick the boxes of completed tasks in TASKS.md",
    ko: "TASKS.md에서 완료된 태스크의 체크박스를 표시합니다",
  },
  "op.orchestrate.unit": {
    en: "show what a task asks for: its text, its check, and why it failed before",
    ko: "태스크의 내용과 검사 명령, 이전 실패 이유를 보여 줍니다",
  },
  "op.orchestrate.retry": {
    en: "open a failed task again; what it held back wakes",
    ko: "실패한 태스크를 다시 엽니다. 막혀 있던 태스크도 풀립니다",
  },
  "op.orchestrate.phase": { en: "only this phase", ko: "이 단계만" },
  "op.orchestrate.normal": {
    en: "mode normal: asks a person after each phase",
    ko: "normal 모드: 단계가 끝날 때마다 사람에게 묻습니다",
  },
  "op.orchestrate.ultra_thin": {
    en: "mode ultra-thin: never asks, prints least",
    ko: "ultra-thin 모드: 묻지 않고 최소한만 출력합니다",
  },
  "op.orchestrate.ralph": {
    en: "mode ralph: a task is repeated until its check passes",
    ko: "ralph 모드: 검사를 통과할 때까지 태스크를 반복합니다",
  },
  "op.orchestrate.max_iterations": {
    en: "in mode ralph: how often a task is tried (default 50)",
    ko: "ralph 모드에서 태스크를 시도하는 횟수(기본 50)",
  },
  "op.orchestrate.parallel": {
    en: "how many tasks at once (0: as many as there are slots)",
    ko: "동시에 진행할 태스크 수(0: 슬롯 수만큼)",
  },
  "op.orchestrate.slack": {
    en: "an incoming webhook of Slack for news of the run (kept in the state; or $SLACK_WEBHOOK_URL)",
    ko: "실행 소식을 받을 Slack 수신 웹훅(상태 파일에 저장. 또는 $SLACK_WEBHOOK_URL)",
  },
  "cli.orchestrate.example.begin": {
    en: "for sessions; then “holdfast next orchestrate” says what to do",
    ko: "세션용 시작. 이후 할 일은 “holdfast next orchestrate”로 확인",
  },
  "cli.orchestrate.example.carry_out": {
    en: "all of it, four tasks at once",
    ko: "한 번에 네 태스크씩 끝까지 진행",
  },
  "cli.orchestrate.example.resume": {
    en: "after an interruption",
    ko: "중단된 뒤 이어서 진행",
  },
  "cli.orchestrate.example.dry_run": { en: "what lies ahead", ko: "앞으로 할 일 미리 보기" },
  "cli.orchestrate.example.unit": { en: "what T1.3 asks for", ko: "T1.3의 내용 보기" },
  "cli.orchestrate.note": {
    en: "--verify ends with 4 where something disagrees that a person has to mend.",
    ko: "--verify는 사람이 고쳐야 할 차이가 있으면 종료 코드 4로 끝납니다.",
  },
  "cli.orchestrate.wave": {
    en: "phase {phase}, wave {wave} ({count}): {ids}",
    ko: "{phase}단계 {wave}차({count}개): {ids}",
  },
  "cli.orchestrate.critical": { en: "longest chain: {ids}", ko: "가장 긴 사슬: {ids}" },
  "cli.orchestrate.progress": {
    en: "phase {phase}: {done} of {all} done",
    ko: "{phase}단계: {all}개 중 {done}개 완료",
  },
  "orchestrate.one_thing": {
    en: "One thing at a time: --dry-run, --verify, --unit, --check-off, --retry and --rebuild-state do not go together.",
    ko: "한 번에 하나씩만 할 수 있습니다: --dry-run, --verify, --unit, --check-off, --retry, --rebuild-state는 함께 쓸 수 없습니다.",
  },
  "orchestrate.no_way": {
    en: "How is the plan to be worked through?",
    ko: "계획을 어떻게 진행할까요?",
  },
  "orchestrate.no_way.hint": {
    en: "--in-session begins a run for agents in sessions, --resume goes on with one; --dry-run and --verify only look.",
    ko: "--in-session은 세션의 에이전트를 위한 실행을 시작하고, --resume은 이어 갑니다. --dry-run과 --verify는 보기만 합니다.",
  },
  "orchestrate.two_modes": {
    en: "--normal, --ultra-thin and --ralph are modes; choose one.",
    ko: "--normal, --ultra-thin, --ralph는 서로 다른 모드입니다. 하나만 고르세요.",
  },
  "orchestrate.begun": {
    en: "{project}: {done} of {total} tasks done, phase {phase}.",
    ko: "{project}: 태스크 {total}개 중 {done}개 완료, {phase}단계.",
  },
  "orchestrate.opened": {
    en: "Ready again, since nobody works on them any more: {ids}.",
    ko: "작업하는 세션이 없어 다시 준비 상태가 되었습니다: {ids}",
  },
  "orchestrate.left": { en: "In progress: {ids}.", ko: "진행 중: {ids}" },
  "orchestrate.rebuild.taken": {
    en: "{status}, from the {source}: {ids}.",
    ko: "{status}, 출처 {source}: {ids}",
  },
  "orchestrate.rebuild.kept": {
    en: "Still with the agents of the run: {ids}.",
    ko: "실행의 에이전트가 계속 맡고 있습니다: {ids}",
  },
  "orchestrate.rebuild.attempts": {
    en: "Attempts that failed are still counted: {ids}.",
    ko: "실패한 시도 횟수는 그대로입니다: {ids}",
  },
  "orchestrate.rebuild.source.plan": { en: "plan", ko: "계획" },
  "orchestrate.rebuild.source.file": { en: "damaged file", ko: "손상된 파일" },
  "orchestrate.rebuild.source.state": { en: "state", ko: "상태" },
  "orchestrate.rebuild.source.journal": { en: "journal", ko: "기록" },
  "orchestrate.rebuild.disputed": {
    en: "The sources disagree, and nothing was changed:\n{lines}",
    ko: "출처가 서로 달라 아무것도 바꾸지 않았습니다:\n{lines}",
  },
  "orchestrate.rebuild.disputed.line": {
    en: "{id}: completed says the {by}, {status} says the {other}",
    ko: "{id}: {by}에는 completed, {other}에는 {status}",
  },
  "orchestrate.rebuild.disputed.hint": {
    en: "Decide: correct the box in the plan, or “holdfast orchestrate --rebuild-state --yes” takes each of them as completed.",
    ko: "결정하세요: 계획의 체크박스를 고치거나, “holdfast orchestrate --rebuild-state --yes”로 모두 완료로 처리하세요.",
  },
  "orchestrate.rebuild.held": {
    en: "The state is not rebuilt while someone works: {holders}.",
    ko: "작업 중인 태스크가 있어 상태를 다시 만들지 않았습니다: {holders}",
  },
  "orchestrate.rebuild.held.hint": {
    en: "Wait until it is reported, or have it reported (“holdfast report orchestrate FAIL:<id>:<reason>”); pause a run with Ctrl-C, or stop the server that carries it. A claim whose session is gone is no obstacle.",
    ko: "보고될 때까지 기다리거나 “holdfast report orchestrate FAIL:<id>:<이유>”로 보고하게 하세요. 실행은 Ctrl-C로 일시 정지하거나 실행을 맡은 서버를 멈추세요. 세션이 사라진 태스크는 방해되지 않습니다.",
  },
  "orchestrate.rebuild.agent": {
    en: "An agent does not rebuild the state of the run that it works for.",
    ko: "에이전트는 자신이 작업하는 실행의 상태를 다시 만들 수 없습니다.",
  },
  "orchestrate.rebuild.agent.hint": {
    en: "That is a person's decision: from a terminal of theirs, when no one works.",
    ko: "사람이 결정할 일입니다. 아무도 작업하지 않을 때 사람의 터미널에서 실행하세요.",
  },
  "orchestrate.rebuilt": {
    en: "The state was made again from {path}: {completed} of {total} tasks completed.",
    ko: "{path}에서 상태를 다시 만들었습니다. 태스크 {total}개 중 {completed}개 완료.",
  },
  "orchestrate.dropped": {
    en: "No longer in the plan, and left out: {ids}.",
    ko: "계획에 없어 제외했습니다: {ids}",
  },
  "orchestrate.retried": {
    en: "{id} is open again; its earlier attempts are forgotten.",
    ko: "{id}(을/를) 다시 열었습니다. 이전 시도 기록은 지워졌습니다.",
  },
  "orchestrate.checked_off": {
    en: "Boxes ticked in {path}: {count}.",
    ko: "{path}에서 체크박스 {count}개를 표시했습니다.",
  },
  "orchestrate.plan_changed": {
    en: "{path} was changed meanwhile; nothing was written. Try again.",
    ko: "그 사이에 {path}(이/가) 바뀌어 아무것도 쓰지 않았습니다. 다시 시도하세요.",
  },
  "orchestrate.dry_run": {
    en: "{left} of {total} tasks are left, in {waves} waves; the longest chain has {length}.",
    ko: "태스크 {total}개 중 {left}개가 남았고 {waves}차에 걸쳐 진행됩니다. 가장 긴 사슬은 {length}개입니다.",
  },
  "orchestrate.dry_run.nothing": {
    en: "Nothing was started.",
    ko: "아무것도 시작하지 않았습니다.",
  },
  "orchestrate.verified": {
    en: "Plan, state and journal agree (notices: {notices}).",
    ko: "계획, 상태, 기록이 일치합니다(알림 {notices}개).",
  },
  "orchestrate.verified.no_plan": {
    en: "There is no plan to compare with.",
    ko: "비교할 계획이 없습니다.",
  },
  "orchestrate.different": {
    en: "{count} things do not agree.",
    ko: "일치하지 않는 것이 {count}개 있습니다.",
  },
  "op.next.ask": {
    en: "in the workflow's own words: RESOLVE_NEXT or RESOLVE_NEXT:PHASE:2",
    ko: "워크플로의 표현 그대로: RESOLVE_NEXT 또는 RESOLVE_NEXT:PHASE:2",
  },
  "op.next.phase": {
    en: "orchestrate: only this phase; PHASE_DONE when it is done",
    ko: "orchestrate: 이 단계만. 끝났으면 PHASE_DONE",
  },
  "op.next.session": {
    en: "the name of the session that asks: it holds what it starts (default: $HOLDFAST_SESSION, else the calling program)",
    ko: "묻는 세션의 이름. 시작한 태스크를 이 세션이 맡습니다(기본값: $HOLDFAST_SESSION, 없으면 호출한 프로그램)",
  },
  "cli.next.example.phase": { en: "tasks of phase 2 alone", ko: "2단계의 태스크만" },
  "cli.report.example.start": { en: "take a task of TASKS.md", ko: "TASKS.md의 태스크 맡기" },
} as const satisfies Record<string, Text>;
