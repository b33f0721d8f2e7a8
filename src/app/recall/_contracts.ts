// What a request agreed on, found out and learnt: its contracts and its knowledge.
import { entry } from "./_entry.ts";
import type { Readers } from "./documents.ts";

export const contractReaders: Readers = {
  "request-session": ({ project, status, current_task: task, created_at: at }) => [
    entry("session", "contract", at, project.name, project.path, project.hash, status, task),
  ],
  "request-state": ({ request: { id, original_request: asked }, tasks }, at) => {
    const all = Object.entries(tasks);
    const [began = at] = all.map(([, { created_at: made }]) => made).toSorted();
    return [
      entry(id, "contract", began, id, asked),
      ...all.map(([task, { name, status, updated_at: changed }]) =>
        entry(task, "unit", changed, `${id} ${task} ${name}`, status),
      ),
    ];
  },
  explored: ({
    request_id: id,
    created_at: at,
    explored_files: files,
    directory_structure: folders,
  }) => [
    ...files.map(({ path, summary }) =>
      entry(`file ${path}`, "contract", at, `${id} ${path}`, summary),
    ),
    ...Object.entries(folders).map(([path, what]) =>
      entry(`folder ${path}`, "contract", at, `${id} ${path}`, what),
    ),
  ],
  "task-breakdown": ({
    request_id: id,
    created_at: at,
    original_request: asked,
    objective,
    ...rest
  }) => [
    entry("objective", "contract", at, id, objective, asked),
    ...rest.assumptions.map((text, place) =>
      entry(`assumption ${place}`, "contract", at, `${id} assumption`, text),
    ),
    ...rest.tasks.flatMap((task) => [
      entry(task.id, "contract", at, `${id} ${task.id} ${task.name}`, task.objective),
      ...task.subtasks.map((subtask) =>
        entry(subtask.id, "unit", at, `${id} ${subtask.id} ${subtask.name}`, subtask.description),
      ),
    ]),
  ],
  "design-brief": (brief) => {
    const {
      created_at: at,
      task_id: id,
      task_name: name,
      objective,
      completion_criteria: done,
    } = brief;
    const { scope_in: inside, scope_out: outside } = brief;
    return [entry("brief", "contract", at, `${id} ${name}`, objective, done, inside, outside)];
  },
  "design-contract": (contract) => {
    const {
      created_at: at,
      task_id: id,
      task_name: name,
      invariants,
      interfaces,
      boundaries,
    } = contract;
    const { layer_assignments: layers } = contract;
    return [
      entry("contract", "contract", at, `${id} ${name}`, layers),
      ...invariants.map(({ id: rule, rule: text }) =>
        entry(`invariant ${rule}`, "contract", at, `${id} ${rule} ${name}`, text),
      ),
      ...interfaces.map((each) =>
        entry(`interface ${each.name}`, "contract", at, `${id} ${each.name}`, each.contract, [
          each.input,
          each.output,
        ]),
      ),
      ...boundaries.map(({ from, to, allowed, note }, place) =>
        entry(
          `boundary ${place}`,
          "contract",
          at,
          `${id} ${from} ${allowed ? "→" : "↛"} ${to}`,
          note,
        ),
      ),
    ];
  },
  "test-contract": ({ subtask_id: id, created_at: at, test_cases: cases, test_file_path: file }) =>
    cases.map(({ id: number, name, target, category, ...steps }) =>
      entry(number, "contract", at, `${id} ${number} ${name}`, target, steps, category, file),
    ),
  "test-result": ({ subtask_id: id, execution, failed_tests: failed, recommendation }) => [
    entry(
      "result",
      "contract",
      execution.timestamp,
      `${id} ${execution.result}`,
      execution.command,
      failed,
      recommendation,
    ),
  ],
  knowledge: ({ patterns, decisions, pitfalls, updated_at: at }) => [
    ...Object.entries(patterns).map(([name, text]) =>
      entry(`pattern ${name}`, "knowledge", at, name, text),
    ),
    ...decisions.map(({ id, topic, decision, rationale, refs, created_at: made }) =>
      entry(`decision ${id}`, "knowledge", made, `${id} ${topic}`, decision, rationale, refs),
    ),
    ...pitfalls.map(({ id, description, reason, learned_from: from }) =>
      entry(`pitfall ${id}`, "knowledge", at, id, description, reason, from),
    ),
  ],
};
