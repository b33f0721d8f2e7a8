// One way to speak with every agent, whatever its dialect: how it is started, what its output means,
// which bytes it takes. Pure: the supervisor owns the processes, the engine decides.
//
// Holds for plain commands and for agents with structured output (Claude Code's stream-json, Codex'
// app-server, ACP): those have an `opening`, name their session, and take answers by request id.
import type { Json } from "../../core/events.ts";
import type { Signal } from "../../core/protocol.ts";

/** What an agent's output means. */
export type AgentEvent =
  /** The agent named its conversation: to be stored before anything else is sent. */
  | { readonly type: "session"; readonly id: string }
  /** The assistant's own words, bounded. A plain command has none: its output is its words. */
  | { readonly type: "text"; readonly text: string }
  /** A marker of S1.12 found in them: a claim. */
  | { readonly type: "signal"; readonly signal: Signal }
  | { readonly type: "tool"; readonly name: string; readonly detail: string }
  | {
      readonly type: "permission";
      readonly id: string;
      readonly tool: string;
      readonly detail: string;
      readonly input: Json;
    }
  | { readonly type: "question"; readonly id: string; readonly questions: readonly Asked[] }
  /** Spent since the last one: to be added up. */
  | { readonly type: "usage"; readonly tokens: number; readonly costUsd: number | null }
  | { readonly type: "retry"; readonly until: number | null }
  | { readonly type: "rateLimited"; readonly resetAt: number | null; readonly message: string }
  | { readonly type: "failed"; readonly class: FailureClass; readonly message: string }
  | { readonly type: "turnEnd" };

export type FailureClass = "auth" | "billing" | "network" | "input" | "crash" | "unknown";

/** One question of a structured request; such a request may hold several. */
export interface Asked {
  readonly question: string;
  readonly options: readonly string[];
  /** More than one option may be chosen. */
  readonly several: boolean;
}

/** Bytes of one process's output → events; the same events in any chunking. */
export interface Reader {
  push(chunk: Uint8Array): AgentEvent[];
  /** The agent fell silent (S1.12: a completion has no closing tag). */
  settle(): AgentEvent[];
  /** The process ended and its output is read to the end. */
  end(): AgentEvent[];
  /** All of its state, to be committed with what the events caused. */
  save(): string;
  /** Bytes taken so far. */
  readonly offset: number;
  /** Marker-looking lines that lacked the token. */
  readonly ignored: number;
}

/** What is stored of a conversation. */
export interface AgentSession {
  /** Null until an agent that chooses its own id has said it. */
  readonly id: string | null;
}

/** What one process is started with. */
export interface Start {
  /** Our id of the conversation, the same in each process of it. */
  readonly session: string;
  /** A process of this conversation ran before. */
  readonly resume: boolean;
  /** The workspace. */
  readonly cwd: string;
  /** A folder where the agent may keep its own state: the same for each process of it. */
  readonly home: string;
  /** The file that takes this process's output. */
  readonly output: string;
  /** `--script` of the sample agent: a file. */
  readonly script?: string | undefined;
  /** Of `--strict-markers`. */
  readonly token?: string | undefined;
}

export const messageKinds = ["prompt", "answer", "feedback", "reminder", "note"] as const;
export type MessageKind = (typeof messageKinds)[number];

export interface AgentMessage {
  /** Ours; it goes with the message, so that one seen twice can be told (S1.16). */
  readonly id: string;
  readonly kind: MessageKind;
  readonly text: string;
  /** The request or question this answers. */
  readonly about?: string | undefined;
  /** The answer to a permission: the verdict, and the input it was asked with. */
  readonly permission?: { readonly allow: boolean; readonly input: Json } | undefined;
}

export interface Capabilities {
  /** Started again with its session, it knows what it was told and where it was. */
  readonly resume: boolean;
  /** Takes messages while it runs. */
  readonly stdin: boolean;
  /** Its own words are told apart from the output of its tools. */
  readonly structured: boolean;
  /** A message it has seen, sent again under the same id, is not acted on again. */
  readonly deduplicates: boolean;
  /** Can be asked to finish its turn and wait. */
  readonly softPause: boolean;
}

export interface Adapter {
  readonly name: string;
  readonly capabilities: Capabilities;
  command(start: Start): { readonly command: readonly string[]; readonly env: Environment };
  /** What has to be on stdin before any message, in each process: a handshake. */
  opening?(start: Start): Uint8Array;
  reader(options: { resume?: string | undefined; token?: string | undefined }): Reader;
  /** The bytes for stdin. */
  message(message: AgentMessage, session: AgentSession): Uint8Array;
}

/** Added to what the engine allows an agent to see. */
export type Environment = Readonly<Record<string, string>>;
