// Every table of sentences, as one. The program does not load it: the build puts the same sentences in
// its place, so that only what is said is loaded (scripts/build/texts.mjs).
import type { Language, MessageKey, Text } from "./messages.ts";
import { agentTexts } from "./texts/agents.ts";
import { conductTexts } from "./texts/conduct.ts";
import { heldTexts } from "./texts/held.ts";
import { developTexts } from "./texts/develop.ts";
import { developCommandTexts } from "./texts/develop-command.ts";
import { developPromptTexts } from "./texts/develop-prompts.ts";
import { askedTexts } from "./texts/asked.ts";
import { diskTexts } from "./texts/disk.ts";
import { doctorTexts } from "./texts/doctor.ts";
import { documentTexts } from "./texts/documents.ts";
import { engineTexts } from "./texts/engine.ts";
import { errorTexts } from "./texts/errors.ts";
import { formatTexts } from "./texts/formats.ts";
import { formatRuleTexts } from "./texts/format-rules.ts";
import { graphTexts } from "./texts/graph.ts";
import { initTexts } from "./texts/init.ts";
import { machineTexts } from "./texts/machines.ts";
import { planMachineTexts } from "./texts/machines-plans.ts";
import { unitMachineTexts } from "./texts/machines-units.ts";
import { mcpTexts } from "./texts/mcp.ts";
import { orchestrateTexts } from "./texts/orchestrate.ts";
import { orchestrateCommandTexts } from "./texts/orchestrate-command.ts";
import { planAnswerTexts } from "./texts/plan-answers.ts";
import { planCommandTexts } from "./texts/plan-commands.ts";
import { planPromptTexts } from "./texts/plan-prompts.ts";
import { planTexts } from "./texts/plan.ts";
import { pluginTexts } from "./texts/plugin.ts";
import { protocolTexts } from "./texts/protocol.ts";
import { recallTexts } from "./texts/recall.ts";
import { requestCommandTexts } from "./texts/request-commands.ts";
import { requestTexts } from "./texts/request.ts";
import { sampleTexts } from "./texts/sample.ts";
import { sampleCourseTexts } from "./texts/sample-course.ts";
import { serverTexts } from "./texts/server.ts";
import { notifyTexts } from "./texts/notify.ts";
import { statusTexts } from "./texts/status.ts";
import { storeTexts } from "./texts/store.ts";
import { taskTexts } from "./texts/tasks.ts";
import { taskListTexts } from "./texts/task-list.ts";
import { taskTypeTexts } from "./texts/task-types.ts";
import { documentViewTexts } from "./texts/document-views.ts";
import { viewTexts } from "./texts/views.ts";
import { whyTexts } from "./texts/why.ts";
import { workspaceTexts } from "./texts/workspace.ts";
import { commandTexts } from "./texts/commands.ts";

export const texts = {
  ...agentTexts,
  ...conductTexts,
  ...heldTexts,
  ...developTexts,
  ...developCommandTexts,
  ...developPromptTexts,
  ...askedTexts,
  ...diskTexts,
  ...doctorTexts,
  ...documentTexts,
  ...engineTexts,
  ...errorTexts,
  ...formatTexts,
  ...formatRuleTexts,
  ...graphTexts,
  ...initTexts,
  ...machineTexts,
  ...planMachineTexts,
  ...unitMachineTexts,
  ...mcpTexts,
  ...orchestrateTexts,
  ...orchestrateCommandTexts,
  ...planAnswerTexts,
  ...planCommandTexts,
  ...planPromptTexts,
  ...planTexts,
  ...pluginTexts,
  ...protocolTexts,
  ...recallTexts,
  ...requestCommandTexts,
  ...requestTexts,
  ...sampleTexts,
  ...sampleCourseTexts,
  ...serverTexts,
  ...notifyTexts,
  ...statusTexts,
  ...storeTexts,
  ...taskTexts,
  ...taskListTexts,
  ...taskTypeTexts,
  ...documentViewTexts,
  ...viewTexts,
  ...whyTexts,
  ...workspaceTexts,
  ...commandTexts,
} as const satisfies Record<string, Text>;

export function textOf(key: MessageKey, language: Language): string {
  return texts[key][language];
}

export function isMessageKey(key: string): key is MessageKey {
  return Object.hasOwn(texts, key);
}
