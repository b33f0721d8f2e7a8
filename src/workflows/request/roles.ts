// Who does what in a request, and which contracts each is given: exactly these (S4.6).
import type { ContractFormat } from "./places.ts";

export const roles = [
  "code-explore",
  "planner",
  "architect",
  "qa-engineer",
  "implementer",
  "verifier",
] as const;
export type Role = (typeof roles)[number];

/** A piece of work that an agent does. */
export type Work = "explore" | "plan" | "design" | "test" | "implement" | "verify" | "judge";

interface WorkRow {
  readonly role: Role;
  /** What it is given, where there is one. */
  readonly reads: readonly ContractFormat[];
  /** What it has to write. */
  readonly writes: ContractFormat | "verdict" | null;
  /** Does what it changes get into the branch? */
  readonly merges: boolean;
}

// oxfmt-ignore
export const works: Readonly<Record<Work, WorkRow>> = {
  explore:   { role: "code-explore", reads: [],                                                     writes: "explored",        merges: false },
  plan:      { role: "planner",      reads: ["explored"],                                           writes: "task-breakdown",  merges: false },
  design:    { role: "architect",    reads: ["explored", "design-brief"],                           writes: "design-contract", merges: false },
  test:      { role: "qa-engineer",  reads: ["design-contract"],                                    writes: "test-contract",   merges: true },
  implement: { role: "implementer",  reads: ["design-contract", "test-contract", "test-result"],    writes: null,              merges: true },
  verify:    { role: "verifier",     reads: ["design-brief", "design-contract", "test-contract"],   writes: "verdict",         merges: false },
  judge:     { role: "qa-engineer",  reads: ["design-contract", "test-contract"],                   writes: "test-result",     merges: false },
};
