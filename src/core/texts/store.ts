import type { Text } from "../messages.ts";

/** The database: why it can not be opened or written, and why a change was refused. */
export const storeTexts = {
  "store.no_driver": {
    en: "SQLite cannot be loaded from the package @photostructure/sqlite: {detail}",
    ko: "@photostructure/sqlite 패키지에서 SQLite를 불러올 수 없습니다: {detail}",
  },
  "store.no_driver.hint": {
    en: "Install Holdfast again on this machine: the package's binary must fit its system.",
    ko: "이 컴퓨터에서 Holdfast를 다시 설치하세요. 패키지의 바이너리가 시스템에 맞아야 합니다.",
  },
  "store.symlink": {
    en: "{path} is a link. Holdfast opens its database only where it really lies.",
    ko: "{path}(은/는) 링크입니다. Holdfast는 데이터베이스를 링크로 열지 않습니다.",
  },
  "store.symlink.hint": {
    en: "Remove the link, or set HOLDFAST_HOME to the folder that holds the file.",
    ko: "링크를 지우거나, 실제 파일이 있는 폴더를 HOLDFAST_HOME에 지정해 주세요.",
  },
  "store.not_a_file": {
    en: "{path} should be a file or not exist, but is something else.",
    ko: "{path}(은/는) 파일이어야 하는데 다른 것입니다.",
  },
  "store.not_a_file.hint": {
    en: "Move it away, or set HOLDFAST_HOME to another folder.",
    ko: "다른 곳으로 옮기거나 HOLDFAST_HOME에 다른 폴더를 지정해 주세요.",
  },
  "store.folder_open": {
    en: "The folder {path} belongs to another user or may be written by others.",
    ko: "{path} 폴더가 다른 사용자의 것이거나 다른 사용자도 쓸 수 있는 상태입니다.",
  },
  "store.folder_open.hint": {
    en: "Run “chmod 700 {path}”, or set HOLDFAST_HOME to a folder of your own.",
    ko: "“chmod 700 {path}”(을/를) 실행하거나, 자신만 쓰는 폴더를 HOLDFAST_HOME에 지정해 주세요.",
  },
  "store.setting_refused": {
    en: "{file}: the database does not accept {setting}={wanted}, it stays at “{got}”. Without it a change could be lost.",
    ko: "{file}: 데이터베이스가 {setting}={wanted} 설정을 받아들이지 않고 “{got}” 상태로 남았습니다. 이 설정이 없으면 변경 내용을 잃을 수 있습니다.",
  },
  "store.setting_refused.hint": {
    en: "Keep it on a local disk: set HOLDFAST_HOME to a folder that is not a network or shared mount.",
    ko: "로컬 디스크에 두어야 합니다. 네트워크나 공유 마운트가 아닌 폴더를 HOLDFAST_HOME에 지정해 주세요.",
  },
  "store.newer": {
    en: "{file} was written by a newer Holdfast: its schema is {found}, this version knows {known}.",
    ko: "{file}(은/는) 더 새로운 Holdfast가 쓴 데이터베이스입니다. 스키마는 {found}인데 이 버전은 {known}까지만 압니다.",
  },
  "store.newer.hint": {
    en: "Update Holdfast. The database was left as it is.",
    ko: "Holdfast를 업데이트해 주세요. 데이터베이스는 건드리지 않았습니다.",
  },
  "store.not_ours": {
    en: "{file} is a database of another program.",
    ko: "{file}(은/는) 다른 프로그램의 데이터베이스입니다.",
  },
  "store.cannot_open": {
    en: "The database {file} can not be opened: {detail}",
    ko: "데이터베이스 {file}(을/를) 열 수 없습니다: {detail}",
  },
  "store.cannot_open.hint": {
    en: "Check that its folder exists and is yours to write.",
    ko: "폴더가 있는지, 쓸 권한이 있는지 확인해 주세요.",
  },
  "store.locked": {
    en: "The database {file} has been locked by another process for {seconds} s.",
    ko: "다른 프로세스가 데이터베이스 {file}(을/를) {seconds}초 동안 잠그고 있습니다.",
  },
  "store.locked.hint": {
    en: "Try again. “fuser -v {file}” lists the processes that have it open.",
    ko: "다시 시도해 주세요. 이 파일을 연 프로세스는 “fuser -v {file}”(으로/로) 볼 수 있습니다.",
  },
  "store.full": {
    en: "The disk is full: {file} can not grow. The change was not stored, what was there is intact.",
    ko: "디스크가 가득 차서 {file}에 더 쓸 수 없습니다. 이번 변경은 저장되지 않았고 기존 내용은 그대로입니다.",
  },
  "store.full.hint": {
    en: "Free some space on that disk, then try again.",
    ko: "디스크 공간을 비운 뒤 다시 시도해 주세요.",
  },
  "store.io": {
    en: "{file}: the disk reported an error ({detail}). Whether the last change is stored is unknown, and nothing more is written until the database is opened anew.",
    ko: "{file}: 디스크 오류가 났습니다({detail}). 마지막 변경이 저장되었는지는 알 수 없으며, 데이터베이스를 다시 열 때까지 더는 쓰지 않습니다.",
  },
  "store.io.hint": {
    en: "Check the disk (“dmesg” tells more), then start Holdfast again: it reads what is really there.",
    ko: "디스크를 점검한 뒤(“dmesg”에 자세한 내용이 있습니다) Holdfast를 다시 시작해 주세요. 실제로 저장된 내용부터 다시 읽습니다.",
  },
  "store.readonly": {
    en: "The database {file} can not be written: {detail}",
    ko: "데이터베이스 {file}에 쓸 수 없습니다: {detail}",
  },
  "store.readonly.hint": {
    en: "Even a look into it has to write there. Check who owns its folder and the files holdfast.db* in it, and whether the disk is mounted read-only.",
    ko: "읽기만 할 때도 쓸 수 있어야 합니다. 폴더와 그 안의 holdfast.db* 파일의 소유자와 권한, 디스크가 읽기 전용으로 마운트되었는지 확인해 주세요.",
  },
  "store.corrupt": {
    en: "The database {file} is damaged: {detail}",
    ko: "데이터베이스 {file}(이/가) 손상되었습니다: {detail}",
  },
  "store.corrupt.hint": {
    en: "Copy {file} and {file}-wal to a safe place before anything else; do not delete them.",
    ko: "먼저 {file}(과/와) {file}-wal을 안전한 곳에 복사해 두고, 지우지 마세요.",
  },
  "store.corrupt_revision": {
    en: "revision {rev} of {path} can not be put together",
    ko: "{path}의 {rev}번 리비전을 복원할 수 없음",
  },
  "store.rule": {
    en: "The change does not fit the database: {detail}",
    ko: "데이터베이스 규칙에 맞지 않는 변경입니다: {detail}",
  },
  "store.not_json": {
    en: "{what} holds something that JSON can not: {detail}",
    ko: "{what}에 JSON으로 나타낼 수 없는 값이 있습니다: {detail}",
  },
  "store.closed": {
    en: "The database {file} is closed.",
    ko: "데이터베이스 {file}(은/는) 이미 닫혔습니다.",
  },
  "store.what.project": { en: "the project at {id}", ko: "{id}의 프로젝트" },
  "store.what.task": { en: "task {id}", ko: "작업 {id}" },
  "store.what.entity": { en: "{kind} {id}", ko: "{kind} {id}" },
  "store.what.document": { en: "document {id}", ko: "문서 {id}" },
  "store.what.effect": { en: "effect {id}", ko: "후속 동작 {id}" },
  "store.what.timer": { en: "timer {id}", ko: "타이머 {id}" },
  "store.what.transition": { en: "the transition of {id}", ko: "{id}의 상태 전이" },
  "store.what.inbox": { en: "message {id}", ko: "메시지 {id}" },
  "store.what.snapshot": { en: "snapshot {id}", ko: "스냅숏 {id}" },
  "store.stale.moved": {
    en: "Someone changed {what} meanwhile: revision {read} was read, {found} is there now. Read it again.",
    ko: "그사이 {what}(이/가) 바뀌었습니다. 읽은 것은 리비전 {read}, 지금은 {found}입니다. 다시 읽어 주세요.",
  },
  "store.stale.exists": {
    en: "It can not be made anew, {what} exists already. Read it again.",
    ko: "{what}(이/가) 이미 있어서 새로 만들 수 없습니다. 다시 읽어 주세요.",
  },
  "store.stale.gone": {
    en: "It can not be changed, {what} is not there any more.",
    ko: "{what}(이/가) 더는 없어서 바꿀 수 없습니다.",
  },
  "store.stale.acknowledged": {
    en: "It can not be acknowledged, {what} has been already or does not exist.",
    ko: "{what}(은/는) 이미 처리되었거나 없어서 처리할 수 없습니다.",
  },
  "store.fenced.other": {
    en: "Task {id} is held by {owner} now (epoch {found}, ours was {epoch}).",
    ko: "지금은 {owner}(이/가) 작업 {id}(을/를) 맡고 있습니다(에포크 {found}, 우리 것은 {epoch}).",
  },
  "store.fenced.ended": {
    en: "Our lease on task {id} has ended (epoch {epoch}). Claim it again.",
    ko: "작업 {id}의 임대 기간이 끝났습니다(에포크 {epoch}). 다시 맡아 주세요.",
  },
} as const satisfies Record<string, Text>;
