// The snapshots that hot calls start from (docs/adr/0012) fit one Node on one kind of processor. The build
// makes them for its own; in a package that was built elsewhere, `init` and `doctor --fix` do.
import { fileURLToPath } from "node:url";
import { type Message, msg } from "../../core/messages.ts";
import { fitStartSnapshots, makeStartSnapshots } from "../../os/start-snapshot.ts";
import { realDisk } from "../../store/disk.ts";
import { notice } from "./_doctor-lines.ts";
import type { Line } from "./doctor.ts";

/** What was done, if anything was to be done and could be. */
export async function prepareStart(done: "doctor.fixed.start" | "init.start"): Promise<Message[]> {
  const folder = startFolder();
  if (folder === undefined || (await fitStartSnapshots(folder))) return [];
  return (await makeStartSnapshots(folder)) === undefined ? [msg(done)] : [];
}

export async function checkStart(): Promise<Line[]> {
  const path = startFolder();
  if (path === undefined || (await fitStartSnapshots(path))) return [];
  return [notice("node", msg("doctor.start.none"), msg("doctor.start.hint", { path }))];
}

// --- internal ---

/** Beside the program; this code lies below. Undefined: it is run from its sources. */
function startFolder(): string | undefined {
  const folder = fileURLToPath(new URL("../start", import.meta.url));
  return realDisk.stamp(`${folder}/builder.cjs`) === null ? undefined : folder;
}
