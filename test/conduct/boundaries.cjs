// Loaded before the program itself (`node --require`): every step after which something is different on
// the disk has a name, and at those that it is told to, the process ends as by a power cut.
//   BOUNDARIES=<file>   names met so far, one a line: each is met once, in however many processes
//   KILLS=all | 3,17    which of them, counted from 1 over all of these processes
//
// A name must be the same when a killed step is tried again, or nothing would ever be over: numbers
// that are drawn anew are left out of it. What is named:
//   commit   each transaction, before it and after it, by the newest line of the journal
//   git      each command that writes, begun (it outlives us) and ended
//   agent    each process of an agent, and each command of the project, begun and ended
//   rename   each document put in its place; unlink, rm: each lock, tree and marker taken away
const fs = require("node:fs");
const path = require("node:path");
const { syncBuiltinESMExports } = require("node:module");
const children = require("node:child_process");

const file = process.env.BOUNDARIES;
const kills = process.env.KILLS ?? "";
delete process.env.BOUNDARIES;
delete process.env.KILLS;
const wanted = kills === "all" ? undefined : new Set(kills.split(",").map(Number));
const folder = path.dirname(file);
const { appendFileSync, readFileSync, readdirSync } = fs;
const met = new Set(fs.existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : []);
let newest = "";

function at(name) {
  const place = name
    .replaceAll(folder + path.sep, "")
    // A commit is another object each time, since its time is another.
    .replaceAll(/objects\/[0-9a-f]{2}\/[0-9a-f]{38}/g, "objects/#")
    .replaceAll(/(?<![0-9a-f])(?:[0-9a-f]{16}|[0-9a-f]{40})(?![0-9a-f])/g, "#")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d.:-]+Z/g, "#")
    .replaceAll("\n", " ");
  if (met.has(place)) return;
  met.add(place);
  appendFileSync(file, `${place}\n`);
  if (wanted === undefined || wanted.has(met.size)) process.kill(process.pid, "SIGKILL");
}

// --- the database ---

const lastLine =
  "select task_id, machine, entity_id, from_state, to_state, trigger from transition order by seq desc limit 1";
/** What is there, and what is still to be done: a commit may change these without a line. */
const standing = [
  "select name, count(*) from effect where done_at is null group by name",
  "select kind, status, count(*) from entity group by kind, status",
];

function watched(DatabaseSync) {
  return class extends DatabaseSync {
    prepare(sql) {
      const statement = super.prepare(sql);
      if (sql !== "commit") return statement;
      const run = statement.run.bind(statement);
      let looks;
      const value = (...values) => {
        let name = "commit";
        try {
          looks ??= [lastLine, ...standing].map((look) => super.prepare(look));
          const [line, ...rest] = looks.map((look) => look.all().map(Object.values).join(" "));
          newest = line;
          name = ["commit", newest, ...rest].join(" | ");
        } catch {
          // Another database: the index.
        }
        at(`before ${name}`);
        const done = run(...values);
        at(`after ${name}`);
        return done;
      };
      return Object.defineProperty(statement, "run", { value });
    }
  };
}

const dlopen = process.dlopen.bind(process);
process.dlopen = (module, ...rest) => {
  dlopen(module, ...rest);
  const { DatabaseSync } = module.exports;
  if (typeof DatabaseSync === "function")
    module.exports = { ...module.exports, DatabaseSync: watched(DatabaseSync) };
};

// --- processes ---

const writing =
  /^(?:add|commit-tree|fast-import|index-pack|init|merge|merge-tree|mktree|read-tree|unpack-objects|update-index|update-ref|worktree|write-tree)$/;

const { spawn } = children;
children.spawn = (program, words, options) => {
  const child = spawn(program, words, options);
  const name = nameOf(program, words, options?.cwd ?? "");
  if (name === undefined) return child;
  child.once("close", () => at(`ended ${name}`));
  at(`begun ${name}`);
  return child;
};

function nameOf(program, words, cwd) {
  if (program !== "git") return `process in ${cwd} after ${newest}`;
  const first = words.findIndex((word) => !word.startsWith("-"));
  if (!writing.test(words[first])) return undefined;
  return `git ${words.slice(first).join(" ")} in ${cwd} at ${heads(cwd)}`;
}

/** Where the branches stand: the same command at another moment is another step. */
function heads(cwd) {
  const below = `${cwd}/.git/refs/heads`;
  if (!fs.existsSync(below)) return "";
  return (
    readdirSync(below, { withFileTypes: true })
      // A lock has what is about to be there: a commit with another time at each try.
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".lock"))
      .map(({ name }) => readFileSync(`${below}/${name}`, "utf8").slice(0, 7))
      .join(" ")
  );
}

// --- files ---

const { renameSync, unlinkSync } = fs;
fs.renameSync = (from, to) => {
  // The same document at another moment is another step.
  at(`before rename ${String(to)} after ${newest}`);
  renameSync(from, to);
  at(`after rename ${String(to)} after ${newest}`);
};
fs.unlinkSync = (gone) => {
  if (String(gone).endsWith(".lock")) at(`before unlink ${String(gone)}`);
  unlinkSync(gone);
};
const { rm } = fs.promises;
fs.promises.rm = (gone, options) => {
  at(`before rm ${String(gone)}`);
  return rm(gone, options);
};
syncBuiltinESMExports();
