// A request played without a disk: the reducer over its documents in memory, each of them checked by
// its own format after every step, as files would be.
import { projectHash } from "../../src/core/ids.ts";
import type { Codec } from "../../src/formats/codec.ts";
import { loadCodec } from "../../src/formats/codec.ts";
import { subtaskMachine } from "../../src/core/machines/subtask.ts";
import { requestMachine } from "../../src/core/machines/request.ts";
import { parseJson } from "../../src/formats/json.ts";
import { parseYaml, printYaml } from "../../src/formats/yaml.ts";
import type { Documents } from "../../src/formats/registry.ts";
import type { Knowledge } from "../../src/formats/knowledge.ts";
import type { RequestSession } from "../../src/formats/request-session.ts";
import type { RequestState } from "../../src/formats/request-state.ts";
import type { AgentOrder, Order, OrderOutcome } from "../../src/workflows/orders.ts";
import { applyOutcome } from "../../src/workflows/request/apply.ts";
import { type Board, type Rules, focusOf } from "../../src/workflows/request/board.ts";
import type { Accepted, Draft } from "../../src/workflows/request/events.ts";
import { ordersOf } from "../../src/workflows/request/orders.ts";
import {
  type ContractFormat,
  type ContractRef,
  contractPlace,
} from "../../src/workflows/request/places.ts";
import { type RequestRun, newRun } from "../../src/workflows/request/private.ts";
import { works } from "../../src/workflows/request/roles.ts";
import { settled } from "../../src/workflows/request/settle.ts";
import { sessionOf, stateOf, wished } from "../../src/workflows/request/start.ts";
import { type AgentStep, stepsOf } from "../../src/workflows/request/steps.ts";

export const root = "/projects/shop";
export const hash = projectHash(root);
export const began = Date.parse("2026-02-01T10:00:00.000Z");

const names = [
  "request-session",
  "request-state",
  "explored",
  "task-breakdown",
  "design-brief",
  "design-contract",
  "test-contract",
  "test-result",
  "knowledge",
] as const;

export const codecs = new Map<string, Codec<unknown>>(
  await Promise.all(
    names.map(async (name) => [name, (await loadCodec(name)) as Codec<unknown>] as const),
  ),
);

/** Nobody changes what a file holds: it is read from its text each time. */
export class Play {
  session: RequestSession;
  state: RequestState;
  run: RequestRun;
  knowledge: Knowledge | undefined;
  readonly contracts = new Map<string, string>();
  readonly journal: Accepted["journal"][number][] = [];
  rules: Rules = { test: null };
  at = began;

  constructor(text = "Add a way to read an item", branch: string | null = "request-R1") {
    this.run = newRun({ id: "R1", text, language: "en", branch });
    const project = { path: root, name: "shop", hash };
    const manifest = { claude_md: null, agents_md: null };
    const beginning = { project, manifest, run: this.run, now: this.now() };
    this.session = sessionOf(beginning);
    this.state = stateOf(beginning);
    this.check();
  }

  now(): string {
    return new Date((this.at += 1_000)).toISOString();
  }

  contract<F extends ContractFormat>(
    format: F,
    task?: string,
    subtask?: string,
  ): Documents[F] | undefined {
    const ref = { format, ...(task ? { task } : {}), ...(subtask ? { subtask } : {}) };
    const text = this.contracts.get(this.#place(ref));
    if (text === undefined) return undefined;
    return readOnce(format, text) as Documents[F];
  }

  board(): Board {
    const focus = focusOf(this.state);
    const [task, subtask] = [focus?.task, focus?.subtask ?? undefined];
    return structuredClone({
      session: this.session,
      state: this.state,
      run: this.run,
      explored: this.contract("explored"),
      breakdown: this.contract("task-breakdown"),
      brief: task && this.contract("design-brief", task),
      design: task && this.contract("design-contract", task),
      tests: subtask && this.contract("test-contract", task, subtask),
      result: subtask && this.contract("test-result", task, subtask),
      knowledge: this.knowledge,
      rules: this.rules,
    }) as Board;
  }

  orders(): readonly Order[] {
    this.settle();
    const orders = ordersOf(this.board(), {});
    return orders.kind === "orders" ? orders.orders : [];
  }

  end(): { result: string; why: string } | undefined {
    const orders = ordersOf(this.board(), {});
    return orders.kind === "ended" ? orders : undefined;
  }

  order(key: string): AgentOrder {
    const found = this.orders().find((order) => order.key === key);
    if (found?.kind !== "agent")
      throw new Error(
        `no ${key} among ${this.orders()
          .map((order) => order.key)
          .join(", ")}`,
      );
    return found;
  }

  take(outcome: OrderOutcome): Accepted {
    const board = this.board();
    const step = stepsOf(board).find(({ key }) => key === outcome.key);
    const files = outcome.kind === "done" ? outcome.files : {};
    const drafts = step?.kind === "agent" ? draftsOf(step, files) : {};
    return this.#keep(applyOutcome(board, outcome, drafts, this.now()));
  }

  settle(): void {
    const done = settled(this.board(), this.now());
    if (done) this.#keep(done);
  }

  wish(wish: "stop" | "resume" | "reset"): Accepted {
    const done = wished(this.board(), wish, this.now());
    if ("key" in done) throw new Error(done.key);
    return this.#keep(done);
  }

  remove(format: ContractFormat, task?: string, subtask?: string): void {
    const ref = { format, ...(task ? { task } : {}), ...(subtask ? { subtask } : {}) };
    if (!this.contracts.delete(this.#place(ref))) throw new Error(`no ${format}`);
  }

  copy(): Play {
    const copy = new Play();
    Object.assign(
      copy,
      structuredClone({ session: this.session, state: this.state, run: this.run }),
    );
    copy.knowledge = structuredClone(this.knowledge);
    for (const [path, text] of this.contracts) copy.contracts.set(path, text);
    copy.rules = this.rules;
    copy.at = this.at;
    return copy;
  }

  /** Every document is valid, and what the machines promise holds. */
  check(): void {
    must("request-session", this.session);
    must("request-state", this.state);
    if (this.knowledge) must("knowledge", this.knowledge);
    for (const [path, text] of this.contracts) {
      const format = /([a-z-]+)\.yaml$/.exec(path)?.[1] ?? "";
      readOnce(format, text);
    }
    const { request, tasks } = this.state;
    requestMachine.assertInvariants({
      globalPhase: request.global_phase,
      status: request.status,
      currentTask: request.current_task,
    });
    for (const { subtasks } of Object.values(tasks))
      for (const [id, { phase, status, gates }] of Object.entries(subtasks))
        subtaskMachine.assertInvariants({ phase, status, gates: gates as never }, id);
    if (JSON.stringify(structuredClone(this.run)) !== JSON.stringify(this.run))
      throw new Error("what is kept beside the documents is no JSON");
  }

  #place(ref: ContractRef): string {
    return contractPlace(hash, this.state.request.id, ref);
  }

  #keep(done: Accepted): Accepted {
    this.session = done.session;
    this.state = done.state;
    this.run = done.run;
    this.knowledge = done.knowledge;
    for (const [ref, value] of done.contracts) {
      if (value === null) this.contracts.delete(this.#place(ref));
      else this.contracts.set(this.#place(ref), printYaml(value));
    }
    this.journal.push(...done.journal);
    this.check();
    return done;
  }
}

const known = new Map<string, unknown>();

/** The same text is the same document. */
function readOnce(format: string, text: string): unknown {
  const name = `${format}\n${text}`;
  if (!known.has(name)) {
    const read = codecs.get(format)?.read(Buffer.from(text));
    if (!read?.ok) throw new Error(`${format}: ${JSON.stringify(read?.findings)}: ${text}`);
    known.set(name, read.value);
  }
  return known.get(name);
}

/** As the app reads them: by the format that the step's work writes. */
export function draftsOf(
  { work, draft, wanted }: AgentStep,
  files: Readonly<Record<string, string>>,
): Record<string, Draft> {
  const { writes } = works[work];
  const found: Record<string, Draft> = {};
  const text = draft === null ? undefined : files[draft];
  if (draft !== null && text !== undefined) {
    if (writes === "verdict") {
      const read = parseJson(text);
      found[draft] = read.ok ? read : { ok: false, path: draft, findings: read.findings };
    } else {
      const read = codecs.get(writes ?? "")?.read(Buffer.from(text));
      found[draft] = read?.ok
        ? { ok: true, value: read.value }
        : { ok: false, path: draft, findings: read?.findings ?? [] };
    }
  }
  const patterns = wanted.find((path) => path.endsWith("patterns.yaml"));
  const seen = patterns === undefined ? undefined : files[patterns];
  if (patterns !== undefined && seen !== undefined) {
    const read = parseYaml(seen);
    if (read.ok) found[patterns] = { ok: true, value: read.value };
  }
  return found;
}

function must(format: string, document: unknown): void {
  const wrong =
    codecs
      .get(format)
      ?.check(document)
      .filter(({ level }) => level === "error") ?? [];
  if (wrong.length > 0) throw new Error(`${format}: ${JSON.stringify(wrong)}`);
}
