// Objects from one repository to another as one pack through a pipe: no address, no upload-pack, no
// transport, so that neither side's configuration has a say in it.
import { type GitPlace, pipeGit } from "./git.ts";

/** `wanted`: what `rev-list` would take, a line each; `^id` leaves out what the other side has. */
export async function bringObjects(
  from: GitPlace,
  wanted: readonly string[],
  to: GitPlace,
): Promise<void> {
  await pipeGit(
    {
      args: packed,
      options: { ...from, input: `${wanted.join("\n")}\n`, seconds: hour },
    },
    { args: ["index-pack", "--stdin"], options: { ...to, seconds: hour } },
  );
}

export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

// --- internal ---

/** Of a partial clone what is there: nobody is asked for the rest, which is of older commits. */
const packed = [
  "pack-objects",
  "--revs",
  "--stdout",
  "-q",
  "--delta-base-offset",
  "--missing=allow-promisor",
];

/** Of a large project; a process that hangs is not what a limit of minutes should decide. */
const hour = 3_600;
