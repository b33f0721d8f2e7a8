// In mode normal a person lets each phase begin (S2.1): by an answer, or by `--resume`. Nothing else is a yes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "./repository.ts";

test("S2.1 a plain `orchestrate` does not let the next phase begin, `--resume` does", () => {
  const settings = "version: 1\norchestrate:\n  mode: normal\n";
  const plan = "# Two\n## Phase 1\n- [ ] T1.1: a\n## Phase 2\n- [ ] T2.1: b\n";
  const made = repository(plan, {}, settings);
  made.call("orchestrate --in-session");
  const folder = made.report("START:T1.1", "a").out.trim().slice("OK:".length);
  writeFileSync(join(folder, "a.txt"), "a\n");
  expect(made.report("DONE:T1.1", "a").code).toBe(0);
  expect(made.next()).toContain("PHASE_DONE:1");
  expect(made.call("orchestrate --in-session").out).toContain("PHASE_DONE:1");
  expect(made.next()).toContain("PHASE_DONE:1");
  made.call("orchestrate --resume --in-session");
  expect(made.next()).toContain("READY:T2.1");
});
