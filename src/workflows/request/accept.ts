// May a contract that an agent wrote be accepted (S4.3)? Its own schema has been checked; here it must
// fit the request it is for: ids, names, files, what other contracts say. Each complaint names the
// field, what was expected and what stands there.
import { type Message, msg } from "../../core/messages.ts";
import { unfilledIn } from "../../core/placeholders.ts";
import { describe } from "../../formats/complaints.ts";
import type { DesignContract } from "../../formats/design-contract.ts";
import type { Explored } from "../../formats/explored.ts";
import { type Finding, pointerTo } from "../../formats/format.ts";
import type { TaskBreakdown } from "../../formats/task-breakdown.ts";
import type { TestContract } from "../../formats/test-contract.ts";
import type { TestResult } from "../../formats/test-result.ts";
import { type Board, focusOf } from "./board.ts";
import { isOurs } from "./places.ts";
import { tidy } from "./paths.ts";

export interface Accepting {
  readonly explored: Explored;
  readonly "task-breakdown": TaskBreakdown;
  readonly "design-contract": DesignContract;
  readonly "test-contract": TestContract;
  readonly "test-result": TestResult;
}

/** Empty: it is accepted. */
export function complaintsAbout<F extends keyof Accepting>(
  board: Board,
  format: F,
  contract: Accepting[F],
): Finding[] {
  const found = rules[format](board, contract);
  return [...found.filter((finding) => finding !== undefined), ...unfilled(contract)];
}

/** Texts that are still the form's own (S3.1): whoever wrote the rest has not answered there. */
export function unfilled(contract: object): Finding[] {
  return unfilledIn(contract).map((way) =>
    mismatch(msg("request.expected.filled"), valueAt(contract, way), ...way),
  );
}

/** An explorer reports what it has read, so each file is in the project. */
export function absentFiles(
  { explored_files: files }: Explored,
  exists: (path: string) => boolean,
): Finding[] {
  return files.flatMap(({ path }, at) =>
    tidy(path) === "" || exists(tidy(path))
      ? []
      : [mismatch(msg("request.expected.there"), path, "explored_files", at, "path")],
  );
}

// --- internal ---

type Found = (Finding | undefined)[];

const rules: { readonly [F in keyof Accepting]: (board: Board, contract: Accepting[F]) => Found } =
  {
    explored: ({ session, state }, contract) => [
      is(contract.request_id, state.request.id, "request_id"),
      is(
        contract.project_manifest.claude_md,
        session.manifest.claude_md,
        "project_manifest",
        "claude_md",
      ),
      is(
        contract.project_manifest.agents_md,
        session.manifest.agents_md,
        "project_manifest",
        "agents_md",
      ),
      ...contract.explored_files.map(({ path }, at) => inScope(path, "explored_files", at, "path")),
    ],
    "task-breakdown": ({ state }, contract) => [
      is(contract.request_id, state.request.id, "request_id"),
      is(contract.original_request, state.request.original_request, "original_request"),
      ...keepsDone(state.tasks, contract),
    ],
    "design-contract": ({ state, brief }, contract) => [
      is(contract.request_id, state.request.id, "request_id"),
      is(contract.task_id, state.request.current_task, "task_id"),
      is(contract.task_name, brief?.task_name ?? contract.task_name, "task_name"),
      atLeastOne(contract.file_refs, "file_refs"),
      ...contract.file_refs.map(({ path }, at) => inScope(path, "file_refs", at, "path")),
      ...checkable(contract),
    ],
    "test-contract": (board, contract) => [
      ...ofSubtask(board, contract),
      is(
        contract.subtask_name,
        focusOf(board.state)?.sub?.name ?? contract.subtask_name,
        "subtask_name",
      ),
      inScope(contract.test_file_path, "test_file_path"),
      ...covered(contract),
    ],
    "test-result": (board, contract) => [
      ...ofSubtask(board, contract),
      // The project says how it is tested: no other command counts.
      is(
        contract.execution.command,
        board.rules.test ?? contract.execution.command,
        "execution",
        "command",
      ),
      ...knownCases(board, contract),
    ],
  };

function ofSubtask(
  { state }: Board,
  contract: { request_id: string; task_id: string; subtask_id: string },
): Found {
  const focus = focusOf(state);
  return [
    is(contract.request_id, state.request.id, "request_id"),
    is(contract.task_id, focus?.task ?? "", "task_id"),
    is(contract.subtask_id, focus?.subtask ?? "", "subtask_id"),
  ];
}

function valueAt(contract: object, way: readonly (string | number)[]): unknown {
  return way.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], contract);
}

function is(got: unknown, wanted: unknown, ...at: (string | number)[]): Finding | undefined {
  if (got === wanted) return undefined;
  return mismatch(msg("format.expected.exactly", { value: JSON.stringify(wanted) }), got, ...at);
}

function mismatch(expected: Message, value: unknown, ...at: (string | number)[]): Finding {
  const got = describe(value);
  const text = msg("format.mismatch", { expected, got });
  return { level: "error", pointer: pointerTo(...at), text, expected, got };
}

/** A file that agents work on: inside the project, and none that code alone writes. */
function inScope(path: string, ...at: (string | number)[]): Finding | undefined {
  const fits = tidy(path) !== "" && !isOurs(path);
  return fits ? undefined : mismatch(msg("request.expected.file"), path, ...at);
}

function atLeastOne(items: readonly unknown[], ...at: string[]): Finding | undefined {
  if (items.length > 0) return undefined;
  return mismatch(msg("format.expected.items", { limit: 1 }), items, ...at);
}

/** A boundary that is forbidden is looked for in the files of its entity: there must be one. */
function checkable({ boundaries, file_refs: files }: DesignContract): Found {
  const entities = new Set(files.map(({ entity }) => entity));
  return boundaries.map(({ from, allowed }, at) =>
    allowed || entities.has(from)
      ? undefined
      : mismatch(
          msg("request.expected.entity", { known: [...entities].join(", ") || "–" }),
          from,
          "boundaries",
          at,
          "from",
        ),
  );
}

/** S4.2b: each target is some case's own. */
function covered({ coverage_targets: targets, test_cases: cases }: TestContract): Found {
  const known = [...new Set(cases.map(({ target }) => target))];
  return targets.map((target, at) =>
    known.includes(target)
      ? undefined
      : mismatch(
          msg("format.expected.one_of", { values: known.join(" | ") }),
          target,
          "coverage_targets",
          at,
        ),
  );
}

function knownCases({ tests }: Board, { failed_tests: failed }: TestResult): Found {
  const known = (tests?.test_cases ?? []).map(({ id }) => id);
  return failed.map(({ id }, at) =>
    known.includes(id)
      ? undefined
      : mismatch(
          msg("format.expected.one_of", { values: known.join(" | ") || "–" }),
          id,
          "failed_tests",
          at,
          "id",
        ),
  );
}

/** A plan that is made again keeps what is completed: it is done, and its contracts name it. */
function keepsDone(tasks: Board["state"]["tasks"], { tasks: planned }: TaskBreakdown): Found {
  return Object.entries(tasks).map(([id, { name, status }]) => {
    if (status !== "completed") return undefined;
    const place = planned.findIndex((task) => task.id === id);
    if (place < 0) return mismatch(msg("request.expected.kept", { id, name }), undefined, "tasks");
    return is(planned[place]?.name, name, "tasks", place, "name");
  });
}
