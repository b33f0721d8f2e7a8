import type { Text } from "../messages.ts";

/** Complaints and notices about TASKS.md (S2.4). A message never repeats its own line number. */
export const taskListTexts = {
  // --- problems ---
  "tasks.not_found": {
    en: "No task list was found. Looked for: {paths}. Write one, or say where it is.",
    ko: "작업 목록을 찾지 못했습니다. 찾아본 곳: {paths}. 파일을 만들거나 위치를 알려 주세요.",
  },
  "tasks.none": {
    en: "There is no task in this file. A task is a heading or a list item with a checkbox and an id, for example “- [ ] T1.1: Title” or “### [ ] Phase 1, T1.1: Title”.",
    ko: "이 파일에는 작업이 없습니다. 작업은 체크박스와 id가 있는 제목이나 목록 항목입니다. 예: “- [ ] T1.1: 제목”, “### [ ] Phase 1, T1.1: 제목”.",
  },
  "tasks.none_with_box": {
    en: "There is no task in this file. Line {line} names {id} but has no checkbox: write “### [ ] {id}: Title”.",
    ko: "이 파일에는 작업이 없습니다. {line}번째 줄에 {id}(이/가) 있지만 체크박스가 없습니다. “### [ ] {id}: 제목”처럼 써 주세요.",
  },
  "tasks.too_large": {
    en: "The file is larger than {max} MiB. Split the plan.",
    ko: "파일이 {max}MiB보다 큽니다. 계획을 나눠 주세요.",
  },
  "tasks.line_too_long": {
    en: "This line is longer than {max} characters and was not read. Break it up.",
    ko: "이 줄은 {max}자보다 길어서 읽지 않았습니다. 줄을 나눠 주세요.",
  },
  "tasks.too_many": {
    en: "The plan has more than {max} tasks; the rest was not read. Split the plan.",
    ko: "작업이 {max}개보다 많아 나머지는 읽지 않았습니다. 계획을 나눠 주세요.",
  },
  "tasks.too_many_edges": {
    en: "The plan has more than {max} dependencies; the rest was not read. Use fewer ranges and groups.",
    ko: "의존 관계가 {max}개보다 많아 나머지는 읽지 않았습니다. 범위와 묶음을 줄여 주세요.",
  },
  "tasks.fence_open": {
    en: "The code block that begins here never ends, so everything below it is hidden. Close it with a line “{mark}”.",
    ko: "여기서 시작한 코드 블록이 끝나지 않아 그 아래가 모두 가려집니다. “{mark}” 줄로 닫아 주세요.",
  },
  "tasks.comment_open": {
    en: "The comment that begins here never ends, so everything below it is hidden. Close it with “-->”.",
    ko: "여기서 시작한 주석이 끝나지 않아 그 아래가 모두 가려집니다. “-->”로 닫아 주세요.",
  },
  "tasks.id_unreadable": {
    en: "“{word}” is not an id. Ids look like T1.3, T0.5.2, P0-T0.1, P2-R1-T1 or P2-S1-V.",
    ko: "“{word}”(은/는) id가 아닙니다. id는 T1.3, T0.5.2, P0-T0.1, P2-R1-T1, P2-S1-V처럼 씁니다.",
  },
  "tasks.several_ids": {
    en: "This line begins with {id} and names further tasks. Give each task a line of its own.",
    ko: "{id}(으로/로) 시작하는 이 줄에 다른 작업도 적혀 있습니다. 작업마다 한 줄씩 써 주세요.",
  },
  "tasks.duplicate": {
    en: "{id} stands twice in the plan: in line {first} and in line {line}. Give one of them another id.",
    ko: "{id}(이/가) {first}번째 줄과 {line}번째 줄에 두 번 나옵니다. 하나의 id를 바꿔 주세요.",
  },
  "tasks.circular": {
    en: "These tasks wait for each other and none can start: {path}. Remove one of the dependencies.",
    ko: "서로를 기다려서 아무것도 시작할 수 없습니다: {path}. 의존 관계 하나를 지워 주세요.",
  },
  "tasks.waits_for_itself": {
    en: "{id} waits for itself and can never start. Remove that dependency.",
    ko: "{id}(이/가) 자기 자신을 기다려서 시작할 수 없습니다. 그 의존 관계를 지워 주세요.",
  },
  "tasks.missing": {
    en: "{id} waits for {missing}, which is not in the plan. {hint}",
    ko: "{id}(이/가) 기다리는 {missing}(이/가) 계획에 없습니다. {hint}",
  },
  "tasks.node_missing": {
    en: "The diagram names {word}, which is not in the plan. {hint}",
    ko: "다이어그램에 있는 {word}(이/가) 계획에 없습니다. {hint}",
  },
  "tasks.node_unknown": {
    en: 'The node “{name}” is no task. Put a task\'s id into its label, as in {name}["T1.1: Title"], or remove it.',
    ko: '노드 “{name}”(은/는) 작업이 아닙니다. {name}["T1.1: 제목"]처럼 레이블에 작업 id를 넣거나 지워 주세요.',
  },
  "tasks.node_is_subgraph": {
    en: "“{name}” is a subgraph, not a task. Draw the arrows between tasks.",
    ko: "“{name}”(은/는) 작업이 아니라 서브그래프입니다. 작업끼리 화살표로 이어 주세요.",
  },
  "tasks.hint_no_box": {
    en: "Line {line} names it without a checkbox: write “### [ ] {word}: Title”.",
    ko: "{line}번째 줄에 체크박스 없이 적혀 있습니다. “### [ ] {word}: 제목”처럼 써 주세요.",
  },
  "tasks.hint_refused": {
    en: "Line {line} names it, but “{word}” is not an id.",
    ko: "{line}번째 줄에 있지만 “{word}”(은/는) id가 아닙니다.",
  },
  "tasks.hint_close": { en: "Did you mean {close}?", ko: "혹시 {close}(을/를) 말씀하셨나요?" },
  "tasks.hint_add": {
    en: "Add the task {word}, or remove the dependency.",
    ko: "{word} 작업을 추가하거나 의존 관계를 지워 주세요.",
  },
  "tasks.range_unreadable": {
    en: "{id} waits for {range}, which can not be read as a range. Name the tasks one by one: T1.1, T1.2, T1.3.",
    ko: "{id}의 의존성 {range}(은/는) 범위로 읽을 수 없습니다. T1.1, T1.2, T1.3처럼 하나씩 써 주세요.",
  },
  "tasks.range_gap": {
    en: "{id} waits for {range}, but {missing} is not in the plan. Name the tasks one by one.",
    ko: "{id}(이/가) {range}(을/를) 기다리는데 {missing}(이/가) 계획에 없습니다. 작업을 하나씩 써 주세요.",
  },
  "tasks.worktree_outside": {
    en: "The worktree of {id}, “{path}”, leads out of the project. Give a path inside it, like worktree/phase-1-login.",
    ko: "{id}의 워크트리 “{path}”(은/는) 프로젝트 밖을 가리킵니다. worktree/phase-1-login처럼 안쪽 경로를 써 주세요.",
  },
  "tasks.no_such_task": {
    en: "Not in the task list, so it could not be ticked off: {ids}. Has the file been edited?",
    ko: "작업 목록에 없어서 완료 표시를 하지 못했습니다: {ids}. 파일이 바뀌지 않았는지 확인해 주세요.",
  },

  // --- notices ---
  "tasks.lower_case": {
    en: "“{word}” is not read as an id, so this is no task. Ids are written in capitals: {id}.",
    ko: "“{word}”(은/는) id로 읽지 않아 작업이 되지 않습니다. id는 {id}처럼 대문자로 씁니다.",
  },
  "tasks.phase_of_line": {
    en: "{id} belongs to phase {own} by its id, but its line says phase {told}. The id counts.",
    ko: "{id}(은/는) id로는 Phase {own}인데 줄에는 Phase {told}(이라고/라고) 적혀 있습니다. id를 따릅니다.",
  },
  "tasks.phase_of_heading": {
    en: "{id} belongs to phase {own} by its id, but stands below the heading of phase {told}. The id counts.",
    ko: "{id}(은/는) id로는 Phase {own}인데 Phase {told} 제목 아래에 있습니다. id를 따릅니다.",
  },
  "tasks.odd_mark": {
    en: "The box of {id} holds “{mark}”, which is neither empty nor a tick. It counts as open.",
    ko: "{id}의 체크박스에 “{mark}”(이/가) 있습니다. 빈칸도 체크도 아니어서 미완료로 봅니다.",
  },
  "tasks.no_box": {
    en: "{id} has no checkbox here, so it is no task. To make it one, write “### [ ] {id}: Title”.",
    ko: "여기 {id}에는 체크박스가 없어 작업이 되지 않습니다. 작업으로 만들려면 “### [ ] {id}: 제목”처럼 써 주세요.",
  },
  "tasks.sub_item": {
    en: "{id} is named in a sub-item and is no task. To make it one, set it apart: “- [ ] {id}: Title”.",
    ko: "하위 항목에 나온 {id}(은/는) 작업이 아닙니다. 작업으로 만들려면 “- [ ] {id}: 제목”처럼 써 주세요.",
  },
  "tasks.summary": {
    en: "From line {line} on, {count} lines repeat tasks that have a heading of their own. They are read as a summary.",
    ko: "{line}번째 줄부터 {count}줄은 제목이 따로 있는 작업을 되풀이합니다. 요약으로 봅니다.",
  },
  "tasks.summary_differs": {
    en: "The box of {id} in line {line} differs from the one in line {first}. The one in line {first} counts.",
    ko: "{line}번째 줄의 {id} 체크박스가 {first}번째 줄과 다릅니다. {first}번째 줄을 따릅니다.",
  },
  "tasks.no_id_in_value": {
    en: "The dependencies of {id} hold no id: “{value}”. Nothing is waited for.",
    ko: "{id}의 의존성 “{value}”에는 id가 없습니다. 아무것도 기다리지 않습니다.",
  },
  "tasks.waits_for_phase": {
    en: "{id} waits for {phase}, a whole phase. Phases run one after the other anyway; no dependency is added.",
    ko: "{id}(은/는) 단계 전체인 {phase}(을/를) 기다립니다. 단계는 원래 차례대로 진행되므로 의존 관계를 더하지 않습니다.",
  },
  "tasks.later_phase": {
    en: "{id} of phase {phase} waits for {from} of the later phase {later}. Move one of them.",
    ko: "Phase {phase}의 {id}(이/가) 더 나중인 Phase {later}의 {from}(을/를) 기다립니다. 둘 중 하나를 옮겨 주세요.",
  },
  "tasks.parallel_unknown": {
    en: "{id} may run with {word}, which is not in the plan. It is left out.",
    ko: "{id}(과/와) 병렬이라는 {word}(은/는) 계획에 없어 뺐습니다.",
  },
  "tasks.risk_unknown": {
    en: "The risk of {id}, “{value}”, is not one of low, medium, high, critical. It is kept as a note.",
    ko: "{id}의 위험도 “{value}”(은/는) low, medium, high, critical 중 하나가 아닙니다. 메모로만 둡니다.",
  },
  "tasks.diagram_ignored": {
    en: "No node of this diagram names a task. It is not read as a dependency graph.",
    ko: "이 다이어그램에는 작업을 가리키는 노드가 없습니다. 의존성 그래프로 읽지 않습니다.",
  },
  "tasks.diagram_unread": {
    en: "This line of the diagram can not be read from here on. What stands before it counts.",
    ko: "다이어그램의 이 줄은 여기서부터 읽을 수 없습니다. 그 앞까지만 반영합니다.",
  },
  "tasks.node_is_phase": {
    en: "“{name}” is a phase. Phases run one after the other anyway; its arrows add no dependency.",
    ko: "“{name}”(은/는) 단계입니다. 단계는 원래 차례대로 진행되므로 이 화살표는 의존 관계를 더하지 않습니다.",
  },
  "tasks.phase_twice": {
    en: "Phase {number} has another heading in line {first}, “{name}”. That one names it.",
    ko: "Phase {number}에는 {first}번째 줄에 “{name}” 제목이 이미 있습니다. 그 이름을 씁니다.",
  },
  "tasks.phase_empty": {
    en: "Phase {number} has no task.",
    ko: "Phase {number}에 작업이 없습니다.",
  },
} as const satisfies Record<string, Text>;
