// The form of each contract as its author sees it: the fields of the format, with what is known of the
// request filled in. `…` stands for what is theirs to say, and a verdict shows its choices: neither is
// accepted (accept.ts), so a form that is handed back as it was is never an answer.
import { recommendedActions } from "../../../core/vocabulary.ts";
import { printYaml } from "../../../formats/yaml.ts";
import { type Board, focusOf } from "../board.ts";
import { itemsToJudge } from "../gates.ts";
import type { Work } from "../roles.ts";

/** Null: this work writes none. */
export function skeletonOf(work: Work, board: Board): string | null {
  if (work === "implement") return null;
  if (work === "verify") {
    const items = itemsToJudge(board).map(({ item }) => ({
      item,
      holds: "true | false",
      why: "…",
    }));
    return JSON.stringify({ items }, null, 2);
  }
  // Of the documents, not of the clock: asked twice, a step asks for the same.
  return printYaml(forms[work](board, board.session.updated_at)).trimEnd();
}

// --- internal ---

type Form = (board: Board, now: string) => object;

const file = { entity: "…", path: "src/…", status: "to_create" };

function head({ state }: Board, now: string, role: string): object {
  return {
    version: 1,
    request_id: state.request.id,
    ...placeOf(state),
    created_at: now,
    created_by: role,
  };
}

function placeOf(state: Board["state"]): object {
  const focus = focusOf(state);
  if (focus === null) return {};
  return { task_id: focus.task, ...(focus.subtask === null ? {} : { subtask_id: focus.subtask }) };
}

const forms: Readonly<Record<Exclude<Work, "implement" | "verify">, Form>> = {
  explore: (board, now) => ({
    ...head(board, now, "code-explore"),
    project_manifest: board.session.manifest,
    explored_files: [{ path: "src/…", summary: "…" }],
    directory_structure: { src: "…" },
  }),
  plan: (board, now) => ({
    ...head(board, now, "planner"),
    original_request: board.state.request.original_request,
    objective: "…",
    tasks: [
      {
        id: "T1",
        name: "…",
        objective: "…",
        subtasks: [{ id: "T1-S1", name: "…", description: "…" }],
      },
    ],
    assumptions: ["…"],
    task_order: ["T1"],
  }),
  design: (board, now) => ({
    ...head(board, now, "architect"),
    task_name: board.brief?.task_name ?? "…",
    invariants: [{ id: "INV-1", rule: "…" }],
    interfaces: [
      {
        name: "…",
        input: { type: "…", fields: [{ name: "…", type: "…" }] },
        output: { type: "…" },
        contract: "…",
      },
    ],
    boundaries: [{ from: "…", to: "…", allowed: false, note: "…" }],
    layer_assignments: [{ component: "…", layer: "domain" }],
    file_refs: [file],
  }),
  test: (board, now) => ({
    ...head(board, now, "qa-engineer"),
    subtask_name: focusOf(board.state)?.sub?.name ?? "…",
    test_cases: [
      {
        id: "TC-1",
        name: "…",
        target: "…",
        given: "…",
        when: "…",
        // oxlint-disable-next-line unicorn/no-thenable -- the format's own word
        then: "…",
        category: "happy_path",
      },
    ],
    coverage_targets: ["…"],
    test_file_path: "test/…",
  }),
  judge: (board, now) => ({
    ...head(board, now, "qa-engineer"),
    execution: { command: board.rules.test ?? "…", timestamp: now, result: "pass | fail" },
    summary: { total: 0, passed: 0, failed: 0, skipped: 0 },
    failed_tests: [],
    recommendation: { action: recommendedActions.join(" | "), reason: "…" },
  }),
};
