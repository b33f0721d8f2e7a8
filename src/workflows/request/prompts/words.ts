// What each role is told, in both languages. A project may say the part of a role in its own words:
// `.holdfast/prompts/request/<role>.md`.
import type { Language } from "../../../core/messages.ts";
import type { Role, Work } from "../roles.ts";

export interface Words {
  readonly roles: Readonly<Record<Role, string>>;
  readonly works: Readonly<Record<Work, string>>;
  readonly request: string;
  readonly part: string;
  readonly contracts: string;
  readonly patterns: string;
  readonly decisions: string;
  readonly pitfalls: string;
  readonly before: string;
  readonly assumptions: string;
  readonly items: string;
  readonly changed: string;
  readonly scope: string;
  readonly write: (path: string) => string;
  readonly alsoPatterns: (path: string) => string;
  readonly command: (command: string) => string;
}

export const words: Readonly<Record<Language, Words>> = {
  en: {
    roles: {
      "code-explore": "You explore the code. You read, and change nothing.",
      planner: "You plan. You break the request down into tasks and subtasks, and change no code.",
      architect:
        "You are the architect. You bind everyone who works on this task to a design, and write no code.",
      "qa-engineer": "You are the QA engineer. Tests come first, and only what was run counts.",
      implementer: "You implement what the design says, so that the tests pass, and nothing else.",
      verifier: "You verify what others made. You judge, and change nothing.",
    },
    works: {
      explore:
        "Find what the request touches: the files, what each is for, how the project is laid out.",
      plan: "Break the request down. A task is a part that can be designed and finished by itself; a subtask is one piece of work that a test can show to be done. Write down what you assume about the project and have not seen; name places by their path. Where an earlier plan has completed tasks, keep their ids and names.",
      design:
        "Design this task: what must always hold, the interfaces, which part may use which (`boundaries`; `allowed: false` forbids an import), the layer of each part. `file_refs` is the complete list of files that may be changed; every `from` of a forbidden boundary must be an entity of it.",
      test: "Write the tests of this subtask before its code: at least one case, each with what it is about, and the test file itself, at `test_file_path`. Each entry of `coverage_targets` is the `target` of some case. Other files are not yours to change.",
      implement:
        "Implement this subtask. Change only the files that the design names and the test file; make the tests pass without weakening them.",
      verify:
        "Judge the change of this subtask against each item below. An item holds unless this change breaks it; what a later subtask is for is not broken by being absent. `scope_out` holds while the change keeps out of it.",
      judge:
        "Run the tests of this subtask and say what came of it: `execution.command` is the one command that runs them, and Holdfast runs it again itself. Of each failed case say its id and whether implementation, design or the test is at fault; recommend complete, retry_implementation or retry_design.",
    },
    request: "The request",
    part: "Your part",
    contracts: "Contracts",
    patterns: "Patterns of this project",
    decisions: "Decisions so far",
    pitfalls: "Pitfalls",
    before: "What went wrong before",
    assumptions: "Assumptions of the plan that nobody has confirmed",
    items: "To be judged",
    changed: "Changed files",
    scope: "Files that may be changed",
    write: (path) => `Write your result to \`${path}\`, in this form and with no other field:`,
    alsoPatterns: (path) =>
      `If you saw how this project is written (naming, testing, error handling, architecture), also write \`${path}\`: one line a pattern, \`name: what it is\`.`,
    command: (command) => `The project's own test command is \`${command}\`; no other counts.`,
  },
  ko: {
    roles: {
      "code-explore": "코드를 탐색하는 역할입니다. 읽기만 하고 아무것도 바꾸지 않습니다.",
      planner:
        "계획을 세우는 역할입니다. 요청을 작업과 하위 작업으로 나누며 코드는 바꾸지 않습니다.",
      architect: "설계자입니다. 이 작업에 참여하는 모두가 따를 설계를 정하며 코드는 쓰지 않습니다.",
      "qa-engineer": "QA 엔지니어입니다. 테스트가 먼저이며, 실제로 실행한 결과만 인정됩니다.",
      implementer: "설계대로 구현하여 테스트를 통과시키는 역할입니다. 그 밖의 일은 하지 않습니다.",
      verifier: "다른 사람이 만든 것을 검증하는 역할입니다. 판단만 하고 아무것도 바꾸지 않습니다.",
    },
    works: {
      explore:
        "요청과 관련된 것을 찾으세요. 어떤 파일이 있고 각각 무엇을 하는지, 프로젝트가 어떻게 구성되어 있는지 정리합니다.",
      plan: "요청을 나누세요. 작업은 따로 설계하고 끝낼 수 있는 부분이고, 하위 작업은 테스트로 완료를 보일 수 있는 일 하나입니다. 직접 보지 않고 가정한 것은 모두 적고, 위치는 경로로 쓰세요. 이전 계획에서 완료된 작업은 id와 이름을 그대로 두세요.",
      design:
        "이 작업을 설계하세요. 항상 지켜야 할 것, 인터페이스, 어느 부분이 어느 부분을 쓸 수 있는지(`boundaries`, `allowed: false`는 import 금지), 각 부분의 계층을 정합니다. `file_refs`는 바꿀 수 있는 파일의 전체 목록이며, 금지된 경계의 `from`은 모두 그 목록의 entity여야 합니다.",
      test: "코드보다 먼저 이 하위 작업의 테스트를 쓰세요. 케이스는 하나 이상이고, 테스트 파일은 `test_file_path`에 실제로 있어야 합니다. `coverage_targets`의 항목은 모두 어떤 케이스의 `target`이어야 합니다. 다른 파일은 바꾸지 마세요.",
      implement:
        "이 하위 작업을 구현하세요. 설계에 적힌 파일과 테스트 파일만 바꾸고, 테스트를 약하게 만들지 않고 통과시키세요.",
      verify:
        "이 하위 작업의 변경을 아래 항목마다 판단하세요. 이번 변경이 어기지 않았다면 지켜진 것입니다. 뒤의 하위 작업에서 할 일이 아직 없다고 어긴 것은 아닙니다. `scope_out`은 변경이 그 범위에 들어가지 않으면 지켜진 것입니다.",
      judge:
        "이 하위 작업의 테스트를 실행하고 결과를 적으세요. `execution.command`는 테스트를 실행하는 명령 하나이며 Holdfast가 직접 다시 실행합니다. 실패한 케이스마다 id와 원인(구현, 설계, 테스트)을 적고 complete, retry_implementation, retry_design 중 하나를 권하세요.",
    },
    request: "요청",
    part: "맡은 일",
    contracts: "계약",
    patterns: "이 프로젝트의 패턴",
    decisions: "지금까지의 결정",
    pitfalls: "주의할 점",
    before: "이전에 잘못된 점",
    assumptions: "아직 확인되지 않은 계획의 가정",
    items: "판단할 항목",
    changed: "바뀐 파일",
    scope: "바꿀 수 있는 파일",
    write: (path) => `결과를 \`${path}\`에 아래 형식으로 쓰세요. 다른 필드는 추가하지 마세요.`,
    alsoPatterns: (path) =>
      `이 프로젝트가 어떻게 작성되는지(이름 짓기, 테스트, 오류 처리, 구조) 보았다면 \`${path}\`에도 쓰세요. 한 줄에 하나씩 \`이름: 내용\` 형식입니다.`,
    command: (command) =>
      `프로젝트의 테스트 명령은 \`${command}\`이며 다른 명령은 인정되지 않습니다.`,
  },
};
