import type { Text } from "../messages.ts";

/** Where things stand: home, project, and the commands that look at them. */
export const statusTexts = {
  "home.relative": {
    en: "HOLDFAST_HOME is “{path}”, which would be another folder wherever you are.",
    ko: "HOLDFAST_HOME이 상대 경로 “{path}”입니다. 현재 위치에 따라 다른 폴더를 가리키게 됩니다.",
  },
  "home.relative.hint": {
    en: "Give it as a full path that begins with “/”.",
    ko: "“/”로 시작하는 전체 경로로 지정해 주세요.",
  },
  "home.in_project": {
    en: "Holdfast's own folder {path} lies inside the project {root}, where agents could change it.",
    ko: "Holdfast 폴더 {path}(이/가) 프로젝트 {root} 안에 있습니다. 에이전트가 바꿀 수 있는 위치입니다.",
  },
  "home.loose_link": {
    en: "The way to {path} leads through the link {link}, which other users could point elsewhere.",
    ko: "{path}(으로/로) 가는 길에 있는 링크 {link}(을/를) 다른 사용자가 바꿀 수 있습니다.",
  },
  "home.readonly": {
    en: "Holdfast's own folder {path} may not be written; even a look into its database has to.",
    ko: "Holdfast 폴더 {path}에 쓸 수 없습니다. 데이터베이스는 읽기만 할 때도 쓸 수 있어야 합니다.",
  },
  "home.file": {
    en: "{path} should be Holdfast's own folder, but it is a file.",
    ko: "Holdfast 폴더가 있어야 할 {path}에 파일이 있습니다.",
  },
  "home.cannot_make": {
    en: "Holdfast's own folder {path} can not be made: {detail}",
    ko: "Holdfast 폴더를 만들 수 없습니다: {path} ({detail})",
  },
  "home.cannot_make.hint": {
    en: "“ls -ld” shows whose it is. Or set HOLDFAST_HOME to a folder that you may write.",
    ko: "“ls -ld”로 소유자와 권한을 확인하거나, 쓸 수 있는 폴더를 HOLDFAST_HOME에 지정해 주세요.",
  },
  "home.move.hint": {
    en: "Go to the project's own folder, or set HOLDFAST_HOME to a folder of yours outside it.",
    ko: "실제 프로젝트 폴더로 옮기거나, 프로젝트 밖에 있는 자신만의 폴더를 HOLDFAST_HOME에 지정해 주세요.",
  },
  "home.no_project_row": {
    en: "The project at {root} could not be recorded in the database.",
    ko: "데이터베이스에 프로젝트 {root}(을/를) 기록하지 못했습니다.",
  },
  "project.no_folder": { en: "There is no folder {path}.", ko: "{path} 폴더가 없습니다." },
  "project.no_folder.hint": {
    en: "Check the path after --cwd.",
    ko: "--cwd에 지정한 경로를 확인해 주세요.",
  },
  "project.workspace_elsewhere": {
    en: "{path} is a workspace of another home, {home}.",
    ko: "{path}(은/는) 다른 홈 폴더({home})의 작업 공간입니다.",
  },
  "project.workspace_elsewhere.hint": {
    en: "Set HOLDFAST_HOME={home} and give the command again, or give it in the project's own folder.",
    ko: "환경 변수를 HOLDFAST_HOME={home}(으)로 설정하고 다시 실행하거나, 프로젝트 폴더에서 실행해 주세요.",
  },
  "project.workspace_lost": {
    en: "{path} is a place for Holdfast's workspaces, and no project of its own. Which project it was made from is not known any more.",
    ko: "{path}(은/는) Holdfast가 작업 공간을 만드는 곳이며 별도의 프로젝트가 아닙니다. 어느 프로젝트에서 만들었는지 더는 알 수 없습니다.",
  },
  "project.workspace_moved": {
    en: "{path} is a workspace of the project at {root}, which is not there any more.",
    ko: "{path}(은/는) {root}에 있던 프로젝트의 작업 공간인데, 그 프로젝트가 더는 그곳에 없습니다.",
  },
  "project.workspace_lost.hint": {
    en: "Give the command in the project's own folder, or name that folder with --cwd.",
    ko: "프로젝트 폴더에서 실행하거나 --cwd로 그 폴더를 지정해 주세요.",
  },
  "project.moved": {
    en: "This project was at {from} before: {count} document(s) here are as Holdfast left them there. Its tasks and its journal are still filed under that path.",
    ko: "이 프로젝트는 전에 {from}에 있었습니다. 문서 {count}개가 Holdfast가 그곳에 마지막으로 쓴 그대로입니다. 작업과 기록은 아직 그 경로로 저장되어 있습니다.",
  },
  "project.moved.hint": {
    en: "“holdfast doctor --fix” carries them over; until then they are shown here as well.",
    ko: "“holdfast doctor --fix”로 옮겨 올 수 있습니다. 그때까지는 여기서도 함께 보여 줍니다.",
  },
  "project.carried": {
    en: "This project was at {from} before; its tasks and its journal are now filed under {root}.",
    ko: "이 프로젝트는 전에 {from}에 있었습니다. 이제 작업과 기록을 {root} 경로로 저장합니다.",
  },

  "op.status": {
    en: "show every workflow of the project at a glance",
    ko: "프로젝트의 모든 작업 흐름을 한눈에 보여 줍니다",
  },
  "op.status.workflow": {
    en: "only this one: develop, orchestrate, plan or request",
    ko: "이것만 보기: develop, orchestrate, plan, request 중 하나",
  },
  "cli.status.example.all": { en: "where everything stands", ko: "전체 진행 상황" },
  "cli.status.example.one": {
    en: "one workflow, for a script",
    ko: "스크립트에서 쓸 한 가지 흐름",
  },
  "cli.status.note.exit": {
    en: "A file that can not be read is named and the rest is shown. Only when you asked for that workflow does it exit with an error: 6 if the file is damaged, 4 if it may not be read.",
    ko: "읽을 수 없는 파일은 따로 알리고 나머지는 그대로 보여 줍니다. 그 흐름을 지정해서 물었을 때만 오류로 끝납니다. 손상된 파일이면 6, 읽을 수 없는 파일이면 4입니다.",
  },
  "status.held.hint": {
    en: "“holdfast task inbox” shows what can be answered, “holdfast why {id}” the reason.",
    ko: "답할 수 있는 것은 “holdfast task inbox”에서, 이유는 “holdfast why {id}”에서 확인하세요.",
  },
  "status.at": { en: "{pointer}: {problem}", ko: "{pointer}: {problem}" },
  "status.in_file": { en: "{path}: {problem}", ko: "{path}: {problem}" },
  "status.nothing": {
    en: "Nothing is under way in {root}.",
    ko: "{root}에서 진행 중인 작업이 없습니다.",
  },
  "status.nothing_of": {
    en: "There is no {workflow} run in {root}.",
    ko: "{root}에는 {workflow} 작업이 없습니다.",
  },
  "status.begin": {
    en: "“holdfast init” sets this project up; “holdfast --help” shows what it can do.",
    ko: "“holdfast init”으로 프로젝트를 준비할 수 있습니다. 할 수 있는 일은 “holdfast --help”에 있습니다.",
  },
  "status.since": { en: "last change {time}", ko: "마지막 변경 {time}" },
  "status.checkpoint": {
    en: "{id} {status} (iter {iteration}/3)",
    ko: "{id} {status} (iter {iteration}/3)",
  },
  "status.checkpoint.pending": { en: "{id} {status}", ko: "{id} {status}" },
  "status.phase": { en: "phase {number}", ko: "{number}단계" },
  "status.done": { en: "{done}/{total} done", ko: "{total}개 중 {done}개 완료" },
  "status.in_progress": { en: "in progress", ko: "진행 중" },
  "status.ready": { en: "ready", ko: "시작 가능" },
  "status.failed": { en: "failed", ko: "실패" },
  "status.blocked": { en: "blocked", ko: "막힘" },
  "status.more": { en: "… and {count} more", ko: "… 외 {count}개" },
  "status.no_plan": { en: "no plan at work", ko: "진행 중인 계획 없음" },
  "status.waiting": { en: "waiting: {id} {name}", ko: "대기: {id} {name}" },
  "status.steps": { en: "{done} of {total} steps done", ko: "단계 {total}개 중 {done}개 완료" },
  "status.steps_failed": { en: "{failed} failed", ko: "{failed}개 실패" },
  "status.step": {
    en: "step {id} {name} ({agent}): {status}",
    ko: "{id}번 단계 {name} ({agent}): {status}",
  },
  "status.tasks_done": {
    en: "{done} of {total} tasks done",
    ko: "작업 {total}개 중 {done}개 완료",
  },
  "status.no_task_yet": { en: "no task has begun yet", ko: "아직 시작한 작업이 없습니다" },
  "status.open_gates": { en: "open gates: {gates}", ko: "남은 게이트: {gates}" },
  "status.other_sessions": {
    en: "{count} older session(s) beside it",
    ko: "이전 세션 {count}개가 더 있습니다",
  },
  "status.unreadable": { en: "Not readable:", ko: "읽을 수 없는 파일:" },
  "status.unreadable.hint": {
    en: "“holdfast validate {path}” shows every problem in it.",
    ko: "“holdfast validate {path}”(으로/로) 모든 문제를 볼 수 있습니다.",
  },

  "op.log": {
    en: "show what has happened, newest last",
    ko: "지금까지 일어난 일을 오래된 순서로 보여 줍니다",
  },
  "op.log.task": { en: "only of this task", ko: "이 작업의 기록만" },
  "op.log.limit": {
    en: "how many of the newest (default 50; 0 for all)",
    ko: "최근 기록 몇 개까지 볼지 (기본값 50, 0이면 전부)",
  },
  "op.log.follow": {
    en: "go on with what happens next, until Ctrl-C",
    ko: "Ctrl-C를 누를 때까지 새 기록을 계속 보여 줍니다",
  },
  "cli.log.example.recent": {
    en: "the newest 50 of this project",
    ko: "이 프로젝트의 최근 기록 50개",
  },
  "cli.log.example.task": {
    en: "all of one task, one JSON a line",
    ko: "한 작업의 모든 기록을 한 줄에 JSON 하나씩",
  },
  "cli.log.example.follow": { en: "live", ko: "실시간으로 보기" },
  "log.nothing": { en: "Nothing has happened yet.", ko: "아직 아무 일도 없었습니다." },
  "log.unknown": {
    en: "The journal in {home} has no record of this project, though it has documents: they were made elsewhere, or that folder was deleted.",
    ko: "이 프로젝트에 문서가 있지만 {home}에는 기록이 없습니다. 다른 곳에서 만든 문서이거나 그 폴더가 지워진 것입니다.",
  },
  "log.unknown.hint": {
    en: "They are as good as before: the next update takes each of them over as it is, and says so.",
    ko: "문서는 그대로 쓸 수 있습니다. 다음 업데이트 때 있는 그대로 받아들이고 알려 드립니다.",
  },
  "log.gone": {
    en: "The database {file}, which was being followed, is gone.",
    ko: "지켜보던 데이터베이스 {file}(이/가) 사라졌습니다.",
  },
  "log.gone.hint": {
    en: "Run the command again to follow the new one, once there is one.",
    ko: "새 데이터베이스를 지켜보려면 명령을 다시 실행해 주세요.",
  },
  "log.no_task": {
    en: "There is no record of a task “{id}”.",
    ko: "“{id}” 작업의 기록이 없습니다.",
  },
  "log.no_task.hint": {
    en: "“holdfast log” shows the tasks of this project.",
    ko: "이 프로젝트의 기록은 “holdfast log”로 볼 수 있습니다.",
  },
} as const satisfies Record<string, Text>;
