// `contracts/{request}/{task}/{subtask}/test-contract.yaml`: what must be tested (S4.2, GATE-1).
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { type Finding, type Format, notice, pointerTo, yamlLimit } from "./format.ts";
import { belongs, idsOnce, subtaskHead } from "./_request-parts.ts";
import { filled, text, texts } from "./shapes.ts";

export const testCategories = ["happy_path", "error_case", "edge_case"] as const;

export const schema = () =>
  z.strictObject({
    ...subtaskHead("qa-engineer"),
    subtask_name: filled(),
    test_cases: z
      .array(
        z.strictObject({
          id: filled(),
          name: filled(),
          target: filled(),
          given: z.string(),
          when: z.string(),
          // oxlint-disable-next-line unicorn/no-thenable -- the format's own word
          then: z.string(),
          category: z.enum(testCategories),
        }),
      )
      .min(1),
    coverage_targets: texts(),
    test_file_path: text("relativePath"),
  });

export type TestContract = z.infer<ReturnType<typeof schema>>;

export const testContract: Format<TestContract> = {
  name: "test-contract",
  title: msg("format.title.test-contract"),
  syntax: "yaml",
  path: ".claude/orchestrator/sessions/{hash}/contracts/{request}/{task}/{subtask}/test-contract.yaml",
  open: false,
  version: 1,
  maxBytes: yamlLimit,
  rules: (contract) => [
    ...idsOnce(contract.test_cases, "test_cases"),
    ...belongs(contract.subtask_id, contract.task_id, "subtask_id"),
    ...targetsCovered(contract),
  ],
};

// --- internal ---

/** S4.2b asks for it; the seed's own example breaks it, so here it is told and not refused. */
function targetsCovered({ coverage_targets: targets, test_cases: cases }: TestContract): Finding[] {
  const covered = new Set(cases.map(({ target }) => target));
  return targets.flatMap((target, index) =>
    covered.has(target)
      ? []
      : [notice(pointerTo("coverage_targets", index), msg("format.rule.uncovered", { target }))],
  );
}
