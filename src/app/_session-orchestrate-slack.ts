// News of a run for Slack (S2.12). The address is a secret: it is in no error and no journal. A webhook that
// does not answer stops nothing; that it did not is told by who calls.
import { type Message, render } from "../core/messages.ts";
import {
  type NotSent,
  type WebhookOptions,
  postTo,
  slackText,
  webhookOptions,
} from "./_webhook.ts";
import type { Context } from "./operation.ts";

export async function tellSlack(
  { language, ended, env }: Pick<Context, "language" | "ended" | "env">,
  address: string,
  news: readonly Message[],
  options: WebhookOptions = webhookOptions(env),
): Promise<NotSent | null> {
  // One message: whoever reads it wants to know what happened, not how often we called.
  const text = news.map((each) => render(language, each)).join("\n");
  return postTo(address, { text: slackText(text) }, { timeoutMs: 3_000, ...options }, ended);
}
