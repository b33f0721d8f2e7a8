// Which processes belong to a run (S1.10): the holder, the agent, whatever carries the tag, and
// all they started.
//
// Agents start tools in sessions of their own, so a process group is not enough; tools outlive
// their parents, so the tree is not enough; tools are started with an environment of their own,
// so the tag is not enough. Together, and with the sessions that one of them leads, they miss only
// a process that has left all four.
import { type ProcessIdentity, self } from "../os/identity.ts";
import { type ProcessRow, isGone, processes } from "../os/processes.ts";
import { agentOf, belongsTo, holderOf, isOfRun, runFolder } from "./run.ts";

export interface Tree {
  /** Living ones, parents before their children; never we ourselves. */
  readonly rows: readonly ProcessRow[];
  readonly holder: ProcessRow | undefined;
  /** Groups that lie wholly in the tree. */
  readonly groups: readonly number[];
}

/** A process found once stays found, also when it hides afterwards: pid → start time. */
export type Known = Map<number, string>;

export function treeOf(home: string, run: string, known: Known): Tree {
  const folder = runFolder(home, run);
  const all = processes.list().filter(mayBe);
  const byPid = new Map(all.map((row) => [row.pid, row]));
  const claimed = holderOf(folder);
  const rowOf = (identity: Claimed): ProcessRow | undefined => {
    const row = isHere(identity) ? byPid.get(identity.pid) : undefined;
    const same = isHere(identity) && row?.start === identity.start;
    return same && isOfRun(row, folder, claimed ?? "nobody") ? row : undefined;
  };
  const holder = rowOf(claimed);
  const roots = [holder, rowOf(agentOf(folder))];
  const found = all.filter(({ pid, start }) => known.get(pid) === start);
  const ours = new Map<number, ProcessRow>();
  for (const row of [...roots, ...found]) if (row !== undefined) ours.set(row.pid, row);
  addRelatives(all, ours);
  // The costly look comes last, and only at those younger than the holder.
  for (const row of all)
    if (!ours.has(row.pid) && !isOlder(row, claimed) && belongsTo(row.pid, home, run))
      ours.set(row.pid, row);
  addRelatives(all, ours);
  for (const { pid, start } of ours.values()) known.set(pid, start);
  return {
    rows: parentsFirst(ours),
    holder,
    // A session holds only its leader's descendants: one that is led by ours is all ours.
    groups: [
      ...new Set([...ours.values()].flatMap((row) => (ours.has(row.session) ? row.group : []))),
    ],
  };
}

/** Only if it is still the process we mean, which is asked right before. */
export function send(row: ProcessRow, signal: NodeJS.Signals): void {
  const now = processes.at(row.pid);
  if (now === undefined || now.start !== row.start || isGone(now)) return;
  kill(row.pid, signal);
}

/** To every process of the groups at once: reaches those that were forked since we looked. */
export function sendToGroups({ groups, rows }: Tree, signal: NodeJS.Signals): void {
  for (const group of groups) {
    const member = rows.find((row) => row.group === group);
    const now = member && processes.at(member.pid);
    // While a process of ours is in it, the group's number can be nobody else's.
    if (now && now.start === member.start && now.group === group) kill(-group, signal);
  }
}

// --- internal ---

/** Never the first process: minus its number would mean everybody. */
function mayBe(row: ProcessRow): boolean {
  return row.pid > 1 && row.group > 1 && row.pid !== process.pid && !isGone(row);
}

function kill(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Gone meanwhile, or not ours to signal: what comes of it is looked at, not believed.
  }
}

type Claimed = ReturnType<typeof holderOf>;

function isHere(identity: Claimed): identity is ProcessIdentity {
  if (identity === undefined || identity === "nobody") return false;
  const { boot, namespace } = self();
  return identity.boot === boot && identity.namespace === namespace;
}

/** It began before the run did. Where start times are no numbers, nothing is older. */
function isOlder({ start }: ProcessRow, claimed: Claimed): boolean {
  return isHere(claimed) && Number(start) < Number(claimed.start);
}

function addRelatives(all: readonly ProcessRow[], ours: Map<number, ProcessRow>): void {
  for (let before = -1; before !== ours.size;) {
    before = ours.size;
    for (const row of all)
      if (!ours.has(row.pid) && (ours.has(row.parent) || ours.has(row.session)))
        ours.set(row.pid, row);
  }
}

function parentsFirst(ours: ReadonlyMap<number, ProcessRow>): ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  const order: ProcessRow[] = [];
  for (const row of ours.values()) {
    const siblings = children.get(row.parent);
    if (!ours.has(row.parent)) order.push(row);
    else if (siblings) siblings.push(row);
    else children.set(row.parent, [row]);
  }
  for (let at = 0; at < order.length; at++)
    order.push(...(children.get(order[at]?.pid ?? 0) ?? []));
  // A table that is read while processes come and go may show a ring: none is forgotten for it.
  return order.length === ours.size ? order : [...ours.values()];
}
