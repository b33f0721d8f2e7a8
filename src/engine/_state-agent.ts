// What is stored of an agent and of its processes.
import type { AgentRecord } from "../core/machines/agent.ts";
import type { AgentEvent, AgentMessage, FailureClass } from "../agents/adapters/adapter.ts";

/** Its status is the row's own. */
export interface AgentData extends Omit<AgentRecord, "status"> {
  /** The workflow's name for the conversation. */
  readonly name: string;
  /** A verifier judges what the other did (S1.14). */
  readonly role: "work" | "verifier";
  readonly adapter: string;
  /** Given by us, so that it is known before the agent says a word. */
  readonly session: string;
  /** What the agent named the conversation, where it chooses that itself. */
  readonly named: string | null;
  /** Its newest process; whether that one lives is the process's own status. */
  readonly process: string | null;
  /** Does it hold one of the slots? An agent that is to run and has none waits for one. */
  readonly slot: boolean;
  readonly slotSince: number | null;
  /** When it last came to a stand from its work: who waits longest is ended first (S1.7b). */
  readonly stillSince: number | null;
  /** What it said and nobody could take yet: it was frozen meanwhile. */
  readonly unread: readonly Heard[];
  /** What it was told and has not shown to have read; sent again to a process that resumes it. */
  readonly told: readonly ToldMessage[];
  /** The files it named with its last claim. */
  /** What it said with its newest claim. */
  readonly summary?: string;
  readonly claimed: readonly string[];
  /** Of the current phase. */
  readonly reminders: number;
  readonly crashes: number;
  /** How often in a row a limit was still there, and how often nobody could be reached. */
  readonly limits: number;
  readonly outages: number;
  /** Its turn ended before its time (interrupted, limited, failed): it goes on when it is told to. */
  readonly cut: boolean;
  /** Why the turn failed that has not ended yet. */
  readonly failed: FailureClass | null;
}

/** What it said, with what has to be known to answer it. */
export type Heard = AgentEvent & {
  /** Of a request: the process that waits. */
  readonly process?: string;
  /** Of a request: a secret was in it and is blanked, so it can not be handed back. */
  readonly secret?: boolean;
};

export interface ToldMessage {
  readonly id: string;
  readonly kind: AgentMessage["kind"];
  readonly text: string;
  /** The question it answers. */
  readonly about: string | null;
  /** A process was given it; the agent took it up. */
  readonly sent: boolean;
  readonly heard: boolean;
  /** For the process that asked; told to another one, it is only words. */
  readonly reply: Reply | null;
}

export interface Reply {
  readonly process: string;
  /** Its id of what it asked. */
  readonly request: string;
  readonly permission?: AgentMessage["permission"];
  readonly answers?: AgentMessage["answers"];
}

export type ProcessStatus = "starting" | "running" | "ended";

export interface ProcessData {
  readonly agentId: string;
  /** Was it ever there? One that nobody wanted any more before it began was not. */
  readonly begun: boolean;
  /** Does it take up a conversation that another process began? */
  readonly resume: boolean;
  /** Names of the variables it was given; the values stay in the secret store. */
  readonly variables: readonly string[];
  /** Bytes of its output that were read, and the reader's state after them. */
  readonly offset: number;
  readonly reader: string | null;
  /** Bytes of input that were committed. */
  readonly input: number;
  readonly startedAt: number;
  readonly lastOutputAt: number;
  /** Until then it said to be trying again. */
  readonly quietUntil: number | null;
  /** Asked to end its turn, after which it is frozen; why a snapshot is due then. */
  readonly stopping: { readonly snapshot: string | null } | null;
  readonly code: number | null;
  readonly signal: string | null;
  /** Ended because we wanted it: its end says nothing about the agent. */
  readonly wanted: boolean;
  /** What its markers have to carry; null: nothing (S1.13). */
  readonly token: string | null;
  /** Answered questions of earlier processes that it asked again: each stands for one of its own. */
  readonly repeated?: readonly string[];
}
