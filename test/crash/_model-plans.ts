// What is tried: stories, of which every step meets every fault, and seeded tales, in which
// anything may follow anything.
import type { Store } from "../../src/store/database/store.ts";
import { type Act, Case, type Doing } from "./_model-case.ts";
import type { ModelFormat } from "./_model-documents.ts";
import type { Accident } from "./_model-machine.ts";
import type { FaultKind } from "./faulty-disk.ts";
import type { CutMode } from "./memory-disk.ts";
import { seeded } from "./programs.ts";

export type Scene = readonly [Act, Doing?];

export interface Plan {
  readonly title: string;
  readonly formats: readonly ModelFormat[];
  readonly scenes: readonly Scene[];
  readonly seed: number;
}

interface Story {
  readonly title: string;
  /** What went before. */
  readonly past: readonly Scene[];
  /** What meets the faults. */
  readonly act: Act;
  /** By a process that has read the document before. */
  readonly knows?: true;
}

const modes: readonly CutMode[] = ["first", "any"];
/** Seeds of each power cut. */
const cutsEach = 4;

export function modeOf(random: (below: number) => number): CutMode {
  return oneOf(modes, random);
}

export async function storyPlans(store: Store): Promise<Plan[]> {
  const plans: Plan[] = [];
  for (const story of stories)
    for (const name of story.act === "both" ? ["both"] : ["json", "yaml"])
      plans.push(...(await plansOf(story, name, store)));
  return plans;
}

/** The same for each seed. */
export function talePlan(seed: number): Plan {
  const random = seeded(seed * 7919);
  const name = oneOf(Object.keys(formats), random);
  const scenes: Scene[] = [["both"]];
  for (let more = 2 + random(4); more > 0; more--) scenes.push(anyScene(random));
  const told = scenes.map(([act, doing]) => (doing ? `${act} (${labelOf(doing)})` : act));
  return {
    title: `tale ${seed}, ${name}: ${told.join(", ")}`,
    formats: formats[name] ?? [],
    scenes,
    seed,
  };
}

// --- internal ---

const formats: Readonly<Record<string, readonly ModelFormat[]>> = {
  json: ["shared-context"],
  yaml: ["develop-state"],
  both: ["shared-context", "develop-state"],
};

const at = (step: string, kind: FaultKind): Doing => ({ accident: { at: step, kind } });
const updated: Scene = ["update"];
/** Committed, and nothing more. */
const dies = at("commit", "die_after");
const diesUnsynced = at("syncFolder", "die_before");
/** Committed, and told as failed. */
const unheard: Doing = { accident: { at: "commit", kind: "EIO_within", sticky: true } };

// oxfmt-ignore
const stories: readonly Story[] = [
  { title: "the first write",                act: "update", past: [] },
  { title: "an update",                      act: "update", past: [updated, updated] },
  { title: "a removal",                      act: "remove", past: [updated, updated] },
  { title: "anew after a removal",           act: "update", past: [updated, ["remove"]] },
  { title: "two new files",                  act: "both",   past: [] },
  { title: "two files",                      act: "both",   past: [["both"]] },
  // Recovery, itself interrupted.
  { title: "after a death before the commit", act: "update", past: [updated, ["update", at("commit", "die_before")]] },
  { title: "rolled forward, a first write",  act: "read",   past: [["update", dies]] },
  { title: "rolled forward, an update",      act: "read",   past: [updated, ["update", dies]] },
  { title: "rolled forward by an update",    act: "update", past: [updated, ["update", dies]] },
  { title: "rolled forward, a removal",      act: "read",   past: [updated, ["remove", dies]] },
  { title: "after a removal was rolled forward", act: "update", past: [updated, ["remove", dies], ["read"]] },
  { title: "rolled forward, two files",      act: "both",   past: [["both"], ["both", dies]] },
  { title: "after an unsynced rename",       act: "update", past: [updated, ["update", diesUnsynced]] },
  { title: "after an unsynced rename was read", act: "update", past: [updated, ["update", diesUnsynced]], knows: true },
  { title: "after an unsynced removal",      act: "update", past: [updated, ["remove", diesUnsynced]] },
  { title: "after a failed sync",            act: "update", past: [updated, ["update", at("sync", "EIO_within")]] },
  { title: "after a failed sync of the folder", act: "update", past: [updated, ["update", at("syncFolder", "EIO")]] },
  // Somebody else's hand.
  { title: "edited",                         act: "update", past: [updated, updated, ["edit"]] },
  { title: "edited by a rename",             act: "read",   past: [updated, updated, ["move"]] },
  { title: "edited after a reboot",          act: "update", past: [updated, updated, ["cut"], ["edit"]] },
  { title: "edited before the dead one's rename", act: "read", past: [updated, ["update", dies], ["edit"]] },
  { title: "edited after the dead one's rename", act: "read", past: [updated, ["update", at("rename", "die_after")], ["edit"]] },
  { title: "one of two edited before the dead one's rename", act: "both", past: [["both"], ["both", dies], ["edit"]] },
  { title: "one of two edited after a commit of unknown end", act: "both", past: [["both"], ["both", unheard], ["edit"]] },
  { title: "meddled with",                   act: "read",   past: [updated, ["meddle"]] },
  { title: "garbled",                        act: "update", past: [updated, ["garble"]] },
  { title: "a lost row",                     act: "read",   past: [updated, updated, ["forget"]] },
  { title: "a lost row, garbled",            act: "read",   past: [updated, updated, ["ruin"]] },
];

async function plansOf({ title, past, act, knows }: Story, name: string, store: Store) {
  const kinds = formats[name] ?? [];
  const known: Doing = knows ? { knows } : {};
  const steps = await stepsOf([...past, [act, known]], kinds, store);
  const plans: Plan[] = [];
  const random = seeded(2026);
  for (const [place, step] of [...steps, ""].entries())
    for (const doing of faultsAt(place + 1, step)) {
      const label = `${title}, ${name}, ${step}, ${labelOf(doing)}`;
      const scenes: Scene[] = [...past, [act, { ...doing, ...known }]];
      const { power } = doing.accident ?? {};
      for (let seed = 1; seed <= (power ? cutsEach : 1); seed++)
        plans.push({ title: `${label}, seed ${seed}`, formats: kinds, scenes, seed });
      if (power) continue;
      // Two faults in a row: the process fails or dies, and before anyone looks the power goes.
      const cut: Scene = ["cut", { mode: modeOf(random) }];
      plans.push({
        title: `${label}, then a power cut`,
        formats: kinds,
        scenes: [...scenes, cut],
        seed: place,
      });
    }
  return plans;
}

/** Of the last scene. What goes wrong here, the case without a fault tells. */
async function stepsOf(scenes: readonly Scene[], kinds: readonly ModelFormat[], store: Store) {
  const dry = new Case(store, kinds, seeded(1));
  try {
    for (const scene of scenes) await dry.act(...scene);
  } catch {
    // As said above.
  }
  return dry.steps;
}

function* faultsAt(place: number, step: string): Generator<Doing> {
  if (step === "") yield {};
  if (step === "") return;
  // Only what has halves can break off between them.
  const deaths: FaultKind[] = ["die_before", "die_after"];
  const errors: FaultKind[] = ["EIO", "ENOSPC"];
  if (step === "create") deaths.push("die_within");
  if (step === "create") errors.push("ENOSPC_within");
  if (step === "sync" || step === "commit") errors.push("EIO_within");
  for (const kind of deaths) {
    yield { accident: { at: place, kind } };
    for (const power of modes) yield { accident: { at: place, kind, power } };
  }
  for (const kind of errors)
    for (const sticky of kind.endsWith("within") ? [false] : [false, true])
      for (const goesOn of [false, true]) yield { accident: { at: place, kind, sticky }, goesOn };
}

const byHand: readonly Act[] = ["edit", "move", "meddle", "garble"];
// oxfmt-ignore
const acts: readonly Act[] = [
  "update", "update", "update", "update", "both", "both", "remove", "read", "read", "cut", ...byHand,
];
// oxfmt-ignore
const faultKinds: readonly FaultKind[] = [
  "die_before", "die_within", "die_after", "EIO", "EIO_within", "ENOSPC", "ENOSPC_within",
];
/** An update has twelve steps, with a recovery some twenty. */
const mostSteps = 16;

/** Two of three have a fault, though it may come too late; one of six a person who edits meanwhile. */
function anyScene(random: (below: number) => number): Scene {
  const act = oneOf(acts, random);
  if (act === "cut") return [act, { mode: modeOf(random) }];
  if (byHand.includes(act)) return [act];
  const kind = oneOf(faultKinds, random);
  const isDeath = kind.startsWith("die");
  const accident: Accident = {
    at: 1 + random(mostSteps),
    kind,
    sticky: !isDeath && random(4) === 0,
    ...(isDeath && random(2) === 0 && { power: modeOf(random) }),
  };
  return [
    act,
    {
      ...(random(3) > 0 && { accident }),
      ...(random(6) === 0 && { editAt: 1 + random(mostSteps) }),
      goesOn: random(3) === 0,
      knows: random(3) === 0,
    },
  ];
}

function labelOf({ accident, mode, editAt, knows, goesOn }: Doing): string {
  const words = [
    accident && `${accident.kind} at ${accident.at}`,
    accident?.sticky && "for good",
    accident?.power && `power cut (${accident.power})`,
    mode,
    knows && "has read it",
    goesOn && "goes on",
    editAt !== undefined && `edited at ${editAt}`,
  ];
  return words.filter(Boolean).join(", ") || "no fault";
}

function oneOf<T>(list: readonly T[], random: (below: number) => number): T {
  return list[random(list.length)] as T;
}
