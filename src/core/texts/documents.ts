import type { Text } from "../messages.ts";

/** Locks, writes and recoveries of documents. */
export const documentTexts = {
  "lock.held": { en: "{path} is held by {who}.", ko: "{path}(을/를) {who}(이/가) 잡고 있습니다." },
  "lock.holder": { en: "process {pid} on {host}", ko: "{host}의 프로세스 {pid}" },
  "lock.nameless": { en: "a program that left no name", ko: "이름을 남기지 않은 프로그램" },
  "lock.held.hint": {
    en: "Try again when that process is done.",
    ko: "그 프로세스가 끝난 뒤 다시 시도해 주세요.",
  },
  "lock.nameless.hint": {
    en: "If no other program is at work, “holdfast doctor --fix” removes the lock.",
    ko: "다른 프로그램이 작업 중이 아니라면 “holdfast doctor --fix”로 잠금을 지울 수 있습니다.",
  },
  "lock.lost": {
    en: "{path} vanished while it was being locked.",
    ko: "잠그는 동안 {path}(이/가) 사라졌습니다.",
  },
  "document.suspect": {
    en: "{path} could not be synced to disk before; this process does not write it again.",
    ko: "앞서 {path}(을/를) 디스크에 동기화하지 못했습니다. 이 프로세스는 다시 쓰지 않습니다.",
  },
  "document.suspect.hint": {
    en: "Check the disk, then start Holdfast again: what was acknowledged is in its database.",
    ko: "디스크를 확인한 뒤 Holdfast를 다시 시작해 주세요. 확인된 내용은 데이터베이스에 있습니다.",
  },
  "document.fenced": {
    en: "{path} was taken over by other processes again and again.",
    ko: "다른 프로세스가 {path}(을/를) 계속 넘겨받고 있습니다.",
  },
  "document.lock_lost": {
    en: "the lock was taken over",
    ko: "잠금을 다른 프로세스가 넘겨받았습니다",
  },
  "document.not_published": {
    en: "The change is stored, but {path} could not be written yet.",
    ko: "변경은 저장됐지만 {path}(을/를) 아직 쓰지 못했습니다.",
  },
  "document.invalid": {
    en: "The change would make {path} invalid at {pointer}: {problem}",
    ko: "이 변경을 적용하면 {path}의 {pointer}(이/가) 올바르지 않게 됩니다: {problem}",
  },
  "document.corrupt": {
    en: "{path} can not be read: {problem}",
    ko: "{path}(을/를) 읽을 수 없습니다: {problem}",
  },
  "document.corrupt.hint": {
    en: "The file was left as it is. “holdfast validate” shows every problem in it.",
    ko: "파일은 그대로 두었습니다. “holdfast validate”로 모든 문제를 볼 수 있습니다.",
  },
  "document.look.hint": {
    en: "Nothing was changed. “holdfast doctor --fix” repairs it, and so does the next command that writes it; the file as it is now is kept.",
    ko: "아무것도 바꾸지 않았습니다. “holdfast doctor --fix” 또는 이 파일을 쓰는 다음 명령이 복구하며, 지금 파일은 따로 보관합니다.",
  },
  "document.no_content": {
    en: "Revision {rev} of {path} is missing in the database.",
    ko: "데이터베이스에 {path}의 {rev}번 개정본이 없습니다.",
  },
  "document.restless": {
    en: "{path} keeps changing while it is read.",
    ko: "읽는 동안 {path}(이/가) 계속 바뀝니다.",
  },
  "document.restless.hint": {
    en: "Stop the other program that writes it, then try again.",
    ko: "이 파일을 쓰는 다른 프로그램을 멈춘 뒤 다시 시도해 주세요.",
  },
  "document.adopted": {
    en: "{path} was not known here; it is taken as it is.",
    ko: "{path}(은/는) 처음 보는 파일이라 있는 그대로 받아들였습니다.",
  },
  "document.published_again": {
    en: "{path} was not in its newest state; that one is written again.",
    ko: "{path}(이/가) 최신 상태가 아니어서 최신 상태로 다시 썼습니다.",
  },
  "document.removed_by_hand": {
    en: "{path} was removed by hand and is not written back. Its last version is kept in {kept}.",
    ko: "{path} 파일이 직접 삭제되어 되돌려 쓰지 않습니다. 마지막 내용은 {kept}에 보관했습니다.",
  },
  "document.from_backup": {
    en: "{path} could not be read ({problem}); the backup {source} is in its place, the bad file in {kept}.",
    ko: "{path}(을/를) 읽을 수 없어({problem}) 백업 {source}(으로/로) 바꿨습니다. 손상된 파일은 {kept}에 있습니다.",
  },
  "document.brought_back": {
    en: "{path} was gone; the backup {source} is in its place.",
    ko: "{path}(이/가) 없어져서 백업 {source}(으로/로) 되살렸습니다.",
  },
  "document.recovered": {
    en: "{path} could not be read ({problem}). {how} The bad file is in {kept}.",
    ko: "{path}(을/를) 읽을 수 없습니다({problem}). {how} 손상된 파일은 {kept}에 있습니다.",
  },
  "document.made_again": {
    en: "{path} was gone ({problem}). {how}",
    ko: "{path}(이/가) 없어졌습니다({problem}). {how}",
  },
  "document.taken_as_is": {
    en: "Revision {rev} of {path} is damaged in the database; the file is taken as it is.",
    ko: "데이터베이스에 있는 {path}의 {rev}번 개정본이 손상되어 파일을 있는 그대로 받아들였습니다.",
  },
  "document.gone": { en: "there is no file", ko: "파일이 없습니다" },
  "document.how.repaired": { en: "It was repaired: {changes}.", ko: "고친 내용: {changes}." },
  "document.how.journal": {
    en: "Revision {rev} from the journal is in its place.",
    ko: "저널에 있는 {rev}번 개정본으로 바꿨습니다.",
  },
  "document.how.empty": {
    en: "There is no backup, so it begins empty.",
    ko: "백업이 없어 빈 상태로 시작합니다.",
  },
  "document.how.rebuilt": {
    en: "It was rebuilt from {source}: {completed} of {total} tasks are completed.",
    ko: "{source}에서 다시 만들었습니다. 작업 {total}개 중 {completed}개가 완료 상태입니다.",
  },
  "document.how.rebuilt_without": {
    en: "It was rebuilt from {source}: {completed} of {total} tasks are completed. No longer in the plan, so left out: {ids}.",
    ko: "{source}에서 다시 만들었습니다. 작업 {total}개 중 {completed}개가 완료 상태입니다. 계획에 더는 없어 뺀 작업: {ids}.",
  },
  "document.rebuild.hint": {
    en: "The file was left as it is. “holdfast orchestrate --rebuild-state” (or “holdfast doctor --fix”) keeps it aside and rebuilds it from the task list and the journal.",
    ko: "파일은 그대로 두었습니다. “holdfast orchestrate --rebuild-state”(또는 “holdfast doctor --fix”)를 실행하면 이 파일을 따로 보관하고 작업 목록과 저널에서 다시 만듭니다.",
  },
  "document.rebuild.bad_plan": {
    en: "The file was left as it is: {source} can not be read as a plan (line {line}: {problem}). Mend that first.",
    ko: "파일은 그대로 두었습니다. {source}(을/를) 계획으로 읽을 수 없습니다({line}번째 줄: {problem}). 먼저 고쳐 주세요.",
  },
  "document.rebuild.no_plan": {
    en: "The file was left as it is: there is no task list to rebuild it from ({paths}).",
    ko: "파일은 그대로 두었습니다. 다시 만드는 데 쓸 작업 목록이 없습니다({paths}).",
  },
  "backup.not_a_folder": {
    en: "{path} is not a folder of its own; no backup is written through it.",
    ko: "{path}(은/는) 실제 폴더가 아니므로 백업을 쓰지 않습니다.",
  },
  "repair.field": {
    en: "{pointer} was missing, now {value}",
    ko: "빠진 {pointer}(을/를) {value}(으로/로) 채움",
  },
  "repair.doubled": {
    en: "{pointer}: {id} stood twice, one of them is gone",
    ko: "{pointer}: 두 번 나온 {id} 중 하나를 지움",
  },
  "repair.renamed": {
    en: "{pointer}: another task has the id {id} already, now {to}",
    ko: "{pointer}: 다른 작업이 이미 {id}(을/를) 쓰고 있어 {to}(으로/로) 바꿈",
  },
  "repair.and": { en: "{first}; {other}", ko: "{first}; {other}" },
  "reconcile.current_ended": {
    en: "the current task {id} has ended according to the history; it is no longer current",
    ko: "기록에 따르면 현재 작업 {id}(은/는) 이미 끝났으므로 현재 작업에서 뺍니다",
  },
  "reconcile.pending_ended": {
    en: "the waiting task {id} has ended according to the history; it no longer waits",
    ko: "기록에 따르면 대기 중인 작업 {id}(은/는) 이미 끝났으므로 대기 목록에서 뺍니다",
  },
  "reconcile.renamed": {
    en: "the id {id} belongs to another task in the history; this one is now {to}",
    ko: "기록에 있는 다른 작업이 {id}(을/를) 쓰고 있어 이 작업의 id를 {to}(으로/로) 바꿉니다",
  },
  "document.foreign": {
    en: "{path} was changed by hand, and the change is taken over: {changes}",
    ko: "{path}(이/가) 직접 수정되어 반영했습니다: {changes}",
  },
  "document.set_aside": {
    en: "{path} was changed in a way that can not be taken over ({problem}); that version is in {kept}.",
    ko: "{path}의 수정 내용을 반영할 수 없습니다({problem}). 그 버전은 {kept}에 있습니다.",
  },
  "document.theirs_kept": {
    en: "{path} was changed at the very same time; that version is in {kept}.",
    ko: "{path}(이/가) 바로 같은 순간에 수정되었습니다. 그 버전은 {kept}에 있습니다.",
  },
  "document.merged": {
    en: "{path} was changed at the very same time; both changes are in it.",
    ko: "{path}(이/가) 바로 같은 순간에 수정되어 두 변경을 모두 반영했습니다.",
  },
  "foreign.nothing_to_compare": {
    en: "there is no earlier state to compare with",
    ko: "비교할 이전 상태가 없습니다",
  },
  "foreign.tasks_not_by_hand": {
    en: "by hand a task moves only from failed to completed; “holdfast orchestrate --retry <id>” opens a failed task again, “holdfast orchestrate --resume” one that no one works on",
    ko: "직접 바꿀 수 있는 것은 failed에서 completed로 옮기는 것뿐입니다. 실패한 태스크는 “holdfast orchestrate --retry <id>”로, 아무도 작업하지 않는 태스크는 “holdfast orchestrate --resume”으로 다시 여세요",
  },
  "foreign.not_by_hand": {
    en: "{pointer} is not changed by hand",
    ko: "{pointer}(은/는) 직접 고칠 수 없는 값입니다",
  },
  "disk.full": {
    en: "The disk is full: {path} could not be written and is as it was.",
    ko: "디스크가 가득 차서 {path}(을/를) 쓰지 못했습니다. 파일은 그대로입니다.",
  },
  "disk.full.hint": {
    en: "Free some space, then try again.",
    ko: "공간을 확보한 뒤 다시 시도해 주세요.",
  },
  "disk.readonly": {
    en: "{path} may not be written: {detail}",
    ko: "{path}에 쓸 수 없습니다: {detail}",
  },
  "disk.readonly.hint": {
    en: "Check who owns the folder and whether the file system is mounted read-only.",
    ko: "폴더의 소유자와 권한, 파일 시스템이 읽기 전용으로 마운트됐는지 확인해 주세요.",
  },
  "disk.io": {
    en: "The disk failed while {path} was being written: {detail}",
    ko: "{path}(을/를) 쓰는 동안 디스크 오류가 났습니다: {detail}",
  },
  "disk.io.hint": {
    en: "Check the disk. Nothing is taken for written that was not.",
    ko: "디스크를 확인해 주세요. 쓰지 못한 것을 쓴 것으로 여기지 않습니다.",
  },
} as const satisfies Record<string, Text>;
