// The schemas by name, for the build alone (scripts/generate.ts). Nothing that runs imports this.
import type { z } from "zod";
import { schema as agentMemory } from "./agent-memory.ts";
import { schema as checkpointDefinitions } from "./checkpoint-definitions.ts";
import { schema as designBrief } from "./design-brief.ts";
import { schema as designContract } from "./design-contract.ts";
import { schema as developState } from "./develop-state.ts";
import { schema as explored } from "./explored.ts";
import { schema as knowledge } from "./knowledge.ts";
import { schema as orchestrateState } from "./orchestrate-state.ts";
import { schema as projectSettings } from "./project-settings.ts";
import type { FormatName } from "./registry.ts";
import { schema as requestSession } from "./request-session.ts";
import { schema as requestState } from "./request-state.ts";
import { schema as sharedContext } from "./shared-context.ts";
import { schema as taskBreakdown } from "./task-breakdown.ts";
import { schema as taskHistory } from "./task-history.ts";
import { schema as taskState } from "./task-state.ts";
import { schema as testContract } from "./test-contract.ts";
import { schema as testResult } from "./test-result.ts";

export const schemas: Readonly<Record<FormatName, () => z.ZodType>> = {
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
