// News of a run for Slack (S2.12). The address is a secret: it is in no error and no journal, and a
// webhook that does not answer stops nothing.
import { type Message, render } from "../core/messages.ts";
import { type WebhookOptions, postTo, slackText } from "./_webhook.ts";
import type { Context } from "./operation.ts";

export async function tellSlack(
  { language, ended }: Pick<Context, "language" | "ended">,
  address: string,
  news: readonly Message[],
  options: WebhookOptions = {},
): Promise<void> {
  // One message: whoever reads it wants to know what happened, not how often we called.
  const text = news.map((each) => render(language, each)).join("\n");
  await postTo(address, { text: slackText(text) }, { timeoutMs: 3_000, ...options }, ended);
}
