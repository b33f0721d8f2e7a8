// What a request is told, and what comes of it.
import type { RequestEvent } from "../../core/machines/request.ts";
import type { SubtaskEvent } from "../../core/machines/subtask.ts";
import type { Message } from "../../core/messages.ts";
import type { Finding } from "../../formats/format.ts";
import type { Knowledge } from "../../formats/knowledge.ts";
import type { RequestSession } from "../../formats/request-session.ts";
import type { RequestState } from "../../formats/request-state.ts";
import type { ContractRef } from "./places.ts";
import type { RequestRun } from "./private.ts";

/** A contract as an agent left it, read by its format's own rules. */
export type Draft =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly path: string; readonly findings: readonly Finding[] };

export interface Journaled {
  readonly machine: "request" | "subtask";
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly trigger: RequestEvent | SubtaskEvent | "contract" | "refused" | "agent_failed";
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface Accepted {
  readonly session: RequestSession;
  readonly state: RequestState;
  readonly run: RequestRun;
  /** Contracts to be written; null: taken away. */
  readonly contracts: readonly (readonly [ContractRef, object | null])[];
  readonly knowledge: Knowledge | undefined;
  readonly journal: readonly Journaled[];
  readonly answer: Answer;
}

/** For who reported it, in session. */
export type Answer =
  /** The step was not wanted (any more): nothing has happened. */
  | { readonly kind: "unknown" }
  | { readonly kind: "taken" }
  | { readonly kind: "again"; readonly what: string; readonly why: Message; readonly left: number }
  | { readonly kind: "back"; readonly to: string; readonly why: Message }
  | { readonly kind: "stopped"; readonly why: Message }
  | { readonly kind: "finished" };
