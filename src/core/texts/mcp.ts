// For agents: the tools and commands by which one works in its own session or its own run.
import type { Text } from "../messages.ts";

export const mcpTexts = {
  "op.mcp": {
    en: "serve Holdfast's tools to an agent over MCP, on the standard streams",
    ko: "표준 입출력의 MCP로 에이전트에게 Holdfast의 도구를 제공합니다",
  },
  "cli.mcp.example.claude": {
    en: "give them to Claude Code without the plugin",
    ko: "플러그인 없이 Claude Code에 연결",
  },
  "cli.mcp.example.cwd": { en: "for another project", ko: "다른 프로젝트에 대해" },
  "mcp.about.session": {
    en: "Holdfast keeps the state of this project's work; you never write its state files. “state” says where the work stands, “next” what to do now, “report” tells what you did. What you report is checked before it counts.",
    ko: "Holdfast가 이 프로젝트의 작업 상태를 보관하므로 상태 파일을 직접 쓰지 마세요. “state”는 현재 상황, “next”는 지금 할 일, “report”는 한 일을 알립니다. 보고한 내용은 검증된 뒤에만 반영됩니다.",
  },
  "mcp.about.run": {
    en: "You work on one task for Holdfast, and these tools act on that task alone. “next” says what to do now (also after your context was compacted), “phase_complete” claims a phase, “ask_user” and “request_dependency” reach a person. What you claim is checked before it counts. Do not print the same as a marker as well.",
    ko: "Holdfast의 작업 하나를 맡고 있으며, 이 도구들은 그 작업에만 작용합니다. “next”는 지금 할 일을 알려 주고(컨텍스트가 압축된 뒤에도), “phase_complete”는 단계 완료를 주장하며, “ask_user”와 “request_dependency”는 사람에게 전달됩니다. 주장한 내용은 검증된 뒤에만 반영됩니다. 같은 내용을 마커로 다시 출력하지 마세요.",
  },
  "mcp.unknown_tool": {
    en: "There is no tool “{name}” here.",
    ko: "여기에 “{name}” 도구는 없습니다.",
  },
  "mcp.unknown_tool.hint": { en: "Tools: {known}.", ko: "도구: {known}" },
  "mcp.mend": {
    en: "Mend this field and call the tool again.",
    ko: "이 필드를 고쳐서 도구를 다시 호출하세요.",
  },

  "page.mcp": {
    en: "Tools for agents (Model Context Protocol, streamable HTTP)",
    ko: "에이전트용 도구 (Model Context Protocol, streamable HTTP)",
  },

  "op.next": {
    en: "what an agent in a session is to do now: READY:…, WAIT, ALL_DONE or ERROR:…, and the instructions",
    ko: "세션의 에이전트가 지금 할 일: READY:…, WAIT, ALL_DONE, ERROR:…, 그리고 지시 내용",
  },
  "op.next.workflow": {
    en: "the workflow, for example create_app; in a run it is the run's own",
    ko: "워크플로, 예: create_app. 실행 안에서는 그 실행의 워크플로",
  },
  "op.report": {
    en: "tell what an agent in a session did, in one line: DONE:1 or FAIL:1:reason; it is checked",
    ko: "세션의 에이전트가 한 일을 한 줄로 보고합니다: DONE:1 또는 FAIL:1:이유. 보고는 검증됩니다",
  },
  "op.report.line": {
    en: "DONE:<phase>, or FAIL:<phase>:<reason> to give up",
    ko: "DONE:<단계>, 또는 포기할 때 FAIL:<단계>:<이유>",
  },
  "cli.next.example.run": { en: "in an agent's own run", ko: "에이전트 자신의 실행 안에서" },
  "cli.next.example.named": { en: "of a named workflow", ko: "워크플로를 지정해서" },
  "cli.report.example.done": { en: "claim phase 1", ko: "1단계 완료를 주장" },
  "cli.report.example.fail": { en: "give up, with the reason", ko: "이유를 밝히고 포기" },
  "report.bad_line": {
    en: "“{line}” is not a report.",
    ko: "“{line}”(은/는) 보고 형식이 아닙니다.",
  },
  "report.bad_line.hint": {
    en: "Write DONE:<phase>, for example DONE:1, or FAIL:<phase>:<reason>.",
    ko: "DONE:<단계>(예: DONE:1) 또는 FAIL:<단계>:<이유>로 쓰세요.",
  },
  "session.unnamed": {
    en: "Which workflow? These can be asked: {known}.",
    ko: "어느 워크플로인가요? 물을 수 있는 워크플로: {known}",
  },
  "session.unknown": {
    en: "“{workflow}” can not be worked through with next and report; these can: {known}.",
    ko: "“{workflow}”(은/는) next와 report로 진행할 수 없습니다. 가능한 워크플로: {known}",
  },
  "session.other": {
    en: "This run works on {own}, not on {workflow}.",
    ko: "이 실행은 {workflow}(이/가) 아니라 {own} 작업을 하고 있습니다.",
  },
  "session.other.hint": {
    en: "Name {own}, or no workflow at all.",
    ko: "{own}(을/를) 지정하거나 워크플로를 생략하세요.",
  },
  "next.work": {
    en: "Phase {phase} of {phases} is to be worked on. When it is done, claim it.",
    ko: "전체 {phases}단계 중 {phase}단계를 진행할 차례입니다. 끝나면 완료를 알리세요.",
  },
  "next.wait": {
    en: "Nothing is to be done now ({why}). You will be told when it goes on; end your turn.",
    ko: "지금은 할 일이 없습니다({why}). 이어서 진행할 때 알려 드리니 차례를 마치세요.",
  },
  "next.done": { en: "All is done.", ko: "모두 끝났습니다." },
  "next.failed": { en: "The task has failed.", ko: "작업이 실패했습니다." },
  "next.missing": { en: "Not there yet: {files}", ko: "아직 없는 파일: {files}" },

  "cli.group.agent": {
    en: "for an agent that Holdfast started: its own task ({count} commands)",
    ko: "Holdfast가 시작한 에이전트용: 자기 작업 (명령 {count}개)",
  },
  "op.agent.state": {
    en: "where your own task stands: phase, declared files, what waits, names of provided variables",
    ko: "자기 작업의 상황: 단계, 선언된 파일, 대기 중인 것, 제공된 변수의 이름",
  },
  "op.agent.ask": {
    en: "ask the person behind your task; the answer comes as a message, so end your turn then",
    ko: "작업을 맡긴 사람에게 질문합니다. 답은 메시지로 오므로 질문 뒤에는 차례를 마치세요",
  },
  "op.agent.need": {
    en: "ask for what only a person can provide (a key, a file); it comes as an environment variable",
    ko: "사람만 제공할 수 있는 것(키, 파일)을 요청합니다. 환경 변수로 제공됩니다",
  },
  "op.agent.done": {
    en: "claim that the current phase is complete; the declared files and its checks are looked at",
    ko: "현재 단계가 완료되었다고 알립니다. 선언된 파일과 검증 명령을 확인합니다",
  },
  "op.agent.progress": {
    en: "tell people in a sentence how it goes",
    ko: "진행 상황을 사람에게 한 문장으로 알립니다",
  },
  "op.agent.question": { en: "what you ask", ko: "질문" },
  "op.agent.options": { en: "answers to choose from", ko: "고를 수 있는 답" },
  "op.agent.category": { en: "what kind of question it is", ko: "질문의 종류" },
  "op.agent.default": {
    en: "what is taken if nobody says otherwise",
    ko: "따로 정하지 않으면 쓰는 값",
  },
  "op.agent.optional": { en: "you can go on without it", ko: "없어도 계속할 수 있음" },
  "op.agent.type": { en: "what kind of thing you need", ko: "필요한 것의 종류" },
  "op.agent.name": {
    en: "its name, which is the variable's: STRIPE_KEY",
    ko: "이름이자 변수 이름: STRIPE_KEY",
  },
  "op.agent.description": {
    en: "what it is for, for the person",
    ko: "무엇에 쓰는지 사람에게 설명",
  },
  "op.agent.phase": { en: "the number of the phase, from 1", ko: "단계 번호(1부터)" },
  "op.agent.files": { en: "files you made, below the workspace", ko: "만든 파일(작업 폴더 기준)" },
  "op.agent.summary": { en: "what was done, in a sentence or two", ko: "한 일을 한두 문장으로" },
  "op.agent.note": { en: "what people should know", ko: "사람이 알아야 할 내용" },
  "cli.agent.example.state": { en: "for a program", ko: "프로그램용" },
  "cli.agent.example.ask": { en: "with answers to choose from", ko: "고를 답과 함께" },
  "cli.agent.example.need": { en: "a key that a person provides", ko: "사람이 제공하는 키" },
  "cli.agent.example.done": { en: "claim phase 1", ko: "1단계 완료를 주장" },
  "cli.agent.example.progress": { en: "a word on how it goes", ko: "진행 상황 한마디" },

  "run.waits_for_itself": {
    en: "This call comes from an agent of {task}, which can not end before its agents do: to wait for it here would never end.",
    ko: "{task}에 속한 에이전트가 호출했습니다. 작업은 소속 에이전트가 끝나야 끝나므로 여기서 기다리면 영영 끝나지 않습니다.",
  },
  "run.waits_for_itself.hint": {
    en: "Finish your own part and say so; “holdfast status” shows where the whole stands.",
    ko: "맡은 부분을 마치고 알려 주세요. 전체 진행 상황은 “holdfast status”로 볼 수 있습니다.",
  },
  "run.none": {
    en: "This is for an agent that Holdfast started, about its own task.",
    ko: "Holdfast가 시작한 에이전트가 자기 작업에 대해 쓰는 명령입니다.",
  },
  "run.none.hint": {
    en: "Anybody else: “holdfast task …”, and “holdfast task create --submit” to have one started.",
    ko: "그 밖의 경우에는 “holdfast task …”를 쓰고, “holdfast task create --submit”으로 작업을 시작하세요.",
  },
  "run.unproven": {
    en: "This call does not show that it comes from the run it names.",
    ko: "이 호출이 해당 실행에서 왔다는 증명이 없습니다.",
  },
  "run.unproven.hint": {
    en: "Keep HOLDFAST_RUN, HOLDFAST_RUN_TOKEN and HOLDFAST_HOME as they were given to you.",
    ko: "HOLDFAST_RUN, HOLDFAST_RUN_TOKEN, HOLDFAST_HOME을 받은 그대로 두세요.",
  },
  "run.replaced": {
    en: "This run is over: nothing it says counts any more.",
    ko: "이 실행은 끝났으므로 더는 반영되지 않습니다.",
  },
  "run.replaced.hint": {
    en: "End here; another process goes on with the task.",
    ko: "여기서 마치세요. 다른 프로세스가 작업을 이어 갑니다.",
  },
  "run.told.now": { en: "Taken.", ko: "반영했습니다." },
  "run.told.before": {
    en: "You have said so already; it counts once.",
    ko: "이미 알린 내용이며 한 번만 반영됩니다.",
  },
  "run.told.later": {
    en: "Written down; it is taken when you go on. End your turn.",
    ko: "기록했습니다. 다시 진행할 때 반영되니 차례를 마치세요.",
  },
  "run.told.queued": {
    en: "Written down; Holdfast is not running now and takes it when it is back. End your turn.",
    ko: "기록했습니다. 지금은 Holdfast가 실행 중이 아니며, 다시 시작하면 반영됩니다. 차례를 마치세요.",
  },
  "run.told.question": {
    en: "Asked. The answer comes as a message; end your turn.",
    ko: "질문을 전달했습니다. 답은 메시지로 오니 차례를 마치세요.",
  },
  "run.told.dependency": {
    en: "Asked for. You go on in a new process that has it in its environment; end your turn.",
    ko: "요청을 전달했습니다. 값이 환경 변수로 든 새 프로세스에서 이어 가니 차례를 마치세요.",
  },
  "run.told.claimed": {
    en: "Claimed. It is checked, then a person looks at it; what follows comes as a message. End your turn.",
    ko: "완료를 접수했습니다. 검증한 뒤 사람이 확인하며, 다음 내용은 메시지로 옵니다. 차례를 마치세요.",
  },
  "claim.refused_now": { en: "{feedback}", ko: "{feedback}" },
} as const satisfies Record<string, Text>;
