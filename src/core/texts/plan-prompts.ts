// What agents of a plan are told (S3.9).
import type { Text } from "../messages.ts";

export const planPromptTexts = {
  "plan.prompt.plan": {
    en: "You plan the work below as steps that agents carry out. Look at the project first; change nothing in it.",
    ko: "아래 작업을 에이전트들이 수행할 단계로 계획합니다. 먼저 프로젝트를 살펴보되 아무것도 바꾸지 마세요.",
  },
  "plan.prompt.judge": {
    en: "You judge whether the work below reached its goal. Look for yourself: read the files, run what can be run, believe no report. Change nothing.",
    ko: "아래 작업이 목표를 이루었는지 판정합니다. 보고를 그대로 믿지 말고 파일을 읽고 실행할 수 있는 것은 실행해서 직접 확인하세요. 아무것도 바꾸지 마세요.",
  },
  "plan.prompt.close": {
    en: "You close the work below: say in two sentences what came of it, and what is to be learnt from its failures and retries.",
    ko: "아래 작업을 마무리합니다. 결과를 두 문장으로 요약하고, 실패와 재시도에서 배울 점을 적으세요.",
  },
  "plan.prompt.step": {
    en: "You are “{agent}” and carry out one step of the plan below. Do this step and no other.",
    ko: "당신은 “{agent}”이며, 아래 계획의 한 단계를 수행합니다. 이 단계만 하세요.",
  },
  "plan.prompt.constraints": { en: "Constraints:", ko: "제약:" },
  "plan.prompt.resources": { en: "At hand:", ko: "쓸 수 있는 자료:" },
  "plan.prompt.past": {
    en: "Plans so far: {total}, {percent} % of success, {seconds} s on average. The newest, with their lessons:",
    ko: "지금까지의 계획: {total}개, 성공률 {percent}%, 평균 {seconds}초. 최근 계획과 교훈:",
  },
  "plan.prompt.past.cost": {
    en: "{done} of {steps} steps, {retries} retries, {tokens} tokens",
    ko: "{steps}단계 중 {done}단계, 재시도 {retries}회, 토큰 {tokens}개",
  },
  "plan.prompt.criteria": { en: "Success criteria:", ko: "성공 기준:" },
  "plan.prompt.rules": {
    en: "Rules: number new steps from {first} on. Steps that do not depend on each other run side by side, so let a step depend on all it needs and on nothing else. Each criterion must be something that can be looked up or run. `files` are what a step must have made, `check` a command that must then end with 0; both may be left out.",
    ko: "규칙: 새 단계의 번호는 {first}부터 매깁니다. 서로 의존하지 않는 단계는 동시에 진행되므로, 필요한 단계에만 빠짐없이 의존하게 하세요. 기준은 모두 확인하거나 실행해 볼 수 있어야 합니다. `files`는 그 단계가 만들어야 하는 파일, `check`는 그 뒤 0으로 끝나야 하는 명령이며 둘 다 생략할 수 있습니다.",
  },
  "plan.prompt.why": { en: "Why it is planned again:", ko: "계획을 다시 세우는 이유:" },
  "plan.prompt.finished": {
    en: "Finished already. These stay, and new steps may depend on them; do not list them again:",
    ko: "이미 끝난 단계입니다. 그대로 남으며 새 단계가 의존할 수 있습니다. 다시 적지 마세요:",
  },
  "plan.prompt.open": {
    en: "Not finished. Your steps take their place:",
    ko: "끝나지 않은 단계입니다. 새로 적는 단계가 이들을 대신합니다:",
  },
  "plan.prompt.outputs": { en: "What was made so far:", ko: "지금까지의 결과:" },
  "plan.prompt.artifacts": { en: "Files it made:", ko: "만들어진 파일:" },
  "plan.prompt.cost": {
    en: "Retries: {retries}. Plans made: {rounds}.",
    ko: "재시도: {retries}회. 계획을 세운 횟수: {rounds}회.",
  },
  "plan.prompt.issues": { en: "What went wrong:", ko: "발생한 문제:" },
  "plan.prompt.verdict": { en: "The verdict:", ko: "판정:" },
  "plan.prompt.shared": { en: "What all agents share:", ko: "공유 컨텍스트:" },
  "plan.prompt.own": { en: "What “{agent}” remembers:", ko: "“{agent}”의 메모리:" },
  "plan.prompt.failed": {
    en: "The last attempt failed at {at} ({type}; retries before it: {retries}): {message}",
    ko: "지난 시도는 {at}에 실패했습니다({type}, 그 전 재시도 {retries}회): {message}",
  },
  "plan.prompt.way.retry": { en: "Try it again.", ko: "다시 시도하세요." },
  "plan.prompt.way.revise": {
    en: "What was made did not pass. Revise it, do not begin anew.",
    ko: "만든 것이 검사를 통과하지 못했습니다. 처음부터 다시 하지 말고 고치세요.",
  },
  "plan.prompt.way.recover_dependency": {
    en: "What was lacking has been made by another step; its output stands above.",
    ko: "부족했던 것은 다른 단계에서 마련했습니다. 그 결과가 위에 있습니다.",
  },
  "plan.prompt.way.find_alternative": {
    en: "What it needed is not to be had. Find another way to the same end.",
    ko: "필요한 것을 구할 수 없습니다. 같은 결과에 이르는 다른 방법을 찾으세요.",
  },
  "plan.prompt.files": {
    en: "Files that must be there in the end:",
    ko: "끝났을 때 있어야 하는 파일:",
  },
  "plan.prompt.check": {
    en: "Holdfast runs this when you say that it is done, and it must end with 0:",
    ko: "완료를 알리면 Holdfast가 이 명령을 실행하며, 0으로 끝나야 합니다:",
  },
  "plan.prompt.report.session": {
    en: 'Before: holdfast report plan START:{id}. After: holdfast report plan "DONE:{id}:<what came of it, for those who go on with it>". If it can not be done: holdfast report plan "FAIL:{id}:<type>: <reason>", where the type is transient, validation, dependency, resource, structural or critical.',
    ko: '시작할 때: holdfast report plan START:{id}. 끝났을 때: holdfast report plan "DONE:{id}:<다음 단계에서 쓸 결과>". 할 수 없을 때: holdfast report plan "FAIL:{id}:<유형>: <이유>". 유형은 transient, validation, dependency, resource, structural, critical 중 하나입니다.',
  },
  "plan.prompt.report.headless": {
    en: "When it is done, say what came of it: those who go on with it read your words. If it can not be done, say “<type>: <reason>”, where the type is transient, validation, dependency, resource, structural or critical. (Step {id})",
    ko: "끝나면 결과를 말하세요. 이어서 작업하는 에이전트가 그 말을 읽습니다. 할 수 없으면 “<유형>: <이유>”로 말하세요. 유형은 transient, validation, dependency, resource, structural, critical 중 하나입니다. ({id}단계)",
  },
  "plan.prompt.memory": {
    en: "What others need to know goes into the shared context: holdfast memory set shared_data.<name> '<JSON>'. What only “{agent}” needs: holdfast memory set '/agents/{agent}/cache/<name>' '<JSON>'. The tool `memory` does the same.",
    ko: "다른 에이전트가 알아야 할 것은 공유 컨텍스트에 남기세요: holdfast memory set shared_data.<이름> '<JSON>'. “{agent}”만 쓸 것은: holdfast memory set '/agents/{agent}/cache/<이름>' '<JSON>'. 도구 `memory`로도 할 수 있습니다.",
  },
  "plan.prompt.form": {
    en: "The answer is JSON in this form, with no other field:",
    ko: "답은 아래 형식의 JSON이며, 다른 필드는 쓰지 않습니다:",
  },
  "plan.prompt.complaint": {
    en: "Your last answer was refused:",
    ko: "지난 답은 받아들여지지 않았습니다:",
  },
  "plan.prompt.answer": { en: "It was:", ko: "지난 답:" },
  "plan.prompt.write": {
    en: "Write it into {path}, then say that you are done.",
    ko: "{path}에 쓴 다음 완료를 알리세요.",
  },
  "plan.prompt.say": {
    en: "Report it: holdfast report plan '{verb}:<the JSON>', or with the path of a file that holds it: holdfast report plan {verb}:<path>.",
    ko: "이렇게 알리세요: holdfast report plan '{verb}:<JSON>'. 파일에 썼다면 경로로: holdfast report plan {verb}:<경로>.",
  },
} as const satisfies Record<string, Text>;
