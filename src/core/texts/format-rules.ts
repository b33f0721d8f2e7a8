// Complaints about documents whose fields contradict each other, and what an upgrade does.
import type { Text } from "../messages.ts";

export const formatRuleTexts = {
  // Rules across fields.
  "format.rule.strategy_early": {
    en: "a strategy is chosen when IMPLEMENT begins; in {phase} there is none yet",
    ko: "strategy는 IMPLEMENT에 들어갈 때 정해집니다. {phase}에서는 아직 없어야 합니다",
  },
  "format.rule.strategy_missing": {
    en: "no strategy: one is chosen on resume",
    ko: "strategy가 없습니다. 재개할 때 정합니다",
  },
  "format.rule.iteration": {
    en: "{id} is {status} with iteration {iteration}; pending means 0, anything else 1 to 3",
    ko: "{id}의 상태는 {status}인데 iteration이 {iteration}입니다. pending이면 0, 그 밖에는 1~3이어야 합니다",
  },
  "format.rule.circle": {
    en: "these depend on each other in a circle: {path}",
    ko: "의존성이 순환합니다: {path}",
  },
  "format.rule.missing_dependency": {
    en: "{id} depends on {missing}, which does not exist",
    ko: "{id}(이/가) 의존하는 {missing}(이/가) 없습니다",
  },
  "format.rule.same_id": {
    en: "the id {id} stands here twice",
    ko: "id {id}(이/가) 두 번 나옵니다",
  },
  "format.rule.two_lists": {
    en: "{id} stands in “{other}” and again in “{list}”; the next update keeps the one that is furthest along",
    ko: "{id}(이/가) “{other}”(과/와) “{list}”에 함께 있습니다. 다음 갱신 때 더 진행된 쪽만 남깁니다",
  },
  "format.rule.stranger": {
    en: "{id} has dependencies but stands in no list",
    ko: "{id}(은/는) 의존성만 있고 어느 목록에도 없습니다",
  },
  "format.rule.no_such_step": { en: "there is no step {step}", ko: "{step}번 단계가 없습니다" },
  "format.rule.no_such_task": { en: "there is no task {id}", ko: "작업 {id}(이/가) 없습니다" },
  "format.rule.history_long": {
    en: "{count} tasks: only the newest {max} stay",
    ko: "작업이 {count}개입니다. 최근 {max}개만 남깁니다",
  },
  "format.rule.total_low": {
    en: "total_tasks is {total}, but {count} are listed",
    ko: "total_tasks는 {total}인데 목록에는 {count}개가 있습니다",
  },
  "format.rule.cache_long": {
    en: "“{name}” has {count} entries: cut to {max} on the next update",
    ko: "“{name}” 항목이 {count}개입니다. 다음 갱신 때 {max}개로 줄입니다",
  },
  "format.rule.foreign_subtask": {
    en: "{subtask} does not belong to {task}",
    ko: "{subtask}(은/는) {task}의 하위 작업이 아닙니다",
  },
  "format.rule.not_in_order": {
    en: "{id} is missing in {order}",
    ko: "{order}에 {id}(이/가) 없습니다",
  },
  "format.rule.phase_status": {
    en: "{id} is {status} in phase {phase}; completed and complete go together",
    ko: "{id}의 상태는 {status}인데 phase가 {phase}입니다. completed와 complete는 함께 가야 합니다",
  },
  "format.rule.gate_open": {
    en: "{id} is completed, but {gate} has not passed",
    ko: "{id}(은/는) 완료됐는데 {gate}(을/를) 통과하지 않았습니다",
  },
  "format.rule.uncovered": {
    en: "no test case has the target “{target}”",
    ko: "“{target}”(을/를) 대상으로 하는 테스트 케이스가 없습니다",
  },
  "format.rule.sum": {
    en: "the total is {total}, but the parts add up to {sum}",
    ko: "합계는 {total}인데 더하면 {sum}입니다",
  },
  "format.rule.pass_with_failures": {
    en: "the result is “pass” with {count} failed test(s)",
    ko: "실패한 테스트가 {count}개인데 결과가 “pass”입니다",
  },
  "format.rule.more_failed": {
    en: "{listed} failed tests are listed, but {count} were counted",
    ko: "실패 목록은 {listed}개인데 집계는 {count}개입니다",
  },
  "format.rule.complete_despite_failure": {
    en: "“complete” is recommended although the tests failed",
    ko: "테스트가 실패했는데 “complete”를 권합니다",
  },
  "format.rule.type_taken": {
    en: "the type “{name}” comes with Holdfast; choose another name",
    ko: "“{name}”(은/는) Holdfast에 내장된 유형입니다. 다른 이름을 써 주세요",
  },
  "format.upgrade.orchestrate": {
    en: "version {from} is read as mode “normal”; the file stays as it is until it is upgraded",
    ko: "버전 {from}(은/는) “normal” 모드로 읽습니다. 업그레이드하기 전까지 파일은 그대로 둡니다",
  },
} as const satisfies Record<string, Text>;
