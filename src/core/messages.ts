// Every sentence a person may read, in both languages, by key.
//
// Pure code never holds prose: it returns a Message (key + params) and the outermost
// door renders it in the reader's language. Errors, refusals, complaints and help texts
// all pass through here, so a missing Korean text is a type error, not a surprise.
import { fill } from "./fill.ts";
import { agentTexts } from "./texts/agents.ts";
import { doctorTexts } from "./texts/doctor.ts";
import { documentTexts } from "./texts/documents.ts";
import { engineTexts } from "./texts/engine.ts";
import { errorTexts } from "./texts/errors.ts";
import { formatTexts } from "./texts/formats.ts";
import { graphTexts } from "./texts/graph.ts";
import { initTexts } from "./texts/init.ts";
import { machineTexts } from "./texts/machines.ts";
import { mcpTexts } from "./texts/mcp.ts";
import { orchestrateTexts } from "./texts/orchestrate.ts";
import { pluginTexts } from "./texts/plugin.ts";
import { protocolTexts } from "./texts/protocol.ts";
import { sampleTexts } from "./texts/sample.ts";
import { serverTexts } from "./texts/server.ts";
import { statusTexts } from "./texts/status.ts";
import { storeTexts } from "./texts/store.ts";
import { taskTexts } from "./texts/tasks.ts";
import { taskListTexts } from "./texts/task-list.ts";
import { viewTexts } from "./texts/views.ts";
import { whyTexts } from "./texts/why.ts";
import { workspaceTexts } from "./texts/workspace.ts";
import { commandTexts } from "./texts/commands.ts";

export const languages = ["en", "ko"] as const;
export type Language = (typeof languages)[number];

/** One text in every language. The tables in texts/ are checked against this. */
export type Text = Readonly<Record<Language, string>>;

export const texts = {
  ...agentTexts,
  ...doctorTexts,
  ...documentTexts,
  ...engineTexts,
  ...errorTexts,
  ...formatTexts,
  ...graphTexts,
  ...initTexts,
  ...machineTexts,
  ...mcpTexts,
  ...orchestrateTexts,
  ...pluginTexts,
  ...protocolTexts,
  ...sampleTexts,
  ...serverTexts,
  ...statusTexts,
  ...storeTexts,
  ...taskTexts,
  ...taskListTexts,
  ...viewTexts,
  ...whyTexts,
  ...workspaceTexts,
  ...commandTexts,
} as const satisfies Record<string, Text>;

export type MessageKey = keyof typeof texts;
/** A blank may hold another message, rendered in the same language. */
export type ParamValue = string | number | Message;

/** The names between braces in the English text: `{id} is missing` → "id". */
type ParamNames<T extends string> = T extends `${string}{${infer P}}${infer Rest}`
  ? P | ParamNames<Rest>
  : never;
type ParamsOf<K extends MessageKey> = Readonly<
  Record<ParamNames<(typeof texts)[K]["en"]>, ParamValue>
>;

export interface Message {
  readonly key: MessageKey;
  readonly params: Readonly<Record<string, ParamValue>>;
}

/** Names a text and fills its blanks; the compiler demands exactly the blanks it has. */
export function msg<K extends MessageKey>(
  key: K,
  ...params: keyof ParamsOf<K> extends never ? [] : [ParamsOf<K>]
): Message {
  return { key, params: params[0] ?? {} };
}

export function render(language: Language, message: Message): string {
  return fill(texts[message.key][language], (name) => {
    const param = message.params[name];
    return typeof param === "object" ? render(language, param) : param;
  });
}
