// What each phase of the built-in types asks for, in both languages.
import type { Language } from "../../core/messages.ts";
import type { BuiltInPhaseType } from "./types.ts";

export const instructions: Readonly<
  Record<Language, Readonly<Record<BuiltInPhaseType, readonly string[]>>>
> = {
  en: {
    create_app: [
      "Plan the app before any code is written. Decide who it is for, what it does and what it leaves out, and write one document for each question. Documents that build on each other must agree: the users of 03 are those whose ways 05 follows.",
      "Design what was planned: the screens, the data, the interfaces between the parts, the parts themselves, and how they fit together. Name every choice that would be costly to change, and why it was made.",
      "Build the app as designed. Keep it running at every step, write tests with the code, and explain in README.md how to install, start and test it. Put no secret into the code; .env belongs into .gitignore.",
      "Test the app as a user would, and with its own tests. Fix what you find. Report what was tested, how, what failed and what was done about it.",
    ],
    modify_app: [
      "Read the code before planning a change. Describe how the part in question works today, what depends on it, and what its tests cover.",
      "Plan the change: what will be different, in which files, in which order, how it will be tested, and how it can be taken back.",
      "Carry out the plan. Keep to the style of the code around it, change nothing that the change does not need, and write tests with it.",
      "Run all tests, try the change as a user would, and fix what you find. Report what was tested and what came of it.",
    ],
    workflow: [
      "Write down what the workflow must do: what sets it off, what goes in and comes out, what may go wrong, and who has to know.",
      "Design the workflow: its steps and their order, what each step needs, how it is repeated after a failure, and how one sees where it stands.",
      "Build the workflow as designed, with tests, and explain in README.md how to run it.",
      "Run the workflow from end to end, also with bad input and with a step that fails. Fix what you find, and report it.",
    ],
    custom: [""],
  },
  ko: {
    create_app: [
      "코드를 쓰기 전에 앱을 기획하세요. 누구를 위한 앱인지, 무엇을 하고 무엇을 하지 않는지 정하고, 질문마다 문서를 하나씩 쓰세요. 서로 이어지는 문서는 내용이 맞아야 합니다. 05의 흐름은 03의 사용자가 따라가는 길이어야 합니다.",
      "기획한 내용을 설계하세요. 화면, 데이터, 부분 사이의 인터페이스, 구성 요소, 전체 구조를 다룹니다. 나중에 바꾸기 어려운 결정은 이유와 함께 적으세요.",
      "설계대로 앱을 만드세요. 언제나 실행되는 상태를 유지하고, 테스트를 코드와 함께 쓰고, 설치와 실행과 테스트 방법을 README.md에 적으세요. 비밀 값은 코드에 넣지 말고 .env는 .gitignore에 넣으세요.",
      "사용자처럼 앱을 써 보고 앱의 테스트도 돌리세요. 찾은 문제는 고치세요. 무엇을 어떻게 테스트했고 무엇이 실패했으며 어떻게 고쳤는지 보고서에 쓰세요.",
    ],
    modify_app: [
      "바꾸기 전에 코드를 읽으세요. 해당 부분이 지금 어떻게 동작하는지, 무엇이 거기에 의존하는지, 테스트가 어디까지 확인하는지 적으세요.",
      "변경을 계획하세요. 무엇이 달라지는지, 어느 파일을 어떤 순서로 바꾸는지, 어떻게 테스트하고 어떻게 되돌릴 수 있는지 적으세요.",
      "계획대로 바꾸세요. 주변 코드의 방식을 따르고, 필요하지 않은 곳은 건드리지 말고, 테스트를 함께 쓰세요.",
      "모든 테스트를 돌리고 바뀐 부분을 사용자처럼 써 보세요. 찾은 문제는 고치고, 무엇을 확인했고 결과가 어땠는지 보고서에 쓰세요.",
    ],
    workflow: [
      "워크플로가 해야 할 일을 적으세요. 무엇이 시작하게 하는지, 무엇이 들어가고 나오는지, 무엇이 잘못될 수 있는지, 누가 알아야 하는지 다룹니다.",
      "워크플로를 설계하세요. 단계와 순서, 단계마다 필요한 것, 실패했을 때 다시 하는 방법, 어디까지 왔는지 보는 방법을 적으세요.",
      "설계대로 워크플로를 만들고 테스트를 함께 쓰세요. 실행 방법은 README.md에 적으세요.",
      "처음부터 끝까지 돌려 보고, 잘못된 입력과 실패하는 단계로도 돌려 보세요. 찾은 문제는 고치고 보고서에 쓰세요.",
    ],
    custom: [""],
  },
};

/** What a verifier judges in each of them; the phase's own instructions stand before it. */
export const criteria: Readonly<Record<Language, string>> = {
  en: `- request: what the task asks for is covered in this phase, and nothing in it contradicts the request.
- instructions: each point of this phase's instructions is dealt with, concretely and for this task; general text that would fit any task does not count.
- consistency: the files agree with each other and with the files of the phases before.
- evidence: what a file says was done, built or tested can be found in the folder.`,
  ko: `- request: 작업이 요청한 내용을 이 단계에서 다루고, 요청과 어긋나는 내용이 없습니다.
- instructions: 이 단계의 지시를 하나씩, 이 작업에 맞게 구체적으로 다룹니다. 어느 작업에나 맞는 일반적인 글은 인정하지 않습니다.
- consistency: 파일끼리, 그리고 이전 단계의 파일과 내용이 맞습니다.
- evidence: 했다거나 만들었다거나 테스트했다고 적힌 것을 폴더에서 확인할 수 있습니다.`,
};
