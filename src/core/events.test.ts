import { expect, expectTypeOf, test } from "vitest";
import { type Transition, transitionOf } from "./events.ts";
import type { MachineTypes, Refusal, Taken } from "./machine.ts";
import type { MachineName } from "./machines/index.ts";
import { taskMachine } from "./machines/task.ts";
import { agentFixture } from "../../test/fixtures/machines/agent.ts";
import { taskFixture } from "../../test/fixtures/machines/task.ts";

const at = "2024-02-15T10:30:00Z";

/** The log example of seed 001, as it stands there. */
const seedExample = {
  timestamp: "2024-02-15T10:30:00Z",
  taskId: "task_abc123",
  type: "state_transition",
  from: "in_progress",
  to: "waiting_review",
  trigger: "PHASE_COMPLETE",
  metadata: { phase: 1, deliverables: 9 },
};

function taken<T extends MachineTypes>(step: Taken<T> | Refusal<T>): Taken<T> {
  if (!step.ok) throw new Error("the step was refused");
  return step;
}

test("S1.21 the seed's own log line comes out, with the machine whose states those are", () => {
  const { machine, facts } = agentFixture;
  const step = taken(machine.step("running", "claim_phase", facts));
  const transition = transitionOf(step, {
    machine: machine.name,
    taskId: "task_abc123",
    entityId: "agent_1",
    at,
    trigger: "PHASE_COMPLETE",
    metadata: { phase: 1, deliverables: 9 },
  });
  // The seed's `in_progress` is the task's word for what the agent calls `running`.
  expect(transition).toEqual({
    ...seedExample,
    from: "running",
    machine: "agent",
    entityId: "agent_1",
  });
  expect(Object.keys(transition)).toEqual([
    "timestamp",
    "taskId",
    "type",
    "machine",
    "entityId",
    "from",
    "to",
    "trigger",
    "metadata",
  ]);
});

test("S1.21 without a trigger of its own a transition names its event, and no metadata is {}", () => {
  const step = taken(taskMachine.step("draft", "submit", taskFixture.facts));
  const context = { machine: "task", taskId: "task_1", entityId: "task_1", at } as const;
  expect(transitionOf(step, context)).toMatchObject({
    from: "draft",
    to: "pending",
    trigger: "submit",
    metadata: {},
  });
});

test("S1.21 a step that keeps its state is a transition too", () => {
  const step = taken(taskMachine.step("in_progress", "pause", taskFixture.facts));
  const context = { machine: "task", taskId: "task_1", entityId: "task_1", at } as const;
  expect(transitionOf(step, context)).toMatchObject({ from: "in_progress", to: "in_progress" });
});

test("S1.21 a transition survives JSON, and names only machines that exist", () => {
  const step = taken(taskMachine.step("draft", "submit", taskFixture.facts));
  const metadata = { phase: 1, note: "한글", nested: { list: [1, null, true] } };
  const context = { machine: "task", taskId: "t", entityId: "t", at, metadata } as const;
  const transition = transitionOf(step, context);
  expect(JSON.parse(JSON.stringify(transition))).toEqual(transition);
  expectTypeOf<Transition["machine"]>().toEqualTypeOf<MachineName>();
  expectTypeOf<"task">().toExtend<MachineName>();
  expectTypeOf<"tasks">().not.toExtend<MachineName>();
});
