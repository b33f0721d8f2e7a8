// Looks at a claim (S1.14), and at what a review or a verifier is to be shown of it.
import type { CheckStep } from "../workflows/workflow.ts";
import { checkStep } from "./decide/facts.ts";
import { type LeftOut, leftOutText } from "../git/claim.ts";
import { type Deliverable, artefactsHash, lookAtStored } from "./deliverables.ts";
import type { EffectResult } from "./inputs.ts";
import type { Taken, Trees } from "../git/snapshot.ts";
import type { TaskState } from "./state.ts";
import { aboutDeliverables, feedbackOf, verifyPhase } from "./verify.ts";

export interface ClaimWish {
  readonly state: TaskState;
  /** Whose claim it is. */
  readonly agent: string;
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly trees: Trees;
  /** The tree as it is now. */
  readonly take: () => Promise<Taken>;
  /** What of it could not be handed in. */
  readonly refused: (taken: Taken) => Promise<readonly LeftOut[]>;
}

export async function lookAtClaim(wish: ClaimWish): Promise<EffectResult> {
  const { state, agent, env, secrets, signal, now, trees, take, refused } = wish;
  const began = now();
  const { workspace, language } = state.task.data;
  const step = checkStep(state.task);
  if (step === undefined || workspace === null) return { kind: "done" };
  const { folder } = workspace;
  const found = await verifyPhase({
    folder,
    phase: { deliverables: step.deliverables, verify: step.commands },
    claimedFiles: state.entities.agent.get(agent)?.data.claimed ?? [],
    env,
    secrets,
    signal,
    now,
  });
  if (found.stopped) return { kind: "done" };
  const took = { milliseconds: Math.max(0, now() - began), commands: found.commands };
  const taken = await take();
  const left = (await refused(taken)).map((file) => ({
    check: "kept" as const,
    path: file.path,
    text: leftOutText(file),
  }));
  // What is shown is what was stored: a process that writes on may have changed it since it was checked.
  const stored = await lookAtStored(trees, taken.commit, step.deliverables);
  const live = [...left, ...found.findings];
  const findings = live.length > 0 ? live : aboutDeliverables(stored, step.deliverables);
  if (findings.length > 0) {
    const feedback = feedbackOf(findings, language);
    return { kind: "checked", step: step.key, result: { passed: false, feedback, took } };
  }
  const shown = shownOf(state, step, taken, stored);
  return { kind: "checked", step: step.key, result: { passed: true, shown, took } };
}

// --- internal ---

function shownOf(
  { entities }: TaskState,
  { deliverables }: CheckStep,
  { commit, tree }: Taken,
  stored: readonly Deliverable[],
) {
  const decided = [...entities.review.values()]
    .filter(({ status }) => status === "approved" || status === "changes_requested")
    .toSorted((a, b) => (a.data.createdAt < b.data.createdAt ? -1 : 1));
  return {
    hash: artefactsHash(tree, deliverables),
    since: decided.at(-1)?.data.tree ?? null,
    tree: commit,
    files: stored.map(({ path, characters }) => ({ path, characters: characters ?? 0 })),
  };
}
