// What can happen to a task, and which rule decides on it. Everything a tick decides comes in here.
import type { Json } from "../core/events.ts";
import type { Draft } from "./_draft.ts";
import { type Command, command } from "./decide/commands.ts";
import { checked, takeFound } from "./decide/check.ts";
import {
  effectFailed,
  processEnded,
  processNotStarted,
  processStarted,
  timerDue,
} from "./decide/events.ts";
import { type Output, takeOutput } from "./decide/output.ts";
import { type Restored, restored } from "./decide/restore.ts";
import { trackProgress } from "./decide/task.ts";
import type { CheckResult, Workspace } from "./state.ts";
import { type Swapped, workspaceSwapped } from "./decide/workspace.ts";
import { type Answer, type World, done } from "./decide/world.ts";

/** What carrying out an effect came to. */
export type EffectResult =
  | { readonly kind: "done" }
  | {
      readonly kind: "workspace";
      readonly workspace: Workspace;
      readonly notices: readonly string[];
    }
  /** Done, and a person should know something about it. */
  | { readonly kind: "noticed"; readonly notices: readonly string[] }
  | { readonly kind: "started"; readonly process: string }
  /** Nobody wants it any more: it was never begun. */
  | { readonly kind: "not_started"; readonly process: string }
  | {
      readonly kind: "snapshot";
      readonly agent: string;
      readonly reason: string;
      readonly tree: Json;
    }
  | {
      readonly kind: "checked";
      readonly step: string;
      readonly result: CheckResult;
    }
  | { readonly kind: "restored"; readonly restored: Restored }
  /** Something else stands where the workspace was: nothing was done. */
  | { readonly kind: "swapped"; readonly swapped: Swapped }
  | { readonly kind: "removed" }
  /** The task stays without what it had on the disk. */
  | { readonly kind: "cleared"; readonly snapshots: readonly string[] }
  /** It can not succeed, however often it is tried. */
  | { readonly kind: "failed"; readonly message: string; readonly about?: string | undefined };

export type Input =
  | { readonly kind: "command"; readonly command: Command; readonly seq: number | null }
  | { readonly kind: "timer"; readonly key: string; readonly name: string; readonly data: unknown }
  | { readonly kind: "output"; readonly process: string; readonly output: Output }
  | {
      readonly kind: "ended";
      readonly process: string;
      readonly code: number | null;
      readonly signal: string | null;
    }
  | {
      readonly kind: "effect";
      readonly key: string;
      readonly name: string;
      readonly result: EffectResult;
    };

export function decide(draft: Draft, input: Input, world: World): Answer {
  const answer = take(draft, input, world);
  takeFound(draft, world);
  trackProgress(draft, world);
  return answer;
}

// --- internal ---

function take(draft: Draft, input: Input, world: World): Answer {
  switch (input.kind) {
    case "command":
      return command(draft, input.command, world);
    case "timer": {
      // `<task>:<name>:<about>`; an id holds no colon.
      const about = input.key.slice(input.key.lastIndexOf(":") + 1);
      timerDue(draft, { name: input.name, about, data: input.data }, world);
      return done;
    }
    case "output":
      takeOutput(draft, input.process, input.output, world);
      return done;
    case "ended":
      processEnded(draft, input.process, input, world);
      return done;
    default:
      draft.done(input.key);
      takeResult(draft, input.name, input.result, world);
      return done;
  }
}

function takeResult(draft: Draft, name: string, result: EffectResult, world: World): void {
  switch (result.kind) {
    case "done":
      return;
    case "workspace":
      notice(draft, result.notices);
      return draft.setTask({}, { workspace: result.workspace });
    case "noticed":
      return notice(draft, result.notices);
    case "started":
      return processStarted(draft, result.process);
    case "not_started":
      return processNotStarted(draft, result.process, world);
    case "snapshot":
      return keepSnapshot(draft, result);
    case "checked":
      return checked(draft, result.step, result.result, world);
    case "restored":
      keepSnapshot(draft, { agent: "", reason: "before_restore", tree: result.restored.before });
      return restored(draft, result.restored, world);
    case "swapped":
      return workspaceSwapped(draft, result.swapped, world);
    case "removed":
      return draft.removeTask();
    case "cleared":
      return draft.forgetSnapshots(result.snapshots);
    case "failed":
      return effectFailed(draft, name, result, world);
  }
}

/** For the journal: it happened, and changed no state. */
function notice(draft: Draft, notices: readonly string[]): void {
  const { id, status } = draft.task;
  for (const message of notices.slice(0, 50))
    draft.journal("task", id, { from: status, to: status }, "notice", { message });
}

/** S1.19: what is needed to go on from here. Names of variables, never their values. */
function keepSnapshot(
  draft: Draft,
  { agent: agentId, reason, tree }: { agent: string; reason: string; tree: Json },
): void {
  const agent = draft.get("agent", agentId);
  const process = agent && draft.get("process", agent.data.process);
  const { document, progress } = draft.task.data;
  const seq = draft.count();
  draft.snapshot({
    id: `snapshot_${draft.ids.next()}`,
    seq,
    reason,
    data: {
      task: { status: draft.task.status, document: document as unknown as Json, progress },
      agent: agent ? ({ status: agent.status, ...agent.data } as unknown as Json) : null,
      variables: [...(process?.data.variables ?? [])],
      tree,
      questions: draft.all("question").flatMap(({ id, status }) => (status === "open" ? [id] : [])),
    },
  });
  if (agent) {
    const { autoSaveInterval } = agent.data.checkpoint;
    draft.set("agent", agentId, { checkpoint: { lastSaved: draft.at, autoSaveInterval } });
  }
}
