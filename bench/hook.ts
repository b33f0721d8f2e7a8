// Job 6: a call from a hook, which an agent makes at every turn: the hooks of the plugin themselves, as
// an agent's program runs them, shell and all. The limit is a process of the same Node that does nothing at all; what
// is paid on top is loading, reading, and writing durably.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCodec } from "../src/formats/codec.ts";
import { openSqlite } from "../src/store/database/sqlite.ts";
import { compare, demand } from "./harness.ts";
import { call, environment, starter, told } from "./program.ts";
import { makeState, makeTasks } from "./samples.ts";
import { cache } from "./shim.ts";

const job = "hook";
/** As many as in orchestrate.ts, for the same reason. */
const rounds = 150;
const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const program = join(dist, "cli.cjs");

export async function bench(): Promise<void> {
  if (!existsSync(starter))
    throw new Error(`${job}: dist/holdfast is not built; npm run bench builds it`);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "bench-hook-"));
  try {
    const plan = await Plan.make(folder, 100);
    countModules(plan);
    await fillDatabase(plan);
    const [empty, emptyModule] = [join(folder, "empty.cjs"), join(folder, "empty.mjs")];
    for (const path of [empty, emptyModule]) writeFileSync(path, "");
    const status = ["status", "--cwd", plan.root];
    const done = await compare({
      job,
      rounds,
      measure: "children",
      contenders: [
        { name: "node -e 0", run: () => call(["-e", "0"], plan.home) },
        { name: "an empty CommonJS file", run: () => call([empty], plan.home) === "" },
        { name: "an empty ES module", run: () => call([emptyModule], plan.home) === "" },
        {
          name: "status",
          run: () => says(told(status, join(folder, "nobody")), "orchestrate  bench"),
        },
        {
          name: "status with a database",
          run: () => says(told(status, plan.home), "task_0000000000000009"),
        },
        {
          name: "hook SessionStart",
          run: () =>
            says(hooked("SessionStart", plan, join(folder, "nobody")), "additionalContext"),
        },
        {
          name: "hook SessionStart with a database",
          run: () => says(hooked("SessionStart", plan, plan.home), "task_0000000000000003"),
        },
        {
          name: "hook PreToolUse",
          run: () => hooked("PreToolUse", plan, plan.home) === "",
        },
        {
          name: "hook Stop",
          run: () => hooked("Stop", plan, plan.home) === "",
        },
        {
          name: "hook PreCompact, durable",
          run: () => hooked("PreCompact", plan, plan.home) === "",
        },
      ],
      // Each says whether it has done its work.
      equal: ([, ...results]) => results.every((result) => result === true),
    });
    for (const [name, limit] of [
      ["hook PreToolUse", 1.15],
      ["status", 1.15],
      ["hook SessionStart", 1.15],
      // Units are in progress there: whether they are this session's, the database says.
      ["hook Stop", 1.3],
      ["status with a database", 1.3],
      ["hook SessionStart with a database", 1.3],
      ["hook PreCompact, durable", 1.3],
    ] as const)
      demand(job, `${name}, times node -e 0`, done.ratio(name, "node -e 0"), limit);
    countRecords(plan, await records(plan));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// --- internal ---

function says(text: string, part: string): boolean {
  if (text.includes(part)) return true;
  throw new Error(`${job}: “${part}” is not in: ${text}`);
}

/** One hook of the plugin, as an agent's program calls it; `holdfast` is found as it is installed. */
function hooked(event: string, plan: Plan, home: string): string {
  const input = {
    session_id: "bench",
    cwd: plan.root,
    hook_event_name: event,
    source: "compact",
    trigger: "auto",
    stop_hook_active: false,
    tool_name: "Write",
    tool_input: { file_path: join(plan.root, "src/index.ts"), content: "export {};\n" },
  };
  const { PATH = "", ...env } = environment(home);
  const child = spawnSync("sh", [join(root, "plugin/hooks/holdfast.sh"), event], {
    input: JSON.stringify(input),
    encoding: "utf8",
    env: { ...env, PATH: `${dist}:${PATH}` },
    cwd: plan.root,
  });
  // A hook fails open: what went wrong stands on standard error, and must not be taken for fast.
  if (child.status !== 0 || child.stderr !== "") throw new Error(`${event}: ${child.stderr}`);
  return child.stdout;
}

async function records({ home }: Plan): Promise<number> {
  const store = await openSqlite(join(home, "holdfast.db"));
  const rows = await store.transitions({ machine: "project" });
  await store.close();
  return rows.filter(({ trigger }) => trigger === "PreCompact").length;
}

/** Each call of the durable hook is in the journal: one for each round, and the one that warms up. */
function countRecords({ home }: Plan, found: number): void {
  demand(
    job,
    `PreCompact lines in the journal of ${home.split("/").at(-1)}`,
    found,
    rounds + 1,
    "min",
  );
}

/** A project with a plan half done, and a home of its own. */
class Plan {
  readonly root: string;
  readonly home: string;
  readonly #file: string;

  private constructor(folder: string, size: number) {
    this.root = join(folder, `project-${size}`);
    this.home = join(folder, `home-${size}`);
    this.#file = join(this.root, ".claude/orchestrate-state.json");
  }

  static async make(folder: string, size: number): Promise<Plan> {
    const plan = new Plan(folder, size);
    mkdirSync(join(plan.root, ".claude"), { recursive: true });
    // Its own project, whatever lies above it.
    mkdirSync(join(plan.root, ".git"));
    writeFileSync(join(plan.root, ".git", "HEAD"), "ref: refs/heads/main\n");
    writeFileSync(plan.#file, (await loadCodec("orchestrate-state")).print(makeState(size)));
    return plan;
  }
}

/** With tasks of the project, so that there is something to read. */
async function fillDatabase({ root: folder, home }: Plan): Promise<void> {
  const store = await openSqlite(join(home, "holdfast.db"));
  const createdAt = "2026-01-02T03:04:05.678Z";
  await store.commit({
    projects: [{ id: "p", root: folder, hash: "h", createdAt }],
    tasks: makeTasks(10),
  });
  await store.close();
}

/** A counter first: it can not be noisy. */
function countModules(plan: Plan): void {
  const coverage = join(plan.root, "..", "coverage");
  const child = spawnSync(process.execPath, [program, "status", "--cwd", plan.root], {
    encoding: "utf8",
    env: { ...environment(plan.home), NODE_V8_COVERAGE: coverage },
  });
  if (child.status !== 0) throw new Error(child.stderr);
  const text = readdirSync(coverage)
    .map((name) => readFileSync(join(coverage, name), "utf8"))
    .join("");
  const loaded = [...text.matchAll(/"url":"file:[^"]*\/dist\/([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  const sources = [...loaded, "start/look.js"].map((name) =>
    readFileSync(join(dist, name), "utf8"),
  );
  const bytes = sources.reduce((sum, source) => sum + source.length, 0);
  console.log(`\n${job}: status loads ${loaded.length} files, ${Math.round(bytes / 1024)} KiB`);
  demand(job, "some, or nothing was counted", loaded.length, 1, "min");
  const found = (word: RegExp): number => sources.filter((source) => word.test(source)).length;
  demand(job, "of them with zod", found(/ZodType/), 0);
  demand(job, "of them with the YAML parser", found(/YAMLParseError/), 0);
}
