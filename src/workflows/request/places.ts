// Where the files of a request lie (S4.1), where an agent leaves a contract before it is accepted, and
// which files no contract may name: those that code alone writes.
import type { FormatName } from "../../formats/registry.ts";
import { tidy } from "./paths.ts";

export type ContractFormat =
  | "explored"
  | "task-breakdown"
  | "design-brief"
  | "design-contract"
  | "test-contract"
  | "test-result";

/** Which contract: of the request, of a task, of a subtask. */
export interface ContractRef {
  readonly format: ContractFormat;
  readonly task?: string;
  readonly subtask?: string;
}

export const orchestratorFolder = ".claude/orchestrator";

export function sessionPlace(hash: string, format: "request-session" | "request-state"): string {
  const name = format === "request-session" ? "session.json" : "state.json";
  return `${orchestratorFolder}/sessions/${hash}/${name}`;
}

export function knowledgePlace(hash: string): string {
  return `${orchestratorFolder}/knowledge/${hash}/knowledge.yaml`;
}

export function contractPlace(hash: string, request: string, ref: ContractRef): string {
  const folders = [request, ref.task, ref.subtask].filter((part) => part !== undefined);
  return `${orchestratorFolder}/sessions/${hash}/contracts/${folders.join("/")}/${ref.format}.yaml`;
}

/** What an agent writes is no contract yet: it lies elsewhere, and never gets into a branch. */
export function draftPlace(unit: string, name: FormatName | "verdict" | "patterns"): string {
  return `${draftFolder}/${unit}.${name}.${name === "verdict" ? "json" : "yaml"}`;
}

export const draftFolder = ".holdfast/drafts";

/** Files that are Holdfast's or git's own: no work of a subtask, and none of its business. */
export function isOurs(path: string): boolean {
  return ours.test(tidy(path));
}

// --- internal ---

const ours =
  /^(?:\.git|\.holdfast|\.develop-workflow|\.claude\/(?:orchestrator|memory))(?:\/|$)|^\.claude\/orchestrate-state\.json/;
