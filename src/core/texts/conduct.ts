// Runs that are carried out by themselves: branches, orders, what a person is told of them.
import type { Text } from "../messages.ts";

export const conductTexts = {
  "branch.bad_name": {
    en: "“{name}” can not be the name of a branch of a run.",
    ko: "“{name}”(은/는) 실행의 브랜치 이름으로 쓸 수 없습니다.",
  },
  "branch.busy": {
    en: "Branch {name} of {root} keeps moving: somebody else is committing to it.",
    ko: "{root}의 {name} 브랜치가 계속 바뀝니다. 다른 누군가가 커밋하고 있습니다.",
  },
  "branch.folder_taken": {
    en: "{path} is to be the worktree of a run, but something else is there.",
    ko: "{path}(은/는) 실행의 worktree 자리인데 다른 것이 있습니다.",
  },
  "branch.folder_taken.hint": {
    en: "Move it away; the run then goes on.",
    ko: "다른 곳으로 옮기면 실행이 이어집니다.",
  },
  "conduct.phase_done": {
    en: "Phase {phase} is done, and only that one was asked for.",
    ko: "{phase}단계가 끝났습니다. 이 단계만 요청했습니다.",
  },
  "conduct.no_phase": {
    en: "There is nothing to carry out: phase {phase} is not its turn, or not in the plan.",
    ko: "실행할 것이 없습니다. {phase}단계는 차례가 아니거나 계획에 없습니다.",
  },
  "conduct.phase_failed": {
    en: "Phase {phase} can not be finished: {ids} failed. Mend it and open the task again (“holdfast orchestrate --retry <id>”), or say in holdfast.yaml what is done about failures (orchestrate.failed_phase: skip or merge).",
    ko: "{phase}단계를 끝낼 수 없습니다. {ids}(이/가) 실패했습니다. 고친 뒤 태스크를 다시 열거나(“holdfast orchestrate --retry <id>”), 실패를 어떻게 다룰지 holdfast.yaml에 적어 주세요(orchestrate.failed_phase: skip 또는 merge).",
  },
  "conduct.asks_phase": {
    en: "Phase {phase} is done. May the next one begin?",
    ko: "{phase}단계가 끝났습니다. 다음 단계를 시작할까요?",
  },
  "conduct.asks_failed": {
    en: "Phase {phase} can not be finished: {ids} failed. What is to be done?",
    ko: "{phase}단계를 끝낼 수 없습니다. {ids}(이/가) 실패했습니다. 어떻게 할까요?",
  },
  "conduct.choice.continue": { en: "begin the next phase", ko: "다음 단계 시작" },
  "conduct.choice.fix": { en: "try what failed once more", ko: "실패한 태스크를 다시 시도" },
  "conduct.choice.skip": {
    en: "go on without this phase, its branch stays unmerged",
    ko: "이 단계를 병합하지 않고 넘어가기",
  },
  "conduct.choice.merge": {
    en: "merge what is done and go on",
    ko: "끝난 것만 병합하고 넘어가기",
  },
  "conduct.choice.stop": { en: "stop here", ko: "여기서 멈추기" },
  "conduct.merge_message": {
    en: "Merge phase {phase} ({branch})",
    ko: "{phase}단계 병합({branch})",
  },
  "conduct.no_result": {
    en: "What {id} made could not be brought into the project; “holdfast log” says why.",
    ko: "{id}의 결과를 프로젝트로 가져오지 못했습니다. 이유는 “holdfast log”에 있습니다.",
  },
  "conduct.conflict": {
    en: "What you made conflicts with what others merged meanwhile, in: {files}\n\n{detail}\n\nYou begin again from a tree that has their changes: do your part on top of it.",
    ko: "작업한 내용이 그사이 병합된 다른 변경과 충돌합니다: {files}\n\n{detail}\n\n그 변경이 들어 있는 트리에서 다시 시작합니다. 그 위에서 맡은 일을 하세요.",
  },
  "conduct.project": {
    en: "The result could not be merged into the project's tree: {detail}",
    ko: "결과를 프로젝트 트리에 병합하지 못했습니다: {detail}",
  },
  "conduct.land_conflict": {
    en: "Branch {name} conflicts with the branch that is checked out, in: {files}. Merge one into the other by hand in its worktree and commit; then go on.",
    ko: "{name} 브랜치가 체크아웃된 브랜치와 충돌합니다: {files}. worktree에서 직접 병합해 커밋한 뒤 이어 가세요.",
  },
  "conduct.land_project": {
    en: "Branch {name} could not be merged into the project's tree: {detail}",
    ko: "{name} 브랜치를 프로젝트 트리에 병합하지 못했습니다: {detail}",
  },
  "conduct.setup": {
    en: "The project's setup failed in the worktree: {detail}",
    ko: "worktree에서 프로젝트의 setup이 실패했습니다: {detail}",
  },
  "conduct.nothing_left": {
    en: "Every task of the plan is done.",
    ko: "계획의 모든 태스크가 이미 끝났습니다.",
  },
  "conduct.in_session": {
    en: "Sessions work through it now.",
    ko: "지금은 세션에서 작업하고 있습니다.",
  },
  "conduct.stopped": {
    en: "You chose to stop here.",
    ko: "여기서 멈추기로 했습니다.",
  },
  "conduct.left": {
    en: "Nobody carries run {id} out now. Its agents work on; “{command}” or a server goes on with it.",
    ko: "지금은 {id} 실행을 이끄는 프로세스가 없습니다. 에이전트는 계속 작업하며, “{command}” 또는 서버가 이어 갑니다.",
  },
  "conduct.last_lines": {
    en: "The last it printed:\n{lines}",
    ko: "마지막 출력:\n{lines}",
  },
  "conduct.pausing": {
    en: "Pausing run {id}: its agents are stopped where they are. Ctrl-C again ends this program at once; agents that are not stopped by then continue.",
    ko: "{id} 실행을 일시 정지합니다. 에이전트를 지금 상태로 멈춥니다. Ctrl-C를 한 번 더 누르면 이 프로그램이 바로 끝나고, 그때까지 멈추지 않은 에이전트는 계속 작업합니다.",
  },
  "conduct.paused": {
    en: "Run {id} is paused: its agents stand still and nothing of their work is lost. “{command}” resumes it.",
    ko: "{id} 실행을 일시 정지했습니다. 에이전트는 멈춰 있고 작업은 그대로 남아 있습니다. “{command}”(으로/로) 이어서 진행하세요.",
  },
  "conduct.held": { en: "The run waits: {why}", ko: "실행이 기다리고 있습니다: {why}" },
  "conduct.held.hint": {
    en: "Then “{command}” goes on.",
    ko: "해결한 뒤 “{command}”(으로/로) 이어 갑니다.",
  },
  "conduct.why": { en: "{why}", ko: "{why}" },
  "conduct.move.failed": {
    en: "{unit}: attempt {iteration} failed ({failure}) → {to}",
    ko: "{unit}: {iteration}번째 시도 실패({failure}) → {to}",
  },
  "conduct.move": { en: "{unit}: {from} → {to}", ko: "{unit}: {from} → {to}" },
  "conduct.stays": { en: "{unit}: {at} · {what}", ko: "{unit}: {at} · {what}" },
  "conduct.because": { en: "{what} ({reason})", ko: "{what} ({reason})" },
  "conduct.waits.question": {
    en: "A question waits: {text}\n  holdfast task answer {task} --question-id {id} --answer …",
    ko: "질문이 기다리고 있습니다: {text}\n  holdfast task answer {task} --question-id {id} --answer …",
  },
  "conduct.waits.dependency": {
    en: "Something is needed: {text}\n  holdfast task provide {task} --dependency-id {id} --value …",
    ko: "필요한 것이 있습니다: {text}\n  holdfast task provide {task} --dependency-id {id} --value …",
  },
  "conduct.waits.review": {
    en: "A review waits: “holdfast task review {task}”, then “holdfast task approve {task}” ({id}{text})",
    ko: "리뷰가 기다리고 있습니다: “holdfast task review {task}” 후 “holdfast task approve {task}” ({id}{text})",
  },
} as const satisfies Record<string, Text>;
