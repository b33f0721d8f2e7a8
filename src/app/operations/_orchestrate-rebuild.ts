// `orchestrate --rebuild-state` (S2.9): the state made again from the plan, the journal and what an earlier state
// says. A person asks for it, while no one works; nothing is reset unseen: what is taken is listed, and where the
// sources disagree nothing is changed before the person has decided.
import { basename } from "node:path";
import { Fault } from "../../core/errors.ts";
import { type Message, msg, render } from "../../core/messages.ts";
import { loadCodec } from "../../formats/codec.ts";
import { parseJson } from "../../formats/json.ts";
import { requireRepository } from "../../git/mark.ts";
import { realDisk } from "../../store/disk.ts";
import type { Documents } from "../../store/documents.ts";
import {
  type Disputed,
  type Known,
  type Rebuilt,
  type Source,
  rebuildState,
} from "../../workflows/orchestrate/rebuild.ts";
import { type Salvaged, salvage } from "../../workflows/orchestrate/salvage.ts";
import { isCarried } from "../conduct/carried.ts";
import { runOwner } from "../conduct/orchestrate.ts";
import { isInsideAgent } from "../inside-agent.ts";
import { isLost, ownerOf } from "../_session-orchestrate-owner.ts";
import { type Rows, claimKind, readRows, unitOf } from "../_session-orchestrate-rows.ts";
import { stateRef } from "../_session-orchestrate-read.ts";
import type { Step } from "../_session-orchestrate-run.ts";
import { lookAtSources } from "../_session-orchestrate-sources.ts";
import { planFault } from "../_session-orchestrate.ts";
import type { Context } from "../operation.ts";
import { journaled } from "./_orchestrate-looks.ts";
import { answer, missing, named, taken, wishesOf } from "./_orchestrate-runs.ts";
import type { Part } from "./orchestrate.ts";

export const rebuild: Part = async (context, given) => {
  requireRepository(context.project.root, context.home.path);
  if (isInsideAgent(context))
    throw new Fault("refused", msg("orchestrate.rebuild.agent"), {
      hint: msg("orchestrate.rebuild.agent.hint"),
    });
  const told: Message[] = [];
  const documents = await rebuilding(context, (text) => told.push(text));
  const looked = await lookAtSources(context.project.root, undefined, true);
  const { plan, problem } = looked;
  if (problem || plan === undefined) throw planFault(problem ?? missing);
  const beside = await besideState(context);
  requireNoWork(beside.rows, beside.carried);
  // Before it is put aside.
  const file = await brokenState(context);
  const known = { ...beside.known, file };
  const wishes = wishesOf(given);
  let made: Rebuilt | undefined;
  const step: Step = {
    event: { on: "settle" },
    owner: ownerOf(given.session, context.env),
    begin: { ...wishes, mode: wishes.mode ?? file?.mode },
    rebuild: (before, rows) => {
      // Somebody may have begun since.
      requireNoWork(rows, beside.carried);
      const now = new Date().toISOString();
      const { list } = plan;
      made = rebuildState(list, before, basename(context.project.root), now, known);
      if (made.disputed.length > 0 && !given.yes) throw disputedFault(made.disputed, context);
      return made.state;
    },
  };
  const done = await taken(context, step, looked, documents);
  const { completed_count: completed, total_tasks: total } = done.state.metrics;
  return answer(context, given, [
    ...told,
    msg("orchestrate.rebuilt", { path: plan.path, completed, total }),
    ...listed(made, beside),
  ]);
};

// --- internal ---

interface Beside {
  readonly rows: Rows;
  /** By a living process. */
  readonly carried: boolean;
  readonly known: Known;
  /** Failed attempts by unit. */
  readonly retries: ReadonlyMap<string, number>;
}

async function besideState(context: Context): Promise<Beside> {
  const store = await context.store();
  const rows = await readRows(store, (await context.projectRow()).id);
  const { task } = rows;
  const none = { journal: new Map(), begun: new Set<string>(), held: new Set<string>() };
  if (task?.status !== "in_progress")
    return { rows, carried: false, known: none, retries: new Map() };
  const units = (await store.entities({ taskId: task.id, kind: claimKind })).map(unitOf);
  const { session } = runOwner(task.id);
  const own = units.filter(({ holder }) => holder?.session === session);
  return {
    rows,
    carried: await isCarried(store, task.id, Date.now()),
    known: {
      journal: await journaled(store, task.id),
      begun: new Set(units.filter(({ epoch }) => epoch > 0).map(({ unit }) => unit)),
      held: new Set(own.map(({ unit }) => unit)),
    },
    retries: new Map(
      units.flatMap(({ unit, retries }) => (retries > 0 ? [[unit, retries] as const] : [])),
    ),
  };
}

/** Undefined: there is no file, it is as it should be, or nothing of it can be read. */
async function brokenState(context: Context): Promise<Salvaged | undefined> {
  const { path, format } = stateRef(context);
  const bytes = realDisk.read(path);
  if (bytes === null) return undefined;
  const codec = await loadCodec(format);
  if (codec.read(bytes).ok) return undefined;
  const parsed = parseJson(Buffer.from(bytes).toString("utf8"));
  return parsed.ok ? salvage(parsed.value) : undefined;
}

/** What the run's own agents have stays with them: only a process that carries the run now is in the way. */
function requireNoWork({ held, task }: Rows, carried: boolean): void {
  const nobody = { session: "", process: null };
  const own = task === undefined ? "" : runOwner(task.id).session;
  const living = held.map(unitOf).filter((unit) => {
    if (unit.holder?.session === own) return carried;
    return !isLost(unit, nobody, Date.now());
  });
  if (living.length === 0) return;
  const holders = named(living.map(({ unit, holder }) => `${unit} (${holder?.session ?? ""})`));
  throw new Fault("refused", msg("orchestrate.rebuild.held", { holders }), {
    hint: msg("orchestrate.rebuild.held.hint"),
  });
}

function disputedFault(disputed: readonly Disputed[], { language }: Context): Fault {
  const lines = disputed.slice(0, mostLines).map(({ id, by, other, status }) => {
    const sides = { by: sourceText(by), other: sourceText(other) };
    return render(language, msg("orchestrate.rebuild.disputed.line", { id, status, ...sides }));
  });
  if (disputed.length > mostLines) lines.push(`… (+${disputed.length - mostLines})`);
  const text = msg("orchestrate.rebuild.disputed", { lines: lines.join("\n") });
  return new Fault("refused", text, { hint: msg("orchestrate.rebuild.disputed.hint") });
}

const mostLines = 20;

function sourceText(source: Source): Message {
  return msg(`orchestrate.rebuild.source.${source}`);
}

/** Each task that was decided with where that comes from, and what stays as it was. */
function listed(made: Rebuilt | undefined, { retries }: Beside): Message[] {
  if (made === undefined) return [];
  const { state, dropped } = made;
  const groups = new Map<string, { status: string; source: Source; ids: string[] }>();
  for (const { id, status, source } of made.taken) {
    const group = groups.get(`${status} ${source}`) ?? { status, source, ids: [] };
    groups.set(`${status} ${source}`, group);
    group.ids.push(id);
  }
  const counted = [...retries].map(([id, count]) => `${id} (${count})`);
  const kept = state.tasks.in_progress;
  return [
    ...[...groups.values()].map(({ status, source, ids }) => {
      const from = sourceText(source);
      return msg("orchestrate.rebuild.taken", { status, source: from, ids: named(ids) });
    }),
    ...(kept.length > 0 ? [msg("orchestrate.rebuild.kept", { ids: named(kept) })] : []),
    ...(counted.length > 0 ? [msg("orchestrate.rebuild.attempts", { ids: named(counted) })] : []),
    ...(dropped.length > 0 ? [msg("orchestrate.dropped", { ids: named(dropped) })] : []),
  ];
}

/** Documents that may be made again from the plan, where nothing else is left (S2.9). */
async function rebuilding(context: Context, tell: (text: Message) => void): Promise<Documents> {
  const { documentsOf } = await import("../_wiring.ts");
  const [store, lockWorld] = [await context.store(), await context.lockWorld()];
  const place = {
    projectId: (await context.projectRow()).id,
    quarantine: context.home.quarantine,
  };
  return documentsOf(store, lockWorld, place, tell, context.project.root);
}
