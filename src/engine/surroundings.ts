// What is around a task: the settings of its project, other tasks it waits for, the account's gate,
// the day's budget, the files in its workspace. Looked up before a tick decides, as plain answers.
import { adapterOf, type Programs } from "../agents/adapters/adapters.ts";
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import { createRedactor } from "../core/redact.ts";
import type { ProjectSettings } from "../formats/project-settings.ts";
import type { Store, TaskRow } from "../store/database/store.ts";
import type { Draft } from "./_draft.ts";
import type { Live } from "./_live.ts";
import { reached } from "./decide/budget.ts";
import { declaredIn, placeOf } from "./decide/facts.ts";
import { sum } from "./decide/spent.ts";
import { type Policies, type Slots, type World, defaultPolicies } from "./decide/world.ts";
import { type ReaderSeal, withoutSecrets } from "./output-secrets.ts";
import { artefactsHash, lookAtDeliverables } from "./deliverables.ts";
import { unfinishedOf } from "./dependencies.ts";
import type { Clock } from "./engine.ts";
import type { Input } from "./inputs.ts";
import { lookAtFolder } from "../git/made.ts";
import { diffTrees, takeTree } from "../git/snapshot.ts";
import { taskPlaces } from "../git/workspace.ts";
import type { Deliverable } from "../workflows/workflow.ts";
import { type Budget, type Spent, type TaskData, markerTokens, noSpending } from "./state.ts";

export interface SurroundingsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: () => number;
  readonly programs: Programs;
  readonly home: string;
  /** What was provided for the task: it must get into no snapshot. */
  readonly valuesOf: (taskId: string) => Promise<Readonly<Record<string, string>>>;
  readonly readers: ReaderSeal;
  /** The project's holdfast.yaml, read anew when it changed. */
  readonly settings: (projectId: string) => Promise<ProjectSettings | undefined>;
  /** What else keeps new work from starting, for example a full disk. */
  readonly holdBack: () => Message | null;
  readonly policies?: Partial<Policies>;
}

export class Surroundings {
  readonly #parts: SurroundingsParts;
  readonly #gates = new Map<string, { until: number; parked: number }>();

  constructor(parts: SurroundingsParts) {
    this.#parts = parts;
  }

  /** Gates outlive us as timers of no task; another process may close one while we run. */
  async load(): Promise<void> {
    for (const { dueAt, data } of await this.#parts.store.timersNamed("gate")) {
      const { account, parked } = data as { account: string; parked: number };
      // Ours may be ahead of what is committed.
      if (dueAt > (this.#gates.get(account)?.until ?? 0))
        this.#gates.set(account, { until: dueAt, parked });
    }
  }

  gateOf(account: string): World["gate"] {
    const gate = this.#gates.get(account);
    const open = gate === undefined || gate.until <= this.#parts.clock.now();
    return open
      ? { closedUntil: null, parked: 0 }
      : { closedUntil: gate.until, parked: gate.parked };
  }

  /**
   * A gate is closed for every other tick at once, before it is committed: those who meet the limit
   * together must see each other. If it is not committed, the limit is read and met again.
   */
  decided(draft: Draft): void {
    for (const [account, gate] of draft.gates) this.#gates.set(account, gate);
  }

  async policiesFor(projectId: string): Promise<Policies> {
    const { settings } = await this.#settings(projectId);
    return { ...policiesOf(settings), ...this.#parts.policies };
  }

  /** Null: the settings can not be read. What they would keep must not go by the usual limits. */
  async limitsFor(projectId: string): Promise<Policies | null> {
    const { settings, problem } = await this.#settings(projectId);
    return problem === null ? { ...policiesOf(settings), ...this.#parts.policies } : null;
  }

  /** Would it be worth asking whether this task may start? Cheaper than a tick. */
  async mayStart(task: TaskRow): Promise<boolean> {
    const { agent, dependsOn } = task.data as TaskData;
    if (this.gateOf(agent).closedUntil !== null || this.#parts.holdBack() !== null) return false;
    const { settings, problem } = await this.#settings(task.projectId);
    if (problem !== null) return false;
    const day = await this.#day(settings);
    if (reached(day.budget, day.spent) !== null) return false;
    return (await unfinishedOf(this.#parts.store, dependsOn)).length === 0;
  }

  /** What agents said, as it may be decided on and stored (S6.6). */
  async cleaned(live: Live, inputs: readonly Input[]): Promise<readonly Input[]> {
    if (!inputs.some(({ kind }) => kind === "output")) return inputs;
    const { valuesOf, readers } = this.#parts;
    const values = Object.values(await valuesOf(live.id));
    const redactor = createRedactor([...values, ...markerTokens(live.state)]);
    return withoutSecrets(live.id, inputs, redactor, readers);
  }

  async world(live: Live, inputs: readonly Input[], slots: Slots): Promise<World> {
    const { store, random, programs } = this.#parts;
    const { task } = live.state;
    const { settings, problem } = await this.#settings(task.projectId);
    const day = await this.#day(settings, task.id);
    const files = await this.#files(live, inputs);
    const secrets = await store.secrets(task.id);
    const gate = (): World["gate"] => this.gateOf(task.data.agent);
    const other = problem ?? this.#parts.holdBack();
    return {
      slots,
      adapterOf: (name) => adapterOf(name, programs),
      gateOf: (account) => this.gateOf(account),
      policies: { ...policiesOf(settings), ...this.#parts.policies },
      // As they are when somebody asks: other tasks are decided while we look things up.
      get gate() {
        return gate();
      },
      get holdBack() {
        return holdBackOf(gate().closedUntil, day, other);
      },
      jitter: random(),
      day,
      unfinishedDependencies: (await unfinishedOf(store, task.data.dependsOn)).map(({ id }) => id),
      ...files,
      lastOutputAt: lastOutput(live),
      provided: new Set([...secrets.map(({ name }) => name), ...openNames(live)]),
    };
  }

  // --- internal ---

  /** A holdfast.yaml that can not be read holds new work back; what runs goes on without it. */
  async #settings(
    projectId: string,
  ): Promise<{ settings: ProjectSettings | undefined; problem: Message | null }> {
    try {
      return { settings: await this.#parts.settings(projectId), problem: null };
    } catch (cause) {
      if (cause instanceof Fault) return { settings: undefined, problem: cause.text };
      throw cause;
    }
  }

  /** Without what the task itself spent: that changes while it is decided on. */
  async #day(settings: ProjectSettings | undefined, except?: string): Promise<World["day"]> {
    const budget = budgetOf(settings?.budgets?.day);
    if (budget === null) return { budget, spent: noSpending };
    const today = new Date(this.#parts.clock.now()).toISOString().slice(0, 10);
    const rows = await this.#parts.store.entities({ kind: "spending", status: today });
    const spent = rows
      .filter(({ taskId }) => taskId !== except)
      .map(({ data }) => data as Spent)
      .reduce(sum, noSpending);
    return { budget, spent };
  }

  /** Read only where somebody may ask: files are the dearest thing here. */
  async #files(
    live: Live,
    inputs: readonly Input[],
  ): Promise<
    Pick<World, "artefactsHash" | "changedFiles" | "missingDeliverables" | "deliverables">
  > {
    const none = {
      artefactsHash: null,
      changedFiles: [],
      missingDeliverables: [],
      deliverables: null,
    };
    const { workspace } = live.state.task.data;
    const { trees } = taskPlaces(this.#parts.home, live.id);
    // What stands in the place of one that was swapped is nobody's to look at.
    if (workspace === null || lookAtFolder(trees) === "swapped") return none;
    const asked = inputs.some(
      (input) =>
        (input.kind === "output" && input.output.events.length > 0) ||
        (input.kind === "command" && looksAtFiles.has(input.command.name)) ||
        input.kind === "effect" ||
        input.kind === "timer",
    );
    if (!asked) return none;
    const { phase, deliverables } = placeOf(live.state.task);
    const found = await lookAtDeliverables(workspace.folder, deliverables);
    const missing = found.filter(({ present }) => !present).map(({ path }) => path);
    const approving = inputs.some(
      (input) => input.kind === "command" && input.command.name === "approve",
    );
    return {
      ...(approving ? await this.#underReview(live, deliverables) : none),
      missingDeliverables: missing,
      deliverables: { phase, present: found.length - missing.length, missing: missing[0] ?? null },
    };
  }

  /** As it was made for the review, of the tree as it is now: the next phase goes on with that one. */
  async #underReview(
    live: Live,
    deliverables: readonly Deliverable[],
  ): Promise<Pick<World, "artefactsHash" | "changedFiles">> {
    const { home, clock, valuesOf } = this.#parts;
    const secrets = Object.values(await valuesOf(live.id));
    const { trees } = taskPlaces(home, live.id);
    const paths = declaredIn(live.state.task);
    const at = clock.now();
    // Numbers of effects end in less than 999: this one is nobody else's.
    const seq = at * 1_000 + 999;
    const { tree, commit } = await takeTree({ trees, seq, at, secrets, deliverables: paths });
    const hash = artefactsHash(tree, deliverables);
    const shown = [...live.state.entities.review.values()].find(({ status }) => status === "open");
    if (shown === undefined || shown.data.hash === hash)
      return { artefactsHash: hash, changedFiles: [] };
    const changes = await diffTrees(trees, shown.data.tree, commit);
    return { artefactsHash: hash, changedFiles: changes.map(({ path }) => path) };
  }
}

export function policiesOf(settings: ProjectSettings | undefined): Policies {
  const { questions, frozen, retention, strict_markers: strictMarkers, watchdogs } = settings ?? {};
  const autosave = settings?.snapshots?.every_minutes;
  const hours = questions?.deadline_hours;
  const minutes = frozen?.end_after_minutes;
  return {
    ...defaultPolicies,
    ...(hours === undefined ? {} : { questionDeadlineMs: hours * 3_600_000 }),
    ...(questions?.on_deadline === undefined ? {} : { onDeadline: questions.on_deadline }),
    ...(minutes === undefined ? {} : { frozenMs: minutes * 60_000 }),
    ...(frozen?.most === undefined ? {} : { frozenMost: frozen.most }),
    ...(watchdogs?.silence_minutes === undefined
      ? {}
      : { silenceMs: watchdogs.silence_minutes * 60_000 }),
    ...(watchdogs?.work_minutes === undefined ? {} : { workMs: watchdogs.work_minutes * 60_000 }),
    ...(autosave === undefined ? {} : { autosaveMs: Math.round(autosave * 60_000) }),
    ...(strictMarkers === undefined ? {} : { strictMarkers }),
    ...(retention?.days === undefined ? {} : { keepMs: retention.days * 86_400_000 }),
    ...(retention?.gigabytes === undefined ? {} : { keepBytes: retention.gigabytes * 1e9 }),
  };
}

export function budgetOf(
  budget:
    | { cost_usd?: number | undefined; tokens?: number | undefined; minutes?: number | undefined }
    | undefined,
): Budget | null {
  if (budget === undefined) return null;
  return {
    costUsd: budget.cost_usd ?? null,
    tokens: budget.tokens ?? null,
    minutes: budget.minutes ?? null,
  };
}

// --- internal ---

/** Commands that are judged by what lies in the workspace. */
const looksAtFiles: ReadonlySet<string> = new Set(["approve", "say", "note"]);

function holdBackOf(
  closedUntil: number | null,
  day: World["day"],
  other: Message | null,
): Message | null {
  if (closedUntil !== null)
    return msg("gate.closed", { until: new Date(closedUntil).toISOString() });
  const which = reached(day.budget, day.spent);
  if (which !== null) return msg("budget.nothing_starts");
  return other;
}

/** Of what was provided in the open: it is in no store of secrets. */
function openNames({ state }: Live): string[] {
  return [...state.entities.dependency.values()].flatMap(({ data }) =>
    data.value === undefined ? [] : data.name,
  );
}

function lastOutput(live: Live): number | null {
  const times = [...live.tails.values()].map(({ lastOutputAt }) => lastOutputAt);
  return times.length === 0 ? null : Math.max(...times);
}
