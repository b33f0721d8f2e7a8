// The schemas of the operations by name, for the build alone (scripts/generate/operations.ts).
import type { z } from "zod";
import type { OperationName } from "./operations.ts";
import * as agentAsk from "./operations/agent/ask.ts";
import * as agentDone from "./operations/agent/done.ts";
import * as agentNeed from "./operations/agent/need.ts";
import * as agentProgress from "./operations/agent/progress.ts";
import * as agentState from "./operations/agent/state.ts";
import * as agents from "./operations/agents.ts";
import * as develop from "./operations/develop.ts";
import * as contracts from "./operations/contracts.ts";
import * as documents from "./operations/documents.ts";
import * as doctor from "./operations/doctor.ts";
import * as init from "./operations/init.ts";
import * as log from "./operations/log.ts";
import * as machines from "./operations/machines.ts";
import * as memory from "./operations/memory.ts";
import * as metrics from "./operations/metrics.ts";
import * as next from "./operations/next.ts";
import * as notify from "./operations/notify.ts";
import * as orchestrate from "./operations/orchestrate.ts";
import * as plan from "./operations/plan.ts";
import * as recall from "./operations/recall.ts";
import * as report from "./operations/report.ts";
import * as request from "./operations/request.ts";
import * as schema from "./operations/schema.ts";
import * as settings from "./operations/settings.ts";
import * as status from "./operations/status.ts";
import * as taskCreate from "./operations/task/create.ts";
import * as taskList from "./operations/task/list.ts";
import * as taskInbox from "./operations/task/inbox.ts";
import * as taskTypes from "./operations/task/types.ts";
import * as taskProjects from "./operations/task/projects.ts";
import * as taskShow from "./operations/task/show.ts";
import * as taskAgent from "./operations/task/agent.ts";
import * as taskAgents from "./operations/task/agents.ts";
import * as taskEdit from "./operations/task/edit.ts";
import * as taskSubmit from "./operations/task/submit.ts";
import * as taskPause from "./operations/task/pause.ts";
import * as taskResume from "./operations/task/resume.ts";
import * as taskCancel from "./operations/task/cancel.ts";
import * as taskReview from "./operations/task/review.ts";
import * as taskApprove from "./operations/task/approve.ts";
import * as taskRequestChanges from "./operations/task/request-changes.ts";
import * as taskAnswer from "./operations/task/answer.ts";
import * as taskProvide from "./operations/task/provide.ts";
import * as taskRetry from "./operations/task/retry.ts";
import * as taskArchive from "./operations/task/archive.ts";
import * as taskDelete from "./operations/task/delete.ts";
import * as taskLogs from "./operations/task/logs.ts";
import * as taskOutput from "./operations/task/output.ts";
import * as taskSnapshots from "./operations/task/snapshots.ts";
import * as taskRestore from "./operations/task/restore.ts";
import * as taskKept from "./operations/task/kept.ts";
import * as taskZip from "./operations/task/zip.ts";
import * as units from "./operations/units.ts";
import * as validate from "./operations/validate.ts";
import * as why from "./operations/why.ts";

export interface OperationSchemas {
  readonly input: () => z.ZodType;
  readonly output: () => z.ZodType;
}

export const schemas: Readonly<Record<OperationName, OperationSchemas>> = {
  init,
  status,
  why,
  units,
  documents,
  log,
  recall,
  metrics,
  machines,
  settings,
  notify,
  doctor,
  agents,
  validate,
  schema,
  next,
  report,
  orchestrate,
  develop,
  plan,
  memory,
  request,
  contracts,
  "agent state": agentState,
  "agent ask": agentAsk,
  "agent need": agentNeed,
  "agent done": agentDone,
  "agent progress": agentProgress,
  "task create": taskCreate,
  "task list": taskList,
  "task inbox": taskInbox,
  "task types": taskTypes,
  "task projects": taskProjects,
  "task show": taskShow,
  "task agent": taskAgent,
  "task agents": taskAgents,
  "task edit": taskEdit,
  "task submit": taskSubmit,
  "task pause": taskPause,
  "task resume": taskResume,
  "task cancel": taskCancel,
  "task review": taskReview,
  "task approve": taskApprove,
  "task request-changes": taskRequestChanges,
  "task answer": taskAnswer,
  "task provide": taskProvide,
  "task retry": taskRetry,
  "task archive": taskArchive,
  "task delete": taskDelete,
  "task logs": taskLogs,
  "task output": taskOutput,
  "task snapshots": taskSnapshots,
  "task restore": taskRestore,
  "task kept": taskKept,
  "task zip": taskZip,
};
