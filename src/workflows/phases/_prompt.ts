// The text that opens a phase: what the task is, what this phase asks for, and how to say that it
// is done. The deliverables stand one a line, so that a person, an agent and a script can read them.
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

// --- internal ---

interface Words {
  readonly phase: (at: number, of: number, name: string) => string;
  readonly deliverables: string;
  readonly atLeast: (characters: number) => string;
  readonly claimPhase: (phase: number, name: string) => string;
  readonly claimTask: (phase: number) => string;
  readonly rules: string;
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
  },
};

const taskClaim = "    === CUSTOM TASK COMPLETE ===\n    Summary: <one line>";

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
