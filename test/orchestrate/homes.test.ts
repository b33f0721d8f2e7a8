// Two homes on one repository (S7.5): each would do every task, so the second is refused.
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { holdfast } from "../cli/program.ts";
import { repository } from "./repository.ts";

const limit = { timeout: 600_000 };

test(
  "S7.5 while a run of one home is at work another home is refused by name, and may take over when told to",
  limit,
  () => {
    const made = repository("# One\n- [ ] T0.1: a\n- [ ] T0.2: b\n");
    expect(made.call("orchestrate --in-session").code).toBe(0);
    made.report("START:T0.1", "a");
    const other = join(realpathSync(made.folder), "other");
    mkdirSync(other);
    const env = { HOLDFAST_HOME: other };
    const elsewhere = (...words: string[]) => holdfast(words, { cwd: made.project, env });
    for (const words of [["orchestrate", "--in-session"], made.run]) {
      const refused = elsewhere(...words);
      expect(refused.code).toBe(4);
      expect(refused.err).toContain(made.home);
      expect(refused.err).toContain("holdfast doctor --take-over");
    }
    // Its own home goes on.
    expect(made.call("orchestrate --resume --in-session").code).toBe(0);
    expect(elsewhere("doctor", "--take-over").out).toContain(made.home);
    expect(elsewhere("orchestrate", "--in-session").code).toBe(0);
  },
);

test("S7.5 a run that is over or cancelled leaves the repository to any home", limit, () => {
  const made = repository("# One\n- [ ] T0.1: a\n");
  const other = join(realpathSync(made.folder), "other");
  mkdirSync(other);
  made.call("orchestrate --in-session");
  const [run] = (JSON.parse(made.call("task list --json").out) as { tasks: { id: string }[] })
    .tasks;
  expect(made.call(`task cancel ${run?.id}`).code).toBe(0);
  const env = { HOLDFAST_HOME: other };
  const begun = holdfast(["orchestrate", "--in-session"], { cwd: made.project, env });
  expect(begun.code).toBe(0);
});
