// Every field of the stored formats, as `holdfast validate` judges it: values that are accepted, and values that are
// refused at their own place. Each title stands for one field of a source document.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseYaml } from "../../src/formats/yaml.ts";
import { holdfast, seeds } from "./program.ts";

/** By JSON pointer; undefined takes the field away. */
type Patch = Readonly<Record<string, unknown>>;
type Case = readonly [
  title: string,
  file: string,
  accepted: readonly Patch[],
  refused: readonly Patch[],
];

const develop = ".develop-workflow/state.yaml";
const orchestrate = ".claude/orchestrate-state.json";
const state = ".claude/memory/task-state.json";
const past = ".claude/memory/task-history.json";
const shared = ".claude/memory/shared-context.json";
const agent = ".claude/memory/agents/writing-assistant.json";
const hashed = ".claude/orchestrator/sessions/a1b2c3d4";
const session = `${hashed}/session.json`;
const request = `${hashed}/state.json`;
const explored = `${hashed}/contracts/R1/explored.yaml`;
const breakdown = `${hashed}/contracts/R1/task-breakdown.yaml`;
const brief = `${hashed}/contracts/R1/T1/design-brief.yaml`;
const design = `${hashed}/contracts/R1/T1/design-contract.yaml`;
const tests = `${hashed}/contracts/R1/T1/T1-S2/test-contract.yaml`;
const result = `${hashed}/contracts/R1/T1/T1-S2/test-result.yaml`;
const knowledge = ".claude/orchestrator/knowledge/a1b2c3d4/knowledge.yaml";

const each = (pointer: string, ...values: readonly unknown[]): Patch[] =>
  values.map((value) => ({ [pointer]: value }));
const early = { "/strategy": undefined, "/checkpoints": undefined };
const times = ["2026-02-16T10:00:00", "2026-02-16T10:00:00Z", "2026-02-16T10:00:00+09:00"];
const noTimes = ["yesterday", 1_771_236_000, null];
const step = "/current_task/plan/steps/0";
const ended = "/tasks/0";
const first = "/tasks/T1";
const second = "/tasks/T1/subtasks/T1-S2";
const unit = ["T1.3"];

// oxfmt-ignore
const cases: readonly Case[] = [
  ["S0.1 phase: one of DESIGN, REVIEW, IMPLEMENT, MERGE, DONE", develop, [...each("/phase", "IMPLEMENT", "MERGE", "DONE"), { "/phase": "DESIGN", ...early }, { "/phase": "REVIEW", "/strategy": undefined }], each("/phase", "design", "TEST", 3, undefined)],
  ["S0.1 strategy: one of direct, subagent, agent-teams", develop, each("/strategy", "direct", "subagent", "agent-teams"), each("/strategy", "swarm", 1)],
  ["S0.1 strategy: not before IMPLEMENT", develop, [{ "/phase": "DESIGN", ...early }], [{ "/strategy": "direct", "/phase": "DESIGN" }, { "/strategy": "direct", "/phase": "REVIEW" }]],
  ["S0.1 feature: a text that is not blank", develop, each("/feature", "chat", "실시간 채팅"), each("/feature", "", " ", 3, undefined)],
  ["S0.1 started_at: a time", develop, each("/started_at", ...times), each("/started_at", ...noTimes, undefined)],
  ["S0.1 updated_at: a time", develop, each("/updated_at", ...times), each("/updated_at", ...noTimes, undefined)],
  ["S0.1 checkpoints: a map of cp-N", develop, each("/checkpoints", {}, { "cp-12": { status: "pending", iteration: 0 } }), [{ "/checkpoints": [] }, { "/checkpoints/first": { status: "pending", iteration: 0 } }]],
  ["S0.2 a checkpoint's status: pending, in_progress, passed, escalated", develop, [...each("/checkpoints/cp-2/status", "in_progress", "passed", "escalated"), ...each("/checkpoints/cp-2", { status: "pending", iteration: 0 })], each("/checkpoints/cp-2/status", "done", "failed", 1, undefined)],
  ["S0.2 a checkpoint's iteration: 0 before it begins, then 1 to 3", develop, each("/checkpoints/cp-2/iteration", 1, 2, 3), each("/checkpoints/cp-2/iteration", 0, 4, -1, 1.5, "1", undefined)],

  ["S2.1 version: 2.0", orchestrate, each("/version", "2.0"), each("/version", "3.0", 7)],
  ["S2.1 mode: one of normal, ultra-thin, ralph", orchestrate, each("/mode", "normal", "ultra-thin", "ralph"), each("/mode", "thin", 2)],
  ["S2.1 project: a name", orchestrate, each("/project", "my-awesome-app"), each("/project", "", 3)],
  ["S2.1 execution.current_phase: a number from 0 on", orchestrate, each("/execution/current_phase", 0, 1, 12), each("/execution/current_phase", -1, 1.5, "1")],
  ["S2.1 execution.worktree: a text or null", orchestrate, each("/execution/worktree", "worktree/phase-1-user-auth", null), each("/execution/worktree", 1, [])],
  ["S2.1 execution.started_at: a time", orchestrate, each("/execution/started_at", ...times), each("/execution/started_at", ...noTimes)],
  ["S2.1 execution.last_updated: a time", orchestrate, each("/execution/last_updated", ...times), each("/execution/last_updated", ...noTimes)],
  ["S2.2 tasks: six lists of ids", orchestrate, each("/tasks/ready", [], ["T1.4"]), [...each("/tasks/pending", "T1.5", 1), ...each("/tasks/failed", {}), ...each("/tasks/blocked/0", 3), ...each("/tasks/completed/0", "one")]],
  ["S2.2 dependencies: from an id to a list of ids", orchestrate, each("/dependencies/T1.4", [], ["T1.1"]), [...each("/dependencies", []), ...each("/dependencies/T1.4", "T1.1", null), ...each("/dependencies/T1.4/0", "T9.9")]],
  ["S2.3 checkpoints.completed_at: a time", orchestrate, each("/checkpoints/phase_0/completed_at", ...times), each("/checkpoints/phase_0/completed_at", ...noTimes)],
  ["S2.3 checkpoints.started_at: a time", orchestrate, each("/checkpoints/phase_1/started_at", ...times), each("/checkpoints/phase_1/started_at", ...noTimes)],
  ["S2.3 checkpoints.tasks_count: a number", orchestrate, each("/checkpoints/phase_0/tasks_count", 0, 3), each("/checkpoints/phase_0/tasks_count", -1, "3")],
  ["S2.3 checkpoints.tasks: a list of ids", orchestrate, each("/checkpoints/phase_0/tasks", [], unit), [...each("/checkpoints/phase_0/tasks", "T1.3"), ...each("/checkpoints/phase_0/tasks/0", 3)]],
  ["S2.3 checkpoints.progress: done/all", orchestrate, each("/checkpoints/phase_1/progress", "0/6", "6/6"), each("/checkpoints/phase_1/progress", "33%", 2, "2 of 6")],
  ["S2.3 checkpoints.merged: true or false", orchestrate, each("/checkpoints/phase_0/merged", true, false), each("/checkpoints/phase_0/merged", "yes", 1)],
  ["S2.3 checkpoints.merge_commit: a hash of at least seven digits", orchestrate, each("/checkpoints/phase_0/merge_commit", "abc1234"), each("/checkpoints/phase_0/merge_commit", "abc", "main", 7)],
  ["S2.3 checkpoints: only phase_N", orchestrate, each("/checkpoints/phase_7", {}), each("/checkpoints/first", {})],
  ["S2.3 metrics.total_tasks: a number", orchestrate, each("/metrics/total_tasks", 0, 45), each("/metrics/total_tasks", -1, "45")],
  ["S2.3 metrics.completed_count: a number", orchestrate, each("/metrics/completed_count", 0, 5), each("/metrics/completed_count", -1, "5")],
  ["S2.3 metrics.failed_count: a number", orchestrate, each("/metrics/failed_count", 0, 1), each("/metrics/failed_count", -1, null)],
  ["S2.3 metrics.average_task_time_seconds: a number", orchestrate, each("/metrics/average_task_time_seconds", 0, 120, 0.5), each("/metrics/average_task_time_seconds", -1, "120")],
  ["S2.1 config.max_parallel: a number from 0 on", orchestrate, each("/config/max_parallel", 0, 8), each("/config/max_parallel", -1, "0")],
  ["S2.1 config.retry_limit: a number from 0 on", orchestrate, each("/config/retry_limit", 0, 10), each("/config/retry_limit", -1, "10")],
  ["S2.1 config.slack_webhook_url: an address or null", orchestrate, each("/config/slack_webhook_url", null, "https://hooks.slack.com/services/A/B/C"), each("/config/slack_webhook_url", "", "here", 1)],

  ["S3.1 task-state version: 1.0", state, each("/version", "1.0"), each("/version", "9.0", 1)],
  ["S3.1 current_task: a plan or null", state, each("/current_task", null), each("/current_task", [], "task-2025-11-18-001")],
  ["S3.3 current_task.id: task-YYYY-MM-DD-NNN", state, each("/current_task/id", "task-2025-11-18-001"), each("/current_task/id", "task-1", "session-2025-11-18-001", 1)],
  ["S3.1 current_task.name: a text that is not blank", state, each("/current_task/name", "x"), each("/current_task/name", "", 1, undefined)],
  ["S3.2 current_task.status: six values", state, each("/current_task/status", "pending", "in_progress", "completed", "failed", "paused", "cancelled"), each("/current_task/status", "done", 1, undefined)],
  ["S3.1 current_task.started_at: a time", state, each("/current_task/started_at", ...times), each("/current_task/started_at", "yesterday", 1)],
  ["S3.1 current_task.updated_at: a time", state, each("/current_task/updated_at", ...times), each("/current_task/updated_at", "yesterday", 1)],
  ["S3.1 current_task.orchestrator: a text", state, each("/current_task/orchestrator", "orchestrator"), each("/current_task/orchestrator", 1)],
  ["S3.1 plan.goal: a text", state, each("/current_task/plan/goal", "", "x"), each("/current_task/plan/goal", 1, undefined)],
  ["S3.1 plan.success_criteria: texts", state, each("/current_task/plan/success_criteria", [], ["a", "b"]), [...each("/current_task/plan/success_criteria", "a", undefined), ...each("/current_task/plan/success_criteria/0", 1)]],
  ["S3.2 plan.current_step: a step that exists", state, each("/current_task/plan/current_step", 1, 0, null), each("/current_task/plan/current_step", 99, "1")],
  ["S3.2 a step's id: a number from 1 on", state, [], each(`${step}/id`, 0, "1", undefined)],
  ["S3.2 a step's name: a text", state, each(`${step}/name`, "x"), each(`${step}/name`, "", 1, undefined)],
  ["S3.2 a step's agent: a name", state, each(`${step}/agent`, "x"), each(`${step}/agent`, "", 1, undefined)],
  ["S3.2 a step's cluster: a text", state, each(`${step}/cluster`, "x"), each(`${step}/cluster`, 1)],
  ["S3.2 a step's status: pending, in_progress, completed, failed", state, each(`${step}/status`, "pending", "in_progress", "completed", "failed"), each(`${step}/status`, "paused", "cancelled", "pending|in_progress|completed|failed")],
  ["S3.2 a step's dependencies: steps that exist", state, each(`${step}/dependencies`, []), [...each(`${step}/dependencies`, "1", undefined), { [`${step}/dependencies/0`]: 99 }]],
  ["S3.2 a step's started_at: a time or null", state, each(`${step}/started_at`, null, ...times), each(`${step}/started_at`, "yesterday", 1)],
  ["S3.2 a step's completed_at: a time or null", state, each(`${step}/completed_at`, null, ...times), each(`${step}/completed_at`, "yesterday", 1)],
  ["S3.1 a step's output: anything, null until then", state, each(`${step}/output`, null, "x", { a: 1 }), []],
  ["S3.8 a step's error: type, message, time and retries, or null", state, each(`${step}/error`, null, { type: "transient", message: "x", timestamp: times[1], retries: 1 }), each(`${step}/error`, "broken", 1)],
  ["S3.1 context: user_request, constraints, resources", state, each("/current_task/context", {}, { user_request: "x", constraints: [], resources: [] }), [...each("/current_task/context", [], "x"), ...each("/current_task/context/constraints", "x"), ...each("/current_task/context/user_request", 1)]],
  ["S3.1 artifacts: of type file or data, with a path", state, each("/current_task/artifacts", [], [{ type: "file", path: "a.md" }]), [...each("/current_task/artifacts", {}), { "/current_task/artifacts/0": { type: "folder", path: "a" } }]],
  ["S3.8 issues: a list", state, each("/current_task/issues", [], [{ message: "x" }]), each("/current_task/issues", {}, "x")],
  ["S3.3 pending_tasks: a list of plans", state, each("/pending_tasks", []), each("/pending_tasks", {}, undefined)],
  ["S3.1 task-state last_updated: a time", state, each("/last_updated", ...times), each("/last_updated", "yesterday", undefined)],

  ["S3.1 task-history version: 1.0", past, each("/version", "1.0"), each("/version", "9.0")],
  ["S3.3 an ended plan's id: task-YYYY-MM-DD-NNN", past, each(`${ended}/id`, "task-2025-11-18-001"), each(`${ended}/id`, "one", 1)],
  ["S3.6 an ended plan's name: a text", past, each(`${ended}/name`, "x"), each(`${ended}/name`, "", 1)],
  ["S3.7b an ended plan's result: success, failure, partial", past, each(`${ended}/result`, "success", "failure", "partial"), each(`${ended}/result`, "ok", 1)],
  ["S3.6 an ended plan's times", past, [...each(`${ended}/started_at`, ...times), ...each(`${ended}/completed_at`, ...times)], [...each(`${ended}/started_at`, ...noTimes), ...each(`${ended}/completed_at`, ...noTimes)]],
  ["S3.6 an ended plan's duration_seconds: a number", past, each(`${ended}/duration_seconds`, 0, 300), each(`${ended}/duration_seconds`, -1, "300")],
  ["S3.6 an ended plan's summary: a text", past, each(`${ended}/summary`, "", "x"), each(`${ended}/summary`, 1)],
  ["S3.6 an ended plan's artifacts: type, path, description", past, each(`${ended}/artifacts`, [], [{ type: "data", path: "x", description: "y" }]), [...each(`${ended}/artifacts`, "x"), ...each(`${ended}/artifacts/0/type`, "folder"), ...each(`${ended}/artifacts/0/path`, 1), ...each(`${ended}/artifacts/0/description`, 1)]],
  ["S3.6 an ended plan's metrics: four numbers", past, [], ["steps_total", "steps_completed", "retries", "tokens_used"].flatMap((name) => each(`${ended}/metrics/${name}`, -1, "5"))],
  ["S3.7b an ended plan's lessons: texts", past, each(`${ended}/lessons`, [], ["a"]), [...each(`${ended}/lessons`, "a"), ...each(`${ended}/lessons/0`, 1)]],
  ["S3.6 statistics.total_tasks: a number", past, each("/statistics/total_tasks", 100), each("/statistics/total_tasks", -1, "100")],
  ["S3.6 statistics.success_rate: from 0 to 1", past, each("/statistics/success_rate", 0, 0.95, 1), each("/statistics/success_rate", 1.1, -0.1, "95%")],
  ["S3.6 statistics.avg_duration_seconds: a number", past, each("/statistics/avg_duration_seconds", 0, 240), each("/statistics/avg_duration_seconds", -1, "240")],

  ["S3.1 shared-context version: 1.0", shared, each("/version", "1.0"), each("/version", "9.0")],
  ["S3.3 session.id: session-YYYY-MM-DD-NNN", shared, each("/session/id", "session-2025-11-18-001"), each("/session/id", "task-2025-11-18-001", "one")],
  ["S3.1 session.started_at: a time", shared, each("/session/started_at", ...times), each("/session/started_at", ...noTimes)],
  ["S3.1 shared_data: an open map", shared, each("/shared_data", {}, { current_topic: "x", target_languages: ["ko"], research_results: {}, mine: 1 }), each("/shared_data", [], "x")],
  ["S3.1 shared preferences: an open map", shared, each("/preferences", {}, { tone: "professional", style: "technical", mine: 1 }), each("/preferences", [], "x")],
  ["S3.1 shared-context last_updated: a time", shared, each("/last_updated", ...times), each("/last_updated", ...noTimes)],

  ["S3.1 agent memory version: 1.0", agent, each("/version", "1.0"), each("/version", "9.0")],
  ["S3.1 agent: a name that can be a file's", agent, each("/agent", "writing-assistant"), each("/agent", "", "../x", "a/b", 1)],
  ["S3.9 an agent's preferences: an open map", agent, each("/preferences", {}, { default_tone: "x", mine: 1 }), each("/preferences", [], "x")],
  ["S3.9 an agent's cache: an open map", agent, each("/cache", {}, { recent_topics: [], common_patterns: [], mine: 1 }), each("/cache", [], "x")],
  ["S3.9 an agent's statistics: an open map", agent, each("/statistics", {}, { posts_written: 50, avg_quality_score: 0.92, mine: 1 }), each("/statistics", [], "x")],
  ["S3.1 agent memory last_updated: a time", agent, each("/last_updated", ...times), each("/last_updated", ...noTimes)],

  ["S4.2 session.json version: 1", session, each("/version", 1), each("/version", 9, "1")],
  ["S4.2 session.json project.path: an absolute path", session, each("/project/path", "/a"), each("/project/path", "a", 1)],
  ["S4.2 session.json project.name: a text", session, each("/project/name", "x"), each("/project/name", "", 1)],
  ["S4.1 session.json project.hash: eight hex digits", session, each("/project/hash", "a1b2c3d4"), each("/project/hash", "a1b2", "A1B2C3D4", 1)],
  ["S4.2 session.json status: active, completed, stopped", session, each("/status", "active", "completed", "stopped"), each("/status", "paused", 1)],
  ["S4.2 session.json current_task: a task's id, or null before the first", session, each("/current_task", "T1", "T12", null), each("/current_task", "T1-S1", "1", 1)],
  ["S4.2 session.json created_at: a time", session, each("/created_at", ...times), each("/created_at", ...noTimes)],
  ["S4.2 session.json updated_at: a time", session, each("/updated_at", ...times), each("/updated_at", ...noTimes)],
  ["S4.2b manifest.claude_md: an absolute path or null", session, each("/manifest/claude_md", "/a/CLAUDE.md", null), each("/manifest/claude_md", "CLAUDE.md", 1)],
  ["S4.2b manifest.agents_md: an absolute path or null", session, each("/manifest/agents_md", "/a/AGENTS.md", null), each("/manifest/agents_md", "AGENTS.md", 1)],
  ["S4.2 session.json: no field of its own, at any level", session, [], [...each("/mine", 1), ...each("/project/mine", 1), ...each("/manifest/mine", 1)]],

  ["S4.2 state.json version: 2", request, each("/version", 2), each("/version", 1, 9, "2")],
  ["S4.1 request.id: R1, R2, …", request, each("/request/id", "R1", "R12"), each("/request/id", "1", "r1", "R0")],
  ["S4.2 request.original_request: a text", request, each("/request/original_request", "x"), each("/request/original_request", "", 1)],
  ["S4.2 request.status: active, completed, stopped", request, each("/request/status", "active", "completed", "stopped"), each("/request/status", "failed", 1)],
  ["S4.2 request.current_task: a task of the order, or null", request, each("/request/current_task", "T1", "T2", null), each("/request/current_task", "T9", 1)],
  ["S4.4 request.global_phase: global_discovery, task_loop, complete", request, each("/request/global_phase", "global_discovery", "task_loop", "complete"), each("/request/global_phase", "done", 1)],
  ["S4.2 a task's name: a text", request, each(`${first}/name`, "x"), each(`${first}/name`, "", 1)],
  ["S4.2 a task's status: pending, in_progress, completed", request, each(`${first}/status`, "pending", "in_progress"), each(`${first}/status`, "failed", 1)],
  ["S4.2 a task's current_subtask: a subtask of the order, or null", request, each(`${first}/current_subtask`, "T1-S2", "T1-S3", null), each(`${first}/current_subtask`, "T1-S9", 1)],
  ["S4.2 a task's subtasks: a map by id", request, [], [...each(`${first}/subtasks`, []), ...each(`${first}/subtasks/one`, { name: "x", status: "pending", phase: "test_first", gates: {} })]],
  ["S4.2 a task's subtask_order: ids of its own subtasks", request, each(`${first}/subtask_order`, ["T1-S1", "T1-S2"]), [...each(`${first}/subtask_order`, "T1-S1"), ...each(`${first}/subtask_order/0`, "T2-S1", 1)]],
  ["S4.2 a task's created_at and updated_at: times", request, each(`${first}/created_at`, ...times), [...each(`${first}/created_at`, ...noTimes), ...each(`${first}/updated_at`, ...noTimes)]],
  ["S4.2 task_order: ids of tasks", request, each("/task_order", ["T1", "T2", "T3"]), [...each("/task_order", "T1"), ...each("/task_order/1", "T2-S1", 1)]],
  ["S4.2 a subtask's name: a text", request, each(`${second}/name`, "x"), each(`${second}/name`, "", 1)],
  ["S4.2 a subtask's status: pending, in_progress, completed", request, each(`${second}/status`, "pending", "in_progress"), each(`${second}/status`, "failed", 1)],
  ["S4.4 a subtask's phase: test_first, implementation, verification, complete", request, [...each(`${second}/phase`, "test_first", "implementation", "verification"), { [second]: { name: "x", status: "completed", phase: "complete", gates: { "GATE-1": "passed", "GATE-2": "passed" } } }], each(`${second}/phase`, "testing", 1)],
  ["S4.4 gates: GATE-1 to GATE-4, each pending, passed or failed", request, ["GATE-1", "GATE-2", "GATE-3", "GATE-4"].flatMap((gate) => each(`${second}/gates/${gate}`, "pending", "passed", "failed")), [...each(`${second}/gates/GATE-1`, "ok", true), ...each(`${second}/gates/GATE-5`, "passed")]],
  ["S4.4 a completed subtask has passed its gates", request, [], [{ "/tasks/T1/subtasks/T1-S1/gates/GATE-2": "pending" }]],
  ["S4.2 state.json: no field of its own, at any level", request, [], [...each("/mine", 1), ...each("/request/mine", 1), ...each(`${first}/mine`, 1), ...each(`${second}/mine`, 1)]],

  ["S4.2 explored.yaml: version, request, time and author", explored, each("/created_at", ...times), [...each("/version", 9), ...each("/request_id", "1"), ...each("/created_at", "now"), ...each("/created_by", "planner")]],
  ["S4.2b explored.yaml project_manifest: two paths or null", explored, each("/project_manifest/claude_md", null, "/a/CLAUDE.md"), [...each("/project_manifest/claude_md", "CLAUDE.md"), ...each("/project_manifest/agents_md", 1)]],
  ["S4.2 explored.yaml explored_files: path and summary", explored, each("/explored_files", []), [...each("/explored_files/0/path", "/etc/passwd", "../x", 1), ...each("/explored_files/0/summary", 1), ...each("/explored_files", {})]],
  ["S4.2 explored.yaml directory_structure: from a folder to what it holds", explored, each("/directory_structure", {}, { src: "sources" }), [...each("/directory_structure", []), ...each("/directory_structure/src", 1)]],
  ["S4.2 explored.yaml: no field of its own, at any level", explored, [], [...each("/mine", 1), ...each("/explored_files/0/mine", 1), ...each("/project_manifest/mine", 1)]],

  ["S4.2 task-breakdown.yaml: version, request, time and author", breakdown, [], [...each("/version", 9), ...each("/request_id", "1"), ...each("/created_at", "now"), ...each("/created_by", "architect")]],
  ["S4.2 task-breakdown.yaml original_request: a text", breakdown, each("/original_request", "x"), each("/original_request", "", 1)],
  ["S4.2 task-breakdown.yaml objective: a text", breakdown, each("/objective", "x"), each("/objective", "", 1)],
  ["S4.2 task-breakdown.yaml tasks: id, name, objective, subtasks", breakdown, [], [...each("/tasks", []), ...each("/tasks/0/id", "one"), ...each("/tasks/0/name", ""), ...each("/tasks/0/objective", ""), ...each("/tasks/0/subtasks", [])]],
  ["S4.2 task-breakdown.yaml subtasks: id, name, description", breakdown, [], [...each("/tasks/0/subtasks/0/id", "T2-S1", "one"), ...each("/tasks/0/subtasks/0/name", ""), ...each("/tasks/0/subtasks/0/description", 1)]],
  ["S4.2 task-breakdown.yaml assumptions: texts", breakdown, each("/assumptions", []), [...each("/assumptions", "x"), ...each("/assumptions/0", 1)]],
  ["S4.2 task-breakdown.yaml task_order: each task once", breakdown, [], [...each("/task_order/1", "T9"), ...each("/task_order", ["T1"], "T1")]],
  ["S4.2 task-breakdown.yaml: no field of its own, at any level", breakdown, [], [...each("/mine", 1), ...each("/tasks/0/mine", 1), ...each("/tasks/0/subtasks/0/mine", 1)]],

  ["S4.2 design-brief.yaml: version, request, task, time and author", brief, [], [...each("/version", 9), ...each("/request_id", "1"), ...each("/task_id", "1"), ...each("/created_at", "now"), ...each("/created_by", "planner")]],
  ["S4.2 design-brief.yaml task_name: a text", brief, each("/task_name", "x"), each("/task_name", "", 1)],
  ["S4.2 design-brief.yaml objective: a text", brief, each("/objective", "x"), each("/objective", "", 1)],
  ["S4.2 design-brief.yaml subtasks: id and name", brief, [], [...each("/subtasks", []), ...each("/subtasks/0/id", "T2-S1"), ...each("/subtasks/0/name", "")]],
  ["S4.2b design-brief.yaml completion_criteria: texts", brief, each("/completion_criteria", []), [...each("/completion_criteria", "x"), ...each("/completion_criteria/0", 1)]],
  ["S4.2b design-brief.yaml scope_in: texts", brief, each("/scope_in", []), [...each("/scope_in", "x"), ...each("/scope_in/0", 1)]],
  ["S4.2b design-brief.yaml scope_out: texts", brief, each("/scope_out", []), [...each("/scope_out", "x"), ...each("/scope_out/0", 1)]],
  ["S4.2b design-brief.yaml file_refs: entity, path, status", brief, each("/file_refs", []), [...each("/file_refs/0/entity", ""), ...each("/file_refs/0/path", "../x"), ...each("/file_refs/0/status", "new")]],
  ["S4.2 design-brief.yaml: no field of its own, at any level", brief, [], [...each("/mine", 1), ...each("/subtasks/0/mine", 1), ...each("/file_refs/0/mine", 1)]],

  ["S4.2 design-contract.yaml: version, request, task, time and author", design, [], [...each("/version", 9), ...each("/request_id", "1"), ...each("/task_id", "1"), ...each("/created_at", "now"), ...each("/created_by", "planner")]],
  ["S4.2 design-contract.yaml task_name: a text", design, each("/task_name", "x"), each("/task_name", "", 1)],
  ["S4.2 design-contract.yaml invariants: id and rule", design, each("/invariants", []), [...each("/invariants", "x"), ...each("/invariants/0/id", ""), ...each("/invariants/0/rule", "")]],
  ["S4.2 design-contract.yaml interfaces: name, input, output, contract", design, each("/interfaces", []), [...each("/interfaces/0/name", ""), ...each("/interfaces/0/input", "x"), ...each("/interfaces/0/output/type", ""), ...each("/interfaces/0/contract", 1)]],
  ["S4.2 design-contract.yaml an input's fields: name and type", design, [], [...each("/interfaces/0/input/fields", {}), ...each("/interfaces/0/input/fields/0/name", ""), ...each("/interfaces/0/input/fields/0/type", 1)]],
  ["S4.2 design-contract.yaml boundaries: from, to, allowed, note", design, [...each("/boundaries", []), ...each("/boundaries/0/allowed", false)], [...each("/boundaries/0/from", ""), ...each("/boundaries/0/to", ""), ...each("/boundaries/0/allowed", "yes"), ...each("/boundaries/1/note", 1)]],
  ["S4.2 design-contract.yaml layer_assignments: component and layer", design, each("/layer_assignments", []), [...each("/layer_assignments/0/component", ""), ...each("/layer_assignments/0/layer", "cellar")]],
  ["S4.2b design-contract.yaml file_refs: entity, path, status", design, each("/file_refs", []), [...each("/file_refs/0/entity", ""), ...each("/file_refs/0/path", "/etc/passwd"), ...each("/file_refs/0/status", "new")]],
  ["S4.2 design-contract.yaml: no field of its own, at any level", design, [], [...each("/mine", 1), ...each("/invariants/0/mine", 1), ...each("/interfaces/0/mine", 1), ...each("/boundaries/0/mine", 1)]],

  ["S4.2 test-contract.yaml: version, request, task, subtask, time and author", tests, [], [...each("/version", 9), ...each("/request_id", "1"), ...each("/task_id", "1"), ...each("/subtask_id", "T2-S1"), ...each("/created_at", "now"), ...each("/created_by", "planner")]],
  ["S4.2 test-contract.yaml subtask_name: a text", tests, each("/subtask_name", "x"), each("/subtask_name", "", 1)],
  ["S4.2 test-contract.yaml test_cases: at least one, with id, name, target, given, when, then", tests, [], [...each("/test_cases", []), ...["id", "name", "target"].flatMap((name) => each(`/test_cases/0/${name}`, "", 1)), ...["given", "when", "then"].flatMap((name) => each(`/test_cases/0/${name}`, 1))]],
  ["S4.2 test-contract.yaml category: happy_path, error_case, edge_case", tests, each("/test_cases/0/category", "happy_path", "error_case", "edge_case"), each("/test_cases/0/category", "sad_path", 1)],
  ["S4.2b test-contract.yaml coverage_targets: texts", tests, each("/coverage_targets", []), [...each("/coverage_targets", "x"), ...each("/coverage_targets/0", 1)]],
  ["S4.2 test-contract.yaml test_file_path: inside the project", tests, each("/test_file_path", "test/a.test.ts"), each("/test_file_path", "/etc/passwd", "../x", 1)],
  ["S4.2 test-contract.yaml: no field of its own, at any level", tests, [], [...each("/mine", 1), ...each("/test_cases/0/mine", 1)]],

  ["S4.2 test-result.yaml: version, request, task, subtask, time and author", result, [], [...each("/version", 9), ...each("/request_id", "1"), ...each("/task_id", "1"), ...each("/subtask_id", "T2-S1"), ...each("/created_at", "now"), ...each("/created_by", "planner")]],
  ["S4.2 test-result.yaml execution: command, timestamp, result", result, [], [...each("/execution/command", ""), ...each("/execution/timestamp", "now"), ...each("/execution/result", "passed", true)]],
  ["S4.2 test-result.yaml summary: four numbers that add up", result, [], [...each("/summary/total", 3), ...each("/summary/passed", -1), ...each("/summary/failed", "0"), ...each("/summary/skipped", -1)]],
  ["S4.2 test-result.yaml failed_tests: id, name, category, message", result, [], [...each("/failed_tests", {}), { "/failed_tests/0": "x" }]],
  ["S4.5 test-result.yaml recommendation: action and reason", result, [{ "/recommendation/action": "retry_implementation" }, { "/recommendation/action": "retry_design" }], [...each("/recommendation/action", "retry", 1), ...each("/recommendation/reason", 1)]],
  ["S4.2 test-result.yaml: no field of its own, at any level", result, [], [...each("/mine", 1), ...each("/execution/mine", 1), ...each("/summary/mine", 1), ...each("/recommendation/mine", 1)]],

  ["S4.2 knowledge.yaml version: 1", knowledge, each("/version", 1), each("/version", 9)],
  ["S4.2 knowledge.yaml project: path, name, hash", knowledge, [], [...each("/project/path", "a"), ...each("/project/name", ""), ...each("/project/hash", "xyz")]],
  ["S4.7 knowledge.yaml patterns: texts, or texts by name", knowledge, each("/patterns", {}, { naming: { methods: "camelCase" } }), [...each("/patterns", []), ...each("/patterns/testing", 1)]],
  ["S4.7 knowledge.yaml decisions: id, topic, decision, rationale, refs, created_at", knowledge, [...each("/decisions", []), ...each("/decisions/0/created_at", "2024-01-15", times[1])], [...["id", "topic", "decision"].flatMap((name) => each(`/decisions/0/${name}`, "")), ...each("/decisions/0/rationale", 1), ...each("/decisions/0/refs", "x"), ...each("/decisions/0/created_at", "now")]],
  ["S4.7 knowledge.yaml pitfalls: id, description, reason, learned_from", knowledge, [...each("/pitfalls", []), ...each("/pitfalls/0/learned_from", undefined)], [...["id", "description"].flatMap((name) => each(`/pitfalls/0/${name}`, "")), ...each("/pitfalls/0/reason", 1), ...each("/pitfalls/0/learned_from", 1)]],
  ["S4.2 knowledge.yaml updated_at: a time", knowledge, each("/updated_at", ...times), each("/updated_at", ...noTimes)],
  ["S4.2 knowledge.yaml: no field of its own, at any level", knowledge, [], [...each("/mine", 1), ...each("/project/mine", 1), ...each("/decisions/0/mine", 1), ...each("/pitfalls/0/mine", 1)]],
];

const noCase: Case = ["", "", [], []];

interface Judged {
  readonly path: string;
  readonly status: string;
  readonly findings: readonly { readonly level: string; readonly pointer: string }[];
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-fields-")));
const judged = new Map<string, Judged>();

// All of them in a few calls of the program: it reads any number of files.
beforeAll(() => {
  const paths = cases.flatMap(([title, file, accepted, refused], index) =>
    [...accepted, ...refused].map((patch, number) => {
      const path = join(folder, `${index}-${number}`, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(patched(file, patch, title)));
      return path;
    }),
  );
  for (let at = 0; at < paths.length; at += 200) {
    const { out } = holdfast(["validate", "--json", ...paths.slice(at, at + 200)]);
    for (const file of (JSON.parse(out) as { files: Judged[] }).files) judged.set(file.path, file);
  }
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("holdfast validate, field by field", () => {
  test.each(cases.map(([title], index) => [title, index] as const))("%s", (_, index) => {
    const [, file, accepted, refused] = cases[index] ?? noCase;
    const wrong = [...accepted, ...refused].filter((patch, number) => {
      const found = judged.get(join(folder, `${index}-${number}`, file));
      const errors = (found?.findings ?? []).filter(({ level }) => level === "error");
      if (number < accepted.length) return found?.status !== "valid";
      return !errors.some(({ pointer }) => isAt(pointer, patch));
    });
    expect(wrong).toEqual([]);
  });
});

// --- internal ---

/** What is missing is missed where it would be, or by what would hold it. */
function isAt(pointer: string, patch: Patch): boolean {
  const [[at, value] = ["", ""]] = Object.entries(patch);
  const parent = value === undefined ? at.slice(0, at.lastIndexOf("/")) : at;
  return pointer === parent || `${pointer}/`.startsWith(`${at}/`);
}

const originals = new Map<string, unknown>();

/** The sources' own example with other values; JSON is YAML, too. */
function patched(file: string, patch: Patch, title: string): unknown {
  if (!originals.has(file)) {
    const read = parseYaml(readFileSync(join(seeds, "full", file), "utf8"));
    if (!read.ok) throw new Error(file);
    originals.set(file, read.value);
  }
  const copy = structuredClone(originals.get(file));
  for (const [pointer, value] of Object.entries(patch)) {
    const names = pointer.slice(1).split("/");
    const last = names.pop() ?? "";
    let inner = copy as Record<string, unknown>;
    for (const name of names) {
      if (typeof inner[name] !== "object") throw new Error(`${title}: no ${pointer}`);
      inner = inner[name] as Record<string, unknown>;
    }
    if (value === undefined) delete inner[last];
    else inner[last] = value;
  }
  return copy;
}
