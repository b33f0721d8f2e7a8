// What lands on a person's branch is committed in their own name (S2.6).
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "./repository.ts";

const limit = { timeout: 600_000 };

test("S2.6 commits are the user's own, with Holdfast as co-author", limit, () => {
  const made = repository("# One\n- [ ] T0.1: a\n## Phase 1\n- [ ] T1.1: b\n");
  made.call("orchestrate --in-session");
  for (const id of ["T0.1", "T1.1"]) {
    const folder = made.report(`START:${id}`, "a").out.trim().slice("OK:".length);
    writeFileSync(join(folder, `${id}.txt`), "x\n");
    expect(made.report(`DONE:${id}`, "a").code).toBe(0);
  }
  const people = made.git("log", "--format=%an <%ae> %cn <%ce>", "main").split("\n");
  expect(new Set(people)).toEqual(new Set(["Test <test@localhost> Test <test@localhost>"]));
  const helpers = made.git("log", "--format=%(trailers:key=Co-authored-by,valueonly)", "main");
  expect(helpers.split("\n").filter((line) => line !== "")).toEqual(
    Array(3).fill("Holdfast <holdfast@localhost>"),
  );
});

test(
  "S2.6 where git does not know who the user is, nothing is begun, and the command that says it is named",
  limit,
  () => {
    const made = repository("# One\n- [ ] T0.1: a\n");
    made.git("config", "--unset", "user.name");
    for (const words of ["orchestrate --in-session", "orchestrate --agent sample"]) {
      const refused = made.call(words);
      expect(refused.code).toBe(4);
      expect(refused.err).toContain("git config user.name");
    }
    expect(made.git("for-each-ref", "refs/holdfast/")).toBe("");
    made.git("config", "user.name", "Test");
    expect(made.call("orchestrate --in-session").code).toBe(0);
  },
);
