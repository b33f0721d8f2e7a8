// A request from its first moment: its session, its state, and what a person may do with it (S4.8).
import type { Message } from "../../core/messages.ts";
import type { RequestSession } from "../../formats/request-session.ts";
import type { RequestState } from "../../formats/request-state.ts";
import type { Board } from "./board.ts";
import type { Accepted } from "./events.ts";
import { goOn } from "./apply.ts";
import { type RequestRun, newRun } from "./private.ts";
import { Working } from "./_working.ts";

export interface Beginning {
  readonly project: RequestSession["project"];
  readonly manifest: RequestSession["manifest"];
  readonly run: RequestRun;
  readonly now: string;
}

export function sessionOf(
  { project, manifest, now }: Beginning,
  was?: RequestSession,
): RequestSession {
  return {
    version: 1,
    project,
    status: "active",
    current_task: null,
    created_at: was?.created_at ?? now,
    updated_at: now,
    manifest,
  };
}

export function stateOf({ run }: Pick<Beginning, "run">): RequestState {
  return {
    version: 2,
    request: {
      id: run.id,
      original_request: run.text,
      status: "active",
      current_task: null,
      global_phase: "global_discovery",
    },
    tasks: {},
    task_order: [],
  };
}

/** The private part of a request whose files came without it: a new clone, a lost home. */
export function runOf(
  { state, explored, breakdown }: Pick<Board, "state" | "explored" | "breakdown">,
  language: RequestRun["language"],
): RequestRun {
  const { id, original_request: text, global_phase: phase } = state.request;
  const open = [
    ...(explored === undefined ? (["explore"] as const) : []),
    ...(breakdown === undefined ? (["plan"] as const) : []),
  ];
  // Both are there and were not merged: the plan is looked at again.
  const wanted = open.length === 0 ? (["plan"] as const) : open;
  return newRun({ id, text, language, branch: null }, phase === "global_discovery" ? wanted : []);
}

export type Wish = "stop" | "resume" | "reset";

/** What a person wants of it: the new request, or why not. */
export function wished(board: Board, wish: Wish, now: string): Accepted | Message {
  const working = new Working(board, now);
  const refused = wish === "resume" ? goOn(working) : working.move(wish, {});
  if (refused !== null) return refused;
  if (wish !== "resume") working.setRun({ ask: null, claims: {} });
  if (wish === "reset") working.setRun({ reset: true });
  return working.done();
}
