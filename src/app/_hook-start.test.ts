import { expect, test } from "vitest";
import { render } from "../core/messages.ts";
import { createRedactor } from "../core/redact.ts";
import { Play } from "../engine/decide/play.ts";
import { ofVerifier } from "./_hook-start.ts";

test("S0.10 who judges is told after a compaction what to judge, and nothing of the work", async () => {
  const play = new Play("judged");
  const phase = { name: "One", prompt: "Build the shop", verifier: "It is good.", review: false };
  play.settings = { version: 1, task_types: { judged: { phases: [phase] } } };
  play.begin();
  play.claims(1);
  play.checked();
  const process = play.all("process").find(({ id }) => id === play.verifier.data.process);
  if (process === undefined) throw new Error("nobody judges");
  const redactor = createRedactor([]);
  const lines = await ofVerifier({ state: play.state, agent: play.verifier, process, redactor });
  const told = lines.map((line) => render("en", line)).join("\n");
  expect(told).toContain(`You judge for Holdfast what was claimed in task ${play.task.id}`);
  expect(told).toMatch(/\nIts instructions: .*It is good\./);
  expect(told).toMatch(/\nYou are the verifier: only a VERIFICATION_RESULT block counts here\.$/);
  expect(told).not.toContain("holdfast next");
});
