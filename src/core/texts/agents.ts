import type { Text } from "../messages.ts";

/** Agent processes: why one can not be started, told, read or removed. */
export const agentTexts = {
  "run.bad_command": {
    en: "An agent can not be started with the command “{command}”.",
    ko: "“{command}” 명령으로는 에이전트를 시작할 수 없습니다.",
  },
  "run.bad_command.hint": {
    en: "Give a program and its arguments; the program's name may not begin with “-”.",
    ko: "프로그램과 인수를 지정해 주세요. 프로그램 이름은 “-”로 시작할 수 없습니다.",
  },
  "run.no_folder": {
    en: "The agent should work in {path}, but there is no such folder.",
    ko: "에이전트가 작업할 {path} 폴더가 없습니다.",
  },
  "run.no_folder.hint": {
    en: "Make the folder, or start the task again with another one.",
    ko: "폴더를 만들거나, 다른 폴더로 작업을 다시 시작해 주세요.",
  },
  "run.cannot_start": {
    en: "The agent's process could not be started: {detail}",
    ko: "에이전트 프로세스를 시작하지 못했습니다: {detail}",
  },
  "run.cannot_start.hint": {
    en: "The machine may be out of processes or memory (“ulimit -u” shows the limit). Try again with fewer agents.",
    ko: "프로세스나 메모리가 모자랄 수 있습니다(“ulimit -u”로 한도를 볼 수 있습니다). 에이전트 수를 줄여 다시 시도해 주세요.",
  },
  "run.folder_open": {
    en: "{path} belongs to another user or may be used by others: no agent is started there.",
    ko: "{path}(이/가) 다른 사용자의 것이거나 다른 사용자도 쓸 수 있어서, 거기서는 에이전트를 시작하지 않습니다.",
  },
  "run.folder_open.hint": {
    en: "Move it away, or set HOLDFAST_HOME to a folder of your own.",
    ko: "다른 곳으로 옮기거나, 자신만 쓰는 폴더를 HOLDFAST_HOME에 지정해 주세요.",
  },
  "run.bad_variable": {
    en: "{name} can not be a variable of an agent's environment, or its value holds a zero byte.",
    ko: "{name}(은/는) 에이전트의 환경 변수로 쓸 수 없거나, 값에 0바이트가 들어 있습니다.",
  },
  "run.bad_variable.hint": {
    en: "A name holds letters, digits and “_”. Change it, then try again.",
    ko: "이름에는 영문자, 숫자, “_”를 씁니다. 고쳐서 다시 시도해 주세요.",
  },
  "run.gone": {
    en: "{path} is not there: the run was never started, or has been removed.",
    ko: "{path}(이/가) 없습니다. 시작한 적이 없거나 이미 지운 실행입니다.",
  },
  "run.gone.hint": {
    en: "“holdfast status” shows which agents there are.",
    ko: "“holdfast status”로 어떤 에이전트가 있는지 볼 수 있습니다.",
  },
  "run.input_gap": {
    en: "{path} has {size} bytes, but the next message belongs at {offset}: something before it is missing.",
    ko: "다음 메시지는 {path}의 {offset}바이트 위치에 써야 하는데 파일은 {size}바이트뿐입니다. 그 앞의 내용이 빠져 있습니다.",
  },
  "run.input_differs": {
    en: "{path} already says something else at {offset}. Nothing was written.",
    ko: "{path}의 {offset}바이트 위치에 이미 다른 내용이 있습니다. 아무것도 쓰지 않았습니다.",
  },
  "run.input_gap.hint": {
    en: "Somebody changed the agent's input. End this agent, so that it is resumed anew.",
    ko: "누군가 에이전트의 입력을 바꿨습니다. 이 에이전트를 끝내고 새 프로세스에서 이어 가게 해 주세요.",
  },
  "run.input_closed": {
    en: "The agent's input {path} is closed: it takes no more messages.",
    ko: "에이전트의 입력 {path}(이/가) 닫혀서 더는 메시지를 받지 않습니다.",
  },
  "run.input_closed.hint": {
    en: "Resume the agent with the message as its prompt.",
    ko: "새 프로세스에서 그 메시지를 프롬프트로 에이전트를 이어 가게 해 주세요.",
  },
  "run.output_shrunk": {
    en: "{path} has {size} bytes, but {offset} had been read before. It was cut or replaced.",
    ko: "{path}(은/는) {size}바이트인데 앞서 {offset}바이트까지 읽었습니다. 파일이 잘렸거나 바뀌었습니다.",
  },
  "run.output_shrunk.hint": {
    en: "What was read before is stored. End this agent, so that it is resumed anew.",
    ko: "앞서 읽은 내용은 저장되어 있습니다. 이 에이전트를 끝내고 새 프로세스에서 이어 가게 해 주세요.",
  },
  "run.elsewhere": {
    en: "{path} is not removed: it is not a folder that Holdfast made for an agent.",
    ko: "{path}(은/는) Holdfast가 에이전트를 위해 만든 폴더가 아니어서 지우지 않았습니다.",
  },
  "run.elsewhere.hint": {
    en: "Such folders lie in “runs” below HOLDFAST_HOME.",
    ko: "그런 폴더는 HOLDFAST_HOME 아래의 “runs”에 있습니다.",
  },
  "run.still_running": {
    en: "{path} is not removed: its agent is still running.",
    ko: "에이전트가 아직 실행 중이어서 {path}(을/를) 지우지 않았습니다.",
  },
  "run.still_running.hint": {
    en: "End the agent first.",
    ko: "먼저 에이전트를 끝내 주세요.",
  },
} as const satisfies Record<string, Text>;
