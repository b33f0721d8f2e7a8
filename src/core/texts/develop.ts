// The workflow develop: from design to merge with checkpoints (S0): what it refuses, asks and answers.
import type { Text } from "../messages.ts";

export const developTexts = {
  "develop.previous": {
    en: "Previous session: '{feature}', Phase {phase}",
    ko: "이전 세션: '{feature}', Phase {phase}",
  },
  "develop.checkpoints": { en: "Checkpoints: {list}", ko: "Checkpoints: {list}" },
  "develop.under_way": {
    en: "Previous session: '{feature}', Phase {phase}\nCheckpoints: {list}",
    ko: "이전 세션: '{feature}', Phase {phase}\nCheckpoints: {list}",
  },
  "develop.under_way.hint": {
    en: "Continue it with --resume, or start over with --restart: the state file is removed then, after a backup.",
    ko: "--resume을 주면 이어서 진행하고, --restart를 주면 상태 파일을 백업한 뒤 지우고 처음부터 시작합니다.",
  },
  "develop.choice.resume": { en: "Continue", ko: "이어서 진행" },
  "develop.choice.restart": { en: "Start over", ko: "처음부터" },
  "develop.was_done": {
    en: "The previous one is complete. Starting a new one.",
    ko: "이전 완료. 새로 시작합니다.",
  },
  "develop.kept": {
    en: "The state of '{feature}' is kept in {path}.",
    ko: "'{feature}'의 상태는 {path}에 보관했습니다.",
  },
  "develop.begun": {
    en: "'{feature}' begins: Phase {phase}.",
    ko: "'{feature}' 시작: Phase {phase}",
  },
  "develop.resumed": {
    en: "'{feature}' goes on: Phase {phase}. Feedback is not kept: read the code and tests again and analyse anew.",
    ko: "'{feature}'(을/를) 이어 갑니다: Phase {phase}. 피드백은 남아 있지 않으니 코드와 테스트를 다시 읽고 새로 분석하세요.",
  },
  "develop.other_feature": {
    en: "'{given}' is not begun: '{feature}' is under way.",
    ko: "'{feature}'(이/가) 진행 중이므로 '{given}'(은/는) 시작하지 않습니다.",
  },
  "develop.no_feature": {
    en: "There is nothing to go on with, and no feature was named.",
    ko: "이어 갈 작업이 없고, 만들 기능도 주어지지 않았습니다.",
  },
  "develop.no_feature.hint": {
    en: 'Name it: holdfast develop "real-time chat".',
    ko: '만들 기능을 적어 주세요: holdfast develop "실시간 채팅 기능"',
  },
  "develop.state_removed": {
    en: "{path} was removed, which gives up the run.",
    ko: "{path} 파일이 삭제되어 이 실행을 마칩니다.",
  },
  "develop.not_begun": {
    en: "No develop run has begun here.",
    ko: "여기서는 아직 develop을 시작하지 않았습니다.",
  },
  "develop.not_begun.hint": {
    en: 'Begin one with: holdfast develop "<feature>" --in-session.',
    ko: '시작하기: holdfast develop "<기능>" --in-session',
  },
  "develop.unreadable.hint": {
    en: "“holdfast validate” shows every problem in it. To start over, move {path} away first.",
    ko: "모든 문제는 “holdfast validate”로 볼 수 있습니다. 처음부터 시작하려면 먼저 {path} 파일을 다른 곳으로 옮기세요.",
  },
  "develop.both": {
    en: "--resume and --restart can not be given together.",
    ko: "--resume과 --restart는 함께 쓸 수 없습니다.",
  },
  "develop.one_thing": {
    en: "Only one of --approve, --send-back, --retry, --skip, --unit and --dry-run may be given.",
    ko: "--approve, --send-back, --retry, --skip, --unit, --dry-run은 하나만 쓸 수 있습니다.",
  },
  "develop.person_only": {
    en: "Only a person may decide that, and this call comes from inside a run.",
    ko: "사람만 결정할 수 있는 일인데, 이 호출은 실행 중인 작업 안에서 왔습니다.",
  },
  "develop.approved": { en: "Approved: Phase {phase}.", ko: "승인했습니다: Phase {phase}" },
  "develop.design_changed": {
    en: "{path} is not what was reported as the design any more.",
    ko: "{path}(이/가) 설계로 보고된 내용과 달라졌습니다.",
  },
  "develop.design_changed.hint": {
    en: "Let it be checked again: holdfast report develop DONE:DESIGN. Then approve it.",
    ko: "holdfast report develop DONE:DESIGN으로 다시 검사한 뒤 승인하세요.",
  },
  "develop.sent_back": { en: "Sent back: Phase {phase}.", ko: "돌려보냈습니다: Phase {phase}" },
  "develop.retried": {
    en: "{id} is open again, from its first attempt.",
    ko: "{id}(을/를) 첫 번째 시도부터 다시 시작합니다.",
  },
  "develop.skipped": {
    en: "{id} counts as passed, on your word.",
    ko: "사용자의 결정으로 {id}(을/를) 통과한 것으로 합니다.",
  },
  "develop.nothing_to_approve": {
    en: "Nothing waits for an approval in phase {phase}.",
    ko: "{phase} 단계에는 승인을 기다리는 것이 없습니다.",
  },
  "develop.nothing_to_send_back": {
    en: "Nothing can be sent back in phase {phase}.",
    ko: "{phase} 단계에서는 돌려보낼 것이 없습니다.",
  },
  "develop.stopped": { en: "The run was stopped: {why}", ko: "실행이 중단되었습니다: {why}" },
  "develop.stopped.hint": {
    en: "“holdfast develop --resume” goes on with it.",
    ko: "“holdfast develop --resume”으로 이어 갈 수 있습니다.",
  },

  // Units and claims.
  "develop.no_unit": {
    en: "The run knows no unit “{unit}”.",
    ko: "실행에 “{unit}” 단위가 없습니다.",
  },
  "develop.next.hint": {
    en: "“holdfast next develop” says what is to be done now.",
    ko: "지금 할 일은 “holdfast next develop”으로 확인하세요.",
  },
  "develop.not_now": {
    en: "{unit} can not be worked on now: the run is in phase {phase}.",
    ko: "지금은 {unit}(을/를) 작업할 수 없습니다. 현재 단계는 {phase}입니다.",
  },
  "develop.waits_for_person": {
    en: "{unit} was reported and waits for a person.",
    ko: "{unit}(은/는) 이미 보고되어 사람의 결정을 기다리고 있습니다.",
  },
  "develop.claimed": {
    en: "{unit} is held by another session ({session}).",
    ko: "{unit}(은/는) 이미 맡은 세션이 있습니다: {session}",
  },
  "develop.unclaimed": {
    en: "{unit} is not claimed by this session: report START:{unit} first.",
    ko: "이 세션은 {unit}(을/를) 맡지 않았습니다. 먼저 START:{unit}(을/를) 보고하세요.",
  },
  "develop.enough": {
    en: "{unit} has to wait: {most} at once is all that the strategy allows.",
    ko: "{unit}(은/는) 기다려야 합니다. 전략상 동시에 {most}개까지만 진행합니다.",
  },
  "develop.finished": {
    en: "{unit} is finished in task {id}, and a session would begin it again.",
    ko: "{unit} 작업은 {id}에서 이미 끝났습니다. 세션에서 이어 가면 처음부터 다시 하게 됩니다.",
  },
  "develop.finished.hint": {
    en: "Decide on it first (holdfast task approve {id}), and continue with: holdfast develop --resume. To begin again: --restart.",
    ko: "먼저 결정한 뒤(holdfast task approve {id}) holdfast develop --resume으로 이어 가세요. 처음부터 하려면 --restart를 쓰세요.",
  },
  "develop.decide.hint": {
    en: "Decide on it first: holdfast develop --approve, or --send-back with what is to change. Then: holdfast develop --resume.",
    ko: "먼저 holdfast develop --approve로 승인하거나 --send-back으로 바꿀 점을 알려 주세요. 그다음 holdfast develop --resume을 실행하세요.",
  },
  "develop.decided": {
    en: "{unit}: your decision is recorded. It is taken by whoever carries the run, else by: holdfast develop --resume.",
    ko: "{unit}에 대한 결정을 저장했습니다. 진행 중인 실행이 바로 반영합니다. 실행이 멈춰 있으면 holdfast develop --resume으로 이어 가세요.",
  },
  "develop.headless": {
    en: "Holdfast's own agents work on this run.",
    ko: "이 실행은 Holdfast가 띄운 에이전트가 작업하고 있습니다.",
  },
  "develop.other_attempt": {
    en: "{unit} has moved on to another attempt meanwhile.",
    ko: "{unit}(은/는) 그사이 다른 시도로 넘어갔습니다.",
  },
  "develop.others": { en: "Other sessions work on {ids}.", ko: "다른 세션이 작업 중입니다: {ids}" },
  "develop.bad_line": {
    en: "“{line}” is not a report of develop.",
    ko: "“{line}”(은/는) develop의 보고 형식이 아닙니다.",
  },
  "develop.bad_line.hint": {
    en: "START:cp-1, DONE:cp-1, FAIL:cp-1:<class>:<reason> (class: {classes}); START:, DONE: or FAIL: with DESIGN, REVIEW, FIX or MERGE.",
    ko: "START:cp-1, DONE:cp-1, FAIL:cp-1:<분류>:<이유> 형식이고 분류는 {classes} 중 하나입니다. DESIGN, REVIEW, FIX, MERGE에도 START:, DONE:, FAIL:을 씁니다.",
  },
  "develop.fail_phase": {
    en: "{unit} has no failure to report: mend it, or ask the user.",
    ko: "{unit}에는 실패를 보고할 수 없습니다. 고치거나 사용자에게 물어보세요.",
  },

  // What a person is asked.
  "develop.asks.design": {
    en: 'The design with {count} checkpoints is sound, and waits for the user: holdfast develop --approve, or holdfast develop --send-back "<feedback>".',
    ko: '체크포인트 {count}개로 된 설계를 검사했고 사용자의 승인을 기다립니다: holdfast develop --approve 또는 holdfast develop --send-back "<피드백>"',
  },
  "develop.asks.review": {
    en: "The review has sent the design back twice already, and still finds:\n{findings}\nThe user accepts it as it is (holdfast develop --approve) or starts over (--restart).",
    ko: "리뷰에서 이미 두 번 설계로 돌려보냈는데 아직 문제가 있습니다:\n{findings}\n사용자가 그대로 받아들이거나(holdfast develop --approve) 처음부터 다시 시작합니다(--restart).",
  },
  "develop.asks.merge": {
    en: 'Every check has passed, and the merge waits for the user: holdfast develop --approve, or holdfast develop --send-back "<feedback>".',
    ko: '모든 검사를 통과했고 사용자의 병합 승인을 기다립니다: holdfast develop --approve 또는 holdfast develop --send-back "<피드백>"',
  },
  "develop.asks.escalated": {
    en: "{ids}: escalated, the user decides: holdfast develop --retry {id}, or --skip {id}. What was tried:\n{tried}",
    ko: "{ids}: 재시도를 다 써서 사용자가 결정해야 합니다: holdfast develop --retry {id} 또는 --skip {id}. 시도한 내용:\n{tried}",
  },
  "develop.ask.escalated": {
    en: "Checkpoint {id} did not pass and is yours to decide. What was tried:\n{tried}",
    ko: "체크포인트 {id}(이/가) 통과하지 못해 사용자의 결정이 필요합니다. 시도한 내용:\n{tried}",
  },
  "develop.ask.review": {
    en: "The review has sent the design back twice already, and still finds:\n{findings}",
    ko: "리뷰에서 이미 두 번 설계로 돌려보냈는데 아직 문제가 있습니다:\n{findings}",
  },
  "develop.ask.missed": {
    en: "{unit} came to nothing {count} times in a row. The last time: {why}",
    ko: "{unit}(이/가) {count}번 연속 실패했습니다. 마지막 이유: {why}",
  },
  "develop.ask.land": {
    en: "The branch could not be merged: {why}",
    ko: "브랜치를 병합하지 못했습니다: {why}",
  },
  "develop.option.accept": { en: "go on with the design as it is", ko: "설계를 그대로 두고 진행" },
  "develop.option.again": { en: "try it once more", ko: "한 번 더 시도" },
  "develop.option.back": { en: "back to IMPLEMENT, to be mended", ko: "IMPLEMENT로 돌려보내 수정" },
  "develop.option.retry": {
    en: "open it again, with three new attempts",
    ko: "다시 열어 세 번 더 시도",
  },
  "develop.option.skip": {
    en: "let it count as passed, on your word",
    ko: "사용자의 결정으로 통과 처리",
  },
  "develop.option.stop": { en: "end the run here", ko: "여기서 중단" },

  // Halt.
  "develop.halt.code": {
    en: "The validation command ended with {code}, not {wanted}. It printed:\n{output}",
    ko: "검증 명령이 {wanted}(이/가) 아니라 {code}(으)로 끝났습니다. 출력:\n{output}",
  },
  "develop.halt.unended": {
    en: "The validation command did not end by itself. It printed:\n{output}",
    ko: "검증 명령이 스스로 끝나지 않았습니다. 출력:\n{output}",
  },
  "develop.halt.text": {
    en: "The validation command ended with 0 but did not print “{expected}”. It printed:\n{output}",
    ko: "검증 명령이 0으로 끝났지만 “{expected}”(을/를) 출력하지 않았습니다. 출력:\n{output}",
  },
  "develop.halt.stopped": {
    en: "The validation of {unit} was stopped; nothing has changed.",
    ko: "{unit}의 검증이 중단되었습니다. 바뀐 것은 없습니다.",
  },
  "develop.says.retry": {
    en: "Attempt {iteration} of 3 begins ({failure}). {reason}",
    ko: "3번 중 {iteration}번째 시도입니다({failure}). {reason}",
  },
  "develop.says.escalated": {
    en: "{unit} is escalated ({failure}): ask the user. {reason}",
    ko: "{unit}(은/는) 사용자가 결정해야 합니다({failure}). {reason}",
  },
  "develop.check_failed": {
    en: "{unit} is not done: {why}",
    ko: "{unit}(은/는) 아직 끝나지 않았습니다: {why}",
  },
  "develop.check_failed.hint": {
    en: "Mend that, then report DONE:{unit} again.",
    ko: "고친 뒤 DONE:{unit}(을/를) 다시 보고하세요.",
  },
  "develop.no_definitions": {
    en: "{path} is not there: the design has to define its checkpoints in it.",
    ko: "{path} 파일이 없습니다. 설계에서 체크포인트를 이 파일에 정의해야 합니다.",
  },
  "develop.undefined": {
    en: "{path} does not define {ids}, which the state has.",
    ko: "상태에 있는 {ids}(이/가) {path}에 정의되어 있지 않습니다.",
  },
  "develop.undefined.hint": {
    en: "Put the design's file back in its place, or start over with “holdfast develop --restart”.",
    ko: "설계 파일을 제자리에 되돌려 놓거나 “holdfast develop --restart”로 처음부터 시작하세요.",
  },
  "develop.problems": { en: "{first}\n{rest}", ko: "{first}\n{rest}" },
  "develop.bad_definitions.hint": {
    en: "Mend {path} and report DONE:DESIGN again; “holdfast validate {path}” lists all there is.",
    ko: "{path}(을/를) 고친 뒤 DONE:DESIGN을 다시 보고하세요. 모든 문제를 보려면: holdfast validate {path}",
  },
  "develop.review.no_verdict": {
    en: "{path} has to begin with a line APPROVED or BLOCKING.",
    ko: "{path}의 첫 줄은 APPROVED 또는 BLOCKING이어야 합니다.",
  },
  "develop.unreported": {
    en: "{ids} is still in progress: report DONE or FAIL to Holdfast first (holdfast report develop …).",
    ko: "{ids}(이/가) 아직 진행 중입니다. 먼저 Holdfast에 DONE이나 FAIL을 보고하세요(holdfast report develop …).",
  },
  "develop.stop": {
    en: "You still hold {ids} of develop. Go on with it, or report FAIL:<id>:<class>:<reason>.",
    ko: "develop의 {ids}(을/를) 아직 맡고 있습니다. 이어서 하거나 FAIL:<id>:<분류>:<이유>를 보고하세요.",
  },
} as const satisfies Record<string, Text>;
