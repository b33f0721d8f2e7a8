// States, everywhere the same: who must act is the colour, what it is the shape, and the word
// stands beside both.
import type { InboxItem, TaskView, Wait } from "../data/api.ts";
import { sayWord, useSay } from "../texts/index.ts";
import { Icon, type IconName } from "./icons.tsx";

export type Tone = "idle" | "queue" | "work" | "you" | "ice" | "done" | "fail";
interface Look {
  readonly tone: Tone;
  readonly icon: IconName;
}

const taskLooks: Readonly<Record<string, Look>> = {
  draft: { tone: "idle", icon: "dashed" },
  pending: { tone: "queue", icon: "ring" },
  in_progress: { tone: "work", icon: "half" },
  review: { tone: "you", icon: "eye" },
  completed: { tone: "done", icon: "check" },
  failed: { tone: "fail", icon: "cross" },
};

const agentLooks: Readonly<Record<string, Look>> = {
  paused: { tone: "ice", icon: "pause" },
  waiting_dependency: { tone: "you", icon: "key" },
  waiting_question: { tone: "you", icon: "question" },
  waiting_review: { tone: "you", icon: "eye" },
};

const unknown: Look = { tone: "idle", icon: "ring" };

export interface Shown extends Look {
  /** `task.review`, `agent.paused`, `hold.limit` … */
  readonly word: readonly [prefix: string, word: string];
}

type Stated = Pick<TaskView, "status" | "agentStatus" | "holds" | "held" | "questions">;

/** The state of a task as a person means it: a waiting agent counts more than "in progress". */
export function shownState(task: Stated): Shown {
  const { status, agentStatus, holds } = task;
  const own: Shown = { ...(taskLooks[status] ?? unknown), word: ["state", status] };
  if (status === "in_progress" && agentStatus === null) return shownRun(task, own);
  if (status !== "in_progress" || agentStatus === null) return own;
  const look = agentLooks[agentStatus];
  if (look === undefined) return own;
  const self = holds.find((hold) => hold === "limit" || hold === "network" || hold === "disk");
  if (agentStatus === "paused" && self !== undefined)
    return { tone: "ice", icon: "clock", word: ["hold", self] };
  return { ...look, word: ["agent", agentStatus] };
}

export function agentLook(status: string): Look {
  return agentLooks[status] ?? taskLooks[status === "running" ? "in_progress" : status] ?? unknown;
}

export function taskLook(status: string): Look {
  return taskLooks[status] ?? unknown;
}

export function StateBadge({ task }: { task: Stated }) {
  const say = useSay();
  const { tone, icon, word } = shownState(task);
  return (
    <span
      data-tone={tone}
      className="inline-flex items-center gap-1.5 rounded-control bg-(--tint) px-2 py-px text-xs font-semibold whitespace-nowrap text-(--fg)"
    >
      <Icon name={icon} className={`size-3.5 ${icon === "half" ? "pulse" : ""}`} />
      {sayWord(say, ...word)}
    </span>
  );
}

/** A tinted square with the shape of what it is. */
export function Glyph({ tone, icon, small = false }: Look & { small?: boolean }) {
  return (
    <span
      data-tone={tone}
      className={`grid shrink-0 place-items-center rounded-[7px] bg-(--tint) text-(--fg) ${small ? "size-5" : "size-6"}`}
    >
      <Icon name={icon} className={small ? "size-3" : "size-3.5"} />
    </span>
  );
}

/** Holdfast itself asks when something is stuck: that looks like trouble, not like a question. */
export const ownOrigins: ReadonlySet<string> = new Set([
  "budget",
  "silence",
  "overtime",
  "account",
  "workspace",
  "verifier",
]);

export type ItemKind = "question" | "permission" | "dependency" | "review" | "escalation";

export function itemKind({ kind, origin }: Pick<InboxItem, "kind" | "origin">): ItemKind {
  // A run that is held, or a task behind a failed one: nobody asks, and nothing continues without a person.
  if (kind === "held" || kind === "blocked") return "escalation";
  if (kind !== "question" || origin === null) return kind;
  if (origin === "permission") return "permission";
  return ownOrigins.has(origin) ? "escalation" : "question";
}

export const itemLooks: Readonly<Record<ItemKind, Look>> = {
  question: { tone: "you", icon: "question" },
  permission: { tone: "you", icon: "shield" },
  dependency: { tone: "you", icon: "key" },
  review: { tone: "you", icon: "eye" },
  escalation: { tone: "fail", icon: "warn" },
};

export const waitLooks: Readonly<Record<Wait["kind"], Look>> = {
  draft: { tone: "idle", icon: "dashed" },
  question: { tone: "you", icon: "question" },
  dependency: { tone: "you", icon: "key" },
  review: { tone: "you", icon: "eye" },
  paused: { tone: "ice", icon: "pause" },
  disk: { tone: "fail", icon: "warn" },
  tasks: { tone: "queue", icon: "clock" },
  slot: { tone: "queue", icon: "ring" },
  limit: { tone: "ice", icon: "clock" },
  network: { tone: "ice", icon: "clock" },
  check: { tone: "work", icon: "half" },
};

// --- internal ---

/** A run has no agent of its own: what holds it, or what it asks, is its own word. */
function shownRun({ held, questions }: Stated, own: Shown): Shown {
  if (held !== null) return { tone: "you", icon: "pause", word: ["state", "held"] };
  if (questions.length === 0) return own;
  return { tone: "you", icon: "question", word: ["agent", "waiting_question"] };
}
