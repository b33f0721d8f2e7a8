// What docs/reliability.md demands, line by line. It stands here and not in the tests: one that
// quietly does less is seen. A test answers with `figure(name, …)` of test/figures.ts.
import { formatNames } from "../src/formats/registry.ts";
import { kinds } from "../test/crash/kinds.ts";

export interface Demand {
  readonly figure: string;
  readonly what: string;
  readonly demanded: number;
  readonly file: string;
  /** Of the test alone; without it, the whole file. */
  readonly title?: string;
  /** A planted fault: a loss is what is wanted, or the test would prove nothing. */
  readonly planted?: true;
}

export interface Property {
  readonly title: string;
  readonly promise: string;
  readonly rows: readonly Demand[];
}

const contest = "test/crash/contest.test.ts";
const takeover = "test/crash/takeover.test.ts";
const processes = "test/store/processes.test.ts";
const power = "test/crash/power.test.ts";
const order = "test/crash/order.test.ts";
const answers = "test/engine/answers.test.ts";
const model = "test/crash/model.test.ts";
const fullDisk = "test/crash/full-disk.test.ts";
const gitTraps = "test/orchestrate/planted.test.ts";

// oxfmt-ignore
export const properties: readonly Property[] = [
  {
    title: "A process may die, or its disk fail, at any call",
    promise: "A library loaded before the process lets the n-th call that changes a file go wrong: the process is killed before it, a write is torn or short, the disk reports an error or has no room, once or from then on. Every n is tried. Afterwards another process must find the old state or the new one, whole, with everything that was acknowledged, file and journal in agreement, and no litter.",
    rows: [
      { figure: "kill.runs", what: "runs, each with one fault", demanded: 1500, file: "test/crash/kill.test.ts" },
    ],
  },
  {
    title: "Faults by the ten thousand",
    promise: "The same documents and a real database over a disk in memory that fails, tears, drops and reorders what was not synced. First every fault at every step of a write or a recovery; then several in a row, with a person's edits between and within the updates. Seen are faults that came, lost the cases that went wrong.",
    rows: [
      { figure: "model.stories", what: "one fault at each step, and a second within its recovery", demanded: 20_000, file: model, title: "any fault" },
      { figure: "model.tales", what: "several faults in a row", demanded: 3500, file: model, title: "several faults" },
    ],
  },
  {
    title: "Damage is noticed",
    promise: "The document of each format's example, cut off at every byte and with 20,000 times one or several bits flipped. It is put back from what is known, and the damaged one kept; or it differs only where a person may change it, and then it is journaled and told as a person's edit. Lost would be one that nobody noticed.",
    rows: formatNames.map((name): Demand => ({ figure: `damage.${name}`, what: `\`${name}\`: cuts and flips`, demanded: 20_000, file: "test/store/damage", title: `${name}:` })),
  },
  {
    title: "Many processes may write at once",
    promise: "Eight processes count in one document, or in several that change together, of each kind: JSON and YAML, open and strict. The YAML file is a person's, and its comments must still be there. Then the same while processes are killed all the time and others take their place. A count is lost if it was acknowledged and is not found.",
    rows: [
      ...kinds.flatMap((kind): Demand[] => [
        { figure: `contest.updates.${kind}`, what: `${nameOf(kind)}: updates`, demanded: 2000, file: contest, title: `${kind} S5.2 of` },
        { figure: `contest.kills.${kind}`, what: `${nameOf(kind)}: processes killed`, demanded: 100, file: contest, title: `${kind} S5.2 nor` },
      ]),
      { figure: "processes.updates", what: "a row of the database: updates", demanded: 2000, file: processes, title: "updates of one row" },
      { figure: "processes.kills", what: "a row of the database: processes killed", demanded: 100, file: processes, title: "is there, once" },
      { figure: "processes.slow", what: "a row of the database, on a slow disk: updates", demanded: 200, file: processes, title: "have their turn" },
      { figure: "processes.schema", what: "a new database, opened by eight at once", demanded: 20, file: processes, title: "make one schema" },
    ],
  },
  {
    title: "A lock is taken over from the dead, and never held twice",
    promise: "A killed holder is replaced within a second; a stopped one after a second, and what it wanted to write is refused when it wakes. Scripts that follow the sources' rule and Holdfast keep each other out.",
    rows: [
      { figure: "takeover.stale", what: "rounds of eight for the lock of a dead process", demanded: 60, file: takeover, title: "contenders" },
      { figure: "takeover.stopped", what: "steps of an update at which its process is stopped", demanded: 16, file: takeover, title: "at any step" },
      { figure: "takeover.fenced", what: "a stopped holder, fenced", demanded: 1, file: takeover, title: "fenced" },
      { figure: "takeover.killed", what: "a killed holder, replaced", demanded: 1, file: takeover, title: "fenced" },
      { figure: "takeover.script", what: "a shell script and Holdfast", demanded: 2, file: takeover, title: "shell script" },
    ],
  },
  {
    title: "A disk may be full",
    promise: "At each of 50 fill levels a process that is running, and one that starts, either succeeds or says that the disk is full. Nothing is lost, there is no litter, and both go on once there is room.",
    rows: [
      { figure: "full-disk.tmpfs", what: "a disk in memory: levels, running and starting", demanded: 100, file: fullDisk, title: "tmpfs" },
      { figure: "full-disk.ext4", what: "ext4: levels, running and starting", demanded: 100, file: fullDisk, title: "ext4" },
    ],
  },
  {
    title: "The power may be cut",
    promise: "ext4 is shut down under a writer without writing its journal; what had reached the disk by then is mounted and read by another process. The writer is seen stopped first: a sync that is on its way while the file system goes down may report success although it came too late, which no power cut can do. Beside it run a control that must lose nothing and a fault that must lose something. Seen and lost are cuts.",
    rows: [
      { figure: "power.documents", what: "documents, kind after kind", demanded: 200, file: power, title: "no file is ever half" },
      { figure: "power.database", what: "a row of the database", demanded: 200, file: power, title: "change of the database" },
      { figure: "power.control", what: "control: lines appended and synced", demanded: 200, file: power, title: "control" },
      { figure: "power.nosync", what: "planted: syncs that do nothing", demanded: 200, file: power, title: "syncs do nothing", planted: true },
    ],
  },
  {
    title: "The steps of a write have an order",
    promise: "What must wait for a sync is seen to wait for it, on a disk that is slow on purpose.",
    rows: [
      { figure: "order.steps", what: "steps of an update, in order", demanded: 8, file: order, title: "its folder is" },
      { figure: "order.lock", what: "a lock that appears at the last moment", demanded: 1, file: order, title: "last moment" },
      { figure: "order.database", what: "changes of the database, each with its sync", demanded: 25, file: order, title: "sync of its own" },
    ],
  },
  {
    title: "The engine goes on where it was",
    promise: "Servers and agents are real processes. A server is killed at any moment, everything dies at once, people answer and approve from several processes, agents meet a limit together, one floods its output. No line of an agent is lost or counted twice, no answer is acted on twice, no second process is started.",
    rows: [
      { figure: "kills of the server", what: "kills of the server", demanded: 200, file: "test/engine/kill.test.ts" },
      { figure: "reboots", what: "times everything dies at once", demanded: 40, file: "test/engine/reboot.test.ts" },
      { figure: "answers around a death", what: "answers to an agent that dies around them", demanded: 60, file: answers, title: "acted on once" },
      { figure: "approvals at once", what: "approvals from two processes at once", demanded: 40, file: answers, title: "two approvals" },
      { figure: "commands of several processes", what: "commands from several processes", demanded: 2400, file: "test/engine/hands.test.ts" },
      { figure: "agents at a limit", what: "agents that meet a limit together, twice", demanded: 50, file: "test/engine/limits.test.ts" },
      { figure: "flood of one agent", what: "megabytes from one agent", demanded: 1024, file: "test/engine/flood.test.ts" },
      { figure: "tasks worked off", what: "tasks on 50 slots", demanded: 1000, file: "test/engine/load.test.ts" },
    ],
  },
  {
    title: "A run goes on where it was",
    promise: "A plan and a request carry themselves out, with real agents and real git. The program is killed at each boundary in turn: before and after each commit, with each git command that writes begun and ended, with each agent and command begun and ended, before and after each document takes its place, before each lock, tree and marker goes. A person resumes it each time. Its documents, files and history are those of a run that nobody killed, but for times and ids; no agent was started twice; no process, tree or lock is left. Seen are kills, lost what differed.",
    rows: [
      { figure: "boundaries of a plan", what: "kills of a plan, at every boundary", demanded: 450, file: "test/plan/headless.test.ts" },
      { figure: "boundaries of a request", what: "kills of a request, at every boundary", demanded: 900, file: "test/request/headless.test.ts" },
    ],
  },
  {
    title: "A marker is read as it was written",
    promise: "Generated outputs, cut anywhere, with true markers and what only looks like one, against a second parser written from the rules alone. Lost is a marker that was forged, missed or swallowed.",
    rows: [
      { figure: "outputs read", what: "generated outputs", demanded: 300_000, file: "test/protocol/fuzz.test.ts" },
    ],
  },
  {
    title: "An agent is held, whole, or gone, whole",
    promise: "Five kinds of agent, three ways the server was started: frozen (seen still, within 250 ms), thawed, ended, ended while frozen, tools in sessions of their own included. Trees of processes that hide; numbers that the kernel gave to a stranger meanwhile.",
    rows: [
      { figure: "agents frozen and ended", what: "agents frozen, thawed and ended", demanded: 60, file: "test/chaos/freeze.test.ts", title: "sixty" },
      { figure: "trees ended", what: "trees ended, without a survivor", demanded: 100, file: "test/chaos/trees.test.ts", title: "trees, ended" },
      { figure: "numbers reused", what: "numbers given to a stranger, who is left alone", demanded: 50, file: "test/chaos/pid-reuse.test.ts" },
    ],
  },
  {
    title: "What an agent plants in its repository does not run",
    promise: "Hooks, filters, drivers, monitors, aliases, helpers, addresses that are commands, names that are options, a .git that is elsewhere: each goes off with plain git. Planted in the clones of a plan's tasks, and committed into a project whose own configuration would run them, while the work is snapshotted, merged, tested and landed. Lost would be one that ran.",
    rows: [
      { figure: "git.run", what: "ways, while a plan is carried out by itself", demanded: 25, file: gitTraps, title: "carried out" },
      { figure: "git.sessions", what: "ways, while sessions work through it", demanded: 25, file: gitTraps, title: "by sessions" },
    ],
  },
  {
    title: "The tests find what they are for",
    promise: "Faults that others have shipped are planted into a copy of the sources, one at a time. Seen are the tests of the ordinary suite that must find it, lost those that turned red.",
    rows: [
      planted("no-folder-sync", "the folder is not synced after a rename"),
      planted("rename-before-sync", "the file is renamed before it is synced"),
      planted("ignored-byte-count", "a short write counts as a whole one"),
      planted("no-checksum", "a changed file is not noticed"),
      planted("exists-then-create", "a lock is looked for, then created"),
      planted("not-fenced", "a holder that lost its lock still writes"),
      planted("begin-deferred", "BEGIN DEFERRED instead of IMMEDIATE"),
      planted("synchronous-normal", "synchronous=NORMAL instead of FULL"),
    ],
  },
];

// --- internal ---

function nameOf(kind: string): string {
  return kind === "several" ? "three documents in one change" : `\`${kind}\``;
}

function planted(name: string, what: string): Demand {
  const file = "test/crash/planted";
  return { figure: `planted.${name}`, what, demanded: 1, file, title: name, planted: true };
}
