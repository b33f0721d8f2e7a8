// Every machine, for documents, diagrams and the tests that walk them all.
import { agentMachine } from "./agent.ts";
import { checkpointMachine } from "./checkpoint.ts";
import { developPhaseMachine } from "./develop-phase.ts";
import { planStepMachine } from "./plan-step.ts";
import { planTaskMachine } from "./plan-task.ts";
import { requestMachine } from "./request.ts";
import { subtaskMachine } from "./subtask.ts";
import { taskMachine } from "./task.ts";
import { unitMachine } from "./unit.ts";

export const machines = [
  taskMachine,
  agentMachine,
  developPhaseMachine,
  checkpointMachine,
  unitMachine,
  planTaskMachine,
  planStepMachine,
  requestMachine,
  subtaskMachine,
] as const;

export type MachineName = (typeof machines)[number]["name"];
