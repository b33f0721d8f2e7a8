// The workflow plan and its memory: what is refused, told and asked (S3).
import type { Text } from "../messages.ts";

export const planTexts = {
  "plan.none": {
    en: "No plan is under way in this project.",
    ko: "이 프로젝트에서 진행 중인 계획이 없습니다.",
  },
  "plan.none.hint": {
    en: '“holdfast plan "<goal>"” begins one.',
    ko: '“holdfast plan "<목표>"”로 시작하세요.',
  },
  "plan.no_goal": { en: "A plan needs a goal.", ko: "계획에는 목표가 있어야 합니다." },
  "plan.no_goal.hint": {
    en: 'Say what is to be reached: holdfast plan "a release announcement in three languages".',
    ko: '무엇을 이룰지 적어 주세요. 예: holdfast plan "세 언어로 된 출시 공지"',
  },
  "plan.other": {
    en: "The plan {id} “{name}” is under way, and only one can be.",
    ko: "계획 {id} “{name}”(이/가) 진행 중이며, 한 번에 하나만 진행할 수 있습니다.",
  },
  "plan.other.hint": {
    en: "Finish or cancel it (holdfast plan cancel), or let this one wait for its turn: --queue.",
    ko: "그 계획을 끝내거나 취소(holdfast plan cancel)하거나, --queue로 차례를 기다리게 하세요.",
  },
  "plan.unknown": {
    en: "No plan {id} is under way or waits.",
    ko: "진행 중이거나 대기 중인 계획 가운데 {id}(이/가) 없습니다.",
  },
  "plan.not_recoverable": {
    en: "{id} is not a failed plan that could be taken up again.",
    ko: "{id}(은/는) 다시 이어 갈 수 있는 실패한 계획이 아닙니다.",
  },
  "plan.not_running": {
    en: "The plan {id} is {status}.",
    ko: "계획 {id}의 상태는 {status}입니다.",
  },
  "plan.not_working": {
    en: "No step can begin now: the plan is at “{stage}”.",
    ko: "지금은 단계를 시작할 수 없습니다. 계획이 “{stage}”에 있습니다.",
  },
  "plan.not_asked": {
    en: "Nobody asked for that now: the plan is at “{stage}”.",
    ko: "지금은 요청된 답이 아닙니다. 계획이 “{stage}”에 있습니다.",
  },
  "plan.asks": { en: "A person has to decide first.", ko: "먼저 사람이 결정해야 합니다." },
  "plan.asks.hint": {
    en: '“holdfast plan status” shows the report; then “holdfast plan retry”, “holdfast plan replan "why"” or “holdfast plan fail”.',
    ko: '“holdfast plan status”로 보고를 확인한 뒤 “holdfast plan retry”, “holdfast plan replan "이유"”, “holdfast plan fail” 중에서 고르세요.',
  },
  "plan.step_failed": { en: "Step {id} has failed.", ko: "{id}단계는 실패했습니다." },
  "plan.not_failed": {
    en: "Step {id} has not failed: it is {status}.",
    ko: "{id}단계는 실패한 단계가 아닙니다. 상태: {status}.",
  },
  "plan.nothing_asked": {
    en: "Nothing waits for a decision.",
    ko: "결정을 기다리는 것이 없습니다.",
  },
  "plan.nothing_to_approve": {
    en: "No steps wait for an approval.",
    ko: "승인을 기다리는 단계가 없습니다.",
  },
  "plan.not_before": {
    en: "Step {id} is tried again after {until}.",
    ko: "{id}단계는 {until} 이후에 다시 시도합니다.",
  },
  "plan.no_step": { en: "The plan has no step {id}.", ko: "계획에 {id}단계가 없습니다." },
  "plan.not_started": {
    en: "Step {id} is {status}, nobody is at work on it.",
    ko: "{id}단계의 상태는 {status}이며, 작업 중인 사람이 없습니다.",
  },
  "plan.unclaimed": {
    en: "Step {id} is in progress, and no session holds it.",
    ko: "{id}단계는 진행 중이지만 점유한 세션이 없습니다.",
  },
  "plan.unclaimed.hint": {
    en: "“holdfast plan resume” opens what nobody works on.",
    ko: "“holdfast plan resume”을 실행하면 아무도 작업하지 않는 단계가 다시 열립니다.",
  },
  "plan.claimed": {
    en: "Step {id} belongs to the session “{session}”.",
    ko: "{id}단계는 “{session}” 세션이 맡고 있습니다.",
  },
  "plan.claimed.hint": {
    en: "Take another (holdfast next plan); it is open again when that session is gone, or after 60 minutes without a word.",
    ko: "다른 단계를 맡으세요(holdfast next plan). 그 세션이 끝나거나 60분 동안 소식이 없으면 다시 열립니다.",
  },
  "plan.next.hint": {
    en: "“holdfast next plan” says what may be done now; “holdfast why <id>” what holds a step back.",
    ko: "지금 할 수 있는 일은 “holdfast next plan”으로, 막힌 이유는 “holdfast why <id>”로 확인하세요.",
  },
  "plan.edit_busy": {
    en: "Steps are at work: {ids}.",
    ko: "작업 중인 단계가 있습니다: {ids}.",
  },
  "plan.edit_late": {
    en: "All steps are done, the plan is at “{stage}”.",
    ko: "모든 단계가 끝났고 계획이 “{stage}”에 있습니다.",
  },
  "plan.edit.hint": {
    en: "“holdfast plan edit” without a file prints the steps in the form that it takes.",
    ko: "파일 없이 “holdfast plan edit”을 실행하면 받아들이는 형식으로 단계를 보여 줍니다.",
  },

  "plan.two_words": {
    en: "More than one word follows “{first}”.",
    ko: "“{first}” 뒤에 말이 더 있습니다.",
  },
  "plan.goal_and_resume": {
    en: "A goal begins a plan, --resume goes on with one: not both.",
    ko: "목표를 주면 새 계획을 시작하고 --resume은 있던 계획을 이어 갑니다. 둘 중 하나만 쓰세요.",
  },
  "plan.no_reason": {
    en: "Say what should be different.",
    ko: "무엇을 바꿀지 적어 주세요.",
  },
  "plan.no_reason.hint": {
    en: 'holdfast plan replan "use the other service"',
    ko: 'holdfast plan replan "다른 서비스를 쓸 것"',
  },
  "plan.begun": { en: "The plan {plan} has begun.", ko: "계획 {plan}(을/를) 시작했습니다." },
  "plan.queued": {
    en: "{plan} waits, place {place} in the queue.",
    ko: "{plan}(이/가) 대기열 {place}번째에서 기다립니다.",
  },
  "plan.would_begin": { en: "{plan} would begin now.", ko: "{plan}(을/를) 바로 시작합니다." },
  "plan.would_wait": {
    en: "{plan} would wait (--queue) for {id} “{name}” and {ahead} more.",
    ko: "{plan}(은/는) {id} “{name}” 외 {ahead}개가 끝나기를 기다려야 합니다(--queue).",
  },
  "plan.paused.hint": {
    en: "“holdfast plan resume” goes on.",
    ko: "“holdfast plan resume”으로 이어 갑니다.",
  },
  "plan.approve.hint": {
    en: '“holdfast plan approve” lets it begin, “holdfast plan edit” changes the steps, “holdfast plan replan "why"” asks for others.',
    ko: '“holdfast plan approve”로 시작하고, “holdfast plan edit”로 단계를 고치고, “holdfast plan replan "이유"”로 다시 세우게 합니다.',
  },
  "plan.edit.form": {
    en: "The open steps. Change them in a file: holdfast plan edit <file>",
    ko: "열린 단계입니다. 파일로 고쳐서 넣으세요: holdfast plan edit <파일>",
  },

  // A session: what is next, and what came of a report.
  "plan.says.waiting": {
    en: "{count} plans wait and none is under way: “holdfast plan resume” starts the first.",
    ko: "대기 중인 계획이 {count}개이며 진행 중인 계획은 없습니다. “holdfast plan resume”을 실행하면 첫 계획을 시작합니다.",
  },
  "plan.says.done": {
    en: "The plan {id} has ended: {result}.",
    ko: "계획 {id}(이/가) 끝났습니다: {result}.",
  },
  "plan.says.failed": {
    en: "The plan {id} is {status}. A failed one is taken up again with “holdfast plan resume {id}”.",
    ko: "계획 {id}의 상태는 {status}입니다. 실패한 계획은 “holdfast plan resume {id}”(으로/로) 이어 갑니다.",
  },
  "plan.says.approve": {
    en: "The steps wait for a person: “holdfast plan status” shows them, “holdfast plan approve” lets them begin.",
    ko: "사람의 승인을 기다립니다. “holdfast plan status”로 단계를 보고 “holdfast plan approve”로 시작하세요.",
  },
  "plan.says.wait": {
    en: "Others are at work on: {ids}.",
    ko: "다른 세션이 작업 중인 단계: {ids}.",
  },
  "plan.says.answer": {
    en: "Report the answer under {verb}.",
    ko: "답을 {verb}(으로/로) 알리세요.",
  },
  "plan.says.ready": {
    en: "These may be done now, side by side. What each asks for stands below.",
    ko: "지금 나란히 할 수 있는 단계입니다. 단계마다 할 일은 아래에 있습니다.",
  },
  "plan.says.retry": {
    en: "It is open again; “holdfast next plan” says how it is tried.",
    ko: "다시 열렸습니다. 어떻게 다시 할지는 “holdfast next plan”으로 확인하세요.",
  },
  "plan.says.replan": {
    en: "The rest is planned again, what is finished stays: “holdfast next plan”.",
    ko: "끝난 것은 두고 나머지 계획을 다시 세웁니다: “holdfast next plan”.",
  },
  "plan.unreported": {
    en: "Not reported to Holdfast yet: step {ids}. Run “holdfast report plan DONE:<id>:<what came of it>” first; it checks the claim.",
    ko: "아직 Holdfast에 보고하지 않은 단계: {ids}. 먼저 “holdfast report plan DONE:<id>:<결과>”를 실행해 확인을 받으세요.",
  },
  "plan.stop": {
    en: "Steps of the plan are still yours: {ids}. Report each: “holdfast report plan DONE:<id>:<what came of it>” or “FAIL:<id>:<type>: <reason>”.",
    ko: "아직 맡고 있는 계획 단계가 있습니다: {ids}. 단계마다 “holdfast report plan DONE:<id>:<결과>” 또는 “FAIL:<id>:<유형>: <이유>”로 보고하세요.",
  },
  "plan.own_work": {
    en: "This session did work that is to be judged; session “{session}”, which did none of it, can judge it.",
    ko: "이 세션은 판정할 작업을 직접 했습니다. 작업에 참여하지 않은 “{session}” 세션이 판정할 수 있습니다.",
  },
  "plan.own_work.hint": {
    en: "Let that session ask “holdfast next plan”. A session that took up nothing for an hour no longer counts; a lone session may judge its own work.",
    ko: "그 세션에서 “holdfast next plan”을 실행하세요. 한 시간 동안 아무 일도 맡지 않은 세션은 제외되며, 혼자인 세션은 자기 작업을 판정할 수 있습니다.",
  },
  "plan.bad_line.hint": {
    en: "One of: PLAN:<JSON or file>, START:<id>, DONE:<id>:<what came of it>, FAIL:<id>:<type>: <reason>, VERDICT:<JSON or file>, LESSONS:<JSON or file>.",
    ko: "다음 중 하나: PLAN:<JSON 또는 파일>, START:<id>, DONE:<id>:<결과>, FAIL:<id>:<유형>: <이유>, VERDICT:<JSON 또는 파일>, LESSONS:<JSON 또는 파일>.",
  },
  "plan.complaint": {
    en: "The answer does not have the form that was asked for:\n{complaint}",
    ko: "답이 요청한 형식과 다릅니다:\n{complaint}",
  },
  "plan.complaint.hint": {
    en: "Mend it and report it again; refused answers left before a person is asked: {left}.",
    ko: "고쳐서 다시 알리세요. 사람에게 묻기까지 남은 횟수: {left}.",
  },
  "plan.check_stopped": {
    en: "The check of step {id} was interrupted; nothing has changed.",
    ko: "{id}단계의 검사가 중단되었습니다. 바뀐 것은 없습니다.",
  },
  "plan.check_failed": {
    en: "Step {id} is not done:\n{feedback}",
    ko: "{id}단계는 끝나지 않았습니다:\n{feedback}",
  },
  "plan.check_failed.hint": {
    en: "The step stays yours: mend it and report DONE:{id} again, or FAIL:{id}:validation: <reason>.",
    ko: "단계는 그대로 맡고 있습니다. 고친 뒤 DONE:{id}(을/를) 다시 보고하거나 FAIL:{id}:validation: <이유>로 알리세요.",
  },

  // What goes into the documents.
  "plan.resolved.retry": { en: "done after {retries} retries", ko: "재시도 {retries}회 만에 완료" },
  "plan.resolved.replan": { en: "planned again", ko: "계획을 다시 세움" },
  "plan.recover": {
    en: "Make what step {id} lacks ({name})",
    ko: "{id}단계({name})에 부족한 것 마련하기",
  },
  "plan.summary": {
    en: "{result}: {done} of {total} steps completed",
    ko: "{result}: {total}단계 중 {done}단계 완료",
  },
  "plan.cancelled": {
    en: "cancelled: {done} of {total} steps completed",
    ko: "취소됨: {total}단계 중 {done}단계 완료",
  },
  "plan.report": {
    en: "Step {id} “{name}” failed ({type}) after {retries} retries: {message}",
    ko: "{id}단계 “{name}” 실패({type}), 재시도 {retries}회: {message}",
  },
  "plan.report.answer": {
    en: "No usable answer came for “{stage}”. What is wrong with the last one:\n{complaint}",
    ko: "“{stage}”에 쓸 수 있는 답이 오지 않았습니다. 마지막 답의 문제:\n{complaint}",
  },
  "plan.why.failed": {
    en: "Step {id} “{name}” could not be done ({type}, {retries} retries): {message}",
    ko: "{id}단계 “{name}”(을/를) 할 수 없었습니다({type}, 재시도 {retries}회): {message}",
  },
  "plan.why.recovered": {
    en: "All steps were done, and the goal was not reached.",
    ko: "모든 단계를 마쳤지만 목표에 이르지 못했습니다.",
  },

  // What is told.
  "plan.history.gone": {
    en: "The history keeps the newest 100 plans. Out of the file, still in the journal: {ids}",
    ko: "작업 이력은 최근 100개만 남습니다. 파일에서 빠졌지만 기록에는 남아 있습니다: {ids}",
  },
  "plan.history.short": {
    en: "Older than 30 days, now a summary in the history: {ids}",
    ko: "30일이 지나 이력에 요약만 남았습니다: {ids}",
  },
  "plan.no_lessons": {
    en: "The plan ended without lessons: {complaint}",
    ko: "교훈 없이 계획이 끝났습니다: {complaint}",
  },
  "plan.ended": { en: "The plan ended: {result}.", ko: "계획이 끝났습니다: {result}." },

  // What a person is asked. The first word of an option is what it is known by.
  "plan.ask.decide": { en: "What is to be done?", ko: "어떻게 할까요?" },
  "plan.ask.retry": { en: "retry: try it again", ko: "retry: 다시 시도" },
  "plan.ask.replan": {
    en: "replan: plan again, what is finished stays",
    ko: "replan: 끝난 것은 두고 계획을 다시 세우기",
  },
  "plan.ask.fail": { en: "fail: end the plan", ko: "fail: 계획 끝내기" },
  "plan.ask.approve": {
    en: "Are these the steps for “{name}”?",
    ko: "“{name}”의 단계를 이대로 진행할까요?",
  },
  "plan.ask.yes": { en: "approve: begin", ko: "approve: 시작" },
  "plan.ask.changes": {
    en: "changes: say what should be different",
    ko: "changes: 바꿀 점을 적기",
  },
  "plan.ask.cancel": { en: "cancel: drop the plan", ko: "cancel: 계획 취소" },
  "plan.title.plan": { en: "Steps for: {name}", ko: "계획 세우기: {name}" },
  "plan.title.judge": { en: "Verdict on: {name}", ko: "판정: {name}" },
  "plan.title.close": { en: "Lessons of: {name}", ko: "교훈 정리: {name}" },
} as const satisfies Record<string, Text>;
