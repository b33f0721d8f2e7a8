// Reading and changing memory. A change is a transaction (S3.4): the document is read, changed, checked
// and written under its lock; whatever goes wrong leaves the file as it was, byte for byte.
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import { unfilledIn } from "../../core/placeholders.ts";
import type { TaskData } from "../../engine/state.ts";
import { parseJson } from "../../formats/json.ts";
import type { TaskState } from "../../formats/task-state.ts";
import type { Documents } from "../../store/documents.ts";
import {
  type MemoryChange,
  type Place,
  type Remembered,
  changed,
  placeOf,
  unchangeable,
  valueAt,
} from "../../workflows/plan/memory.ts";
import { type MemoryFormat, initialMemory } from "../../workflows/plan/initial.ts";
import type { Memorised as Event } from "../../workflows/plan/replay.ts";
import { stepIn } from "../../workflows/plan/orders.ts";
import { stepRun } from "../../workflows/plan/run.ts";
import { agentFile, agentsIn, planFiles, readMemory } from "../_plan-files.ts";
import { readPlan } from "../_plan-read.ts";
import { planOf, workflow as planWorkflow } from "../_plan-rows.ts";
import { ownerOf } from "../_session-orchestrate-owner.ts";
import type { Context } from "../operation.ts";
import type { Input, Memorised } from "./memory.ts";

export async function memorise(context: Context, given: Input): Promise<Memorised> {
  const home = await homeOf(context);
  const { action, value } = given;
  const path = pathOf(given);
  const place = placeOf(path);
  if ("key" in place) throw badPath(place);
  if (action === "set" || action === "add" || action === "remove") {
    const refused = unchangeable(place, path);
    if (refused) throw badPath(refused, "refused");
    if (place.in === "agent") await mustBeOwn(context, home, place.agent, given.session);
    if (value === undefined && action !== "remove")
      throw new Fault("invalid_input", msg("memory.needs_value", { action }));
    const change: MemoryChange = {
      on: action,
      steps: place.steps,
      ...(value === undefined ? {} : { value: valueOf(home.clean(value)) }),
    };
    const moved = await changeMemory(
      home,
      place,
      (document, at) => changed(document, change, at),
      change,
    );
    return { path, says: [msg(moved ? "memory.changed" : "memory.same", { path })] };
  }
  if (action === "list") return { path, says: [], value: await listed(home) };
  const found = valueAt(await documentAt(home, place), place.steps);
  if (found === undefined) throw new Fault("not_found", msg("memory.nothing", { path }));
  return { path, says: [], value: found };
}

/**
 * The transaction itself. `change` may throw, and what it makes is checked against the format before a
 * byte is written. False: nothing was different.
 */
export async function changeMemory(
  { root, documents }: Pick<Home, "root" | "documents">,
  place: Place,
  change: (document: Remembered, at: string) => Remembered,
  journaled: MemoryChange,
): Promise<boolean> {
  const ref = place.in === "agent" ? agentFile(root, place.agent) : planFiles(root).context;
  const at = new Date().toISOString();
  const event: Event = { trigger: "memory", at, change: journaled };
  return documents.update<boolean>({
    files: [ref],
    event,
    apply: (all) => {
      const there = all.get(ref.path) as Remembered | undefined;
      const agent = place.in === "agent" ? place.agent : "";
      const before = there ?? (initialMemory(ref.format as MemoryFormat, agent, at) as Remembered);
      const after = change(before, at);
      return { documents: new Map([[ref.path, after]]), result: after !== before };
    },
  });
}

// --- internal ---

interface Home {
  readonly root: string;
  readonly documents: Documents;
  /** Blanks what was provided for a task, where a run of it writes. */
  readonly clean: (text: string) => string;
  /** Of which order of a run it is called; null: of none. */
  readonly order: TaskData["order"] | null;
}

/** An agent of ours works in a clone; the memory is the project's. */
async function homeOf(context: Context): Promise<Home> {
  if (context.caller === null)
    return {
      root: context.project.root,
      documents: await context.documents(),
      clean: (text) => text,
      order: null,
    };
  const { ownRun } = await import("../own-run.ts");
  const { state, redactor } = await ownRun(context);
  // Where it works is no project of ours: nothing is made for it.
  const store = await context.existingStore();
  const { projectId } = state.task;
  const project = (await store?.projects())?.find(({ id }) => id === projectId);
  if (!store || !project) throw new Fault("not_found", msg("project.unknown", { id: projectId }));
  const { documentsOf, lockWorldOf } = await import("../_wiring.ts");
  const place = { projectId, quarantine: context.home.quarantine };
  const documents = documentsOf(store, lockWorldOf(store), place, () => {});
  const { order } = state.task.data;
  return { root: project.root, documents, clean: (text) => redactor.text(text), order };
}

/** An agent writes what it remembers itself, a person what they like (S3.9, S1.7c). */
async function mustBeOwn(
  context: Context,
  home: Home,
  agent: string,
  session: string | undefined,
): Promise<void> {
  const own =
    context.caller === null
      ? await agentsOfSession(context, session)
      : await agentOfOrder(context, home);
  if (own === undefined || own.includes(agent)) return;
  const names = own.length === 0 ? "–" : [...new Set(own)].join(", ");
  throw new Fault("refused", msg("memory.not_own", { agent, own: names }), {
    hint: msg("memory.not_own.hint"),
  });
}

/** Agents whose steps the session holds; undefined: it holds none, and so speaks for a person. */
async function agentsOfSession(
  context: Context,
  session: string | undefined,
): Promise<string[] | undefined> {
  if ((await context.existingStore()) === undefined) return undefined;
  const { task, run } = await readPlan(context, true);
  const owner = ownerOf(session, context.env);
  const held = (task?.plan.steps ?? []).filter(
    ({ id, status }) =>
      status === "in_progress" && run && stepRun(run, id).holder?.session === owner.session,
  );
  return held.length === 0 ? undefined : held.map(({ agent }) => agent);
}

/** The name under which an agent of ours works in a plan; in no plan it has none. */
async function agentOfOrder(
  context: Context,
  { root, documents, order }: Home,
): Promise<readonly string[]> {
  const row = order ? await (await context.store()).task(order.task) : undefined;
  if (!order || row?.workflow !== planWorkflow) return [];
  const state = (await documents.look(planFiles(root).state)) as TaskState | undefined;
  const task = state?.current_task;
  if (!task || task.id !== planOf(row).plan) return [];
  const step = stepIn(order.key);
  const worker = task.plan.steps.find(({ id }) => id === step)?.agent;
  return [worker ?? task.orchestrator ?? ""];
}

/** `memory history`, `memory context`, `memory agent writer`: the same as `get`, in the seed's words. */
function pathOf({ action, path }: Input): string {
  if (action === "history" || action === "context") return path ? `${action}.${path}` : action;
  if (action === "list") return "agents";
  if (path === undefined) throw new Fault("invalid_input", msg("memory.needs_path", { action }));
  return action === "agent" ? `agents.${path}` : path;
}

async function documentAt({ root, documents }: Home, place: Place): Promise<unknown> {
  const files = planFiles(root);
  switch (place.in) {
    case "agent":
      return readMemory(documents, agentFile(root, place.agent), "look", place.agent);
    case "context":
      return readMemory(documents, files.context, "look");
    case "history":
      return readMemory(documents, files.history, "look");
    case "task":
      return (await readMemory<{ current_task: unknown }>(documents, files.state, "look"))
        .current_task;
    default:
      return agentsIn(root);
  }
}

/** Where there is something to get. */
async function listed(home: Home): Promise<Record<string, string[]>> {
  const context = await documentAt(home, { in: "context", steps: [] });
  const shared = ["shared_data", "preferences"].flatMap((map) =>
    namesIn(valueAt(context, [map]), map),
  );
  const own: Record<string, string[]> = {};
  for (const agent of agentsIn(home.root)) {
    const memory = await documentAt(home, { in: "agent", agent, steps: [] });
    own[`agents.${agent}`] = ["preferences", "cache", "statistics"].flatMap((map) =>
      namesIn(valueAt(memory, [map]), `agents.${agent}.${map}`),
    );
  }
  return { context: shared, ...own };
}

function namesIn(value: unknown, at: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).map((name) =>
    name.includes(".") ? `/${at.replaceAll(".", "/")}/${name}` : `${at}.${name}`,
  );
}

/** JSON as it stands; what is none is a text. */
function valueOf(text: string): unknown {
  const parsed = parseJson(text);
  if (unfilledIn(parsed.ok ? parsed.value : text).length > 0)
    throw new Fault("invalid_input", msg("memory.unfilled"));
  if (parsed.ok) return parsed.value;
  if (!/^\s*[[{"]/.test(text)) return text;
  const [first] = parsed.findings;
  const problem = first?.text ?? msg("plan.none");
  throw new Fault("invalid_input", msg("memory.bad_value", { problem }), {
    hint: msg("memory.bad_value.hint"),
  });
}

function badPath(why: Message, code: "invalid_input" | "refused" = "invalid_input"): Fault {
  return new Fault(code, why, { hint: msg("memory.bad_path.hint") });
}
