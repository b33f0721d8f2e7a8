// What a person did with git holds a run: why, and what can be done about it.
import type { Text } from "../messages.ts";

export const heldTexts = {
  "held.rewritten": {
    en: "Somebody rewrote branch {name} (now {commit}): it no longer has what the run put there.",
    ko: "누군가 {name} 브랜치를 다시 썼습니다(현재 {commit}). 실행이 넣은 커밋이 더 이상 없습니다.",
  },
  "held.conflict": {
    en: "What somebody committed to branch {name} conflicts with what the run put there, in: {files}",
    ko: "누군가 {name} 브랜치에 커밋한 내용이 실행의 작업과 충돌합니다: {files}",
  },
  "held.target_gone": {
    en: "Branch {name}, where this run lands, is not there any more. If it was renamed, say so: “--resume --onto <branch>”.",
    ko: "이 실행이 병합될 {name} 브랜치가 없습니다. 이름을 바꾸었다면 “--resume --onto <브랜치>”로 알려 주세요.",
  },
  "held.target_rewritten": {
    en: "Branch {name}, where this run lands, was rewritten (now {commit}): it no longer has the commit the run began at.",
    ko: "이 실행이 병합될 {name} 브랜치가 다시 쓰였습니다(현재 {commit}). 실행이 시작한 커밋이 더 이상 없습니다.",
  },
  "held.rebasing": {
    en: "Branch {name} is being rebased or bisected. Finish or abort that first.",
    ko: "{name} 브랜치에서 rebase 또는 bisect가 진행 중입니다. 먼저 끝내거나 취소하세요.",
  },
  "held.lost": {
    en: "Branch {name} no longer has work that had landed on it: {what}",
    ko: "{name} 브랜치에 병합되었던 작업이 더 이상 없습니다: {what}",
  },
  "held.in_the_way": {
    en: "Branch {name} can not be updated, something is in the way: {detail}",
    ko: "{name} 브랜치를 갱신할 수 없습니다. 다음이 가로막고 있습니다: {detail}",
  },
  "held.hook": {
    en: "Your hook {hook} refused what was about to land on branch {name}: {detail}",
    ko: "{hook} 훅이 {name} 브랜치에 병합하려던 내용을 거절했습니다: {detail}",
  },
  "held.sign": {
    en: "A commit could not be signed with your key (git.sign in holdfast.yaml): {detail}",
    ko: "키로 커밋에 서명할 수 없습니다(holdfast.yaml의 git.sign): {detail}",
  },
  "git.hooks_skipped": {
    en: "Your git hooks are not run for what lands: {names}. To run them, set git.hooks to run in holdfast.yaml.",
    ko: "병합할 때 git 훅을 실행하지 않습니다: {names}. 실행하려면 holdfast.yaml에서 git.hooks를 run으로 정하세요.",
  },
  "git.not_signed": {
    en: "Commits are not signed although commit.gpgSign is set. To sign them with your key, set git.sign to true in holdfast.yaml.",
    ko: "commit.gpgSign이 설정되어 있지만 커밋에 서명하지 않습니다. 키로 서명하려면 holdfast.yaml에서 git.sign을 true로 정하세요.",
  },
  "held.unreadable": {
    en: "{why} Agents at work continue; nothing new begins. The run continues by itself once this is mended.",
    ko: "{why} 작업 중인 에이전트는 계속하지만 새 작업은 시작하지 않습니다. 해결되면 실행이 자동으로 이어집니다.",
  },
  "held.hint": {
    en: "Mend it with git, or say what counts: {choices}. Then go on.",
    ko: "git으로 직접 해결하거나, 무엇을 따를지 정하세요: {choices}. 그다음 이어 갑니다.",
  },
  "held.mend.hint": {
    en: "Mend it with git, then do the same again.",
    ko: "git으로 해결한 뒤 다시 실행하세요.",
  },
  "held.question": {
    en: "{why} What counts?",
    ko: "{why} 무엇을 따를까요?",
  },
  "held.choice.theirs": {
    en: "theirs: what is there now counts, and the run goes on from it",
    ko: "theirs: 지금 있는 것을 따르고 거기서 이어 갑니다",
  },
  "held.choice.ours": {
    en: "ours: what the run made is put back",
    ko: "ours: 실행이 만든 것을 되돌려 놓습니다",
  },
  "held.choice.again": {
    en: "again: it is mended, try once more",
    ko: "again: 해결했으니 다시 시도합니다",
  },
  "held.choice.stop": {
    en: "stop: leave everything as it is",
    ko: "stop: 모두 그대로 둡니다",
  },
  "mark.foreign": {
    en: "Run {run} of another home ({home}) is at work on {root}. Both would do every task.",
    ko: "다른 홈({home})의 {run} 실행이 {root}에서 작업하고 있습니다. 둘이 같은 태스크를 하게 됩니다.",
  },
  "mark.foreign.hint": {
    en: "Use that home (HOLDFAST_HOME={home}). If it is lost, or this repository is a copy: “holdfast doctor --take-over”.",
    ko: "그 홈을 사용하세요(HOLDFAST_HOME={home}). 홈을 잃었거나 이 저장소가 복사본이라면 “holdfast doctor --take-over”를 실행하세요.",
  },
  "mark.taken_over": {
    en: "This repository now belongs to this home; run {run} of {home} must not go on.",
    ko: "이제 이 저장소는 이 홈의 것입니다. {home}의 {run} 실행을 이어 가면 안 됩니다.",
  },
  "settle.checked_out": {
    en: "Branch {name} is checked out in {tree}: putting ours back would change the files there.",
    ko: "{name} 브랜치가 {tree}에 체크아웃되어 있습니다. 되돌려 놓으면 그곳의 파일이 바뀝니다.",
  },
  "settle.checked_out.hint": {
    en: "Switch to another branch there, then say it again.",
    ko: "그곳에서 다른 브랜치로 전환한 뒤 다시 실행하세요.",
  },
  "settle.conflict": {
    en: "What had landed conflicts with what is on {name} now, in: {files}",
    ko: "병합되었던 작업이 지금의 {name}(과/와) 충돌합니다: {files}",
  },
  "settle.conflict.hint": {
    en: "Merge it by hand (“git merge {commit}”), then go on.",
    ko: "직접 병합한 뒤(“git merge {commit}”) 이어 가세요.",
  },
  "target.detached": {
    en: "{root} has no branch checked out (a detached HEAD, or a rebase under way), so there is nowhere to land.",
    ko: "{root}에 체크아웃된 브랜치가 없습니다(detached HEAD이거나 rebase 진행 중). 결과를 병합할 곳이 없습니다.",
  },
  "target.detached.hint": {
    en: "Check out a branch, or name one: “--onto <branch>”.",
    ko: "브랜치를 체크아웃하거나 “--onto <브랜치>”로 지정하세요.",
  },
  "target.no_branch": {
    en: "There is no branch “{name}” to land on.",
    ko: "결과를 병합할 “{name}” 브랜치가 없습니다.",
  },
  "target.no_branch.hint": {
    en: "Make it (“git branch {name}”), or name another with --onto.",
    ko: "만들거나(“git branch {name}”) --onto로 다른 브랜치를 지정하세요.",
  },
} as const satisfies Record<string, Text>;
