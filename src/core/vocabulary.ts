// The words of the stored formats and the protocol, each list written once: machines, formats, the
// graph and the parser all take them from here. Nothing but names, so that using one loads nothing.

export const taskStatuses = [
  "draft",
  "pending",
  "in_progress",
  "review",
  "completed",
  "failed",
] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export const agentStatuses = [
  "idle",
  "running",
  "paused",
  "waiting_dependency",
  "waiting_question",
  "waiting_review",
  "completed",
  "failed",
] as const;
export type AgentStatus = (typeof agentStatuses)[number];

// --- develop (S0) ---

export const developPhases = ["DESIGN", "REVIEW", "IMPLEMENT", "MERGE", "DONE"] as const;
export type DevelopPhase = (typeof developPhases)[number];

export const strategies = ["direct", "subagent", "agent-teams"] as const;
export type Strategy = (typeof strategies)[number];

export const checkpointStatuses = ["pending", "in_progress", "passed", "escalated"] as const;
export type CheckpointStatus = (typeof checkpointStatuses)[number];

// --- orchestrate (S2) ---

export const orchestrateModes = ["normal", "ultra-thin", "ralph"] as const;

/** In the order in which the file lists them. */
export const unitStatuses = [
  "pending",
  "ready",
  "in_progress",
  "completed",
  "failed",
  "blocked",
] as const;
export type UnitStatus = (typeof unitStatuses)[number];

// --- plan (S3) ---

export const planTaskStatuses = [
  "pending",
  "in_progress",
  "completed",
  "failed",
  "paused",
  "cancelled",
] as const;
export type PlanTaskStatus = (typeof planTaskStatuses)[number];

export const planStepStatuses = ["pending", "in_progress", "completed", "failed"] as const;
export type PlanStepStatus = (typeof planStepStatuses)[number];

export const failureTypes = [
  "transient",
  "validation",
  "dependency",
  "resource",
  "structural",
  "critical",
] as const;
export type FailureType = (typeof failureTypes)[number];

// --- request (S4) ---

export const requestStatuses = ["active", "completed", "stopped"] as const;
export type RequestStatus = (typeof requestStatuses)[number];

export const globalPhases = ["global_discovery", "task_loop", "complete"] as const;
export type GlobalPhase = (typeof globalPhases)[number];

export const subtaskPhases = ["test_first", "implementation", "verification", "complete"] as const;
export type SubtaskPhase = (typeof subtaskPhases)[number];

export const workStatuses = ["pending", "in_progress", "completed"] as const;
export type WorkStatus = (typeof workStatuses)[number];

export const gateNames = ["GATE-1", "GATE-2", "GATE-3", "GATE-4"] as const;
export type GateName = (typeof gateNames)[number];

export const gateStatuses = ["pending", "passed", "failed"] as const;
export type GateStatus = (typeof gateStatuses)[number];

export const recommendedActions = ["complete", "retry_implementation", "retry_design"] as const;
export type RecommendedAction = (typeof recommendedActions)[number];

// --- the protocol (S1.12) ---

export const dependencyTypes = [
  "api_key",
  "env_variable",
  "service",
  "file",
  "permission",
  "package",
] as const;
export type DependencyType = (typeof dependencyTypes)[number];

// --- recall (S4.9) ---

export const recallKinds = [
  "journal",
  "task",
  "question",
  "review",
  "unit",
  "contract",
  "knowledge",
  "memory",
  "output",
] as const;
export type RecallKind = (typeof recallKinds)[number];
