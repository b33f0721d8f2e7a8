// What a step costs that does nothing of ours: the same SQLite is opened and one row committed, the file is
// read, one id in it replaced without looking at the rest, and written as durably. No sum, no check, no lock,
// nothing read of what the run is: below it no arrangement of our code goes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A program of plain CommonJS, which is given the state's file; returns its path. */
export function makeStepFloor(file: string, database: string): string {
  const lines = [
    `const fs = require("node:fs");`,
    `const [path, folder] = [process.argv[2], require("node:path").dirname(process.argv[2])];`,
    `const loaded = { exports: {} };`,
    `process.dlopen(loaded, ${JSON.stringify(native())});`,
    `const database = new loaded.exports.DatabaseSync(${JSON.stringify(database)});`,
    `database.exec("pragma journal_mode = wal; pragma synchronous = full");`,
    `database.exec("create table if not exists step (at text)");`,
    `const bytes = fs.readFileSync(path);`,
    `const at = bytes.indexOf('"last_updated": "') + 17;`,
    `const now = Buffer.from(new Date().toISOString());`,
    `const next = Buffer.concat([bytes.subarray(0, at), now, bytes.subarray(at + now.length)]);`,
    `const temporary = fs.openSync(path + ".tmp", "w");`,
    `fs.writeSync(temporary, next);`,
    `fs.fsyncSync(temporary);`,
    `fs.closeSync(temporary);`,
    `database.prepare("insert into step values (?)").run(String(now));`,
    `fs.renameSync(path + ".tmp", path);`,
    `const opened = fs.openSync(folder, "r");`,
    `fs.fsyncSync(opened);`,
    `fs.writeSync(1, "OK\\n");`,
    `process.exit();`,
  ];
  writeFileSync(file, lines.join("\n"));
  return file;
}

/** The native part of SQLite without the package around it, as the product loads it. */
function native(): string {
  const { platform, arch } = process;
  const folder = join(import.meta.dirname, "../node_modules/@photostructure/sqlite/prebuilds");
  return join(folder, `${platform}-${arch}`, "@photostructure+sqlite.glibc.node");
}
