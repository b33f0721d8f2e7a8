import type { Text } from "../messages.ts";

/** What `doctor` says of each thing it looks at, and of what it has repaired. */
export const doctorTexts = {
  "op.doctor": {
    en: "check that everything is in order, and say what to do if not",
    ko: "모든 것이 정상인지 살펴보고, 아니라면 할 일을 알려 줍니다",
  },
  "op.doctor.fix": {
    en: "repair what can be repaired without losing anything",
    ko: "아무것도 잃지 않고 고칠 수 있는 것을 고칩니다",
  },
  "op.doctor.take_over": {
    en: "let this home work on the repository, where another one that is lost has a run at work",
    ko: "잃어버린 다른 홈의 실행이 남아 있을 때, 이 홈이 저장소에서 작업하도록 합니다",
  },
  "cli.doctor.example.look": { en: "look, change nothing", ko: "살펴보기만 하고 바꾸지 않음" },
  "cli.doctor.example.fix": {
    en: "remove leftovers, bring the documents in step",
    ko: "남은 파일을 치우고 문서를 맞춤",
  },
  "cli.doctor.note.exit": {
    en: "Exits 0 without a problem (a notice is none), 6 when something is damaged, 4 for any other problem.",
    ko: "문제가 없으면 0(알림은 문제가 아닙니다), 손상된 것이 있으면 6, 그 밖의 문제가 있으면 4로 끝납니다.",
  },
  "doctor.topic.node": { en: "Node", ko: "Node" },
  "doctor.topic.git": { en: "Git", ko: "Git" },
  "doctor.topic.project": { en: "project", ko: "프로젝트" },
  "doctor.topic.home": { en: "home", ko: "홈 폴더" },
  "doctor.topic.database": { en: "database", ko: "데이터베이스" },
  "doctor.topic.documents": { en: "documents", ko: "문서" },
  "doctor.topic.locks": { en: "locks", ko: "잠금" },
  "doctor.topic.server": { en: "task server", ko: "작업 서버" },
  "doctor.topic.sandbox": { en: "sandbox", ko: "샌드박스" },
  "doctor.all_well": { en: "No problem found.", ko: "문제가 없습니다." },
  "doctor.problems": { en: "{count} problem(s) found.", ko: "문제 {count}개를 찾았습니다." },
  "doctor.node": { en: "version {version}", ko: "버전 {version}" },
  "doctor.git": { en: "{path}", ko: "{path}" },
  "doctor.git.none": { en: "git was not found", ko: "git을 찾지 못했습니다" },
  "doctor.git.hint": {
    en: "Install it: workspaces and snapshots need it. Looking at files works without.",
    ko: "작업 공간과 스냅샷에 필요하니 설치해 주세요. 파일을 보는 데는 없어도 됩니다.",
  },
  "doctor.project.git": {
    en: "{root}, the top of the git repository ({mark})",
    ko: "{root} (git 저장소의 최상위, {mark})",
  },
  "doctor.project.worktree": {
    en: "{root}, the main worktree of the one you are in ({mark})",
    ko: "{root} (현재 워크트리의 원본 저장소, {mark})",
  },
  "doctor.project.clone": {
    en: "{root}, from which the workspace you are in was made ({mark})",
    ko: "{root} (현재 작업 공간의 원본 프로젝트, {mark})",
  },
  "doctor.project.mark": {
    en: "{root}, because it holds {mark}",
    ko: "{root} ({mark}(이/가) 있는 가장 가까운 폴더)",
  },
  "doctor.project.here": {
    en: "{root}, the folder you are in; no git and no file of Holdfast above it",
    ko: "{root} (현재 폴더. 상위에 git 저장소도 Holdfast 파일도 없습니다)",
  },
  "doctor.home": { en: "{path}, yours alone", ko: "{path} (본인만 접근 가능)" },
  "doctor.home.none": {
    en: "{path} does not exist yet; it is made when it is needed",
    ko: "{path}(은/는) 아직 없습니다. 필요할 때 만듭니다",
  },
  "doctor.home.open": {
    en: "{path} may be written by other users (mode {mode})",
    ko: "{path}에 다른 사용자도 쓸 수 있습니다(모드 {mode})",
  },
  "doctor.home.readable": {
    en: "{path} may be looked into by other users (mode {mode}); the next use closes it",
    ko: "{path}(을/를) 다른 사용자가 볼 수 있습니다(모드 {mode}). 다음에 쓸 때 닫습니다",
  },
  "doctor.home.readonly": { en: "{path} can not be written", ko: "{path}에 쓸 수 없습니다" },
  "doctor.mode.shut": {
    en: "{path} can not be read and written by its own user (mode {mode})",
    ko: "{path}(을/를) 소유자 자신이 읽고 쓸 수 없습니다(모드 {mode})",
  },
  "doctor.mode.open": {
    en: "{path} may be opened by other users (mode {mode}); the next use closes it",
    ko: "{path}(을/를) 다른 사용자가 열 수 있습니다(모드 {mode}). 다음에 쓸 때 닫습니다",
  },
  "doctor.mode.hint": {
    en: "Run “chmod 600 {path}”, or “holdfast doctor --fix”.",
    ko: "“chmod 600 {path}”(이나/나) “holdfast doctor --fix”를 실행해 주세요.",
  },
  "doctor.database": { en: "{file} is sound", ko: "{file}(은/는) 정상입니다" },
  "doctor.database.none": { en: "none yet", ko: "아직 없습니다" },
  "doctor.documents": { en: "{count} valid", ko: "정상 {count}개" },
  "doctor.documents.none": { en: "none yet", ko: "아직 없습니다" },
  "doctor.documents.more": { en: "{first} (and {count} more)", ko: "{first} (외 {count}건)" },
  "doctor.documents.hint": {
    en: "“holdfast validate {path}” shows every problem in it.",
    ko: "“holdfast validate {path}”(으로/로) 모든 문제를 볼 수 있습니다.",
  },
  "doctor.documents.fix.hint": {
    en: "“holdfast validate {path}” shows every problem in it; “holdfast doctor --fix” keeps it aside and puts the last sound version in its place.",
    ko: "“holdfast validate {path}”(으로/로) 모든 문제를 볼 수 있습니다. “holdfast doctor --fix”를 실행하면 이 파일을 따로 보관하고 마지막 정상 버전으로 바꿉니다.",
  },
  "doctor.documents.stranger.hint": {
    en: "Look what it is and move it away; nothing of Holdfast touches it. “holdfast doctor --fix” then brings back the last version that Holdfast knows, if there is one.",
    ko: "무엇인지 확인하고 직접 다른 곳으로 옮겨 주세요. Holdfast는 건드리지 않습니다. 그런 다음 “holdfast doctor --fix”를 실행하면 Holdfast가 아는 마지막 버전이 있을 경우 되살립니다.",
  },
  "doctor.documents.large.hint": {
    en: "Look what was written there and move it away; it is too large to be kept aside. “holdfast doctor --fix” then brings back the last version that Holdfast knows, if there is one.",
    ko: "무엇이 쓰였는지 확인하고 직접 다른 곳으로 옮겨 주세요. 너무 커서 따로 보관할 수 없습니다. 그런 다음 “holdfast doctor --fix”를 실행하면 Holdfast가 아는 마지막 버전이 있을 경우 되살립니다.",
  },
  "doctor.documents.newer.hint": {
    en: "It is not damaged; “holdfast doctor --fix” leaves it as it is.",
    ko: "손상된 파일이 아니므로 “holdfast doctor --fix”도 그대로 둡니다.",
  },
  "doctor.memory.hint": {
    en: "“holdfast doctor --fix” brings it in step with the history; a backup is kept.",
    ko: "“holdfast doctor --fix”를 실행하면 백업을 남기고 기록에 맞춥니다.",
  },
  "doctor.drift.changed": {
    en: "is not as Holdfast last wrote it: changed by hand, or a write was cut short",
    ko: "Holdfast가 마지막으로 쓴 내용과 다릅니다. 직접 고쳤거나 쓰다가 중단된 것입니다",
  },
  "doctor.drift.gone": {
    en: "is gone, though Holdfast has written it",
    ko: "Holdfast가 쓴 파일인데 사라졌습니다",
  },
  "doctor.drift.unreadable": {
    en: "can not be read to compare it with the database",
    ko: "데이터베이스와 비교하려 했지만 읽을 수 없습니다",
  },
  "doctor.drift.hint": {
    en: "The next update takes care of it, or “holdfast doctor --fix” does now.",
    ko: "다음 업데이트 때 처리됩니다. 지금 하려면 “holdfast doctor --fix”를 실행해 주세요.",
  },
  "doctor.fix.hint": {
    en: "It does no harm; “holdfast doctor --fix” removes it.",
    ko: "해롭지는 않습니다. “holdfast doctor --fix”로 지울 수 있습니다.",
  },
  "doctor.locks": { en: "no lock held, nothing left over", ko: "잠금도 남은 파일도 없습니다" },
  "doctor.locks.nameless": {
    en: "a lock by a program that left no name",
    ko: "이름을 남기지 않은 프로그램의 잠금입니다",
  },
  "doctor.locks.fresh.hint": {
    en: "It is only seconds old: that program may be at work. Look again in a moment.",
    ko: "방금 생긴 것이라 그 프로그램이 작업 중일 수 있습니다. 잠시 뒤 다시 확인해 주세요.",
  },
  "doctor.locks.left": {
    en: "left by a write that was cut short",
    ko: "중단된 쓰기 작업이 남긴 파일입니다",
  },
  "doctor.locks.alive": {
    en: "process {pid} on {host} is at work",
    ko: "{host}의 프로세스 {pid}(이/가) 작업 중입니다",
  },
  "doctor.locks.stopped": {
    en: "process {pid} on {host} is stopped; whoever needs the document takes over",
    ko: "{host}의 프로세스 {pid}(이/가) 멈춰 있습니다. 문서가 필요한 쪽이 넘겨받습니다",
  },
  "doctor.locks.gone": {
    en: "left by process {pid} on {host}, which is gone",
    ko: "이미 끝난 {host}의 프로세스 {pid}(이/가) 남긴 파일입니다",
  },
  "doctor.locks.unknown": {
    en: "held by process {pid} on {host}, which can not be seen from here",
    ko: "여기서는 볼 수 없는 {host}의 프로세스 {pid}(이/가) 잡고 있습니다",
  },
  "doctor.locks.unknown.hint": {
    en: "Look on that machine or in that container. If nothing runs there any more, remove the file.",
    ko: "그 컴퓨터나 컨테이너에서 확인해 주세요. 더는 실행 중인 것이 없다면 파일을 지우면 됩니다.",
  },
  "doctor.server": {
    en: "running (process {pid}): {url}",
    ko: "실행 중(프로세스 {pid}): {url}",
  },
  "doctor.server.none": {
    en: "none running, nothing left over",
    ko: "실행 중인 서버도 남은 폴더도 없습니다",
  },
  "doctor.server.gone": {
    en: "{file} was left by a server that is gone",
    ko: "{file}(은/는) 이미 끝난 서버가 남긴 파일입니다",
  },
  "doctor.server.runs": {
    en: "{count} folder(s) in {path} are of agents whose task no longer exists",
    ko: "{path}에 더는 없는 작업의 에이전트 폴더가 {count}개 있습니다",
  },
  "doctor.server.workspaces": {
    en: "{count} workspace(s) in {path} are of tasks that were deleted",
    ko: "{path}에 삭제된 작업의 작업 공간이 {count}개 있습니다",
  },
  "doctor.server.strange": {
    en: "{count} workspace(s) in {path} are of tasks that this database has never known",
    ko: "{path}에 이 데이터베이스가 모르는 작업의 작업 공간이 {count}개 있습니다",
  },
  "doctor.server.strange.hint": {
    en: "They may hold work that is nowhere else, so they are left to you: look into them, then remove them yourself.",
    ko: "다른 곳에는 없는 작업 결과일 수 있어 그대로 둡니다. 확인한 뒤 직접 지워 주세요.",
  },
  "doctor.server.kept": {
    en: "{path} has trees of {count} task(s) with files that are stored nowhere else",
    ko: "{path}에 작업 {count}개의 작업 트리가 있습니다. 다른 곳에는 저장되지 않은 파일이 들어 있습니다",
  },
  "doctor.server.kept.hint": {
    en: "Take out of them what you need. Each goes with its task, by “retention” in holdfast.yaml or by “holdfast task delete”.",
    ko: "필요한 것을 꺼내 두세요. holdfast.yaml의 retention이나 “holdfast task delete”로 작업이 지워질 때 함께 지워집니다.",
  },
  "doctor.server.living": {
    en: "{count} agent(s) of {path} belong to no task and are still at work",
    ko: "{path}의 에이전트 {count}개가 작업 없이 아직 실행 중입니다",
  },
  "doctor.server.living.hint": {
    en: "Nothing is removed meanwhile. “holdfast serve” ends them when it starts; look again then.",
    ko: "그동안은 아무것도 지우지 않습니다. “holdfast serve”가 시작할 때 끝내니 그 뒤에 다시 확인해 주세요.",
  },
  "doctor.sandbox": {
    en: "none: an agent runs with your rights and can do what you can",
    ko: "없음: 에이전트는 사용자 권한으로 실행되며 사용자가 할 수 있는 일은 모두 할 수 있습니다",
  },
  "doctor.sandbox.hint": {
    en: "For work you do not trust, run Holdfast in a container or as another user.",
    ko: "믿을 수 없는 작업은 컨테이너나 다른 사용자 계정에서 실행해 주세요.",
  },
  "doctor.fixed.mode": {
    en: "{path} has mode {mode} now",
    ko: "{path}의 모드를 {mode}(으로/로) 바꿨습니다",
  },
  "doctor.fixed.server": { en: "removed {file}", ko: "{file}(을/를) 지웠습니다" },
  "doctor.fixed.folders": {
    en: "removed {count} folder(s) from {path}",
    ko: "{path}에서 폴더 {count}개를 지웠습니다",
  },
  "doctor.fixed.lock": { en: "removed the lock {path}", ko: "잠금 {path}(을/를) 지웠습니다" },
  "doctor.fixed.document": {
    en: "{path} and the database agree again",
    ko: "{path}(과/와) 데이터베이스를 다시 맞췄습니다",
  },
  "doctor.fixed.memory": { en: "{path}: {what}", ko: "{path}: {what}" },
  "doctor.fixed.left": {
    en: "removed {count} leftover file(s) beside {path}",
    ko: "{path} 옆에 남은 파일 {count}개를 지웠습니다",
  },
  "document.newer": {
    en: "{path} was left as it is: {problem}",
    ko: "{path}(은/는) 그대로 두었습니다. {problem}",
  },
} as const satisfies Record<string, Text>;
