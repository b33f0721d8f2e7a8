import type { Text } from "../messages.ts";

/** How agents are named and started; the errors of a sample agent's script. */
export const sampleTexts = {
  "adapter.unknown": {
    en: "There is no agent “{agent}”. Known: {known}.",
    ko: "“{agent}” 에이전트는 없습니다. 쓸 수 있는 이름: {known}.",
  },
  "adapter.command": {
    en: "The agent “{agent}” can not be started: {complaint}",
    ko: "“{agent}” 에이전트를 시작할 수 없습니다. {complaint}",
  },
  "adapter.command.hint": {
    en: "Write the program and its arguments, quoted where they hold blanks: command:./agent.sh \"two words\". Where a shell is needed: command:sh -c '…'",
    ko: "프로그램과 인자를 적고, 빈칸이 있으면 따옴표로 묶어 주세요: command:./agent.sh \"두 단어\". 셸이 필요하면 이렇게 적어 주세요: command:sh -c '…'",
  },
  "adapter.command.empty": {
    en: "it names no program.",
    ko: "프로그램 이름이 없습니다.",
  },
  "adapter.command.quote": {
    en: "the quote {sign} at character {place} is never closed.",
    ko: "{place}번째 글자의 따옴표 {sign}(이/가) 닫히지 않았습니다.",
  },
  "adapter.command.backslash": {
    en: "it ends with a backslash that escapes nothing.",
    ko: "마지막 역슬래시 뒤에 글자가 없습니다.",
  },
  "adapter.command.shell": {
    en: "“{sign}” at character {place} means something to a shell, and no shell reads this. Quote it.",
    ko: "{place}번째 글자 “{sign}”(은/는) 셸에서 쓰는 기호인데, 이 명령은 셸을 거치지 않습니다. 따옴표로 묶어 주세요.",
  },

  "sample.unknown_word": {
    en: "Line {line}: “{word}” is no word of the script language. Known: {known}.",
    ko: "{line}번째 줄: “{word}”(은/는) 스크립트에서 쓸 수 없는 낱말입니다. 쓸 수 있는 낱말: {known}.",
  },
  "sample.misspelt_word": {
    en: "Line {line}: “{word}” is no word of the script language. Did you mean “{near}”?",
    ko: "{line}번째 줄: “{word}”(은/는) 스크립트에서 쓸 수 없는 낱말입니다. 혹시 “{near}”인가요?",
  },
  "sample.bad_use": {
    en: "Line {line}: “{word}” is used differently. Write: {usage}",
    ko: "{line}번째 줄: “{word}”의 쓰임이 다릅니다. 이렇게 적어 주세요: {usage}",
  },
  "sample.bad_choice": {
    en: "Line {line}: “{word}” does not know “{value}”. Allowed: {allowed}.",
    ko: "{line}번째 줄: “{word}”에 “{value}”(은/는) 쓸 수 없습니다. 가능한 값: {allowed}.",
  },
  "sample.misspelt_choice": {
    en: "Line {line}: “{word}” does not know “{value}”. Did you mean “{near}”? Allowed: {allowed}.",
    ko: "{line}번째 줄: “{word}”에 “{value}”(은/는) 쓸 수 없습니다. 혹시 “{near}”인가요? 가능한 값: {allowed}.",
  },
  "sample.end_missing": {
    en: "Line {line}: “{word}” is never closed. Write “end” after its last line.",
    ko: "{line}번째 줄: “{word}”(이/가) 닫히지 않았습니다. 마지막 줄 뒤에 “end”를 적어 주세요.",
  },
  "sample.end_stray": {
    en: "Line {line}: “end” closes nothing. Remove it.",
    ko: "{line}번째 줄: “end”로 닫을 블록이 없습니다. 지워 주세요.",
  },
  "sample.on_place": {
    en: "Line {line}: “on feedback” stands right after a “phase”, “done”, “verdict” or “wait”, once.",
    ko: "{line}번째 줄: “on feedback”은 “phase”, “done”, “verdict”, “wait” 바로 뒤에 한 번만 쓸 수 있습니다.",
  },
  "sample.verifier_place": {
    en: "Line {line}: a “verifier” block stands in no other block.",
    ko: "{line}번째 줄: “verifier” 블록은 다른 블록 안에 쓸 수 없습니다.",
  },
  "sample.too_deep": {
    en: "Line {line}: blocks stand in each other more than {most} deep.",
    ko: "{line}번째 줄: 블록을 {most}단계보다 깊이 겹칠 수 없습니다.",
  },
  "sample.too_many_loops": {
    en: "Line {line}: at most {most} “repeat” may stand in each other.",
    ko: "{line}번째 줄: “repeat”은 {most}단계까지만 겹칠 수 있습니다.",
  },
  "sample.outside": {
    en: "“{path}” lies outside the working folder, or behind a link. The sample agent writes only below it.",
    ko: "“{path}”(은/는) 작업 폴더 밖이거나 링크 너머에 있습니다. 샘플 에이전트는 작업 폴더 안에만 씁니다.",
  },
  "sample.bad_session": {
    en: "“{id}” can not be a session: letters, digits, “_”, “.” and “-”, at most 200.",
    ko: "“{id}”(은/는) 세션 이름으로 쓸 수 없습니다. 영문자, 숫자, “_”, “.”, “-”로 200자까지 적어 주세요.",
  },
  "sample.broken_session": {
    en: "The sample agent's session can not be read: {path}. Remove the file to start over.",
    ko: "샘플 에이전트의 세션을 읽을 수 없습니다: {path}. 처음부터 시작하려면 파일을 지워 주세요.",
  },
  "sample.broken_plan": {
    en: "The script in the sample agent's session is from another version. Start a new session.",
    ko: "샘플 에이전트 세션의 스크립트가 다른 버전의 것입니다. 새 세션을 시작해 주세요.",
  },
  "sample.lines": { en: "{first}\n{next}", ko: "{first}\n{next}" },
  "sample.no_script": {
    en: "The script can not be read: {path}",
    ko: "스크립트를 읽을 수 없습니다: {path}",
  },
  "sample.arguments": {
    en: "Usage: sample-agent [--script FILE]",
    ko: "사용법: sample-agent [--script 파일]",
  },
} as const satisfies Record<string, Text>;
