// Tasks as users see them: what every door (CLI, REST, MCP) shows and asks. The rules are the
// engine's; this only looks things up, names what is missing, and puts requests into the inbox.
import { Fault } from "../core/errors.ts";
import { taskId as newTaskId } from "../core/ids.ts";
import { validValue } from "../core/machines/_dependency-value.ts";
import { type Language, msg } from "../core/messages.ts";
import type { TaskStatus } from "../core/vocabulary.ts";
import type { Command } from "../engine/decide/commands.ts";
import type { Answer } from "../engine/decide/world.ts";
import {
  type Kinds,
  type ReviewComment,
  type Task,
  type TaskState,
  stateOf,
} from "../engine/state.ts";
import type { ProjectSettings } from "../formats/project-settings.ts";
import type { SecretBox } from "../store/secrets.ts";
import type { ProjectRow, Store } from "../store/database/store.ts";
import { type NewTask, created, newRow, refusalOf, requireType } from "./_task-rules.ts";
import { type SnapshotView, type TaskView, snapshotView, viewOf } from "./task-views.ts";
import { checkProject } from "../engine/workspace.ts";

export { type NewTask, Refused } from "./_task-rules.ts";

export interface TasksParts {
  readonly store: Store;
  readonly secrets: SecretBox;
  readonly settings: (projectId: string) => Promise<ProjectSettings | undefined>;
  readonly rootOf: (projectId: string) => Promise<string>;
  readonly now: () => number;
  readonly random: () => string;
  /** Throws `invalid_input` for an agent that nobody knows. */
  readonly checkAgent: (agent: string) => void;
  /** Puts a command into the inbox and waits for the answer of whoever owns the task. */
  readonly request: (taskId: string, command: Command, key: string) => Promise<Answer>;
}

export class Tasks {
  readonly #parts: TasksParts;

  constructor(parts: TasksParts) {
    this.#parts = parts;
  }

  async create(project: ProjectRow, given: NewTask, language: Language): Promise<TaskView> {
    const { store, now, random } = this.#parts;
    const settings = await this.#parts.settings(project.id);
    requireType(given.type, settings, language);
    if (given.agent !== undefined) this.#parts.checkAgent(given.agent);
    for (const id of given.dependsOn ?? []) await this.state(id);
    const at = new Date(now()).toISOString();
    const task = newRow(newTaskId(random()), project.id, given, settings, language, at);
    const outcome = await store.commit({ tasks: [task], transitions: [created(task)] });
    if (!outcome.ok) throw new Fault("internal", outcome.what);
    return this.show(task.id);
  }

  async list(filter: {
    readonly projectId?: string | undefined;
    readonly status?: TaskStatus | undefined;
    readonly type?: string | undefined;
    readonly archived?: boolean | undefined;
    readonly q?: string | undefined;
    readonly cursor?: string | undefined;
    readonly limit?: number | undefined;
  }): Promise<{ tasks: TaskView[]; cursor: string | null }> {
    const { projectId, status, type, archived = false, q, cursor, limit = 100 } = filter;
    const rows = await this.#parts.store.tasks({
      archived,
      ...(projectId === undefined ? {} : { projectId }),
      ...(status === undefined ? {} : { status }),
      ...(type === undefined ? {} : { workflow: type }),
    });
    // Newest first for people; the queue has its own order.
    const sorted = (rows as Task[]).toSorted((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1));
    const words = q?.toLowerCase();
    const found = sorted.filter(
      (task) =>
        (words === undefined || searchable(task).includes(words)) &&
        (cursor === undefined || orderOf(task) < cursor),
    );
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const more = found.length > page.length && last !== undefined;
    return {
      tasks: await Promise.all(page.map(async ({ id }) => viewOf(await this.state(id)))),
      cursor: more ? orderOf(last) : null,
    };
  }

  async show(id: string): Promise<TaskView> {
    return viewOf(await this.state(id));
  }

  async state(id: string): Promise<TaskState> {
    const { store } = this.#parts;
    const task = await store.task(id);
    if (task === undefined)
      throw new Fault("not_found", msg("task.unknown", { id }), { hint: msg("task.unknown.hint") });
    return stateOf(task, await store.entities({ taskId: id }));
  }

  /** `submit` fixes the type as it is now: later edits of holdfast.yaml do not reach this task. */
  async submit(id: string, language: Language, key?: string): Promise<TaskView> {
    const { task } = await this.state(id);
    const settings = await this.#parts.settings(task.projectId);
    const type = requireType(task.workflow, settings, language);
    await this.#circle(task);
    // Before anything starts (S1.21d): a tree that can not be worked in is told to who asks.
    const project = await checkProject(await this.#parts.rootOf(task.projectId), type);
    if (!project.ok) throw new Fault("refused", project.text, { hint: project.hint });
    return this.act(id, { name: "submit", type }, key);
  }

  async act(id: string, command: Command, key?: string): Promise<TaskView> {
    await this.state(id);
    const answer = await this.#parts.request(id, command, this.#keyOf(key));
    if (!answer.ok) throw refusalOf(answer);
    const made = answer.result?.["task"];
    return this.show(typeof made === "string" ? made : id);
  }

  /** It is gone from lists at once; its files follow. */
  async remove(id: string, key?: string): Promise<void> {
    await this.state(id);
    const answer = await this.#parts.request(id, { name: "delete" }, this.#keyOf(key));
    if (!answer.ok) throw refusalOf(answer);
  }

  async retry(id: string, key?: string): Promise<TaskView> {
    return this.act(id, { name: "retry", newId: newTaskId(this.#parts.random()) }, key);
  }

  async snapshots(id: string): Promise<SnapshotView[]> {
    await this.state(id);
    return (await this.#parts.store.snapshots(id)).map(snapshotView);
  }

  /** The newest, or the one that is named. */
  async restore(id: string, snapshot: string | undefined, key?: string): Promise<TaskView> {
    const all = await this.snapshots(id);
    const found = snapshot === undefined ? all[0] : all.find((each) => each.id === snapshot);
    if (found === undefined)
      throw new Fault(
        "not_found",
        snapshot === undefined
          ? msg("task.no_snapshot", { id })
          : msg("task.unknown_snapshot", { id, snapshot }),
        { hint: msg("task.snapshots.hint", { id }) },
      );
    return this.act(id, { name: "restore", snapshot: found.id }, key);
  }

  /** What was shown is what is approved: by default the open review, with its own hash. */
  async approve(
    id: string,
    given: {
      reviewId?: string | undefined;
      hash?: string | undefined;
      comment?: string | undefined;
    },
    key?: string,
  ): Promise<TaskView> {
    const review = await this.#review(id, given.reviewId);
    const { comment } = given;
    const hash = given.hash ?? review.data.hash;
    const command = { name: "approve" as const, reviewId: review.id, hash };
    return this.act(id, comment === undefined ? command : { ...command, comment }, key);
  }

  async requestChanges(
    id: string,
    given: {
      reviewId?: string | undefined;
      feedback: string;
      comments?: readonly ReviewComment[] | undefined;
    },
    key?: string,
  ): Promise<TaskView> {
    const { id: reviewId } = await this.#review(id, given.reviewId);
    const { feedback, comments = [] } = given;
    return this.act(id, { name: "request_changes", reviewId, feedback, comments }, key);
  }

  async answer(
    id: string,
    given: { questionId?: string | undefined; answer: string },
    key?: string,
  ): Promise<TaskView> {
    const questionId = given.questionId ?? (await this.#onlyOpen(id, "question"));
    return this.act(id, { name: "answer", questionId, answer: given.answer }, key);
  }

  /** The value is sealed before anything else happens to it (S6.6). */
  async provide(
    id: string,
    given: { dependencyId?: string | undefined; value: string; confirmed?: boolean | undefined },
    key?: string,
  ): Promise<TaskView> {
    const { store, secrets, now } = this.#parts;
    const { value, confirmed = false } = given;
    const dependencyId = given.dependencyId ?? (await this.#onlyOpen(id, "dependency"));
    const { entities } = await this.state(id);
    const dependency = entities.dependency.get(dependencyId);
    if (dependency?.status !== "open")
      return this.act(id, { name: "provide", dependencyId, valid: true }, key);
    const { type, name } = dependency.data;
    const verdict = validValue(type, { value, confirmed });
    if (verdict !== true) throw new Fault("invalid_input", verdict);
    const createdAt = new Date(now()).toISOString();
    const content = await secrets.seal(id, name, value);
    const outcome = await store.commit({ secrets: [{ scope: id, name, content, createdAt }] });
    if (!outcome.ok) throw new Fault("internal", outcome.what);
    return this.act(id, { name: "provide", dependencyId, valid: true }, key);
  }

  // --- internal ---

  /** A caller's key is its own: two callers who choose the same one do not meet. */
  #keyOf(key: string | undefined): string {
    return key === undefined ? `own:${this.#parts.random()}` : `given:${key}`;
  }

  async #review(id: string, given: string | undefined): Promise<Kinds["review"]> {
    const { entities } = await this.state(id);
    const reviews = [...entities.review.values()];
    const found =
      given === undefined
        ? reviews.find(({ status }) => status === "open")
        : reviews.find((review) => review.id === given);
    if (found !== undefined) return found;
    throw new Fault(
      given === undefined ? "refused" : "not_found",
      given === undefined ? msg("task.no_review", { id }) : msg("review.unknown", { id: given }),
    );
  }

  async #onlyOpen(id: string, kind: "question" | "dependency"): Promise<string> {
    const { entities } = await this.state(id);
    const open = [...entities[kind].values()].filter(({ status }) => status === "open");
    const [first, second] = open;
    if (first === undefined) throw new Fault("refused", msg(`task.no_${kind}`, { id }));
    if (second === undefined) return first.id;
    throw new Fault(
      "invalid_input",
      msg("task.several_open", { ids: open.map((each) => each.id).join(", ") }),
    );
  }

  /** S1.8: a task that would wait for itself never starts. */
  async #circle(task: Task): Promise<void> {
    const seen = new Set<string>();
    const open = [...task.data.dependsOn];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (id === task.id) throw new Fault("refused", msg("task.waits_for_itself", { id: task.id }));
      if (seen.has(id)) continue;
      seen.add(id);
      const row = (await this.#parts.store.task(id)) as Task | undefined;
      open.push(...(row?.data.dependsOn ?? []));
    }
  }
}

// --- internal ---

function orderOf({ createdAt, id }: Task): string {
  return `${createdAt} ${id}`;
}

function searchable({ id, data }: Task): string {
  return `${id} ${data.title} ${data.description}`.toLowerCase();
}
