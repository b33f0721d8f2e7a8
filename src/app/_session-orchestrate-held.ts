// orchestrate as a session meets it (S2.11), and what the session holds of it, for the hooks that ask before
// it rests (S6.4). They ask at every turn, so that nothing of what changes a run is loaded for them.
import { msg } from "../core/messages.ts";
import type { Asked, InSession } from "./in-session.ts";
import { ownerOf } from "./_session-orchestrate-owner.ts";
import { readRows, renew, unitOf } from "./_session-orchestrate-rows.ts";
import type { Context } from "./operation.ts";

export const orchestrate: InSession = {
  next: async (...asked) => (await calls()).next(...asked),
  report: async (...told) => (await calls()).report(...told),
  notDone: async (context, subject, asked = {}) => {
    const named = (await ownUnits(context, asked)).filter((id) => mentions(subject, id));
    return named.length === 0 ? null : msg("orchestrate.unreported", { ids: named.join(", ") });
  },
  more: async (context, asked = {}) => {
    const held = await ownUnits(context, asked);
    if (held.length === 0) return null;
    return msg("orchestrate.stop", { ids: held.slice(0, mostNamed).join(", ") });
  },
};

// --- internal ---

const mostNamed = 10;

const calls = async () => (await import("./_session-orchestrate.ts")).calls;

async function ownUnits(context: Context, { session }: Asked): Promise<string[]> {
  const store = await context.existingStore();
  const project = await store?.projectAt(context.project.root);
  if (store === undefined || project === undefined) return [];
  const rows = await readRows(store, project.id);
  const owner = ownerOf(session, context.env);
  await renew({ store, rows }, owner);
  const units = rows.held.map(unitOf);
  return units.flatMap(({ unit, holder }) => (holder?.session === owner.session ? [unit] : []));
}

function mentions(subject: string, id: string): boolean {
  const at = subject.indexOf(id);
  const after = subject.slice(at + id.length);
  // T1.1 is no part of T1.10, nor of T1.1.2.
  return at >= 0 && !/^(?:\d|\.\d|-\w)/.test(after) && !/[\w.-]$/.test(subject.slice(0, at));
}
