// One way to speak with every agent, whatever its dialect: how it is started, what its output means,
// which bytes it takes. Pure: the supervisor owns the processes, the engine decides.
//
// Holds for plain commands and for agents with structured output (Claude Code's stream-json, Codex'
// app-server, ACP): those have an `opening`, name their session, and take answers by request id.
import type { Json } from "../../core/events.ts";
import type { Language } from "../../core/messages.ts";
import type { Signal } from "../../core/protocol.ts";
import type { permissionPolicies } from "../../formats/project-settings.ts";

/** What an agent may do unasked (S1.16). */
export type PermissionPolicy = (typeof permissionPolicies)[number];

/** What an agent's output means. */
export type AgentEvent =
  /** The agent named its conversation: to be stored before anything else is sent. */
  | { readonly type: "session"; readonly id: string }
  /**
   * It took up this message of ours (a turn begins with it, its conversation holds it). Said by those
   * with `structured` output; without it, the end of a turn stands for all it was told before.
   */
  | { readonly type: "heard"; readonly id: string }
  /** The assistant's own words, bounded. A plain command has none: its output is its words. */
  | { readonly type: "text"; readonly text: string }
  /** A marker of S1.12 found in them: a claim. */
  | { readonly type: "signal"; readonly signal: Signal }
  | { readonly type: "tool"; readonly name: string; readonly detail: string }
  /** It waits for a verdict: `permission` of a message whose `about` is this id, in this process only. */
  | {
      readonly type: "permission";
      readonly id: string;
      readonly tool: string;
      /** For people: the command, the path. */
      readonly detail: string;
      /** Handed back with the verdict as it is. */
      readonly input: Json;
      /**
       * What it would do, as far as that is certain. `read`: it changes nothing. `edit`: it changes files
       * below the workspace and does nothing else. Left out: anything (a command, the network, a path
       * elsewhere), which a policy other than `everything` leaves to a person.
       */
      readonly access?: "read" | "edit" | undefined;
    }
  /** It waits for `answers` of a message whose `about` is this id, in this process only. */
  | {
      readonly type: "question";
      readonly id: string;
      readonly questions: readonly Asked[];
      /** Handed back with the answers as it is. */
      readonly input?: Json | undefined;
    }
  /** Spent since the last one: to be added up. */
  | { readonly type: "usage"; readonly tokens: number; readonly costUsd: number | null }
  /** It tries again by itself: until then silence means nothing. */
  | { readonly type: "retry"; readonly until: number | null }
  | { readonly type: "rateLimited"; readonly resetAt: number | null; readonly message: string }
  /**
   * The turn failed for good; once a turn, before its `turnEnd`. Not for a rate limit, which is said
   * with `rateLimited` alone.
   */
  | { readonly type: "failed"; readonly class: FailureClass; readonly message: string }
  /** It did what it was told, or failed to, and waits: once for each turn, the last event of it. */
  | { readonly type: "turnEnd" };

/**
 * auth, billing: only a person can mend it. network: worth another try. input: the same again fails the
 * same way. crash: the agent's own fault. session: its conversation is not there (any more), no
 * turn began, and the process ends: the next one, with nothing `named`, begins another. unknown: none of these for certain.
 */
export type FailureClass =
  | "auth"
  | "billing"
  | "network"
  | "input"
  | "crash"
  | "session"
  | "unknown";

/** One question of a structured request; such a request may hold several. */
export interface Asked {
  readonly question: string;
  /** None: any text is an answer. */
  readonly options: readonly string[];
  /** More than one option may be chosen. */
  readonly several: boolean;
  /** A word or two for what it is about. */
  readonly header?: string | undefined;
  /** One for each option; "" where it has none. */
  readonly descriptions?: readonly string[] | undefined;
  /** Words that are none of the options are an answer too. */
  readonly free?: boolean | undefined;
}

/** What was answered to one of them, in their order. */
export interface Answered {
  /** As it was asked. */
  readonly question: string;
  /** Options as they are spelt, or words of one's own. At least one. */
  readonly chosen: readonly string[];
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
  /** Bytes taken so far; of a resumed one where to read on, at or before the byte it was saved at. */
  readonly offset: number;
  /** Marker-looking lines that lacked the token. */
  readonly ignored: number;
}

/** What is stored of a conversation. */
export interface AgentSession {
  /** Ours: the same in each process of it. */
  readonly id: string;
  /** What the agent named it, where it chooses that itself; undefined until it has. */
  readonly named?: string | undefined;
}

/** What one process is started with. */
export interface Start {
  /** Our id of the conversation, the same in each process of it. */
  readonly session: string;
  /** What the agent named it, where it chooses that itself; undefined until it has. */
  readonly named?: string | undefined;
  /** A process of this conversation ran before. */
  readonly resume: boolean;
  /** The workspace; a verifier's own copy of it. */
  readonly cwd: string;
  /** What it may do unasked: to be given to the agent where it can enforce that itself. */
  readonly permissions?: PermissionPolicy | undefined;
  /** `verifier`: it judges another's claim, and may only read. `look`: the how manieth of this phase. */
  readonly role?: "verifier" | undefined;
  readonly look?: number | undefined;
  /** The task's: in which it is told things, and in which people read what it says. */
  readonly language?: Language | undefined;
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
  /**
   * The request or question this answers. With `permission` or `answers` it is a request of the very
   * process that is told; without them only words, for an agent that keeps no requests.
   */
  readonly about?: string | undefined;
  /**
   * The verdict on a request, and the input it was asked with. Refused, `text` says why. A question may
   * be refused like this as well: then `text` says what is to be known.
   */
  readonly permission?: { readonly allow: boolean; readonly input: Json } | undefined;
  /** The answers to a question, in its order, and the input it was asked with. */
  readonly answers?:
    | { readonly given: readonly Answered[]; readonly input: Json | undefined }
    | undefined;
}

export interface Capabilities {
  /** Started again with its session, it knows what it was told and where it was. */
  readonly resume: boolean;
  /** Takes messages while it runs. */
  readonly stdin: boolean;
  /**
   * Its own words are told apart from the output of its tools, and it works turn by turn: it says
   * `turnEnd`, then waits for a message. One that was cut off goes on only when it is told to, under
   * an id it has not seen.
   */
  readonly structured: boolean;
  /** A message it has seen, sent again under the same id, is not acted on again. */
  readonly deduplicates: boolean;
  /** Can be asked to end its turn and wait: it has an `interrupt`. */
  readonly softPause: boolean;
}

export interface Adapter {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Variables of our own environment that it can not work without: its key, its address. */
  readonly inherits?: readonly string[];
  /** Throws `not_found`, with how to get it, where its program is not on this machine. */
  check?(): void;
  command(start: Start): { readonly command: readonly string[]; readonly env: Environment };
  /** What has to be on stdin before any message, in each process: a handshake. */
  opening?(start: Start): Uint8Array;
  reader(options: { resume?: string | undefined; token?: string | undefined }): Reader;
  /** The bytes for stdin. */
  message(message: AgentMessage, session: AgentSession): Uint8Array;
  /**
   * The bytes that ask it to end its turn now: it says `turnEnd` and waits. With no turn under way they
   * do nothing. `id` is ours and new.
   */
  interrupt?(id: string, session: AgentSession): Uint8Array;
}

/** Added to what the engine allows an agent to see. */
export type Environment = Readonly<Record<string, string>>;
