// What hooks say to an agent in its own session, and what `init` says of the plugin.
import type { Text } from "../messages.ts";

export const pluginTexts = {
  "op.hook": {
    en: "answer one hook of an agent (JSON on standard input); the plugin calls it",
    ko: "에이전트의 훅 하나에 답합니다(표준 입력의 JSON). 플러그인이 호출합니다",
  },
  "op.hook.event": { en: "the hook's event", ko: "훅 이벤트" },
  "cli.hook.example": {
    en: "what the plugin does when a session begins",
    ko: "세션이 시작될 때 플러그인이 하는 일",
  },
  "hook.unknown": {
    en: "this hook is not known; these are: {known}",
    ko: "모르는 훅입니다. 아는 훅: {known}",
  },
  "hook.not_json": {
    en: "the hook's input is not a JSON object",
    ko: "훅 입력이 JSON 객체가 아닙니다",
  },
  "hook.too_large": {
    en: "the hook's input is larger than {limit} bytes",
    ko: "훅 입력이 {limit}바이트를 넘습니다",
  },
  "hook.open": {
    en: "Holdfast could not answer this hook, and nothing was held up: {detail}",
    ko: "Holdfast가 이 훅에 답하지 못했으며 아무것도 막지 않았습니다: {detail}",
  },
  "hook.state_file": {
    en: "{path} is a state file: Holdfast alone writes it. Report what you did instead ({instead}), or look with “holdfast status”.",
    ko: "{path}(은/는) 상태 파일이며 Holdfast만 씁니다. 대신 한 일을 보고하거나({instead}) “holdfast status”로 확인하세요.",
  },
  "hook.not_done": {
    en: "This is not done yet:\n{feedback}",
    ko: "아직 끝나지 않았습니다:\n{feedback}",
  },
  "stop.unclaimed": {
    en: "Phase {phase} of {phases} is not claimed yet. If it is done, call phase_complete (or “holdfast agent done --phase {phase}”); if you need a person, call ask_user; else go on.",
    ko: "전체 {phases}단계 중 {phase}단계의 완료를 아직 알리지 않았습니다. 끝났으면 phase_complete(또는 “holdfast agent done --phase {phase}”)를, 사람이 필요하면 ask_user를 호출하고, 아니면 계속하세요.",
  },
  "stop.missing": {
    en: "Phase {phase} of {phases} is not complete; missing: {files}. Go on, or call ask_user if you need a person.",
    ko: "전체 {phases}단계 중 {phase}단계가 끝나지 않았습니다. 없는 파일: {files}. 계속하거나, 사람이 필요하면 ask_user를 호출하세요.",
  },
  "start.head": {
    en: "Holdfast keeps the work of this project. It stands here:",
    ko: "Holdfast가 이 프로젝트의 작업을 보관하고 있습니다. 현재 상황:",
  },
  "start.advice": {
    en: "Before you go on: feedback of earlier attempts is not kept, so read the code and tests of what is in progress again and analyse anew. Never write the state files yourself; “holdfast status” shows all, “holdfast why <id>” what holds a unit back.",
    ko: "이어서 작업하기 전에: 이전 시도의 피드백은 남아 있지 않으니, 진행 중인 코드와 테스트를 다시 읽고 새로 분석하세요. 상태 파일은 직접 쓰지 마세요. 전체는 “holdfast status”, 막힌 이유는 “holdfast why <id>”로 볼 수 있습니다.",
  },
  "start.unreadable": {
    en: "- {path} can not be read; “holdfast doctor” says what to do.",
    ko: "- {path}(을/를) 읽을 수 없습니다. “holdfast doctor”로 해결 방법을 확인하세요.",
  },
  "start.develop": {
    en: "- develop “{feature}”: phase {phase}. Go on with /holdfast:develop.",
    ko: "- develop “{feature}”: {phase} 단계. /holdfast:develop로 이어 가세요.",
  },
  "start.develop.checkpoint": {
    en: "  next {id}: {status} (iter {iteration}/3); {passed} of {total} checkpoints passed",
    ko: "  다음 {id}: {status} (iter {iteration}/3), 체크포인트 {total}개 중 {passed}개 통과",
  },
  "start.orchestrate": {
    en: "- orchestrate “{project}”: phase {phase}, {done} of {total} tasks done. Go on with /holdfast:auto-orchestrate --resume.",
    ko: "- orchestrate “{project}”: {phase}단계, 태스크 {total}개 중 {done}개 완료. /holdfast:auto-orchestrate --resume로 이어 가세요.",
  },
  "start.orchestrate.in_progress": { en: "  in progress: {ids}", ko: "  진행 중: {ids}" },
  "start.orchestrate.ready": { en: "  ready: {ids}", ko: "  시작 가능: {ids}" },
  "start.orchestrate.failed": { en: "  failed: {ids}", ko: "  실패: {ids}" },
  "start.plan": {
    en: "- plan {id} “{name}”: {status}, {done} of {total} steps done. Go on with /holdfast:plan.",
    ko: "- plan {id} “{name}”: {status}, {total}단계 중 {done}단계 완료. /holdfast:plan으로 이어 가세요.",
  },
  "start.plan.step": { en: "  next step {id}: {name}", ko: "  다음 단계 {id}: {name}" },
  "start.request": {
    en: "- request {id} “{request}”: {phase}. Go on with /holdfast:request resume.",
    ko: "- request {id} “{request}”: {phase}. /holdfast:request resume로 이어 가세요.",
  },
  "start.request.subtask": {
    en: "  next {id}: {phase}; open gates: {gates}",
    ko: "  다음 {id}: {phase}, 남은 게이트: {gates}",
  },
  "start.task": { en: "- task {id}: {status}, “{title}”", ko: "- 작업 {id}: {status}, “{title}”" },
  "start.run": {
    en: "You work for Holdfast on task {task} “{title}”, phase {phase} of {phases}.",
    ko: "Holdfast의 작업 {task} “{title}”, 전체 {phases}단계 중 {phase}단계를 맡고 있습니다.",
  },
  "start.verify": {
    en: "You judge for Holdfast what was claimed in task {task} “{title}”. Read the files here again: change nothing.",
    ko: "Holdfast의 작업 {task} “{title}”에서 끝났다고 한 것을 검증하고 있습니다. 여기 있는 파일을 다시 읽고, 아무것도 바꾸지 마세요.",
  },
  "start.needs": {
    en: "Asked for and not there yet: {names}",
    ko: "요청했고 아직 없는 것: {names}",
  },
  "start.run.order": { en: "Its instructions: {order}", ko: "이 단계의 지시: {order}" },
  "start.run.advice": {
    en: "Call the tool next (or run “holdfast next”) for the whole of these instructions. Feedback before this point is not kept: read what is there again before you change it.",
    ko: "지시 전체는 next 도구(또는 “holdfast next”)로 확인하세요. 이전 피드백은 남아 있지 않으니, 바꾸기 전에 현재 내용을 다시 읽으세요.",
  },
  "op.init.plugin": {
    en: "install the plugin for Claude Code as well",
    ko: "Claude Code 플러그인도 설치",
  },
  "op.init.status_line": {
    en: "show Holdfast in Claude Code's status line, if it has none",
    ko: "Claude Code에 상태 줄이 없으면 Holdfast를 표시",
  },
  "cli.init.example.plugin": {
    en: "with the plugin for Claude Code",
    ko: "Claude Code 플러그인과 함께",
  },
  "init.plugin.offer": {
    en: "For Claude Code there is a plugin (or run “holdfast init --plugin”):",
    ko: "Claude Code용 플러그인이 있습니다(또는 “holdfast init --plugin”):",
  },
  "init.plugin.installed": {
    en: "The plugin for Claude Code is installed; new sessions have it.",
    ko: "Claude Code 플러그인을 설치했습니다. 새 세션부터 쓸 수 있습니다.",
  },
  "init.plugin.no_claude": {
    en: "Claude Code was not found, so the plugin was not installed. With it, run:",
    ko: "Claude Code를 찾지 못해 플러그인을 설치하지 않았습니다. 설치한 뒤 실행하세요:",
  },
  "init.plugin.failed": {
    en: "The plugin could not be installed: “{command}” says: {detail}",
    ko: "플러그인을 설치하지 못했습니다. “{command}”의 출력: {detail}",
  },
  "init.status_line.set": {
    en: "{path} shows Holdfast in Claude Code's status line.",
    ko: "{path}에서 Claude Code 상태 줄에 Holdfast를 표시합니다.",
  },
  "init.status_line.kept": {
    en: "{path} has a status line already; it was left as it is. For Holdfast's: {command}",
    ko: "{path}에 이미 상태 줄이 있어 그대로 두었습니다. Holdfast용 명령: {command}",
  },
  "init.status_line.unreadable": {
    en: "{path} can not be read as JSON and was left as it is.",
    ko: "{path}(을/를) JSON으로 읽을 수 없어 그대로 두었습니다.",
  },
  "op.status.line": { en: "one line, for a status line", ko: "상태 줄에 쓸 한 줄만 표시" },
  "cli.status.example.line": {
    en: "for the status line of Claude Code",
    ko: "Claude Code의 상태 줄용",
  },
} as const satisfies Record<string, Text>;
