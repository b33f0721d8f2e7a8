// Tells people that something waits for them, or has ended: a line where the server runs, and the
// webhooks that the project's holdfast.yaml names (S1.4, S1.6, S2.12). Trouble on that way never
// stops work: it is tried a few times, then told without the address, and left.
import { msg, type Message } from "../core/messages.ts";
import type { Json } from "../core/events.ts";
import type { Notify } from "../engine/effects.ts";
import type { TaskState } from "../engine/state.ts";
import type { ProjectSettings } from "../formats/project-settings.ts";
import type { Environment } from "../store/home.ts";
import {
  type NotSent,
  type WebhookOptions,
  postTo,
  slackText,
  webhookOptions,
} from "./_webhook.ts";

export interface NotifierOptions {
  readonly settings: (projectId: string) => Promise<ProjectSettings | undefined>;
  /** Holds the addresses, under the names that the settings say. */
  readonly env: Environment;
  readonly tell: (text: Message) => void;
  /** Whoever gave the command sees what happened, and waits for one try: only trouble is told. */
  readonly isCommand?: boolean;
  /** For tests: the wait before each further try, and where a webhook may go. */
  readonly webhooks?: WebhookOptions & { readonly waitsMs?: readonly number[] };
}

export interface Notifier {
  readonly notify: Notify;
  /** What is not told yet is told after the next start. */
  stop(): void;
}

/** What is sent: no secret, and nothing an agent could fill without bounds. */
export interface Notification {
  /** The same when it is sent again. */
  readonly id: string;
  readonly event: string;
  readonly timestamp: string;
  readonly data: {
    readonly taskId: string;
    readonly title: string;
    readonly type: string;
    readonly status: string;
    readonly projectId: string;
    readonly phase: number | null;
    readonly progress: number;
    /** Of the question, dependency or review. */
    readonly id?: string;
    readonly question?: string;
    /** Of what is needed; its value is nobody's business. */
    readonly name?: string;
    readonly reason?: string;
  };
}

const usualWaits = [1_000, 5_000];

export function createNotifier(options: NotifierOptions): Notifier {
  const { settings, env, tell, isCommand = false } = options;
  const webhooks: NonNullable<NotifierOptions["webhooks"]> =
    options.webhooks ?? webhookOptions(env);
  const ending = new AbortController();
  const waits = isCommand ? [] : (webhooks.waitsMs ?? usualWaits);
  const deliver = async (name: string, payload: object): Promise<void> => {
    const address = env[name];
    if (address === undefined || address === "") return tell(msg("notify.unset", { name }));
    let problem: NotSent | null = null;
    for (const wait of [0, ...waits]) {
      await pause(wait, ending.signal);
      problem = await postTo(address, payload, webhooks, ending.signal);
      if (ending.signal.aborted) throw new Error("the server is ending");
      // Trying again does not make these right.
      if (problem === null || problem === "address" || problem === "private") break;
    }
    if (problem !== null)
      tell(msg("notify.not_sent", { name, problem: msg(`notify.problem.${problem}`) }));
  };
  return {
    notify: async ({ key, what, state, data }) => {
      const sent = notificationOf(key, what, state, data);
      if (!isCommand) tell(lineOf(sent));
      const names = (await settings(state.task.projectId).catch(() => undefined))?.notify;
      if (names === undefined) return;
      await Promise.all([
        ...(names.webhooks ?? []).map((name) => deliver(name, sent)),
        ...(names.slack === undefined ? [] : [deliver(names.slack, slackOf(sent))]),
      ]);
    },
    stop: () => ending.abort(),
  };
}

/** One try at one address, for a person who waits for the answer; null: it was taken. */
export async function sendTest(
  { name, kind }: { readonly name: string; readonly kind: "webhook" | "slack" },
  projectId: string,
  env: Environment,
  ended: AbortSignal,
  webhooks: WebhookOptions = webhookOptions(env),
): Promise<Message | null> {
  const address = env[name];
  if (address === undefined || address === "") return msg("notify.unset", { name });
  const timestamp = new Date().toISOString();
  const payload =
    kind === "slack"
      ? { text: "[test] Holdfast" }
      : { id: `test:${timestamp}`, event: "test", timestamp, data: { projectId } };
  const problem = await postTo(address, payload, webhooks, ended);
  return problem && msg("notify.not_sent", { name, problem: msg(`notify.problem.${problem}`) });
}

// --- internal ---

/** The engine's word for it → the event's name out there, and the sentence for people. */
const events = {
  review: ["review.created", "notify.review"],
  question: ["question.asked", "notify.question"],
  dependency: ["dependency.requested", "notify.dependency"],
  completed: ["task.completed", "notify.completed"],
  failed: ["task.failed", "notify.failed"],
  held: ["task.held", "notify.held"],
  error: ["task.error", "notify.error"],
  review_reminder: ["review.waiting", "notify.review_waiting"],
  question_overdue: ["question.overdue", "notify.question_overdue"],
  escalation: ["question.escalated", "notify.escalation"],
  disk_low: ["disk.low", "notify.disk_low"],
  removal: ["task.removal", "notify.removal"],
} as const;

type Known = keyof typeof events;

const eventOf = (what: string): (typeof events)[Known] | undefined =>
  Object.hasOwn(events, what) ? events[what as Known] : undefined;

function notificationOf(
  key: string,
  what: string,
  { task, entities }: TaskState,
  given: Readonly<Record<string, Json>>,
): Notification {
  const { id, status, workflow, projectId, data } = task;
  const about = typeof given["id"] === "string" ? given["id"] : null;
  const question = about === null ? undefined : entities.question.get(about);
  const dependency = about === null ? undefined : entities.dependency.get(about);
  return {
    id: key,
    event: eventOf(what)?.[0] ?? `task.${what}`,
    timestamp: new Date(Number(given["at"])).toISOString(),
    data: {
      taskId: id,
      title: short(data.title),
      type: workflow,
      status,
      projectId,
      phase: data.document?.phase ?? null,
      progress: data.progress,
      ...(about === null ? {} : { id: about }),
      ...(question === undefined ? {} : { question: short(question.data.question) }),
      ...(dependency === undefined ? {} : { name: short(dependency.data.name) }),
      ...(data.failure === null || status !== "failed" ? {} : { reason: data.failure.reason }),
    },
  };
}

function short(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function lineOf({ event, data }: Notification): Message {
  const known = Object.values(events).find(([name]) => name === event);
  const about = { id: data.taskId, title: data.title };
  return known === undefined ? msg("notify.other", { ...about, event }) : msg(known[1], about);
}

/** Slack's own form. Its signs for mentions and links are taken out of what others wrote. */
function slackOf({ event, data }: Notification): object {
  const more = data.question ?? data.name ?? data.reason;
  const tail = more === undefined ? "" : `: ${slackText(more)}`;
  return { text: `[${event}] ${slackText(data.title)} (${data.taskId})${tail}` };
}

function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(finish, milliseconds);
    function finish(): void {
      clearTimeout(timer);
      ended.removeEventListener("abort", finish);
      done();
    }
    ended.addEventListener("abort", finish);
  });
}
