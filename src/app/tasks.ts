// Tasks as users see them: what every door (CLI, REST, MCP) shows and asks. The rules are the
// engine's; this only looks things up, names what is missing, and puts requests into the inbox.
import { Fault } from "../core/errors.ts";
import { taskId as newTaskId } from "../core/ids.ts";
import { isSecret } from "../core/machines/_dependency-value.ts";
import { type Language, msg } from "../core/messages.ts";
import type { TaskStatus } from "../core/vocabulary.ts";
import type { Command } from "../engine/decide/commands.ts";
import type { Answer } from "../engine/decide/world.ts";
import {
  type ReviewComment,
  type Task,
  type TaskState,
  isDeleted,
  stateOf,
} from "../engine/state.ts";
import type { ProjectSettings } from "../formats/project-settings.ts";
import { requireOurs } from "../git/made.ts";
import type { SecretBox } from "../store/secrets.ts";
import type { ProjectRow, Store } from "../store/database/store.ts";
import {
  type DraftEdit,
  type NewTask,
  type Provided,
  Refused,
  changeOf,
  created,
  digestOf,
  inboxKey,
  newRow,
  onlyOpen,
  orderOf,
  providedFor,
  refusalOf,
  refuseCircle,
  requireType,
  reviewIn,
  searchable,
} from "./_task-rules.ts";
import { type Ask, endChildren, removeChildren } from "./_task-children.ts";
import { type Machine, chooseAgent, requireAgentsOf } from "./agent-choice.ts";
import {
  type AgentView,
  type SnapshotView,
  type TaskView,
  agentViewOf,
  idleAgent,
  mainAgent,
  snapshotView,
  viewOf,
} from "./task-views.ts";
import { allowedActions } from "./task-detail.ts";
import { policiesOf } from "../engine/surroundings.ts";
import { taskTypeOf } from "../workflows/phases/types.ts";
import { checkProject, taskPlaces } from "../git/workspace.ts";

export { type NewTask, Refused };

export interface TasksParts {
  readonly home: string;
  readonly store: Store;
  readonly secrets: SecretBox;
  readonly settings: (projectId: string) => Promise<ProjectSettings | undefined>;
  readonly rootOf: (projectId: string) => Promise<string>;
  readonly now: () => number;
  readonly random: () => string;
  readonly machine: Machine;
  /** Puts a command into the inbox and waits for the answer of whoever owns the task. */
  readonly request: (taskId: string, command: Command, key: string) => Promise<Answer>;
}

export class Tasks {
  readonly #parts: TasksParts;

  constructor(parts: TasksParts) {
    this.#parts = parts;
  }

  /** No task is without an agent, not even a draft (S6.5b): what is shown of it is who will work. */
  async create(
    project: ProjectRow,
    given: NewTask,
    language: Language,
    key?: string,
  ): Promise<TaskView> {
    const { store, now, random } = this.#parts;
    // The key decides the id: made twice, it is the same row.
    const id = newTaskId(key === undefined ? random() : digestOf("create", project.id, key));
    if (key !== undefined && (await store.task(id)) !== undefined) return this.show(id);
    const settings = await this.#parts.settings(project.id);
    requireType(given.type, settings, language);
    const choice = { named: given.agent, type: given.type, settings };
    const agent = await chooseAgent(this.#parts.machine, choice);
    for (const other of given.dependsOn ?? []) await this.state(other);
    const at = new Date(now()).toISOString();
    const task = newRow(id, project.id, { ...given, agent }, settings, language, at);
    const outcome = await store.commit({ tasks: [task], transitions: [created(task)] });
    // Somebody with the same key was faster.
    if (!outcome.ok && key === undefined) throw new Fault("internal", outcome.what);
    return this.show(id);
  }

  async list(filter: {
    readonly projectId?: string | undefined;
    readonly status?: TaskStatus | undefined;
    readonly type?: string | undefined;
    readonly archived?: boolean | undefined;
    /** Those that this run made; without it none of any run. */
    readonly run?: string | undefined;
    readonly q?: string | undefined;
    readonly cursor?: string | undefined;
    readonly limit?: number | undefined;
  }): Promise<{ tasks: TaskView[]; cursor: string | null }> {
    const { projectId, status, type, archived = false, run, q, cursor, limit = 100 } = filter;
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
        !isDeleted(task) &&
        task.data.order?.task === run &&
        (words === undefined || searchable(task).includes(words)) &&
        (cursor === undefined || orderOf(task) < cursor),
    );
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const more = found.length > page.length && last !== undefined;
    return {
      tasks: await Promise.all(page.map(({ id }) => this.show(id))),
      cursor: more ? orderOf(last) : null,
    };
  }

  async show(id: string): Promise<TaskView> {
    return this.view(await this.state(id));
  }

  /** A draft has as many phases as its type has now (S1.9); they are fixed when it is submitted. */
  async view(state: TaskState): Promise<TaskView> {
    const view = viewOf(state);
    if (view.status !== "draft") return view;
    const { projectId, workflow, data } = state.task;
    // Settings that cannot be read are told to who submits it, not to who looks.
    const settings = await this.#parts.settings(projectId).catch(() => undefined);
    const type = taskTypeOf(workflow, settings, data.language);
    return { ...view, totalPhases: type?.phases.length ?? null };
  }

  /** The agent that blocks most; of a task that has not begun, one that is idle (S1.9). */
  async agent(id: string): Promise<AgentView> {
    const { task, entities } = await this.state(id);
    const agent = mainAgent(entities.agent);
    if (agent !== undefined) return agentViewOf(agent);
    if (task.data.startedAt !== null) throw new Fault("not_found", msg("task.no_agent", { id }));
    const settings = await this.#parts.settings(task.projectId).catch(() => undefined);
    return idleAgent(task, policiesOf(settings).autosaveMs);
  }

  async state(id: string): Promise<TaskState> {
    const { store } = this.#parts;
    const task = await store.task(id);
    if (task === undefined || isDeleted(task))
      throw new Fault("not_found", msg("task.unknown", { id }), { hint: msg("task.unknown.hint") });
    return stateOf(task, await store.entities({ taskId: id }));
  }

  /** `submit` fixes the type as it is now: later edits of holdfast.yaml do not reach this task. */
  async submit(id: string, key?: string): Promise<TaskView> {
    return this.#once(id, "submit", key, async () => {
      const { task } = await this.state(id);
      const settings = await this.#parts.settings(task.projectId);
      const type = requireType(task.workflow, settings, task.data.language);
      await refuseCircle(this.#parts.store, task);
      await requireAgentsOf(this.#parts.machine, task.data.agent, type);
      // Before anything starts (S1.21d): a tree that can not be worked in is told to who asks.
      const project = await checkProject(await this.#parts.rootOf(task.projectId), type);
      if (!project.ok) throw new Fault("refused", project.text, { hint: project.hint });
      return { name: "submit", type };
    });
  }

  /** Of a draft alone; what would be wrong with it is told now, not when it is submitted. */
  async edit(id: string, given: DraftEdit, key?: string): Promise<TaskView> {
    return this.#once(id, "edit", key, async () => {
      const { store, machine } = this.#parts;
      const { task } = await this.state(id);
      const settings = await this.#parts.settings(task.projectId);
      if (given.type !== undefined) requireType(given.type, settings, task.data.language);
      if (given.agent !== undefined)
        await chooseAgent(machine, {
          named: given.agent,
          type: given.type ?? task.workflow,
          settings,
        });
      for (const other of given.dependsOn ?? []) await this.state(other);
      const change = changeOf(given);
      await refuseCircle(store, { ...task, data: { ...task.data, ...change } });
      return { name: "edit", change };
    });
  }

  async act(id: string, command: Command, key?: string): Promise<TaskView> {
    const view = await this.#once(id, command.name, key, async () => command);
    if (command.name === "cancel")
      await endChildren(
        this.#parts.store,
        (await this.state(id)).task,
        this.#asker(key),
        this.#parts.rootOf,
      );
    return view;
  }

  /** What an agent says in its own run: the answer is its to read, also a refusal. */
  async send(id: string, command: Command): Promise<Answer> {
    return this.#parts.request(id, command, this.#keyOf(id, command.name, undefined));
  }

  /** It is gone from lists at once; its files follow. */
  async remove(id: string, key?: string): Promise<void> {
    const ask = this.#asker(key);
    const { store, rootOf } = this.#parts;
    const { task } = await this.state(id);
    await this.#listing(id, async () => {
      await removeChildren(store, task, ask, rootOf);
      const answer = await ask(id, "delete");
      if (!answer.ok) throw refusalOf(answer);
    });
  }

  async retry(id: string, key?: string): Promise<TaskView> {
    return this.act(id, { name: "retry", newId: newTaskId(this.#parts.random()) }, key);
  }

  /** Its state, where its output, snapshots and files are still kept (S1.21c). */
  async withFiles(id: string): Promise<TaskState> {
    const state = await this.state(id);
    const at = state.task.data.kept?.removedAt ?? null;
    if (at === null) return state;
    throw new Fault("refused", msg("task.files_removed", { id, at }), {
      hint: msg("task.files_removed.hint"),
    });
  }

  async snapshots(id: string): Promise<SnapshotView[]> {
    await this.withFiles(id);
    return (await this.#parts.store.snapshots(id)).map(snapshotView);
  }

  /** The newest, or the one that is named. */
  async restore(id: string, snapshot: string | undefined, key?: string): Promise<TaskView> {
    return this.#once(id, "restore", key, async () => {
      requireOurs(taskPlaces(this.#parts.home, id).trees);
      const all = await this.snapshots(id);
      const found = snapshot === undefined ? all[0] : all.find((each) => each.id === snapshot);
      if (found !== undefined) return { name: "restore", snapshot: found.id };
      throw new Fault(
        "not_found",
        snapshot === undefined
          ? msg("task.no_snapshot", { id })
          : msg("task.unknown_snapshot", { id, snapshot }),
        { hint: msg("task.snapshots.hint", { id }) },
      );
    });
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
    return this.#once(id, "approve", key, async () => {
      const review = reviewIn(await this.state(id), given.reviewId);
      // What comes next would begin there.
      requireOurs(taskPlaces(this.#parts.home, id).trees);
      const { comment, hash = review.data.hash } = given;
      const command = { name: "approve" as const, reviewId: review.id, hash };
      return comment === undefined ? command : { ...command, comment };
    });
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
    const { feedback, comments = [] } = given;
    return this.#once(id, "request_changes", key, async () => {
      const { id: reviewId } = reviewIn(await this.state(id), given.reviewId);
      return { name: "request_changes", reviewId, feedback, comments };
    });
  }

  async answer(
    id: string,
    given: { questionId?: string | undefined; answer: string },
    key?: string,
  ): Promise<TaskView> {
    const { answer } = given;
    return this.#once(id, "answer", key, async () => {
      const questionId = given.questionId ?? onlyOpen(await this.state(id), "question");
      return { name: "answer", questionId, answer };
    });
  }

  /** A secret is sealed before anything else happens to it (S6.6). */
  async provide(id: string, given: Provided, key?: string): Promise<TaskView> {
    const { store, secrets, now } = this.#parts;
    return this.#once(id, "provide", key, async () => {
      const state = await this.state(id);
      const dependencyId = given.dependencyId ?? onlyOpen(state, "dependency");
      const command = { name: "provide", dependencyId } as const;
      const dependency = state.entities.dependency.get(dependencyId);
      if (dependency?.status !== "open") return command;
      const { type, name } = dependency.data;
      const { value, encoded, confirmed } = providedFor(type, given);
      if (!isSecret(type)) return { ...command, value, confirmed };
      const createdAt = new Date(now()).toISOString();
      const content = await secrets.seal(id, name, value);
      const outcome = await store.commit({ secrets: [{ scope: id, name, content, createdAt }] });
      if (!outcome.ok) throw new Fault("internal", outcome.what);
      return { ...command, encoded };
    });
  }

  // --- internal ---

  /** Sent again under its key, nothing is looked up again: what was open then has gone its way. */
  async #once(
    id: string,
    name: Command["name"],
    key: string | undefined,
    make: () => Promise<Command>,
  ): Promise<TaskView> {
    await this.state(id);
    const full = this.#keyOf(id, name, key);
    const before = key === undefined ? undefined : await this.#parts.store.inboxEntry(full);
    const made = await this.#listing(id, async () => {
      const command = before === undefined ? await make() : (before.data as Command);
      const answer = await this.#parts.request(id, command, full);
      if (!answer.ok) throw refusalOf(answer);
      return answer.result?.["task"];
    });
    return this.show(typeof made === "string" ? made : id);
  }

  /** Whatever refuses it, the refusal says what is allowed instead. */
  async #listing<T>(id: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.code !== "refused") throw thrown;
      throw new Refused(thrown, allowedActions(await this.state(id)));
    }
  }

  #asker(key: string | undefined): Ask {
    return (id, name) => this.#parts.request(id, { name }, this.#keyOf(id, name, key));
  }

  #keyOf(id: string, name: string, key: string | undefined): string {
    return key === undefined ? `own:${this.#parts.random()}` : inboxKey(name, id, key);
  }
}
