// Which branch a phase of the plan is worked on (S2.6).
import { join } from "node:path";
import { kindOf } from "../os/look.ts";
import type { ReadPlan, Sources } from "./_session-orchestrate-sources.ts";

/** May a session's units be worked on in clones? False is certain, and loads nothing that knows git. */
export function mayClone(root: string, { settings }: Sources): boolean {
  if (settings.trees === "shared") return false;
  const git = kindOf(join(root, ".git"));
  return git === "file" || (git === "folder" && kindOf(join(root, ".git/objects")) === "folder");
}

/** Phase 0 has none: it is worked on where the project is. */
export function branchesIn(plan: ReadPlan | undefined): Map<number, string> {
  const named = (plan?.list.phases ?? []).filter(({ number }) => number > 0);
  return new Map(named.map(({ number, slug }) => [number, branchName(number, slug)]));
}

/** Which of these is the phase's. */
export function branchAmong(names: readonly string[], phase: number): string | undefined {
  return names.find((name) => name === `phase-${phase}` || name.startsWith(`phase-${phase}-`));
}

export function branchName(phase: number, slug = ""): string {
  return slug === "" ? `phase-${phase}` : `phase-${phase}-${slug}`;
}

/** As `execution.worktree` names it: seen from the project. */
export function worktreeName(branch: string): string {
  return `worktree/${branch}`;
}
