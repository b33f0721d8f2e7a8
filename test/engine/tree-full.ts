// On a small disk that is full: what a snapshot says, and what is left. `tree-full.mjs <disk>`
import { randomBytes } from "node:crypto";
import { appendFileSync, readdirSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/core/errors.ts";
import { isWhole, restoreTree, takeTree } from "../../src/git/snapshot.ts";
import { makeWorkspace, taskPlaces } from "../../src/git/workspace.ts";

const [disk = ""] = process.argv.slice(2);
const places = taskPlaces(join(disk, "home"), "task_1");
const { trees } = places;
await makeWorkspace(places, disk, { kind: "empty" });
writeFileSync(join(places.workspace, "a.txt"), "a");
const first = await takeTree({ trees, seq: 0, at: 0 });
writeFileSync(join(places.workspace, "large.bin"), randomBytes(300_000));
fill();
await told(takeTree({ trees, seq: 1, at: 0 }));
say(`whole ${String(await isWhole(trees, first.commit))}`);
await told(restoreTree(first.commit, { trees, seq: 1, at: 0 }));
say(
  `there ${readdirSync(places.workspace)
    .filter((name) => name !== ".git")
    .join(" ")}`,
);
const litter = readdirSync(trees.repository, { recursive: true, encoding: "utf8" });
say(`litter ${litter.filter((name) => /lock$|tmp_|crash|busy/.test(name)).join(" ")}`);
rmSync(join(disk, "filler"));
const { files } = await takeTree({ trees, seq: 1, at: 0 });
say(`files ${files}`);

// --- internal ---

function fill(): void {
  for (const size of [65_536, 4_096, 1])
    try {
      for (;;) appendFileSync(join(disk, "filler"), Buffer.alloc(size));
    } catch {
      // As full as pieces of this size make it.
    }
}

async function told(work: Promise<unknown>): Promise<void> {
  const cause: unknown = await work.then(
    () => "nothing",
    (thrown: unknown) => thrown,
  );
  say(cause instanceof Fault ? cause.text.key : String(cause));
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
