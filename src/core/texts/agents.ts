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

  "adapter.missing": {
    en: "The agent “{agent}” is not on this machine.",
    ko: "이 컴퓨터에 “{agent}” 에이전트가 없습니다.",
  },
  "adapter.no_program": {
    en: "The agent's program “{program}” is not on this machine.",
    ko: "이 컴퓨터에 에이전트 프로그램 “{program}” 파일이 없습니다.",
  },
  "adapter.no_program.hint": {
    en: "Give its absolute path, a path from the project's root (command:./agent.sh), or a name on PATH.",
    ko: "절대 경로, 프로젝트 루트에서 시작하는 경로(command:./agent.sh) 또는 PATH에 있는 이름을 적어 주세요.",
  },
  "adapter.claude.refused": {
    en: "A person refused this.",
    ko: "사람이 거절했습니다.",
  },
  "adapter.claude.protocol": {
    en: `Your work is a task of Holdfast; nobody watches your terminal. Holdfast reads these blocks in your own words. Each tag stands alone on its line, not indented and not in a code fence.

A decision that is a person's to make (category: business, clarification, choice or confirmation; options only where there are some):
[USER_QUESTION{mark}]
category: choice
question: Which database?
options:
- SQLite
- PostgreSQL
required: true
[/USER_QUESTION]

Something that only a person can give you (type: api_key, env_variable, service, file, permission or package):
[DEPENDENCY_REQUEST{mark}]
type: api_key
name: NAME_OF_THE_VARIABLE
description: What it is for
required: true
[/DEPENDENCY_REQUEST]

After either, end your turn: the answer comes as your next message, a value as an environment variable of that name. What makes it impossible to go on:
[ERROR{mark}] type: fatal, message: why

How to say that a phase is complete stands in its prompt.`,
    ko: `지금 하는 일은 Holdfast의 작업이며, 터미널을 지켜보는 사람은 없습니다. Holdfast는 직접 쓴 글에서 다음 블록을 읽습니다. 태그는 들여쓰기나 코드 블록 없이 한 줄에 하나만 적습니다.

사람이 결정할 일(category: business, clarification, choice, confirmation 중 하나, options는 있을 때만):
[USER_QUESTION{mark}]
category: choice
question: 어느 데이터베이스를 쓸까요?
options:
- SQLite
- PostgreSQL
required: true
[/USER_QUESTION]

사람만 줄 수 있는 것(type: api_key, env_variable, service, file, permission, package 중 하나):
[DEPENDENCY_REQUEST{mark}]
type: api_key
name: NAME_OF_THE_VARIABLE
description: 쓰임새
required: true
[/DEPENDENCY_REQUEST]

둘 중 하나를 적은 뒤에는 차례를 마칩니다. 답은 다음 메시지로, 값은 그 이름의 환경 변수로 옵니다. 계속할 수 없게 된 까닭:
[ERROR{mark}] type: fatal, message: 까닭

단계를 마쳤다고 알리는 방법은 그 단계의 프롬프트에 있습니다.`,
  },
  "adapter.claude.strict": {
    en: "A block counts only with the token {token} in its opening line, as shown; a completion likewise: === PHASE 1 COMPLETE {token} ===, === CUSTOM TASK COMPLETE {token} ===, === VERIFICATION_RESULT {token} ===. Write the token nowhere else.",
    ko: "블록은 위와 같이 여는 줄에 토큰 {token}(이/가) 있어야 인정됩니다. 완료를 알리는 줄도 마찬가지입니다: === PHASE 1 COMPLETE {token} ===, === CUSTOM TASK COMPLETE {token} ===, === VERIFICATION_RESULT {token} ===. 토큰을 다른 곳에는 적지 마세요.",
  },
  "agent.none": {
    en: "No agent is configured for this project. Nothing was started.",
    ko: "이 프로젝트에 설정된 에이전트가 없어 아무것도 시작하지 않았습니다.",
  },
  "agent.choose": {
    en: "Found on this machine: {list}. Choose one with “--agent NAME” (in the API: “agent”), or set “agent: NAME” in holdfast.yaml. “--agent sample” is for trying things out: it plays a script and does no real work.",
    ko: "이 컴퓨터에서 찾은 에이전트: {list}. “--agent 이름”(API에서는 “agent”)으로 고르거나 holdfast.yaml에 “agent: 이름”을 적어 주세요. “--agent sample”은 시험용으로, 스크립트를 재생할 뿐 실제 작업은 하지 않습니다.",
  },
  "agent.choose.none_found": {
    en: "No agent was found on this machine; “holdfast agents” says how to install one. Then choose it with “--agent NAME” (in the API: “agent”), or set “agent: NAME” in holdfast.yaml. “--agent sample” is for trying things out: it plays a script and does no real work.",
    ko: "이 컴퓨터에서 에이전트를 찾지 못했습니다. 설치 방법은 “holdfast agents”로 볼 수 있습니다. 설치한 뒤 “--agent 이름”(API에서는 “agent”)으로 고르거나 holdfast.yaml에 “agent: 이름”을 적어 주세요. “--agent sample”은 시험용으로, 스크립트를 재생할 뿐 실제 작업은 하지 않습니다.",
  },
  "agent.found": { en: "{name} {version}", ko: "{name} {version}" },
  "agent.found.unusable": {
    en: "{name} (cannot be used)",
    ko: "{name}(사용할 수 없음)",
  },
  "agent.list": { en: "{first}, {rest}", ko: "{first}, {rest}" },
  "agent.hints": { en: "{first} {rest}", ko: "{first} {rest}" },
  "agent.works": { en: "Agent: {agent}", ko: "에이전트: {agent}" },
  "agent.lands": { en: "Lands on branch: {onto}", ko: "병합될 브랜치: {onto}" },
  "agent.works.sample": {
    en: "Agent: sample (plays a script and does no real work)",
    ko: "에이전트: sample(스크립트를 재생하는 시험용이며 실제 작업은 하지 않음)",
  },
  "op.agents": {
    en: "show which coding agents are on this machine and can be used",
    ko: "이 컴퓨터에 있는 코딩 에이전트와 쓸 수 있는지를 표시",
  },
  "cli.agents.example": {
    en: "what is found, which version, and what to do about the rest",
    ko: "찾은 에이전트와 버전, 나머지를 쓰는 방법을 봅니다",
  },
  "cli.agents.example.json": {
    en: "the same for a program",
    ko: "같은 내용을 프로그램용으로 봅니다",
  },
  "agents.usable": {
    en: "Ready: give it a task with “--agent {name}”, or set “agent: {name}” in holdfast.yaml.",
    ko: "쓸 수 있습니다. “--agent {name}” 옵션으로 작업을 맡기거나 holdfast.yaml에 “agent: {name}” 설정을 적어 주세요.",
  },
  "agents.sample": {
    en: "Built in: plays scripts, needs no login and no network. Everything can be tried with it.",
    ko: "내장 에이전트입니다. 스크립트를 그대로 실행하며 로그인도 네트워크도 필요 없습니다. 모든 기능을 시험해 볼 수 있습니다.",
  },
  "agents.missing": {
    en: "Not found.",
    ko: "찾지 못했습니다.",
  },
  "agents.no_program": {
    en: "{setting} says {path}, where no program lies.",
    ko: "{setting}에 지정된 {path}에는 실행할 프로그램이 없습니다.",
  },
  "agents.no_program.hint": {
    en: "Set {setting} to the program's absolute path, or unset it so that PATH is searched.",
    ko: "{setting}에 프로그램의 절대 경로를 지정하거나, 지정을 없애 PATH에서 찾게 해 주세요.",
  },
  "agents.broken": {
    en: "Found, but it does not run: {problem}",
    ko: "찾았지만 실행되지 않습니다: {problem}",
  },
  "agents.broken.hint": {
    en: "Run “{path} --version” yourself; installing it again usually helps.",
    ko: "“{path} --version”을 직접 실행해 보세요. 보통은 다시 설치하면 해결됩니다.",
  },
  "agents.not_yet": {
    en: "Found, but Holdfast can not drive it yet.",
    ko: "찾았지만 Holdfast가 아직 직접 다루지 못합니다.",
  },
  "agents.not_yet.hint": {
    en: "Any program that prints the markers of docs/protocol.md can be used: --agent 'command:./agent.sh'.",
    ko: "docs/protocol.md의 마커를 출력하는 프로그램이면 무엇이든 쓸 수 있습니다: --agent 'command:./agent.sh'.",
  },
  "agents.none": {
    en: "None of these can be used yet. To try things out without one, name the sample agent: --agent sample.",
    ko: "아직 쓸 수 있는 것이 없습니다. 에이전트 없이 시험해 보려면 내장 에이전트를 지정하세요: --agent sample.",
  },
  "agents.codex.get": {
    en: "Install Codex (npm install -g @openai/codex), run “codex” once to log in. If it lies elsewhere, set HOLDFAST_CODEX to its path.",
    ko: "Codex를 설치하고(npm install -g @openai/codex) “codex”를 한 번 실행해 로그인해 주세요. 다른 곳에 있다면 HOLDFAST_CODEX에 경로를 지정해 주세요.",
  },
  "agents.gemini.get": {
    en: "Install the Gemini CLI (npm install -g @google/gemini-cli), run “gemini” once to log in. If it lies elsewhere, set HOLDFAST_GEMINI to its path.",
    ko: "Gemini CLI를 설치하고(npm install -g @google/gemini-cli) “gemini”를 한 번 실행해 로그인해 주세요. 다른 곳에 있다면 HOLDFAST_GEMINI에 경로를 지정해 주세요.",
  },
  "agents.opencode.get": {
    en: "Install opencode (npm install -g opencode-ai), run “opencode auth login” once. If it lies elsewhere, set HOLDFAST_OPENCODE to its path.",
    ko: "opencode를 설치하고(npm install -g opencode-ai) “opencode auth login”을 한 번 실행해 주세요. 다른 곳에 있다면 HOLDFAST_OPENCODE에 경로를 지정해 주세요.",
  },
  "agents.claude.get": {
    en: "Install Claude Code (npm install -g @anthropic-ai/claude-code), run “claude” once to log in, then try again. If it lies elsewhere, set HOLDFAST_CLAUDE to its path.",
    ko: "Claude Code를 설치하고(npm install -g @anthropic-ai/claude-code) “claude”를 한 번 실행해 로그인한 뒤 다시 시도해 주세요. 다른 곳에 있다면 HOLDFAST_CLAUDE에 경로를 지정해 주세요.",
  },
} as const satisfies Record<string, Text>;
