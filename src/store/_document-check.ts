// Checks a new version of a document by what has changed (S3.4). The version before was valid, and
// what both share is the same object: only the rest needs a look. A schema says nothing about one
// part because of another (a test holds the schemas to that); the rules across parts do, so that
// formats with rules are looked at whole unless it is written here when their rules still hold.
import { unitStatuses } from "../core/vocabulary.ts";
import type { Finding } from "../formats/format.ts";
import { between, sharedEnds } from "../formats/frozen.ts";
import type { OrchestrateState } from "../formats/orchestrate-state.ts";
import type { FormatName } from "../formats/registry.ts";
import type { Ref } from "./_document.ts";

/** What is not larger is left as it is: a small object may have fields that it must have, */
const small = 64;
/** and a list may be held to so many items. */
export const short = 20;

/** The first error of `after`, a version made from the valid `before`. */
export function checkChange(
  { format, codec }: Pick<Ref, "format" | "codec">,
  before: unknown,
  after: unknown,
): Finding | undefined {
  if (after === before) return undefined;
  const holds = codec.format.rules === undefined ? () => true : rulesStillHold[format];
  if (before !== undefined && holds !== undefined)
    if (codec.fits(changedPart(before, after)) && holds(before, after)) return undefined;
  return codec.check(after).find(isError);
}

// --- internal ---

const isError = ({ level }: Finding): boolean => level === "error";

/** Asked only once the changed parts have passed the schema. */
const rulesStillHold: Partial<Record<FormatName, (before: unknown, after: unknown) => boolean>> = {
  "orchestrate-state": (before, after) =>
    unitsStay(before as OrchestrateState, after as OrchestrateState),
};

/** No dependency has changed, and what they name is still there. */
function unitsStay(before: OrchestrateState, after: OrchestrateState): boolean {
  if (before.dependencies !== after.dependencies) return false;
  const [were, are] = [before.checkpoints, after.checkpoints];
  const stays = (key: string): boolean => {
    const tasks = were[key]?.tasks;
    return !tasks || are[key]?.tasks === tasks;
  };
  if (!Object.keys(were).every((key) => were[key] === are[key] || stays(key))) return false;
  const gone: string[] = [];
  const come = new Set<string>();
  for (const list of unitStatuses) {
    const [was, is] = [before.tasks[list], after.tasks[list]];
    if (was === is) continue;
    const shared = sharedEnds(was, is);
    gone.push(...between(was, shared));
    for (const id of between(is, shared)) come.add(id);
  }
  return gone.every((id) => come.has(id));
}

/** A document like `after`, without most of what it shares with `before`. */
function changedPart(before: unknown, after: unknown): unknown {
  if (typeof after !== "object" || after === null) return after;
  if (Array.isArray(after)) {
    if (after.length <= short || !Array.isArray(before)) return after;
    const part = between<unknown>(after, sharedEnds(before, after));
    // Not so short that it would pass where the whole is too long.
    const more = Math.max(0, short + 1 - part.length);
    return [...part, ...between<unknown>(after, { begin: 0, end: after.length - more })];
  }
  if (after === before) return isSmall(after) ? after : {};
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const keys = Object.keys(after);
  const looked = keys.length <= small ? keys : keys.filter((key) => is[key] !== was[key]);
  const part: Record<string, unknown> = {};
  for (const key of looked) {
    if (key === "__proto__") return after;
    part[key] = changedPart(was[key], is[key]);
  }
  return part;
}

/** Of objects that stay from version to version: counting the keys of a large one takes its time. */
const sizes = new WeakMap<object, number>();

function isSmall(value: object): boolean {
  let size = sizes.get(value);
  if (size === undefined) {
    size = Object.keys(value).length;
    sizes.set(value, size);
  }
  return size <= small;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
