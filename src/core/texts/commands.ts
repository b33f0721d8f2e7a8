import type { Text } from "../messages.ts";

/** The command line's own words: help, hints, headings; and what operations say of themselves. */
export const commandTexts = {
  "cli.about": {
    en: "Holdfast runs coding agents through phases, checks and reviews, and goes on exactly where it was.",
    ko: "Holdfast는 코딩 에이전트를 단계, 검증, 리뷰에 따라 실행하고, 멈춘 바로 그 자리에서 이어 갑니다.",
  },
  "cli.usage": { en: "Usage", ko: "사용법" },
  "cli.commands": { en: "Commands", ko: "명령" },
  "cli.arguments": { en: "Arguments", ko: "인자" },
  "cli.options": { en: "Options", ko: "옵션" },
  "cli.examples": { en: "Examples", ko: "예시" },
  "cli.exit_codes": { en: "Exit codes", ko: "종료 코드" },
  "cli.exit_codes.list": {
    en: "0 done · 1 internal error · 2 invalid input · 3 not found · 4 refused · 5 locked · 6 corrupt",
    ko: "0 완료 · 1 내부 오류 · 2 잘못된 입력 · 3 찾을 수 없음 · 4 거부됨 · 5 잠김 · 6 손상됨",
  },
  "cli.more_help": {
    en: "More on one command: holdfast <command> --help",
    ko: "명령별 도움말: holdfast <command> --help",
  },
  "cli.flag.json": { en: "print the result as JSON", ko: "결과를 JSON으로 출력" },
  "cli.flag.cwd": { en: "work in this folder", ko: "이 폴더에서 실행" },
  "cli.flag.lang": {
    en: "language of the texts (default: the locale's)",
    ko: "출력 언어 (기본값: 로캘)",
  },
  "cli.flag.help": { en: "show this help", ko: "이 도움말 표시" },
  "cli.flag.version": { en: "show the version", ko: "버전 표시" },
  "cli.did_you_mean": { en: "Did you mean “{word}”?", ko: "혹시 “{word}”인가요?" },
  "cli.close_word": {
    en: "“{word}” is no subcommand of holdfast {command}, but close to one. If you mean it as the work, say it in more than one word.",
    ko: "“{word}”라는 holdfast {command} 하위 명령은 없지만 비슷한 것이 있습니다. 할 일을 적은 것이라면 두 단어 이상으로 적어 주세요.",
  },
  "cli.list_commands": {
    en: "“holdfast --help” lists the commands.",
    ko: "“holdfast --help”로 명령 목록을 볼 수 있습니다.",
  },
  "cli.see_help": {
    en: "“--help” shows what it takes.",
    ko: "“--help”로 사용법을 볼 수 있습니다.",
  },
  "cli.unknown_command": { en: "There is no command “{word}”.", ko: "“{word}” 명령은 없습니다." },
  "cli.unknown_flag": { en: "There is no option “--{flag}”.", ko: "“--{flag}” 옵션은 없습니다." },
  "cli.unknown_language": {
    en: "The language “{given}” is not known; choose one of {known}.",
    ko: "“{given}”(은/는) 지원하지 않는 언어입니다. {known} 중에서 골라 주세요.",
  },
  "cli.bad_flag": {
    en: "The options can not be read: {detail}.",
    ko: "옵션을 읽을 수 없습니다: {detail}.",
  },
  "cli.not_a_number": {
    en: "“--{flag}” takes a number, not “{value}”.",
    ko: "“--{flag}”에는 숫자가 필요합니다. “{value}”(은/는) 숫자가 아닙니다.",
  },
  "cli.too_many_words": {
    en: "“{word}” is one word too many here.",
    ko: "“{word}”(은/는) 여기에 올 수 없습니다.",
  },
  "cli.output_lost": {
    en: "The output could not be written: {detail}",
    ko: "출력을 쓸 수 없습니다: {detail}",
  },
  "cli.output_lost.hint": {
    en: "Check the file or the disk that it is sent to.",
    ko: "출력을 보내는 파일이나 디스크를 확인해 주세요.",
  },
  "cli.no_cwd": {
    en: "The folder you are in does not exist any more.",
    ko: "현재 폴더가 더는 없습니다.",
  },
  "cli.no_cwd.hint": {
    en: "Go to another folder, or name one with --cwd and its full path.",
    ko: "다른 폴더로 옮기거나 --cwd에 전체 경로를 지정해 주세요.",
  },

  "op.bad_input": { en: "“{field}”: {problem}", ko: "“{field}”: {problem}" },
  "op.validate": {
    en: "check stored documents; nothing is written",
    ko: "저장된 문서를 검사합니다. 파일은 바꾸지 않습니다",
  },
  "op.validate.files": {
    en: "files or folders; without any, every document of the project",
    ko: "파일이나 폴더. 생략하면 프로젝트의 모든 문서",
  },
  "op.validate.format": {
    en: "read the files as this format instead of telling by the path",
    ko: "경로로 판단하지 않고 이 형식으로 읽기",
  },
  "op.validate.nothing": {
    en: "No document of Holdfast was found in {where}.",
    ko: "{where}에서 Holdfast 문서를 찾지 못했습니다.",
  },
  "op.validate.nothing.hint": {
    en: "Name a file, or say where the project is with --cwd.",
    ko: "파일을 지정하거나 --cwd로 프로젝트 위치를 알려 주세요.",
  },
  "op.validate.unknown": {
    en: "this path is of no known format; name it with --format ({known})",
    ko: "경로만으로는 형식을 알 수 없습니다. --format으로 지정해 주세요 ({known})",
  },
  "op.schema": { en: "print the JSON Schema of a format", ko: "형식의 JSON Schema를 출력합니다" },
  "op.schema.format": {
    en: "the format; without one, all are listed",
    ko: "형식 이름. 생략하면 목록을 보여 줍니다",
  },
  "op.schema.unknown": { en: "There is no format “{name}”.", ko: "“{name}” 형식은 없습니다." },
  "op.schema.list_hint": {
    en: "“holdfast schema” lists the formats.",
    ko: "“holdfast schema”로 형식 목록을 볼 수 있습니다.",
  },

  "cli.schema.example.list": { en: "all formats and where they lie", ko: "모든 형식과 파일 위치" },
  "cli.schema.example.one": { en: "one schema, for an editor", ko: "편집기에서 쓸 스키마 하나" },
  "cli.validate.example.all": { en: "everything in this project", ko: "이 프로젝트의 모든 문서" },
  "cli.validate.example.files": { en: "these two files", ko: "파일 두 개" },
  "cli.validate.example.format": {
    en: "a draft with a name of its own",
    ko: "이름이 다른 초안 파일",
  },
  "cli.validate.note.exit": {
    en: "Exits 0 when all are valid (a notice is no error), 2 when one is not, 3 when a file is missing.",
    ko: "모두 올바르면 0(알림은 오류가 아닙니다), 잘못된 것이 있으면 2, 파일이 없으면 3으로 끝납니다.",
  },
  "cli.validate.error": { en: "error", ko: "오류" },
  "cli.validate.notice": { en: "notice", ko: "알림" },
  "cli.validate.valid": { en: "{count} valid", ko: "정상 {count}개" },
  "cli.validate.bad": { en: "{count} not valid", ko: "문제 {count}개" },
  "cli.validate.notices": { en: "{count} notice(s)", ko: "알림 {count}개" },

  "file.not_found": { en: "There is no file {path}.", ko: "{path} 파일이 없습니다." },
  "file.not_regular": {
    en: "{path} is not a regular file (a link, folder or device): it is not read.",
    ko: "{path}(은/는) 일반 파일이 아니라(링크, 폴더, 장치) 읽지 않습니다.",
  },
  "file.not_regular.hint": {
    en: "Look what it is, then put a plain file in its place or move it away.",
    ko: "무엇인지 확인하고, 일반 파일로 바꾸거나 다른 곳으로 옮겨 주세요.",
  },
  "file.too_large": {
    en: "{path} is too large: {size} bytes are more than the {max} allowed for it.",
    ko: "{path}(이/가) 너무 큽니다. {size}바이트로, 허용된 {max}바이트를 넘습니다.",
  },
  "file.too_large.hint": {
    en: "Look what was written there, then move it away.",
    ko: "무엇이 쓰였는지 확인하고 다른 곳으로 옮겨 주세요.",
  },
  "file.no_access": {
    en: "{path} may not be read by this user.",
    ko: "{path}(을/를) 읽을 권한이 없습니다.",
  },
  "file.no_access.hint": {
    en: "“ls -ld {path}” shows whose it is; its owner can allow it with chmod.",
    ko: "“ls -ld {path}”(으로/로) 소유자를 확인해 주세요. 소유자가 chmod로 허용할 수 있습니다.",
  },
  "file.unreadable": {
    en: "{path} can not be read ({code}).",
    ko: "{path}(을/를) 읽을 수 없습니다({code}).",
  },
  "cli.group.task": {
    en: "tasks: make one, watch it, answer, review ({count} commands)",
    ko: "작업 만들기, 지켜보기, 답하기, 리뷰하기 (명령 {count}개)",
  },
  "cli.group": {
    en: "holdfast {group} needs one more word.",
    ko: "holdfast {group} 뒤에 명령이 하나 더 필요합니다.",
  },
  "cli.group.hint": { en: "One of: {words}", ko: "쓸 수 있는 명령: {words}" },
  "cli.old_node": {
    en: "Holdfast needs Node {needed} or newer, and this is Node {version}: install a newer one.",
    ko: "Holdfast에는 Node {needed} 이상이 필요하지만 지금은 Node {version}입니다. 더 새로운 버전을 설치하세요.",
  },
  "cli.no_file": { en: "{path} can not be read.", ko: "{path}(을/를) 읽을 수 없습니다." },
} as const satisfies Record<string, Text>;
