import type { Text } from "../messages.ts";

/** What `init` says, and the settings file it writes. */
export const initTexts = {
  "op.init": {
    en: "set a project up: its settings file, and what git should not see",
    ko: "프로젝트를 준비합니다. 설정 파일을 만들고 git에서 뺄 파일을 알려 줍니다",
  },
  "op.init.gitignore": {
    en: "add the lines to .gitignore instead of showing them",
    ko: "보여 주기만 하지 않고 .gitignore에 직접 추가",
  },
  "cli.init.example.plain": {
    en: "make holdfast.yaml, show the lines for .gitignore",
    ko: "holdfast.yaml을 만들고 .gitignore에 넣을 줄 보기",
  },
  "cli.init.example.gitignore": { en: "add those lines too", ko: "그 줄까지 추가" },
  "init.made": {
    en: "Made {path}. It uses the agent that was found here, {agent}; every other setting is a comment until you want it.",
    ko: "{path}(을/를) 만들었습니다. 이 컴퓨터에서 찾은 {agent} 에이전트를 쓰며, 다른 설정은 필요할 때까지 주석으로 되어 있습니다.",
  },
  "init.made.no_agent": {
    en: "Made {path}. No usable agent was found on this machine, so none is set: “holdfast agents” says how to get one, then write “agent: NAME” there. Every setting is a comment until you want it.",
    ko: "{path}(을/를) 만들었습니다. 이 컴퓨터에서 쓸 수 있는 에이전트를 찾지 못해 설정하지 않았습니다. “holdfast agents”로 설치 방법을 확인한 뒤 이 파일에 “agent: 이름”을 적어 주세요. 모든 설정은 필요할 때까지 주석으로 되어 있습니다.",
  },
  "init.agent": { en: "agent: {agent}", ko: "agent: {agent}" },
  "init.agent.none": {
    en: "# No usable one was found when this file was made. “holdfast agents” says how to get one.\n# agent: claude",
    ko: "# 이 파일을 만들 때 쓸 수 있는 에이전트를 찾지 못했습니다. “holdfast agents”로 설치 방법을 볼 수 있습니다.\n# agent: claude",
  },
  "init.kept": {
    en: "{path} is there already and was left as it is.",
    ko: "{path}(이/가) 이미 있어서 그대로 두었습니다.",
  },
  "init.ignored": {
    en: "Added Holdfast's working files to {path}.",
    ko: "Holdfast 작업 파일을 {path}에 추가했습니다.",
  },
  "init.ignored_already": {
    en: "{path} has all the lines it needs.",
    ko: "{path}에 필요한 줄이 모두 있습니다.",
  },
  "init.offer": {
    en: "These lines belong into {path} (“holdfast init --gitignore” adds them):",
    ko: "{path}에 넣으면 좋은 줄입니다(“holdfast init --gitignore”로 추가할 수 있습니다):",
  },
  "init.settings": {
    en: `# Holdfast's settings for this project. All but the version may be left out.
# “holdfast schema project-settings” prints the whole format, for your editor.
version: 1

# Language of questions and notifications: en or ko. Without it, the locale's.
# language: en

# Run once in each new workspace.
# setup: npm ci

# Run before a phase is merged.
# commands:
#   test: npm test
#   build: npm run build

# The agent where a task names none, and how many work at once. Without it nothing starts unless a
# task names one (“--agent NAME”); “holdfast agents” shows those on this machine.
{agent}
# slots: 4

# What an agent may do without asking: read-only, edits or everything.
# permissions: edits

# Who judges each phase of create_app, modify_app and workflow before you review it: the task's own
# agent unless another is named. “enabled: false” turns it off.
# verifier:
#   enabled: true
#   agent: claude

# Hard limits. Above them nothing new starts, and you are asked.
# budgets:
#   task:
#     cost_usd: 5
#   day:
#     cost_usd: 50

# How long output, snapshots and trees of ended tasks are kept, and how much in all. It is told a day
# before anything goes; “holdfast task kept” shows what and when.
# retention:
#   days: 30
#   gigabytes: 20

# Below so much free space nothing new starts and agents stand still until there is room.
# disk:
#   floor_megabytes: 512

# Agents that wait stay frozen in memory, so many and so long; then they are ended, and resumed later.
# frozen:
#   most: 10
#   end_after_minutes: 30

# How long an agent's memory keeps a cache entry that is not written again.
# memory:
#   cache_days: 30

# A marker in an agent's output counts only with the token that its process was given.
# strict_markers: true

# develop:
#   checkpoints: docs/develop/checkpoints.yaml

# orchestrate:
#   tasks: TASKS.md
#   mode: normal    # asks a person after each phase; without it: ultra-thin, which does not
`,
    ko: `# 이 프로젝트의 Holdfast 설정입니다. version 말고는 모두 생략할 수 있습니다.
# 전체 형식은 “holdfast schema project-settings”로 볼 수 있습니다(편집기용).
version: 1

# 질문과 알림의 언어: en 또는 ko. 없으면 로캘을 따릅니다.
# language: ko

# 새 작업 공간마다 한 번 실행합니다.
# setup: npm ci

# 단계를 병합하기 전에 실행합니다.
# commands:
#   test: npm test
#   build: npm run build

# 작업에 지정이 없을 때 쓸 에이전트와 동시에 일할 에이전트 수입니다. 설정이 없으면 작업마다
# 지정(“--agent 이름”)해야 시작합니다. “holdfast agents”로 이 컴퓨터의 에이전트를 볼 수 있습니다.
{agent}
# slots: 4

# 에이전트가 묻지 않고 할 수 있는 일: read-only, edits, everything.
# permissions: edits

# create_app, modify_app, workflow의 단계마다 리뷰 전에 결과를 검증할 에이전트입니다. 지정하지 않으면
# 작업을 맡은 에이전트가 검증합니다. “enabled: false”로 끌 수 있습니다.
# verifier:
#   enabled: true
#   agent: claude

# 넘을 수 없는 한도입니다. 넘으면 새 작업을 시작하지 않고 물어봅니다.
# budgets:
#   task:
#     cost_usd: 5
#   day:
#     cost_usd: 50

# 끝난 작업의 출력, 스냅숏, 작업 트리를 보관하는 기간과 전체 용량입니다. 지우기 하루 전에 알려 주고,
# “holdfast task kept”로 대상과 날짜를 볼 수 있습니다.
# retention:
#   days: 30
#   gigabytes: 20

# 남은 공간이 이보다 적으면 새로 시작하지 않고, 공간이 생길 때까지 에이전트를 멈춰 둡니다.
# disk:
#   floor_megabytes: 512

# 기다리는 에이전트를 메모리에 멈춰 두는 수와 시간입니다. 넘으면 끝냈다가 필요할 때 이어서 합니다.
# frozen:
#   most: 10
#   end_after_minutes: 30

# 에이전트 메모리의 캐시 항목을 다시 쓰지 않을 때 보관하는 기간입니다.
# memory:
#   cache_days: 30

# 프로세스마다 준 토큰이 있는 마커만 인정합니다.
# strict_markers: true

# develop:
#   checkpoints: docs/develop/checkpoints.yaml

# orchestrate:
#   tasks: TASKS.md
#   mode: normal    # 단계가 끝날 때마다 사람에게 묻습니다. 없으면 묻지 않는 ultra-thin입니다
`,
  },
} as const satisfies Record<string, Text>;
