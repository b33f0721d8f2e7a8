// What a call costs that does nothing of ours: the same compiled code is read and made ready but not run,
// the same file is parsed, the same SQLite opened and asked. Below it no arrangement of our code goes.
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { native } from "./orchestrate-floor.ts";

export interface Floor {
  /** The packs of the command line that are read. */
  readonly packs: readonly string[];
  readonly state: string;
  readonly database?: string;
}

/** A program of plain CommonJS; returns its path. */
export function makeFloor(file: string, dist: string, { packs, state, database }: Floor): string {
  const paths = packs.map((name) => join(dist, "packs", name));
  const lines = [
    `const { readFileSync, writeSync } = require("node:fs");`,
    `const { Script } = require("node:vm");`,
    `for (const path of ${JSON.stringify(paths)}) {`,
    `  const cachedData = readFileSync(path + ".cache");`,
    `  const script = new Script(readFileSync(path + ".cjs", "latin1"), { cachedData });`,
    `  if (script.cachedDataRejected) throw new Error("made by another Node: build again");`,
    `  script.runInThisContext();`,
    `}`,
    `const found = [JSON.parse(readFileSync(${JSON.stringify(state)}, "utf8")).project];`,
    ...(database === undefined ? [] : asking(database)),
    `writeSync(1, found.join(" ") + "\\n");`,
  ];
  writeFileSync(file, lines.join("\n"));
  return file;
}

/** How much is read for it. */
export function kibOf(dist: string, packs: readonly string[]): number {
  const files = packs.flatMap((name) => [`${name}.cjs`, `${name}.cache`]);
  const bytes = files.map((name) => statSync(join(dist, "packs", name)).size);
  return Math.round(bytes.reduce((sum, size) => sum + size, 0) / 1024);
}

// --- internal ---

/** The native part without the package around it, as the product loads it. */
function asking(database: string): string[] {
  return [
    `const loaded = { exports: {} };`,
    `process.dlopen(loaded, ${JSON.stringify(native())});`,
    `const database = new loaded.exports.DatabaseSync(${JSON.stringify(database)});`,
    `database.exec("pragma journal_mode = wal");`,
    `found.push(...database.prepare("select * from task").all().map(({ id }) => id));`,
    `database.close();`,
  ];
}
