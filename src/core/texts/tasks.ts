// Tasks at the doors: what is missing, unknown or refused, and what each operation is for.
import type { Text } from "../messages.ts";

export const taskTexts = {
  "task.unknown": { en: "There is no task {id}.", ko: "{id}라는 작업이 없습니다." },
  "task.unknown.hint": {
    en: "holdfast task list shows all tasks.",
    ko: "holdfast task list로 작업 목록을 볼 수 있습니다.",
  },
  "task.unknown_project": {
    en: "Holdfast knows no project “{name}”.",
    ko: "Holdfast가 아는 프로젝트 중에 “{name}”(은/는) 없습니다.",
  },
  "task.unknown_project.hint": {
    en: "holdfast task projects shows them all. A new one becomes known by holdfast init in its folder.",
    ko: "holdfast task projects로 목록을 볼 수 있습니다. 새 프로젝트는 그 폴더에서 holdfast init을 실행하면 등록됩니다.",
  },
  "task.unknown_type": {
    en: "There is no task type “{name}”. Known: {known}.",
    ko: "“{name}”(이)라는 작업 유형이 없습니다. 있는 유형: {known}",
  },
  "task.waits_for_itself": {
    en: "{id} would wait for itself: its dependencies lead back to it.",
    ko: "{id}(이/가) 자기 자신을 기다리게 됩니다. 의존성이 돌아서 다시 이어집니다.",
  },
  "task.no_review": { en: "{id} has no open review.", ko: "{id}에 열린 리뷰가 없습니다." },
  "task.no_question": { en: "{id} has no open question.", ko: "{id}에 열린 질문이 없습니다." },
  "task.no_dependency": {
    en: "{id} waits for no dependency.",
    ko: "{id}(은/는) 기다리는 의존성이 없습니다.",
  },
  "task.several_open": {
    en: "Several are open: say which one ({ids}).",
    ko: "열린 것이 여러 개입니다. 어느 것인지 정하세요({ids}).",
  },
  "task.refused": { en: "That is not possible now.", ko: "지금은 할 수 없습니다." },
  "task.allowed": { en: "Allowed now: {allowed}.", ko: "지금 할 수 있는 것: {allowed}" },
  "task.no_agent": {
    en: "{id} has no agent yet: it has not been started.",
    ko: "{id}에는 아직 에이전트가 없습니다. 시작되지 않은 작업입니다.",
  },
  "task.no_snapshot": { en: "{id} has no snapshot yet.", ko: "{id}에는 아직 스냅숏이 없습니다." },
  "task.unknown_snapshot": {
    en: "{id} has no snapshot {snapshot}.",
    ko: "{id}에 {snapshot}(이)라는 스냅숏이 없습니다.",
  },
  "task.snapshots.hint": {
    en: "holdfast task snapshots {id} lists them.",
    ko: "holdfast task snapshots {id} 명령으로 목록을 볼 수 있습니다.",
  },
  "task.no_process": {
    en: "{id} has no process {process}.",
    ko: "{id}에 {process}(이)라는 프로세스가 없습니다.",
  },
  "task.files_removed": {
    en: "Output, snapshots and files of {id} were removed on {at}: they are kept for a while after a task's end, not for ever.",
    ko: "{id}의 출력, 스냅숏, 파일은 {at}에 지웠습니다. 작업이 끝난 뒤 정해진 동안만 보관합니다.",
  },
  "task.files_removed.hint": {
    en: "retention in holdfast.yaml says how long. The journal and the result's branch in the project are still there.",
    ko: "보관 기간은 holdfast.yaml의 retention에서 정합니다. 기록과 프로젝트에 만든 결과 브랜치는 그대로 있습니다.",
  },
  "task.no_zip": {
    en: "{id} has nothing yet that was approved and could be a ZIP.",
    ko: "{id}에는 ZIP으로 받을 승인된 산출물이 아직 없습니다.",
  },
  "task.no_zip.hint": {
    en: "Ask again when the task is completed.",
    ko: "작업이 완료된 뒤에 다시 요청하세요.",
  },
  "op.task.review": { en: "Show what is under review", ko: "리뷰 중인 내용 보기" },
  "op.task.output": { en: "A piece of an agent's output", ko: "에이전트 출력의 일부" },
  "op.task.process": {
    en: "Of which process; the newest if left out",
    ko: "프로세스 ID(없으면 최신)",
  },
  "op.task.offset": { en: "From which byte", ko: "시작 바이트" },
  "op.task.bytes": { en: "How many bytes at most", ko: "최대 바이트 수" },
  "project.unknown": { en: "There is no project {id}.", ko: "{id}라는 프로젝트가 없습니다." },
  "project.gone": {
    en: "The project's folder {root} is not there any more, or may not be looked at.",
    ko: "프로젝트 폴더 {root}(이/가) 더는 없거나 볼 수 없습니다.",
  },
  "project.gone.hint": {
    en: "Bring it back, or run holdfast doctor --fix where it is now: a running server notices by itself.",
    ko: "폴더를 되돌려 놓거나 옮긴 곳에서 holdfast doctor --fix를 실행하세요. 실행 중인 서버도 곧 알아차립니다.",
  },
  "project.bad_settings": {
    en: "{path} can not be used: {problem}",
    ko: "{path}(을/를) 쓸 수 없습니다: {problem}",
  },
  "project.bad_settings.hint": {
    en: "holdfast validate names every mistake in it.",
    ko: "holdfast validate로 잘못된 곳을 모두 볼 수 있습니다.",
  },
  "op.task.create": { en: "Create a task", ko: "작업 만들기" },
  "op.task.list": { en: "List tasks", ko: "작업 목록 보기" },
  "op.task.show": {
    en: "Show a task and what it waits for",
    ko: "작업과 작업이 기다리는 것 보기",
  },
  "op.task.agent": { en: "Show the agent of a task", ko: "작업의 에이전트 보기" },
  "op.task.agents": { en: "Show all agents of a task", ko: "작업의 모든 에이전트 보기" },
  "op.task.edit": { en: "Change a draft", ko: "초안 고치기" },
  "op.task.edit_depends_on": {
    en: "Ids of tasks that must be completed first, instead of those before; an empty one: none",
    ko: "먼저 완료되어야 하는 작업 ID(이전 목록을 대신함). 빈 값이면 없음",
  },
  "task.edit_nothing": {
    en: "Name at least one thing to change.",
    ko: "고칠 항목을 하나 이상 지정하세요.",
  },
  "op.task.submit": { en: "Put a draft into the queue", ko: "초안을 대기열에 넣기" },
  "op.task.pause": { en: "Pause the agent of a task", ko: "작업의 에이전트 일시중지" },
  "op.task.resume": { en: "Let a paused agent go on", ko: "일시중지한 에이전트 다시 시작" },
  "op.task.cancel": {
    en: "Cancel a task (a waiting one becomes a draft again)",
    ko: "작업 취소(대기 중인 작업은 초안으로 돌아감)",
  },
  "op.task.approve": { en: "Approve what is under review", ko: "리뷰 중인 결과 승인" },
  "op.task.request-changes": {
    en: "Send a phase back with feedback",
    ko: "피드백과 함께 단계를 되돌려 보내기",
  },
  "op.task.answer_question": { en: "Answer an agent's question", ko: "에이전트의 질문에 답하기" },
  "op.task.provide": {
    en: "Provide a value an agent waits for",
    ko: "에이전트가 기다리는 값 제공하기",
  },
  "op.task.retry": {
    en: "Try a failed task again, as a new one",
    ko: "실패한 작업을 새 작업으로 다시 하기",
  },
  "op.task.archive": {
    en: "Hide a completed task from lists",
    ko: "완료한 작업을 목록에서 숨기기",
  },
  "op.task.delete": {
    en: "Delete a task and its files; of a run also what its units made and nobody merged",
    ko: "작업과 그 파일 지우기. 실행이면 단위에서 만들었지만 병합하지 않은 것도",
  },
  "op.task.logs": { en: "Print what the agent printed", ko: "에이전트가 출력한 내용 보기" },
  "op.task.snapshots": { en: "List the snapshots of a task", ko: "작업의 스냅숏 목록 보기" },
  "op.task.restore": { en: "Put a task back to a snapshot", ko: "작업을 스냅숏 상태로 되돌리기" },
  "op.task.kept": {
    en: "What ended tasks keep on the disk, and when it goes",
    ko: "끝난 작업이 디스크에 남긴 것과 지울 날짜 보기",
  },
  "op.task.zip": { en: "Get the deliverables as a ZIP file", ko: "산출물을 ZIP 파일로 받기" },
  "op.task.id": { en: "The task's id", ko: "작업 ID" },
  "op.task.key": {
    en: "Sent twice under the same key, it is done once",
    ko: "같은 키로 두 번 보내면 한 번만 처리",
  },
  "op.task.type": {
    en: "create_app, modify_app, workflow, custom, or a type of holdfast.yaml",
    ko: "create_app, modify_app, workflow, custom 또는 holdfast.yaml의 유형",
  },
  "op.task.title": { en: "What it is called", ko: "작업 이름" },
  "op.task.description": { en: "What is to be done", ko: "해야 할 일" },
  "op.task.agent_name": {
    en: "Which agent works: sample, or command:<program>",
    ko: "일할 에이전트: sample 또는 command:<프로그램>",
  },
  "op.task.run": {
    en: "Those that this run made for its units",
    ko: "이 실행이 단위 작업마다 만든 작업",
  },
  "op.task.script": { en: "What the sample agent plays", ko: "샘플 에이전트가 따라 할 스크립트" },
  "op.task.priority": { en: "Its place in the queue", ko: "대기열 우선순위" },
  "op.task.depends_on": {
    en: "Ids of tasks that must be completed first",
    ko: "먼저 완료되어야 하는 작업 ID",
  },
  "op.task.submit_now": { en: "Submit it at once", ko: "바로 제출" },
  "op.task.project_of": {
    en: "The project it belongs to, by id or folder; without it the one you are in",
    ko: "작업이 속할 프로젝트의 ID나 폴더(생략하면 지금 있는 프로젝트)",
  },
  "op.task.status": { en: "Only those in this state", ko: "이 상태의 작업만" },
  "op.task.project": { en: "Only those of this project", ko: "이 프로젝트의 작업만" },
  "op.task.archived": { en: "The hidden ones instead", ko: "숨긴 작업 보기" },
  "op.task.q": { en: "Words in title or description", ko: "제목이나 설명에 있는 말" },
  "op.task.cursor": { en: "Where the last page ended", ko: "지난 페이지가 끝난 곳" },
  "op.task.limit": { en: "How many at most", ko: "최대 개수" },
  "op.task.whole": {
    en: "changes since the phase began, not since the last review",
    ko: "지난 리뷰 이후가 아니라 단계가 시작된 뒤의 변경",
  },
  "op.task.changes": {
    en: "a snapshot: also show what going back to it would change",
    ko: "스냅숏: 그 시점으로 되돌리면 무엇이 바뀌는지도 보여 줍니다",
  },
  "op.task.review_id": {
    en: "Which review; the open one if left out",
    ko: "리뷰 ID(없으면 열린 리뷰)",
  },
  "op.task.hash": {
    en: "The hash of what you were shown; refused if it changed since",
    ko: "확인한 내용의 해시(그 뒤에 바뀌었으면 거절)",
  },
  "op.task.comment": { en: "A remark that goes with the approval", ko: "승인에 덧붙이는 말" },
  "op.task.feedback": { en: "What has to be different", ko: "바뀌어야 할 점" },
  "op.task.comments": { en: "Remarks on single files and lines", ko: "파일과 줄마다 남기는 의견" },
  "op.task.answer": { en: "The answer", ko: "답" },
  "op.task.question_id": {
    en: "Which question; the open one if left out",
    ko: "질문 ID(없으면 열린 질문)",
  },
  "op.task.value": {
    en: "The value; a secret is sealed and never shown again. For a permission: yes or no; for a package: name@version",
    ko: "값(비밀은 암호화해 보관하고 다시 보여 주지 않음). 권한: yes 또는 no, 패키지: 이름@버전",
  },
  "op.task.file": {
    en: "The file that is asked for, in base64; on the command line its path",
    ko: "요청받은 파일(base64). 명령줄에서는 파일 경로",
  },
  "op.task.dependency_id": {
    en: "Which dependency; the open one if left out",
    ko: "의존성 ID(없으면 열린 의존성)",
  },
  "op.task.confirmed": {
    en: "Yes, this package may be installed",
    ko: "이 패키지를 설치해도 됨을 확인",
  },
  "op.task.snapshot": {
    en: "Which snapshot; the newest if left out",
    ko: "스냅숏 ID(없으면 최신)",
  },
  "op.task.follow": { en: "Go on as more is printed", ko: "새로 출력되는 내용을 계속 보기" },
  "op.task.out": { en: "The file to write", ko: "저장할 파일" },
  "task.label.draft": { en: "Draft", ko: "초안" },
  "task.label.pending": { en: "Pending", ko: "대기 중" },
  "task.label.in_progress": { en: "In progress", ko: "진행 중" },
  "task.label.review": { en: "In review", ko: "리뷰 대기" },
  "task.label.completed": { en: "Completed", ko: "완료" },
  "task.label.failed": { en: "Failed", ko: "실패" },
  "cli.task.none": {
    en: "No tasks yet. holdfast task create makes one.",
    ko: "아직 작업이 없습니다. holdfast task create로 만들 수 있습니다.",
  },
  "cli.task.more": { en: 'More: --cursor "{cursor}"', ko: '더 보기: --cursor "{cursor}"' },
  "cli.task.deleted": { en: "{id} is deleted.", ko: "{id}(을/를) 지웠습니다." },
  "cli.task.no_snapshots": { en: "No snapshots yet.", ko: "아직 스냅숏이 없습니다." },
  "cli.task.snapshot": { en: "phase {phase}, {files} files", ko: "{phase}단계, 파일 {files}개" },
  "cli.task.zip": { en: "{path} ({bytes} bytes)", ko: "{path} ({bytes}바이트)" },
  "cli.task.kept.none": {
    en: "No ended task keeps anything on the disk.",
    ko: "끝난 작업이 디스크에 남긴 것이 없습니다.",
  },
  "cli.task.kept.size": { en: "{megabytes} MB", ko: "{megabytes}MB" },
  "cli.task.kept.all": { en: "{megabytes} MB in all", ko: "모두 {megabytes}MB" },
  "cli.task.kept.age": {
    en: "goes after {at}: it has been kept long enough",
    ko: "{at} 이후 지움(보관 기간이 지남)",
  },
  "cli.task.kept.too_much": {
    en: "goes after {at}: the project keeps more than it may",
    ko: "{at} 이후 지움(프로젝트의 보관 용량을 넘음)",
  },
  "cli.task.kept.tree": {
    en: "files that are stored nowhere else: {path}",
    ko: "다른 곳에는 저장되지 않은 파일: {path}",
  },
  "cli.task.kept.stays": {
    en: "stays: another task needs it, or holdfast.yaml can not be read",
    ko: "그대로 둠(다른 작업에 필요하거나 holdfast.yaml을 읽을 수 없음)",
  },
  "cli.task.review": {
    en: "{id}: phase {phase} waits for your review",
    ko: "{id}: {phase}단계가 리뷰를 기다립니다",
  },
  "cli.task.example.create": {
    en: "A new app, put into the queue at once",
    ko: "새 앱을 만들고 바로 대기열에 넣기",
  },
  "cli.task.example.script": {
    en: "The sample agent plays a script",
    ko: "샘플 에이전트가 스크립트를 따라 하기",
  },
  "cli.task.example.list": { en: "All tasks, newest first", ko: "모든 작업(최신순)" },
  "cli.task.example.list_review": { en: "What waits for your review", ko: "리뷰를 기다리는 작업" },
  "cli.task.example.show": {
    en: "Where it stands, and what it waits for",
    ko: "어디까지 왔고 무엇을 기다리는지 보기",
  },
  "cli.task.example.submit": { en: "Put a draft into the queue", ko: "초안을 대기열에 넣기" },
  "cli.task.example.edit": {
    en: "Change the title and priority of a draft",
    ko: "초안의 제목과 우선순위 고치기",
  },
  "cli.task.example.edit_alone": {
    en: "It no longer depends on other tasks",
    ko: "다른 작업에 의존하지 않게 하기",
  },
  "cli.task.example.pause": { en: "Freeze its agent", ko: "에이전트 멈추기" },
  "cli.task.example.resume": { en: "Let it go on", ko: "이어서 하기" },
  "cli.task.example.cancel": { en: "End it", ko: "끝내기" },
  "cli.task.example.approve": { en: "Approve the open review", ko: "열린 리뷰 승인하기" },
  "cli.task.example.request-changes": { en: "Send the phase back", ko: "단계를 되돌려 보내기" },
  "cli.task.example.answer": { en: "Answer its question", ko: "질문에 답하기" },
  "cli.task.example.provide": { en: "A value from a file", ko: "파일에 있는 값 제공하기" },
  "cli.task.example.provide_pipe": {
    en: "A value from a password store",
    ko: "비밀번호 저장소의 값 제공하기",
  },
  "cli.task.example.provide_file": {
    en: "A file: its agent gets the path of a copy",
    ko: "파일 제공하기(에이전트는 사본의 경로를 받음)",
  },
  "cli.task.example.provide_package": {
    en: "A package, confirmed by you",
    ko: "확인한 패키지 제공하기",
  },
  "cli.task.example.retry": { en: "Try a failed task again", ko: "실패한 작업 다시 하기" },
  "cli.task.example.archive": { en: "Hide a completed task", ko: "완료한 작업 숨기기" },
  "cli.task.example.delete": { en: "Delete it with its files", ko: "파일까지 지우기" },
  "cli.task.example.logs": { en: "All its agents printed", ko: "에이전트가 출력한 모든 내용" },
  "cli.task.example.follow": { en: "And go on as they print", ko: "출력되는 대로 계속 보기" },
  "cli.task.example.output": {
    en: "The first piece of the newest process",
    ko: "최신 프로세스 출력의 첫 부분",
  },
  "cli.task.example.snapshots": { en: "What it can be put back to", ko: "되돌릴 수 있는 시점" },
  "cli.task.example.restore": { en: "Back to the newest snapshot", ko: "최신 스냅숏으로 되돌리기" },
  "cli.task.example.kept": {
    en: "The oldest first, each with its date",
    ko: "오래된 것부터 날짜와 함께 보기",
  },
  "cli.task.example.zip": { en: "Its deliverables as one file", ko: "산출물을 파일 하나로 받기" },
  "cli.task.example.review": { en: "The files under review", ko: "리뷰 중인 파일" },
  "cli.task.example.agent": { en: "Its agent", ko: "작업의 에이전트" },
  "cli.task.example.agents": { en: "All of its agents", ko: "작업의 모든 에이전트" },
} as const satisfies Record<string, Text>;
