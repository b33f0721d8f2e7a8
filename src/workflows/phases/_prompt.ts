// The texts that open a phase, for who works on it and for who judges it: what the task is, what the
// phase asks for, and how to say that it is done, or what was found. The deliverables stand one a line, so that a person, an agent and a script can read them.
import type { Language } from "../../core/messages.ts";
import type { PhaseDefinition, PhasesDocument } from "./phases.ts";

export function promptOf(document: PhasesDocument, phase: PhaseDefinition): string {
  const say = words[document.language];
  const count = document.type.phases.length;
  const parts = [
    `# ${document.title}`,
    document.description.trim(),
    count > 1 ? say.phase(document.phase, count, phase.name) : "",
    phase.instructions.trim(),
    deliverables(phase, say),
    count > 1 ? say.claimPhase(document.phase, phase.name) : say.claimTask(document.phase),
    say.rules,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

export function verifierPromptOf(
  document: PhasesDocument,
  phase: PhaseDefinition,
  criteria: string,
): string {
  const say = words[document.language];
  const count = document.type.phases.length;
  const parts = [
    `# ${document.title}`,
    document.description.trim(),
    say.judge,
    count > 1 ? say.phase(document.phase, count, phase.name) : "",
    phase.instructions.trim(),
    deliverables(phase, say),
    `${say.criteria}\n\n${criteria.trim()}`,
    `${say.verdict}\n\n${verdict}`,
    say.judgeRules,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

// --- internal ---

interface Words {
  readonly phase: (at: number, of: number, name: string) => string;
  readonly deliverables: string;
  readonly atLeast: (characters: number) => string;
  readonly claimPhase: (phase: number, name: string) => string;
  readonly claimTask: (phase: number) => string;
  readonly rules: string;
  readonly judge: string;
  readonly criteria: string;
  readonly verdict: string;
  readonly judgeRules: string;
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    phase: (at, of, name) => `## Phase ${at} of ${of}: ${name}`,
    deliverables: "Deliverables:",
    atLeast: (characters) => ` (at least ${characters} characters)`,
    claimPhase: (phase, name) =>
      `When everything of this phase is there, print exactly this block, each line at the start of a line:\n\n${claim(phase, name)}`,
    claimTask: () =>
      `When all of it is done, print exactly this block, each line at the start of a line:\n\n${taskClaim}`,
    rules:
      "What you claim is checked: the files are read and the project's commands are run. Write whole documents, without placeholders. If you need a decision or a value from a person, ask with a USER_QUESTION or DEPENDENCY_REQUEST block and wait.",
    judge:
      "You are the verifier. Another agent says that it has done the following. You have a copy of its folder, to read only: what you change there changes nothing.",
    criteria: "Judge this:",
    verdict:
      "Print your verdict exactly like this, each line at the start of a line, with one criterion for each thing you judged and the status passed or failed:",
    judgeRules:
      "Look for yourself, and trust no file that says it was checked. The claim holds only if every criterion is passed. For each that failed say what is wrong and what would mend it. Ask no questions: nobody answers a verifier.",
  },
  ko: {
    phase: (at, of, name) => `## ${of}단계 중 ${at}단계: ${name}`,
    deliverables: "산출물:",
    atLeast: (characters) => ` (${characters}자 이상)`,
    claimPhase: (phase, name) =>
      `이 단계의 산출물을 모두 만들었으면 아래 블록을 그대로, 각 줄을 줄 맨 앞에서 시작해 출력하세요.\n\n${claim(phase, name)}`,
    claimTask: () =>
      `작업을 모두 마쳤으면 아래 블록을 그대로, 각 줄을 줄 맨 앞에서 시작해 출력하세요.\n\n${taskClaim}`,
    rules:
      "완료했다는 말은 그대로 믿지 않고 확인합니다. 파일을 읽고 프로젝트의 명령을 실행합니다. 빈칸이나 임시 문구 없이 완성된 문서를 쓰세요. 사람의 결정이나 값이 필요하면 USER_QUESTION 또는 DEPENDENCY_REQUEST 블록으로 묻고 기다리세요.",
    judge:
      "당신은 검증 에이전트입니다. 다른 에이전트가 아래 일을 마쳤다고 합니다. 그 폴더의 사본을 읽기 전용으로 받았습니다. 여기서 무엇을 바꿔도 결과에는 반영되지 않습니다.",
    criteria: "확인할 내용:",
    verdict:
      "판정을 아래 모양 그대로, 각 줄을 줄 맨 앞에서 시작해 출력하세요. 확인한 것마다 항목을 하나씩 쓰고 status에는 passed 또는 failed를 쓰세요.",
    judgeRules:
      "직접 확인하고, 확인했다고 적힌 파일을 믿지 마세요. 모든 항목이 passed일 때만 완료로 인정됩니다. failed인 항목에는 무엇이 문제이고 어떻게 고칠지 적으세요. 질문하지 마세요. 검증 에이전트에게는 아무도 답하지 않습니다.",
  },
};

const taskClaim = "    === CUSTOM TASK COMPLETE ===\n    Summary: <one line>";

// Indented for the same reason as a claim.
const verdict =
  '    === VERIFICATION_RESULT ===\n    {"criteria":[{"id":"<short name>","status":"passed","details":"","suggestion":"","affectedDocuments":[]}]}';

function claim(phase: number, name: string): string {
  // Indented: an agent that quotes its prompt must not claim anything with it (S1.13).
  return `    === PHASE ${phase} COMPLETE ===\n    Completed: Phase ${phase} (${name})\n    Files created:\n    - <path>`;
}

function deliverables(phase: PhaseDefinition, say: Words): string {
  if (phase.deliverables.length === 0) return "";
  const lines = phase.deliverables.map(
    ({ path, minCharacters }) => `- ${path}${minCharacters > 1 ? say.atLeast(minCharacters) : ""}`,
  );
  return [say.deliverables, ...lines].join("\n");
}
