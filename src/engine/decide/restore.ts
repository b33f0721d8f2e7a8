// Going back to a snapshot (S1.19): the tree was put back, now the state follows. It is undoable,
// because a snapshot of the present was taken first. The conversation can not be rewound: a new
// one begins where the snapshot stood, and is told so.
import type { Json } from "../../core/events.ts";
import { msg } from "../../core/messages.ts";
import type { PhasesDocument } from "../../workflows/phases/phases.ts";
import type { Draft } from "../_draft.ts";
import { newAgent } from "./agent.ts";
import { workStep } from "./facts.ts";
import { tell } from "./process.ts";
import { spoken } from "./spoken.ts";
import { withdrawOpen } from "./task.ts";
import type { World } from "./world.ts";

export interface Restored {
  readonly snapshot: string;
  /** What stood there before, as it was kept. */
  readonly before: Json;
  readonly document: PhasesDocument;
  readonly progress: number;
}

/** The task goes on at the snapshot's phase, held by the person who restored it until they say so. */
export function restored(draft: Draft, to: Restored, world: World): void {
  withdrawOpen(draft);
  for (const agent of draft.all("agent")) {
    if (agent.status === "completed" || agent.status === "failed") continue;
    draft.journal("agent", agent.id, { from: agent.status, to: "failed" }, "restore");
    if (agent.data.slot) world.slots.give();
    draft.set(
      "agent",
      agent.id,
      { slot: false, slotSince: null, holds: [], blockedBy: null },
      "failed",
    );
    draft.effect("settle", { agent: agent.id });
    if (agent.data.role === "verifier") draft.effect("remove_copy", { agent: agent.id });
  }
  const before = draft.task.status;
  const document: PhasesDocument = { ...to.document, stage: "work", round: to.document.round + 1 };
  draft.setTask(
    { status: "in_progress" },
    {
      document,
      progress: to.progress,
      completedAt: null,
      failedAt: null,
      failure: null,
      kept: null,
      verifying: null,
    },
  );
  draft.journal("task", draft.task.id, { from: before, to: "in_progress" }, "restore", {
    snapshot: to.snapshot,
  });
  const agent = newAgent(draft, world, "main");
  draft.journal("agent", agent.id, { from: "idle", to: "paused" }, "restore");
  const work = workStep(draft.task);
  const text = `${spoken(draft, msg("agent.restored"))}\n\n${work?.prompt ?? ""}`;
  draft.set(
    "agent",
    agent.id,
    {
      holds: ["person"],
      currentPhase: document.phase,
    },
    "paused",
  );
  tell(draft, agent.id, "prompt", text, world);
}
