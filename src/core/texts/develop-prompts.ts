// What the roles of develop are asked (S0.5, S0.7). A project may have its own words for each.
import type { Text } from "../messages.ts";

export const developPromptTexts = {
  "develop.prompt.feature": { en: "Feature: {feature}", ko: "기능: {feature}" },
  "develop.prompt.feedback": {
    en: "It was sent back with this feedback. Take all of it in:\n{feedback}",
    ko: "다음 피드백과 함께 돌아왔습니다. 모두 반영하세요:\n{feedback}",
  },
  "develop.prompt.designer": {
    en: `Design the feature; do not build it yet. Find out what is really asked for, look at the code that is there, and decide on interfaces and tests.
Then write {path}: the checkpoints in which it is built. Each has an id (cp-1, cp-2, …), a description, interface (files that hold its interface), tests (its test files), validation and dependencies (ids of checkpoints that have to pass first; no circles):

checkpoints:
  - id: cp-1
    description: "…"
    interface: [src/…]
    tests: [test/…]
    validation:
      command: "npm test -- …"
      expected: "5 passed"
    dependencies: []

Holdfast runs validation.command itself. It has to end with 0 and print the text of expected; expected may also be “exit 3” for another exit code, or “all tests pass” where the exit code says it all. Write the interfaces and the tests themselves too, so that a checkpoint is a promise that can be checked. A person approves the design.`,
    ko: `기능을 설계하세요. 아직 구현하지는 마세요. 실제로 무엇이 필요한지 확인하고, 기존 코드를 살펴본 다음 인터페이스와 테스트를 정하세요.
그런 다음 {path}에 구현할 체크포인트를 쓰세요. 체크포인트마다 id(cp-1, cp-2, …), description, interface(인터페이스 파일), tests(테스트 파일), validation, dependencies(먼저 통과해야 하는 체크포인트의 id, 순환 금지)를 적습니다:

checkpoints:
  - id: cp-1
    description: "…"
    interface: [src/…]
    tests: [test/…]
    validation:
      command: "npm test -- …"
      expected: "5 passed"
    dependencies: []

validation.command는 Holdfast가 직접 실행합니다. 명령은 0으로 끝나고 expected의 글을 출력해야 합니다. 다른 종료 코드를 기대하면 expected에 “exit 3”처럼, 종료 코드만 보면 되는 경우에는 “all tests pass”라고 적을 수 있습니다. 체크포인트가 검증할 수 있는 약속이 되도록 인터페이스와 테스트도 직접 작성하세요. 설계는 사람이 승인합니다.`,
  },
  "develop.prompt.reviewer": {
    en: `Review the design in {path} against the feature and the code. Change nothing. What blocks: a requirement that no checkpoint covers, a validation that would pass without the work, a dependency that is missing, an interface that can not work.
Write docs/develop/review.md. Its first line is APPROVED, or BLOCKING followed by the findings, one a line. In a session of your own report DONE:REVIEW, or FAIL:REVIEW:<findings>, instead.`,
    ko: `{path}의 설계를 기능 요구와 코드에 비추어 리뷰하세요. 아무것도 고치지 마세요. 어느 체크포인트도 다루지 않는 요구, 구현 없이도 통과하는 검증, 빠진 의존성, 동작할 수 없는 인터페이스는 막아야 합니다.
docs/develop/review.md를 쓰세요. 첫 줄은 APPROVED, 또는 BLOCKING이고 그 아래에 문제를 한 줄씩 적습니다. 직접 연 세션이라면 대신 DONE:REVIEW 또는 FAIL:REVIEW:<문제>를 보고하세요.`,
  },
  "develop.prompt.implementer": {
    en: `Build this checkpoint with RALPH: Read its code and tests, Analyze what is missing, Learn from what failed before, Patch, then Halt: Holdfast runs the validation itself, and your word does not pass it. Do not weaken tests or the validation. If the design can not work or the environment lacks something, say so with DESIGN_MISMATCH or ENV_ISSUE instead of trying again.`,
    ko: `이 체크포인트를 RALPH로 구현하세요. Read(코드와 테스트 읽기), Analyze(빠진 것 분석), Learn(앞선 실패에서 배우기), Patch(수정), Halt(멈추고 검증) 순서입니다. 검증은 Holdfast가 직접 실행하며, 말로는 통과하지 않습니다. 테스트나 검증을 약하게 만들지 마세요. 설계대로는 불가능하거나 환경에 문제가 있으면 다시 시도하지 말고 DESIGN_MISMATCH 또는 ENV_ISSUE라고 알리세요.`,
  },
  "develop.prompt.diagnosis": {
    en: `Two attempts at this checkpoint have failed. Change nothing: find out why. Read the code, the tests and everything they touch, run the validation, and form a hypothesis that explains both failures. Write what is wrong, the evidence, and what exactly to change into docs/develop/diagnosis-<id of the checkpoint>.md. Another agent makes the third and last attempt with it.`,
    ko: `이 체크포인트는 두 번 실패했습니다. 아무것도 고치지 말고 원인을 찾으세요. 코드와 테스트, 관련된 모든 것을 읽고 검증을 실행해 두 실패를 모두 설명하는 가설을 세우세요. 무엇이 잘못됐는지, 근거와 정확히 무엇을 바꿔야 하는지를 docs/develop/diagnosis-<체크포인트 id>.md에 쓰세요. 다른 에이전트가 이를 바탕으로 세 번째이자 마지막 시도를 합니다.`,
  },
  "develop.prompt.team": {
    en: `Lead a team of agents: one teammate for each checkpoint below, all at work at once. See that no two of them change the same file at the same time, keep shared files to yourself, and bring the work together. Each checkpoint follows RALPH: Read, Analyze, Learn, Patch, Halt. Holdfast validates each by itself afterwards.`,
    ko: `에이전트 팀을 이끄세요. 아래 체크포인트마다 팀원 한 명을 두고 동시에 진행합니다. 두 팀원이 같은 파일을 동시에 고치지 않게 하고, 함께 쓰는 파일은 직접 맡고, 결과를 하나로 합치세요. 각 체크포인트는 RALPH(Read, Analyze, Learn, Patch, Halt)를 따릅니다. 끝나면 Holdfast가 하나씩 직접 검증합니다.`,
  },
  "develop.prompt.fixer": {
    en: `Every checkpoint has passed, and the whole was sent back. Mend what the feedback names without breaking a checkpoint: Holdfast validates all of them again.`,
    ko: `모든 체크포인트가 통과했지만 전체가 돌아왔습니다. 체크포인트를 깨뜨리지 않으면서 피드백의 내용을 고치세요. Holdfast가 모두 다시 검증합니다.`,
  },
  "develop.prompt.finisher": {
    en: `Every checkpoint has passed. Review the change as a whole before it is merged: correctness, security, leftovers, the project's own rules. Mend what is small. Write docs/develop/summary.md: what was built, checkpoint by checkpoint, and what a person should look at. A person approves the merge.`,
    ko: `모든 체크포인트가 통과했습니다. 병합하기 전에 변경 전체를 리뷰하세요: 정확성, 보안, 남은 찌꺼기, 프로젝트의 규칙. 작은 문제는 직접 고치세요. docs/develop/summary.md에 무엇을 만들었는지 체크포인트별로, 그리고 사람이 살펴볼 점을 쓰세요. 병합은 사람이 승인합니다.`,
  },
  "develop.prompt.checkpoint": {
    en: "Checkpoint {id} (attempt {iteration} of 3): {description}",
    ko: "체크포인트 {id} (3번 중 {iteration}번째 시도): {description}",
  },
  "develop.prompt.interface": { en: "Interface: {files}", ko: "인터페이스: {files}" },
  "develop.prompt.tests": { en: "Tests: {files}", ko: "테스트: {files}" },
  "develop.prompt.validation": {
    en: "Validation: {command} → {expected}",
    ko: "검증: {command} → {expected}",
  },
  "develop.prompt.tried": {
    en: "Attempt {attempt} failed with {failure}: {reason}",
    ko: "{attempt}번째 시도는 {failure}(으)로 실패했습니다: {reason}",
  },
  "develop.prompt.wider": {
    en: "Read wider this time: who calls this code, what it calls, its neighbours and their tests, the history of these files.",
    ko: "이번에는 더 넓게 읽으세요: 이 코드를 부르는 곳, 이 코드가 부르는 것, 이웃 코드와 그 테스트, 파일의 변경 이력까지 살펴보세요.",
  },
  "develop.prompt.last": {
    en: "This is the last attempt. First let a diagnosis be made, by another agent where you can: a cause that explains every failure so far. Then change only what it calls for.",
    ko: "마지막 시도입니다. 먼저 진단하세요. 가능하면 다른 에이전트에게 맡겨 지금까지의 실패를 모두 설명하는 원인을 찾고, 그 원인이 요구하는 것만 고치세요.",
  },
  "develop.prompt.diagnosis_is": {
    en: "The diagnosis:\n{diagnosis}",
    ko: "진단 결과:\n{diagnosis}",
  },
} as const satisfies Record<string, Text>;
