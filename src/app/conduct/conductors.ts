// Workflows that can be carried out by themselves; each loads nothing of the others.
import type { Conductor } from "./conductor.ts";

export const conductors: Readonly<Record<string, () => Promise<Conductor>>> = {
  develop: async () => (await import("./develop.ts")).develop,
  learn: async () => (await import("./learn.ts")).learnConductor,
  plan: async () => (await import("./plan.ts")).planConductor,
  request: async () => (await import("./request.ts")).requestConductor,
  orchestrate: async () => (await import("./orchestrate.ts")).orchestrate,
};
