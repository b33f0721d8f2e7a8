import type { Text } from "../messages.ts";

/** What the built-in sample agent says and writes. */
export const sampleCourseTexts = {
  "sample.heard": { en: "Feedback received: {feedback}", ko: "피드백을 받았습니다: {feedback}" },
  "sample.needs": {
    en: "The sample script needs it to go on.",
    ko: "샘플 스크립트를 이어 가는 데 필요합니다.",
  },
  "sample.limited": {
    en: "The sample agent plays a rate limit.",
    ko: "샘플 에이전트가 사용량 한도에 걸린 상황을 보여 줍니다.",
  },

  "sample.this_task": { en: "this task", ko: "이 작업" },
  "sample.judging": {
    en: "Reading each file of the phase.",
    ko: "이 단계의 파일을 하나씩 확인합니다.",
  },
  "sample.reading": {
    en: "I am reading the brief: {subject}",
    ko: "요청을 읽고 있습니다: {subject}",
  },
  "sample.question": {
    en: "Who should “{subject}” serve first?",
    ko: "“{subject}”의 첫 사용자는 누구인가요?",
  },
  "sample.option.one": { en: "One person, working alone", ko: "혼자 일하는 한 사람" },
  "sample.option.team": { en: "A small team", ko: "작은 팀" },
  "sample.option.many": { en: "Many customers at once", ko: "동시에 쓰는 여러 고객" },
  "sample.chosen": {
    en: "Thank you. I write with this in mind: {answer}",
    ko: "고맙습니다. 이 답을 염두에 두고 쓰겠습니다: {answer}",
  },
  "sample.writing": {
    en: "Writing {title} ({number} of {of})",
    ko: "{title} 쓰는 중: {of}개 중 {number}번째",
  },
  "sample.revising": {
    en: "Revising {title} ({number} of {of})",
    ko: "{title} 고치는 중: {of}개 중 {number}번째",
  },
  "sample.finished": {
    en: "Files written: {count}. Please have a look.",
    ko: "파일 {count}개를 썼습니다. 살펴봐 주세요.",
  },
  "sample.summary": {
    en: "{subject} (files written: {count})",
    ko: "{subject} (쓴 파일 {count}개)",
  },

  "sample.title.idea": { en: "Idea", ko: "아이디어" },
  "sample.title.market": { en: "Market", ko: "시장" },
  "sample.title.users": { en: "Users", ko: "사용자" },
  "sample.title.features": { en: "Features", ko: "기능" },
  "sample.title.flows": { en: "Flows", ko: "사용자 흐름" },
  "sample.title.screens": { en: "Screens", ko: "화면 목록" },
  "sample.title.data": { en: "Data", ko: "데이터" },
  "sample.title.technology": { en: "Technology", ko: "기술" },
  "sample.title.roadmap": { en: "Roadmap", ko: "로드맵" },
  "sample.title.screen": { en: "Screens", ko: "화면 설계" },
  "sample.title.data_model": { en: "Data model", ko: "데이터 모델" },
  "sample.title.api": { en: "API", ko: "API" },
  "sample.title.components": { en: "Components", ko: "구성 요소" },
  "sample.title.architecture": { en: "Architecture", ko: "아키텍처" },
  "sample.title.readme": { en: "README", ko: "README" },
  "sample.title.report": { en: "Report", ko: "보고서" },
  "sample.title.current_state": { en: "Current state", ko: "현재 상태" },
  "sample.title.modification_plan": { en: "Modification plan", ko: "변경 계획" },
  "sample.title.workflow_requirements": { en: "Workflow requirements", ko: "워크플로 요구 사항" },
  "sample.title.workflow_design": { en: "Workflow design", ko: "워크플로 설계" },
  "sample.doc.code": {
    en: "What this part is about, for the pages that show it.",
    ko: "이 부분이 다루는 내용. 화면에서 보여 줍니다.",
  },

  "sample.doc.intro": {
    en: "This document belongs to “{subject}”. It records what was decided for “{title}”, and why, so that whoever goes on can start from here.",
    ko: "이 문서는 “{subject}” 작업에 속합니다. “{title}”에 관해 무엇을 왜 정했는지 적어, 이어서 일하는 사람이 여기서 시작할 수 있게 합니다.",
  },
  "sample.doc.audience": {
    en: "It is written for the audience chosen at the start: {answer}.",
    ko: "처음에 고른 사용자를 위해 썼습니다: {answer}.",
  },
  "sample.doc.revised": { en: "What changed after the review", ko: "리뷰 뒤에 바뀐 점" },
  "sample.doc.revised.text": {
    en: "The reviewer asked for the following, and the sections above were gone through again with it in hand:",
    ko: "리뷰에서 다음 요청을 받았고, 이를 바탕으로 위 내용을 다시 살폈습니다:",
  },
  "sample.doc.0": { en: "Purpose", ko: "목적" },
  "sample.doc.0.text": {
    en: "The work is worth doing when people finish in minutes what took them an afternoon. That is measured, not assumed: the same three errands are timed before and after, with the same people. A feature that moves none of these times is left out of the first version.",
    ko: "반나절 걸리던 일을 몇 분 만에 끝낼 수 있을 때 이 작업은 가치가 있습니다. 이것은 짐작하지 않고 잽니다. 같은 사람이 같은 세 가지 일을 하는 데 걸리는 시간을 전후로 비교합니다. 이 시간을 줄이지 못하는 기능은 첫 버전에서 뺍니다.",
  },
  "sample.doc.1": { en: "Who it is for", ko: "누구를 위한 것인가" },
  "sample.doc.1.text": {
    en: "The first users know their trade and not our words. They arrive with one concrete question, on a phone as often as at a desk, and leave when the answer is not on the first page. Every screen therefore shows one thing to do, and says what happened after it was done.",
    ko: "첫 사용자는 자기 일은 잘 알지만 우리의 용어는 모릅니다. 구체적인 질문 하나를 가지고, 책상만큼이나 자주 휴대전화로 찾아오며, 첫 화면에 답이 없으면 떠납니다. 그래서 화면마다 할 일 하나를 보여 주고, 하고 나면 무엇이 달라졌는지 알려 줍니다.",
  },
  "sample.doc.2": { en: "What was considered", ko: "검토한 방법" },
  "sample.doc.2.text": {
    en: "Three ways were compared: adapting an existing tool, buying a service, and building a small program of our own. The tool covers two thirds of the need and can not be changed; the service is quick to start and dear to leave. Our own program is the slowest start, and the only one whose data stays where it is.",
    ko: "기존 도구를 고쳐 쓰기, 서비스를 사서 쓰기, 작은 프로그램을 직접 만들기를 비교했습니다. 기존 도구는 필요의 3분의 2를 채우지만 바꿀 수 없고, 서비스는 빨리 시작할 수 있지만 떠나기 어렵습니다. 직접 만들면 시작은 가장 느려도 데이터가 제자리에 남습니다.",
  },
  "sample.doc.3": { en: "Decision", ko: "결정" },
  "sample.doc.3.text": {
    en: "A small program is built, with one database file and no service to depend on. It starts with a single command and needs no account. Where a library does a part well and is kept up, it is used; where none does, the part is written here and tested like the rest.",
    ko: "데이터베이스 파일 하나로 동작하고 다른 서비스에 기대지 않는 작은 프로그램을 만듭니다. 명령 하나로 시작하며 계정이 필요 없습니다. 잘 관리되는 라이브러리가 있으면 쓰고, 없으면 직접 만들어 다른 부분과 똑같이 시험합니다.",
  },
  "sample.doc.4": { en: "How it works", ko: "동작 방식" },
  "sample.doc.4.text": {
    en: "A request comes in at one door, is checked there once, and is stored before it is answered. Everything else reads from what was stored. So a crash in between loses nothing that was confirmed, and a second request with the same number changes nothing.",
    ko: "요청은 한곳으로 들어와 그 자리에서 한 번 확인되고, 답하기 전에 저장됩니다. 나머지는 모두 저장된 것을 읽습니다. 그래서 중간에 멈춰도 확인해 준 일은 사라지지 않고, 같은 번호의 요청이 다시 와도 달라지는 것이 없습니다.",
  },
  "sample.doc.5": { en: "Risks", ko: "위험" },
  "sample.doc.5.text": {
    en: "The largest risk is building the wrong thing well. It is met by showing a working piece to two users each week. The second is data that can not be read any more; each version therefore reads the files of the one before it, and a test keeps an old file of every kind.",
    ko: "가장 큰 위험은 엉뚱한 것을 잘 만드는 일입니다. 매주 두 명의 사용자에게 동작하는 부분을 보여 주며 이를 줄입니다. 두 번째는 읽을 수 없게 되는 데이터입니다. 그래서 새 버전은 이전 버전의 파일을 읽고, 종류마다 옛 파일을 두어 시험합니다.",
  },
  "sample.doc.6": { en: "How it is checked", ko: "확인 방법" },
  "sample.doc.6.text": {
    en: "Each rule above has a test that fails when the rule is broken, and its title names the rule. Speed is measured as a ratio to a plain copy of the same data on the same machine, so that the figure means the same everywhere. A person tries the whole way through once before each release.",
    ko: "위의 규칙마다 규칙이 깨지면 실패하는 시험이 있고, 시험 이름에 그 규칙을 적습니다. 속도는 같은 기계에서 같은 데이터를 복사하는 시간과의 비율로 재어 어디서나 같은 뜻이 되게 합니다. 출시 전에는 사람이 처음부터 끝까지 한 번 써 봅니다.",
  },
  "sample.doc.7": { en: "Next steps", ko: "다음 할 일" },
  "sample.doc.7.text": {
    en: "First the stored form is fixed, since everything else leans on it. Then the one path most people take is built from end to end, however plain. Only when that path has been used by somebody outside the team are the other paths added, in the order in which they were asked for.",
    ko: "먼저 저장 형식을 정합니다. 나머지가 모두 여기에 기대기 때문입니다. 다음으로 대부분의 사람이 지나는 길 하나를 소박하더라도 끝에서 끝까지 만듭니다. 팀 밖의 누군가가 그 길을 써 본 뒤에야, 요청받은 순서대로 다른 길을 더합니다.",
  },
} as const satisfies Record<string, Text>;
