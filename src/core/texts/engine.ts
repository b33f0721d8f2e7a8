// What the engine says to people and to agents about claims, questions, reviews and budgets.
import type { Text } from "../messages.ts";

export const engineTexts = {
  "claim.not_a_phase": {
    en: "This task has phases: claim phase {phase} with its own block, not the whole task.",
    ko: "이 작업은 단계로 나뉘어 있습니다. 작업 전체가 아니라 {phase}단계의 완료 블록을 출력하세요.",
  },
  "claim.not_a_verifier": {
    en: "A VERIFICATION_RESULT counts only from a verifier. Claim your phase instead.",
    ko: "VERIFICATION_RESULT는 검증 에이전트만 쓸 수 있습니다. 자기 단계의 완료 블록을 출력하세요.",
  },
  "claim.malformed": {
    en: "Your {marker} block can not be read: {complaint} Print it again.",
    ko: "{marker} 블록을 읽을 수 없습니다. {complaint} 다시 출력하세요.",
  },
  "claim.other_phase": {
    en: "You claimed phase {claimed}, but phase {phase} is at work. Nothing was taken over.",
    ko: "{claimed}단계가 끝났다고 했지만 지금은 {phase}단계입니다. 아무것도 반영하지 않았습니다.",
  },
  "claim.refused": {
    en: "Your claim was checked and does not hold:\n\n{feedback}\n\nMend this and claim the phase again.",
    ko: "완료했다고 한 내용을 확인했지만 맞지 않습니다.\n\n{feedback}\n\n고친 뒤 단계 완료 블록을 다시 출력하세요.",
  },
  "agent.reminder": {
    en: "You ended without saying that the phase is complete. Go on where you were; when everything is there, print the completion block.",
    ko: "단계가 끝났다는 말 없이 끝났습니다. 하던 곳에서 이어서 하고, 모두 만들었으면 완료 블록을 출력하세요.",
  },
  "agent.resumed": {
    en: "You were interrupted and started again. Look at what is there already, and go on where you were.",
    ko: "중간에 끊겨서 다시 시작했습니다. 이미 있는 것을 확인하고 하던 곳에서 이어서 하세요.",
  },
  "agent.restored": {
    en: "The folder was put back to an earlier state by a person. Look at what is there, and go on from it.",
    ko: "사람이 폴더를 이전 상태로 되돌렸습니다. 지금 있는 것을 확인하고 거기서부터 이어서 하세요.",
  },
  "agent.gave_up": {
    en: "The agent ended again and again without finishing (last: {last}).",
    ko: "에이전트가 일을 마치지 못하고 거듭 끝났습니다(마지막: {last}).",
  },
  "agent.no_claim": {
    en: "Your turn ended again without a completion block. Go on where you were, and print the block when everything is there.",
    ko: "이번에도 완료 블록 없이 차례가 끝났습니다. 하던 곳에서 이어서 하고, 모두 만들었으면 완료 블록을 출력하세요.",
  },
  "agent.turn_failed": {
    en: "Your last turn failed: {message}",
    ko: "지난 차례가 실패했습니다: {message}",
  },
  "agent.overtime": {
    en: "The agent has worked for {minutes} minutes without a pause. Let it go on, or restart it where it was?",
    ko: "에이전트가 {minutes}분 동안 쉬지 않고 일하고 있습니다. 계속하게 둘까요, 하던 곳에서 다시 시작할까요?",
  },
  "account.auth": {
    en: "The account of {agent} was refused: {message} Log in or mend the key, then continue; or cancel the task.",
    ko: "{agent} 계정이 거부되었습니다: {message} 로그인하거나 키를 고친 뒤 continue를, 그만두려면 cancel을 고르세요.",
  },
  "account.billing": {
    en: "The account of {agent} can not pay: {message} Mend that, then continue; or cancel the task.",
    ko: "{agent} 계정에서 결제할 수 없습니다: {message} 해결한 뒤 continue를, 그만두려면 cancel을 고르세요.",
  },
  "permission.read_only": {
    en: "This task may only read: nothing may be changed.",
    ko: "이 작업은 읽기만 할 수 있습니다. 아무것도 바꿀 수 없습니다.",
  },
  "permission.verifier": {
    en: "A verifier only reads. Judge what is there.",
    ko: "검증 에이전트는 읽기만 합니다. 있는 것을 보고 판정하세요.",
  },
  "permission.secret": {
    en: "The value of a secret stands in this request. Use the variable by its name instead.",
    ko: "이 요청에 비밀 값이 그대로 들어 있습니다. 값 대신 환경 변수 이름을 쓰세요.",
  },
  "permission.why": { en: "{why}", ko: "{why}" },
  "permission.told": {
    en: "You were started again. Before that you asked to use {tool}; a person answered: {verdict}. Ask again if you still need it, and go on.",
    ko: "다시 시작했습니다. 그 전에 {tool} 사용을 요청했고 사람이 이렇게 답했습니다: {verdict}. 아직 필요하면 다시 요청하고 이어서 하세요.",
  },
  "question.told": {
    en: "The answers to what you asked:\n{answers}",
    ko: "질문에 대한 답입니다:\n{answers}",
  },
  "question.part": { en: "{part}: {reason}", ko: "{part}: {reason}" },
  "question.each_part": {
    en: "There are {count} questions. Answer each on a line of its own, in this order:\n{questions}",
    ko: "질문이 {count}개입니다. 아래 순서대로 한 줄에 하나씩 답하세요.\n{questions}",
  },
  "verifier.reminder": {
    en: "You ended without a verdict. Print the VERIFICATION_RESULT block with your criteria.",
    ko: "판정 없이 끝났습니다. 확인한 항목을 담아 VERIFICATION_RESULT 블록을 출력하세요.",
  },
  "verifier.only_a_verdict": {
    en: "You are the verifier: only a VERIFICATION_RESULT block counts here.",
    ko: "당신은 검증 에이전트입니다. 여기서는 VERIFICATION_RESULT 블록만 인정됩니다.",
  },
  "verifier.no_questions": {
    en: "Nobody answers a verifier. Judge with what you have.",
    ko: "검증 에이전트에게는 아무도 답하지 않습니다. 가진 것으로 판정하세요.",
  },
  "verifier.failed": {
    en: "A verifier looked at it and found:\n{found}",
    ko: "검증 에이전트가 확인한 결과입니다:\n{found}",
  },
  "verifier.no_verdict": {
    en: "It could not be verified: {why}",
    ko: "검증하지 못했습니다: {why}",
  },
  "verifier.not_verified": {
    en: "It could not be verified. Make plainer what was done and how it can be checked.",
    ko: "검증하지 못했습니다. 무엇을 했고 어떻게 확인할 수 있는지 더 분명하게 하세요.",
  },
  "verifier.ask": {
    en: "{problem} Verify it again (again), send it back for rework (rework), accept it without a verdict (accept), or cancel the task (cancel)? Which agent verifies, and whether one does, is set in holdfast.yaml.",
    ko: "{problem} 다시 검증할까요(again), 다시 작업하게 할까요(rework), 판정 없이 받아들일까요(accept), 작업을 취소할까요(cancel)? 어떤 에이전트가 검증할지, 검증을 할지는 holdfast.yaml에서 정합니다.",
  },
  "agent.silent": {
    en: "The agent has said nothing for {minutes} minutes. Wait longer, or restart it where it was?",
    ko: "에이전트가 {minutes}분 동안 아무 말이 없습니다. 더 기다릴까요, 하던 곳에서 다시 시작할까요?",
  },
  "question.permission": {
    en: "The agent asks to use {tool}: {detail}",
    ko: "에이전트가 {tool} 사용을 허락해 달라고 합니다: {detail}",
  },
  "question.unknown": { en: "There is no question {id}.", ko: "{id}라는 질문이 없습니다." },
  "question.answered": {
    en: "The question {id} has been answered already.",
    ko: "질문 {id}에는 이미 답했습니다.",
  },
  "question.withdrawn": {
    en: "Nobody waits for an answer to {id} any more: its task has ended.",
    ko: "작업이 끝나서 질문 {id}의 답을 더는 기다리지 않습니다.",
  },
  "question.not_an_option": {
    en: "“{answer}” is not one of the options: {options}.",
    ko: "“{answer}”(은/는) 선택지에 없습니다: {options}",
  },
  "question.did_you_mean": {
    en: "“{answer}” is not one of the options ({options}). Did you mean “{near}”?",
    ko: "“{answer}”(은/는) 선택지({options})에 없습니다. “{near}”(을/를) 말씀하셨나요?",
  },
  "review.unknown": { en: "There is no review {id}.", ko: "{id}라는 리뷰가 없습니다." },
  "review.approved": {
    en: "The review {id} has been approved already.",
    ko: "리뷰 {id}(은/는) 이미 승인되었습니다.",
  },
  "review.changes_requested": {
    en: "Changes were requested for {id} already; the next review comes when they are made.",
    ko: "리뷰 {id}에는 이미 변경을 요청했습니다. 고친 뒤에 새 리뷰가 열립니다.",
  },
  "review.files_changed": {
    en: "These files changed since the review was opened: {files}. Put them back as they were shown, then approve; or let the agent continue from them with holdfast task request-changes {id} --feedback “…”: the next review shows them.",
    ko: "리뷰가 열린 뒤에 바뀐 파일이 있습니다: {files}. 보여 드린 상태로 되돌린 뒤 승인하세요. 또는 holdfast task request-changes {id} --feedback “…” 명령으로 에이전트가 지금 파일에서 이어 가게 하세요. 다음 리뷰에 그 파일이 나옵니다.",
  },
  "review.withdrawn": {
    en: "The review {id} is closed: its task has ended.",
    ko: "작업이 끝나서 리뷰 {id}(은/는) 닫혔습니다.",
  },
  "dependency.unknown": { en: "There is no dependency {id}.", ko: "{id}라는 의존성이 없습니다." },
  "dependency.provided": {
    en: "The dependency {id} has been provided already.",
    ko: "의존성 {id}(은/는) 이미 제공되었습니다.",
  },
  "dependency.withdrawn": {
    en: "Nobody waits for {id} any more: its task has ended.",
    ko: "작업이 끝나서 의존성 {id}(을/를) 더는 기다리지 않습니다.",
  },
  "dependency.in_environment": {
    en: "{name} is in your environment already: read the variable.",
    ko: "{name}(은/는) 이미 환경 변수에 있습니다. 그 값을 읽으세요.",
  },
  "dependency.same_variable": {
    en: "{name} would be given in the variable {variable}, which holds {other} already. Ask under another name.",
    ko: "{name}의 값을 넣을 변수 {variable}에는 이미 {other}의 값이 들어갑니다. 다른 이름으로 요청하세요.",
  },
  "budget.task_spent": {
    en: "The task has spent its budget: {spent} of {limit}. Go on with as much again, or end it?",
    ko: "작업이 예산을 다 썼습니다: {limit} 중 {spent}. 같은 만큼 더 쓰고 계속할까요, 끝낼까요?",
  },
  "budget.day_spent": {
    en: "Today's budget is spent: {spent} of {limit}. Go on all the same, or end this task?",
    ko: "오늘 예산을 다 썼습니다: {limit} 중 {spent}. 그래도 계속할까요, 이 작업을 끝낼까요?",
  },
  "budget.nothing_starts": {
    en: "Today's budget is spent: nothing new starts before tomorrow, or before it is raised in holdfast.yaml.",
    ko: "오늘 예산을 다 썼습니다. 내일까지, 또는 holdfast.yaml에서 예산을 늘릴 때까지 새로 시작하지 않습니다.",
  },
  "gate.closed": {
    en: "The agent's account is at its limit until {until}.",
    ko: "에이전트 계정이 {until}까지 사용 한도에 걸려 있습니다.",
  },
  "engine.no_answer": {
    en: "Another process owns {id} and has not answered yet.",
    ko: "다른 프로세스가 {id}(을/를) 맡고 있는데 아직 답이 없습니다.",
  },
  "engine.no_answer.hint": {
    en: "Your request is kept and will be decided; look again with holdfast task show.",
    ko: "요청은 보관되어 있고 나중에 처리됩니다. holdfast task show로 다시 확인하세요.",
  },
  "engine.trouble": {
    en: "{what} did not succeed and will be tried again: {detail}",
    ko: "{what}(을/를) 하지 못해 다시 시도합니다: {detail}",
  },
  "disk.low": {
    en: "Only {free} MB are free on the disk of {path}. Below {floor} MB nothing new starts and agents stand still; they go on by themselves at {enough} MB. Make room there (holdfast task kept lists what ended tasks keep), or lower the floor with holdfast serve --disk-floor.",
    ko: "{path}의 디스크에 {free}MB만 남았습니다. {floor}MB보다 적으면 새로 시작하지 않고 에이전트도 멈춰 둡니다. {enough}MB가 되면 알아서 이어 갑니다. 공간을 비우거나(holdfast task kept로 끝난 작업이 차지한 공간 확인) holdfast serve --disk-floor로 기준을 낮추세요.",
  },
  "disk.room": {
    en: "There is room on the disk again: agents go on.",
    ko: "디스크에 공간이 생겨 에이전트가 이어서 일합니다.",
  },
} as const satisfies Record<string, Text>;
