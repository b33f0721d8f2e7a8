import type { Text } from "../messages.ts";

/** What the engine does to a task's working tree: git, workspaces, snapshots, checks, secrets. */
export const workspaceTexts = {
  "git.missing": { en: "There is no git on this machine.", ko: "이 컴퓨터에 git이 없습니다." },
  "git.too_old": {
    en: "This git is too old: {found}, needed is {wanted}.",
    ko: "git이 너무 오래되었습니다. 지금은 {found}, 필요한 버전은 {wanted}입니다.",
  },
  "git.install.hint": {
    en: "Install git {wanted} or newer, and see that it is on the PATH.",
    ko: "git {wanted} 이상을 설치하고 PATH에서 찾을 수 있는지 확인해 주세요.",
  },
  "git.failed": {
    en: "git {command} did not succeed: {detail}",
    ko: "git {command} 명령이 실패했습니다: {detail}",
  },
  "git.failed.hint": {
    en: "Free space and the owner of the folder are the usual reasons. Then try again: nothing half done is kept.",
    ko: "대개 디스크 공간이나 폴더 소유자 때문입니다. 고친 뒤 다시 시도해 주세요. 중간까지 한 것은 남지 않습니다.",
  },
  "git.locked.hint": {
    en: "A git that is at work has {path}, and one that was killed leaves it. If no git runs there, an editor's neither, delete that file and go on.",
    ko: "{path} 파일은 작업 중인 git이 쓰는 것이고, 강제로 끝난 git이 남기기도 합니다. 편집기를 포함해 그곳에서 도는 git이 없으면 이 파일을 지우고 이어 가세요.",
  },
  "git.owner.hint": {
    en: "If you trust the folder, tell git so, as its message says; Holdfast follows your safe.directory.",
    ko: "믿을 수 있는 폴더라면 위 안내대로 git에 등록해 주세요. Holdfast는 safe.directory 설정을 따릅니다.",
  },
  "git.too_much": {
    en: "git {command} said more than {max} bytes and was ended.",
    ko: "git {command} 명령의 출력이 {max}바이트를 넘어서 중단했습니다.",
  },
  "git.too_much.hint": {
    en: "Are there millions of files in the folder? Name what is built or downloaded in .gitignore.",
    ko: "폴더에 파일이 수백만 개 있나요? 빌드하거나 내려받은 것은 .gitignore에 적어 주세요.",
  },
  "workspace.no_git": {
    en: "{root} is not a git repository, so there is nothing to make a copy of.",
    ko: "{root}(은/는) git 저장소가 아니어서 복제할 내용이 없습니다.",
  },
  "workspace.no_git.hint": {
    en: "Run “git init && git add -A && git commit -m start” there.",
    ko: "그 폴더에서 “git init && git add -A && git commit -m start”를 실행해 주세요.",
  },
  "workspace.no_git.notice": {
    en: "{root} is not a git repository: the task begins in an empty folder, and its result comes as files, not as a branch.",
    ko: "{root}(은/는) git 저장소가 아닙니다. 빈 폴더에서 시작하고, 결과는 브랜치가 아니라 파일로 받게 됩니다.",
  },
  "workspace.no_commit": {
    en: "{root} has no commit yet, so there is nothing to make a copy of.",
    ko: "{root}에 아직 커밋이 없어서 복제할 내용이 없습니다.",
  },
  "workspace.no_commit.hint": {
    en: "Run “git add -A && git commit -m start” there.",
    ko: "그 폴더에서 “git add -A && git commit -m start”를 실행해 주세요.",
  },
  "workspace.no_commit.notice": {
    en: "{root} has no commit yet: the task begins in an empty folder.",
    ko: "{root}에 아직 커밋이 없어서 빈 폴더에서 시작합니다.",
  },
  "workspace.detached": {
    en: "{root} is at commit {commit}, not on a branch: the result would belong to none.",
    ko: "{root}(은/는) 브랜치가 아니라 커밋 {commit}에 있습니다. 결과를 돌려줄 브랜치가 없습니다.",
  },
  "workspace.detached.hint": {
    en: "Run “git switch -c <name>” to make a branch here, or “git switch <name>” to go to one.",
    ko: "“git switch -c <이름>”으로 여기에 브랜치를 만들거나 “git switch <이름>”으로 옮겨 주세요.",
  },
  "workspace.detached.notice": {
    en: "{root} is at commit {commit}, not on a branch. The task begins there.",
    ko: "{root}(은/는) 브랜치가 아니라 커밋 {commit}에 있습니다. 그 커밋에서 시작합니다.",
  },
  "workspace.dirty": {
    en: "{root} has changes that are not committed ({count}): {names}. The agent would work without them.",
    ko: "{root}에 커밋하지 않은 변경이 있습니다({count}개): {names}. 에이전트는 이 변경 없이 일하게 됩니다.",
  },
  "workspace.no_identity": {
    en: "Git does not know who you are in {root}, and what is merged there is committed in your name.",
    ko: "{root}에서 git이 누구인지 알지 못합니다. 병합되는 커밋은 여러분의 이름으로 만들어집니다.",
  },
  "workspace.no_identity.hint": {
    en: 'Say it: git config user.name "Your Name" and git config user.email you@example.com',
    ko: '먼저 설정하세요: git config user.name "이름" 그리고 git config user.email you@example.com',
  },
  "workspace.dirty.hint": {
    en: "Commit them, or put them away with “git stash -u”.",
    ko: "커밋하거나 “git stash -u”로 치워 주세요.",
  },
  "workspace.dirty.notice": {
    en: "{root} has changes that are not committed ({count}): {names}. The task begins without them.",
    ko: "{root}에 커밋하지 않은 변경이 있습니다({count}개): {names}. 이 변경 없이 시작합니다.",
  },
  "workspace.branch_taken": {
    en: "The project already has a branch {branch} with something else on it ({found}). It was left as it is.",
    ko: "프로젝트에 {branch} 브랜치가 이미 있고 내용이 다릅니다({found}). 건드리지 않았습니다.",
  },
  "workspace.branch_taken.hint": {
    en: "Look what is on it. Once it is renamed (“git branch -m {branch} <name>”) or merged and deleted, fetch the result again.",
    ko: "무엇이 있는지 확인해 주세요. 이름을 바꾸거나(“git branch -m {branch} <이름>”) 병합하고 지운 뒤 결과를 다시 가져오면 됩니다.",
  },
  "workspace.swapped": {
    en: "{path} is not the folder that was made for this work: a link or another folder stands there. Nothing of it was read or changed.",
    ko: "{path}(은/는) 이 작업을 위해 만든 폴더가 아닙니다. 링크나 다른 폴더가 그 자리에 있습니다. 읽거나 바꾼 것은 없습니다.",
  },
  "workspace.swapped.hint": {
    en: "Move what stands there away. Then put the folder back, or let “holdfast task restore <id>” make it again from a snapshot.",
    ko: "그 자리에 있는 것을 다른 곳으로 옮기세요. 그런 다음 원래 폴더를 되돌려 놓거나 “holdfast task restore <id>”로 스냅샷에서 다시 만드세요.",
  },
  "workspace.gone": {
    en: "{path}, the folder that was made for this work, is gone.",
    ko: "이 작업을 위해 만든 {path} 폴더가 없습니다.",
  },
  "workspace.gone.hint": {
    en: "Put it back if it was moved. In a session, report FAIL and start the unit again; for a task, “holdfast task restore <id>” makes it again from a snapshot.",
    ko: "다른 곳으로 옮겼다면 되돌려 놓으세요. 세션에서는 FAIL을 보고하고 다시 시작하며, 작업은 “holdfast task restore <id>”로 스냅샷에서 다시 만드세요.",
  },
  "workspace.swapped.ask": {
    en: "{path} is not the folder that was made for this task: it is gone, or a link or another folder stands there. Nothing of it was read or changed. Put the folder back, then continue; or restore a snapshot; or cancel the task.",
    ko: "{path} 자리에 이 작업을 위해 만든 폴더가 없습니다. 폴더가 사라졌거나 링크나 다른 폴더가 그 자리에 있습니다. 읽거나 바꾼 것은 없습니다. 원래 폴더를 되돌려 놓은 뒤 continue를 고르거나, 스냅샷으로 되돌리거나, 그만두려면 cancel을 고르세요.",
  },
  "workspace.setup.failed": {
    en: "The project's setup command ended with {code}. Its output is in {log}.",
    ko: "프로젝트의 setup 명령이 {code}(으로/로) 끝났습니다. 출력은 {log}에 있습니다.",
  },
  "workspace.setup.late": {
    en: "The project's setup command took longer than {seconds} s and was ended. Its output is in {log}.",
    ko: "프로젝트의 setup 명령이 {seconds}초를 넘어서 끝냈습니다. 출력은 {log}에 있습니다.",
  },
  "workspace.setup.stopped": {
    en: "The project's setup command was stopped. Its output is in {log}.",
    ko: "프로젝트의 setup 명령을 멈췄습니다. 출력은 {log}에 있습니다.",
  },
  "workspace.setup.empty": {
    en: "The task goes on in its empty folder although setup did not succeed there: {message}",
    ko: "빈 폴더라서 setup이 성공하지 못했지만 작업은 계속합니다: {message}",
  },
  "workspace.setup.hint": {
    en: "Run “{command}” in a fresh clone of the project, and mend “setup” in holdfast.yaml.",
    ko: "프로젝트를 새로 복제한 곳에서 “{command}”(을/를) 실행해 보고 holdfast.yaml의 setup을 고쳐 주세요.",
  },
  "snapshot.no_id": {
    en: "“{id}” is not the id of a snapshot's tree.",
    ko: "“{id}”(은/는) 스냅샷 트리의 ID가 아닙니다.",
  },
  "snapshot.damaged": {
    en: "The snapshot {commit} in {path} is damaged or not there.",
    ko: "{path}의 스냅샷 {commit}(이/가) 손상되었거나 없습니다.",
  },
  "snapshot.damaged.hint": {
    en: "Nothing was changed. Choose another snapshot.",
    ko: "아무것도 바꾸지 않았습니다. 다른 스냅샷을 골라 주세요.",
  },
  "snapshot.none": {
    en: "No snapshot in {path} can be read, not even the one the task began with.",
    ko: "{path}에 읽을 수 있는 스냅샷이 하나도 없습니다. 작업을 시작할 때의 것도 읽을 수 없습니다.",
  },
  "snapshot.too_large.hint": {
    en: "Open it in the workspace instead.",
    ko: "작업 공간에서 직접 열어 주세요.",
  },
  "snapshot.not_restored": {
    en: "These files are not as the snapshot has them: {paths}.",
    ko: "다음 파일이 스냅샷과 다릅니다: {paths}.",
  },
  "snapshot.not_restored.hint": {
    en: "Is something still at work in the folder? End it and restore again.",
    ko: "폴더에서 아직 일하고 있는 프로그램이 있나요? 끝낸 뒤 다시 복원해 주세요.",
  },
  "snapshot.left_out.large": {
    en: "{path} is larger than {max} MiB and can not be kept. Make it smaller, remove it, or name it in .gitignore.",
    ko: "{path}(은/는) {max}MiB를 넘어 보관할 수 없습니다. 크기를 줄이거나, 지우거나, .gitignore에 적으세요.",
  },
  "snapshot.left_out.secret": {
    en: "{path} holds the value of a secret and can not be kept. Take the value out, or name the file in .gitignore.",
    ko: "{path}에 비밀 값이 들어 있어 보관할 수 없습니다. 값을 빼거나 파일을 .gitignore에 적으세요.",
  },
  "snapshot.left_out.special": {
    en: "{path} is a pipe, socket or device and can not be kept. Remove it, or name it in .gitignore.",
    ko: "{path}(은/는) 파이프, 소켓 또는 장치라서 보관할 수 없습니다. 지우거나 .gitignore에 적으세요.",
  },
  "snapshot.left_out.unreadable": {
    en: "{path} can not be read, so it can not be kept. Make it readable, remove it, or name it in .gitignore.",
    ko: "{path}(을/를) 읽을 수 없어 보관할 수 없습니다. 읽을 수 있게 하거나, 지우거나, .gitignore에 적으세요.",
  },
  "snapshot.left_out.name": {
    en: "{path} has a name that git can not keep. Rename it, remove it, or name it in .gitignore.",
    ko: "{path}(은/는) git이 저장할 수 없는 이름입니다. 이름을 바꾸거나, 지우거나, .gitignore에 적으세요.",
  },
  "snapshot.left_out.submodule": {
    en: "{path} is a submodule of the project and was changed. Put it back as it was (empty is fine); changes in it are committed there, by you, in its own repository.",
    ko: "{path}(은/는) 프로젝트의 서브모듈인데 바뀌었습니다. 원래대로 되돌리세요(비어 있어도 됩니다). 서브모듈의 변경은 그 저장소에서 직접 커밋해야 합니다.",
  },
  "snapshot.left_out.filter": {
    en: "{path} is stored through a filter that .gitattributes names (as Git LFS does), and filters are not run here. Put it back as it was or remove it, and commit it yourself in the project.",
    ko: "{path}(은/는) .gitattributes에 적힌 필터(예: Git LFS)를 거쳐 저장되는 파일인데 여기서는 필터를 실행하지 않습니다. 원래대로 되돌리거나 지우고, 프로젝트에서 직접 커밋하세요.",
  },
  "snapshot.left_out.encoding": {
    en: "{path} is stored as UTF-8, because .gitattributes names another encoding for the project's own folder. Write it as UTF-8 here; git turns it there.",
    ko: "{path}(은/는) .gitattributes에 프로젝트 폴더용 인코딩이 따로 적혀 있어 UTF-8로 저장됩니다. 여기서는 UTF-8로 쓰세요. 프로젝트 폴더에서는 git이 바꿉니다.",
  },
  "claim.left_out": {
    en: "{id} was not taken: these files could not be kept with it.\n{files}",
    ko: "{id}(을/를) 받지 않았습니다. 다음 파일을 함께 보관할 수 없습니다.\n{files}",
  },
  "claim.left_out.hint": {
    en: "Nothing has changed. Mend these files in {folder}, then report DONE:{id} again.",
    ko: "바뀐 것은 없습니다. {folder}에서 이 파일들을 고친 뒤 DONE:{id}(을/를) 다시 보고하세요.",
  },
  "verify.missing": {
    en: "{path} was asked for and is not there. Write it.",
    ko: "{path}(이/가) 필요한데 없습니다. 작성하세요.",
  },
  "verify.not_a_file": {
    en: "{path} has to be a regular file: no link, no pipe, nothing outside the folder.",
    ko: "{path}(은/는) 일반 파일이어야 합니다. 링크나 파이프, 폴더 밖의 것은 안 됩니다.",
  },
  "verify.unreadable": {
    en: "{path} can not be read.",
    ko: "{path}(을/를) 읽을 수 없습니다.",
  },
  "verify.empty": {
    en: "{path} is empty.",
    ko: "{path}(이/가) 비어 있습니다.",
  },
  "verify.only_headings": {
    en: "{path} has headings and nothing below them.",
    ko: "{path}에 제목만 있고 내용이 없습니다.",
  },
  "verify.placeholder": {
    en: "{path} still holds a placeholder in line {line}: “{found}”. Put the real text there.",
    ko: "{path} {line}번째 줄에 채우지 않은 자리가 남아 있습니다: “{found}”. 실제 내용으로 바꾸세요.",
  },
  "verify.short": {
    en: "{path} has {characters} characters; at least {wanted} are asked for (blanks in a row count once).",
    ko: "{path}(은/는) {characters}자입니다. 적어도 {wanted}자가 필요합니다(이어진 공백은 한 자로 셉니다).",
  },
  "verify.not_text": {
    en: "{path} is not a text, but at least {wanted} characters are asked for.",
    ko: "{path}(은/는) 글이 아닙니다. 적어도 {wanted}자의 글이 필요합니다.",
  },
  "verify.claimed": {
    en: "You said you made {path}, but it is not there.",
    ko: "{path}(을/를) 만들었다고 했지만 없습니다.",
  },
  "verify.claimed_outside": {
    en: "You said you made {path}, which lies outside the folder you work in.",
    ko: "{path}(을/를) 만들었다고 했지만 작업 폴더 밖에 있습니다.",
  },
  "verify.command": {
    en: "The command “{command}” has to succeed, but ended with {code}.",
    ko: "“{command}” 명령이 성공해야 하는데 {code}(으로/로) 끝났습니다.",
  },
  "verify.late": {
    en: "The command “{command}” took longer than {seconds} s and was ended.",
    ko: "“{command}” 명령이 {seconds}초를 넘어서 끝냈습니다.",
  },
  "verify.not_started": {
    en: "The command “{command}” could not be started: {detail}",
    ko: "“{command}” 명령을 시작하지 못했습니다: {detail}",
  },
  "verify.output": { en: "Its output ends with:", ko: "출력의 끝부분:" },
  "verify.more": { en: "… and {count} more.", ko: "… 그 밖에 {count}건이 더 있습니다." },
  "zip.left_out.secret": {
    en: "{path} holds the value of a secret and is not in the ZIP.",
    ko: "{path}에 비밀 값이 들어 있어 ZIP에 넣지 않았습니다.",
  },
  "zip.left_out.not_a_file": {
    en: "{path} is a link, pipe or device and is not in the ZIP.",
    ko: "{path}(은/는) 링크, 파이프 또는 장치라서 ZIP에 넣지 않았습니다.",
  },
  "zip.left_out.private": {
    en: "{path} is private by its name (.git, .env) and is not in the ZIP.",
    ko: "{path}(은/는) 이름으로 보아 공개하지 않는 파일(.git, .env)이라 ZIP에 넣지 않았습니다.",
  },
  "zip.left_out.missing": {
    en: "{path} is not there.",
    ko: "{path}(이/가) 없습니다.",
  },
  "zip.left_out.unreadable": {
    en: "{path} can not be read and is not in the ZIP.",
    ko: "{path}(을/를) 읽을 수 없어 ZIP에 넣지 않았습니다.",
  },
  "zip.left_out.limit": {
    en: "{path} does not fit: a ZIP takes {files} files and {bytes} bytes.",
    ko: "{path}(은/는) 들어가지 않습니다. ZIP에는 파일 {files}개, {bytes}바이트까지 넣을 수 있습니다.",
  },
  "secret.no_key": {
    en: "The secret “{name}” can not be opened: its key {path} is gone.",
    ko: "비밀 값 “{name}”(을/를) 열 수 없습니다. 키 파일 {path}(이/가) 없습니다.",
  },
  "secret.no_key.hint": {
    en: "Put the key back from a backup. Without it, remove the file if it is there and provide the secrets again.",
    ko: "백업에서 키를 되돌려 놓으세요. 백업이 없다면 남아 있는 파일을 지우고 비밀 값을 다시 입력해 주세요.",
  },
  "secret.not_opened": {
    en: "The secret “{name}” can not be opened: it was changed, or sealed with another key than {path}.",
    ko: "비밀 값 “{name}”(을/를) 열 수 없습니다. 내용이 바뀌었거나 {path}(이/가) 아닌 다른 키로 암호화되었습니다.",
  },
  "secret.not_opened.hint": {
    en: "Provide it again.",
    ko: "값을 다시 입력해 주세요.",
  },
  "secret.key_open": {
    en: "{path} is not for you alone: others own it or may read it, so it is not used.",
    ko: "{path}(을/를) 다른 사용자가 소유하거나 읽을 수 있어서 쓰지 않습니다.",
  },
  "secret.key_open.hint": {
    en: "If nobody has read it, “chmod 600 {path}” is enough. Else remove it and provide the secrets again.",
    ko: "아무도 읽지 않았다면 “chmod 600 {path}”(으로/로) 충분합니다. 아니라면 파일을 지우고 비밀 값을 다시 입력해 주세요.",
  },
  "secret.key_size": {
    en: "{path} is damaged: it has {size} bytes instead of {wanted}.",
    ko: "{path}(이/가) 손상되었습니다. {wanted}바이트여야 하는데 {size}바이트입니다.",
  },
  "secret.key_gone": {
    en: "{path} was made and is gone again.",
    ko: "{path}(을/를) 만들었는데 바로 사라졌습니다.",
  },
} as const satisfies Record<string, Text>;
