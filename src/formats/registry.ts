// Every stored format by name, and which one a path holds.
import type { Format } from "./format.ts";
import { type AgentMemory, agentMemory } from "./agent-memory.ts";
import { type CheckpointDefinitions, checkpointDefinitions } from "./checkpoint-definitions.ts";
import { type DesignBrief, designBrief } from "./design-brief.ts";
import { type DesignContract, designContract } from "./design-contract.ts";
import { type DevelopState, developState } from "./develop-state.ts";
import { type Explored, explored } from "./explored.ts";
import { type Knowledge, knowledge } from "./knowledge.ts";
import { type OrchestrateState, orchestrateState } from "./orchestrate-state.ts";
import { type ProjectSettings, projectSettings } from "./project-settings.ts";
import { type RequestSession, requestSession } from "./request-session.ts";
import { type RequestState, requestState } from "./request-state.ts";
import { type SharedContext, sharedContext } from "./shared-context.ts";
import { type TaskBreakdown, taskBreakdown } from "./task-breakdown.ts";
import { type TaskHistory, taskHistory } from "./task-history.ts";
import { type TaskState, taskState } from "./task-state.ts";
import { type TestContract, testContract } from "./test-contract.ts";
import { type TestResult, testResult } from "./test-result.ts";

/** What a document of each format is, once read. */
export interface Documents {
  "develop-state": DevelopState;
  "checkpoint-definitions": CheckpointDefinitions;
  "orchestrate-state": OrchestrateState;
  "task-state": TaskState;
  "task-history": TaskHistory;
  "shared-context": SharedContext;
  "agent-memory": AgentMemory;
  "request-session": RequestSession;
  "request-state": RequestState;
  explored: Explored;
  "task-breakdown": TaskBreakdown;
  "design-brief": DesignBrief;
  "design-contract": DesignContract;
  "test-contract": TestContract;
  "test-result": TestResult;
  knowledge: Knowledge;
  "project-settings": ProjectSettings;
}

export type FormatName = keyof Documents;

export const formats: { readonly [N in FormatName]: Format<Documents[N]> } = {
  "develop-state": developState,
  "checkpoint-definitions": checkpointDefinitions,
  "orchestrate-state": orchestrateState,
  "task-state": taskState,
  "task-history": taskHistory,
  "shared-context": sharedContext,
  "agent-memory": agentMemory,
  "request-session": requestSession,
  "request-state": requestState,
  explored,
  "task-breakdown": taskBreakdown,
  "design-brief": designBrief,
  "design-contract": designContract,
  "test-contract": testContract,
  "test-result": testResult,
  knowledge,
  "project-settings": projectSettings,
};

export const formatNames = Object.keys(formats) as FormatName[];

/**
 * The format of a file, from the end of its path. Folders are asked for only where the name
 * alone would not tell: `agents/x.json` under `memory/`.
 */
export function formatOfPath(path: string): FormatName | undefined {
  const parts = path.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
  const name = parts.at(-1) ?? "";
  if (name.endsWith(".json") && parts.at(-2) === "agents" && parts.at(-3) === "memory")
    return "agent-memory";
  return byFileName.get(name);
}

// --- internal ---

const byFileName = new Map<string, FormatName>(
  formatNames
    .filter((name) => name !== "agent-memory")
    .map((name) => [formats[name].path.split("/").at(-1) ?? "", name]),
);
