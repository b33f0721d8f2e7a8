// The calls of the command line that are to be cheap: what agents' hooks call, and a look at the project.
// Made for the build by calling them, in a project for each workflow.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { importTs } from "../run-ts.mjs";

const root = resolve(import.meta.dirname, "../..");
const states = {
  plan: ".claude/memory/task-state.json",
  request: ".claude/orchestrator/sessions",
  develop: ".develop-workflow/state.yaml",
};
const state = ".claude/orchestrate-state.json";
const seeds = join(root, "test", "fixtures", "seeds", "full");

/**
 * Hands `work` groups of calls (parts.cjs): those that look, the steps of a run, what looking takes in
 * some projects only, and what every other call takes. The projects and the home they speak of are gone afterwards.
 */
export async function withHotCalls(work) {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-calls-"));
  try {
    const none = join(folder, "none");
    const project = (name, files) => makeProject(join(folder, name), files);
    const orchestrate = project("orchestrate", state);
    // As Holdfast has written it, and as somebody else has: that takes a codec.
    const ours = project("ours", state);
    const written = JSON.parse(readFileSync(join(ours, state), "utf8"));
    writeFileSync(join(ours, state), `${JSON.stringify(written, null, 2)}\n`);
    const home = await makeHome(join(folder, "home"), ours);
    const both = (at) => [hook("SessionStart", at), ...looks(at)];
    // Without a database they have nothing to do.
    const events = ["PreCompact", "SessionEnd", "Stop"].map((event) => hook(event, ours));
    const version = { words: ["--version"] };
    await work({
      look: [group(none, both(ours)), group(home, [...both(ours), ...events])],
      step: orchestrateGroups(folder, home),
      rest: [
        group(home, both(ours), "ko_KR.UTF-8"),
        group(none, [...both(orchestrate), version]),
        ...Object.entries(states).map(([name, files]) => group(none, both(project(name, files)))),
      ],
      call: [group(none, [...both(orchestrate), version])],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// --- internal ---

function group(home, calls, locale = "C") {
  return { calls, env: { HOLDFAST_HOME: home, LC_ALL: locale } };
}

function hook(event, cwd) {
  const said = { session_id: "build", source: "startup", trigger: "auto", stop_hook_active: false };
  return { words: ["hook", event], input: JSON.stringify({ ...said, cwd }) };
}

function looks(cwd) {
  return [{ words: ["status", "--cwd", cwd] }];
}

/** What agents call at every unit: as usual, and with all that may happen. */
function orchestrateGroups(folder, home) {
  const usual = orchestrateCalls(join(folder, "usual"));
  const other = orchestrateCalls(join(folder, "other"));
  return [
    {
      ...group(home, [usual.next, ...usual.done("T0.2"), ...usual.done("T0.3")]),
      before: [usual.begin, usual.start("T0.1")],
      // A unit is done once, so the second time it is another's turn.
      again: [usual.next, ...usual.done("T0.4"), ...usual.done("T0.5")],
    },
    {
      ...group(home, other.failed("T0.1")),
      before: [other.begin],
      again: other.failed("T0.2"),
    },
  ];
}

function orchestrateCalls(cwd) {
  makeProject(cwd);
  // So many that what changed of the document is worked out, and its large parts are read late.
  const units = Array.from({ length: 1_000 }, (_, at) => at + 1).map(
    (n) => `- [ ] T0.${n}: One${n % 2 === 1 && n > 1 ? `\n  - depends: T0.${n - 1}` : ""}`,
  );
  writeFileSync(join(cwd, "TASKS.md"), `# P\n\n## Phase 0\n\n${units.join("\n")}\n`);
  const call = (...words) => ({ words: [...words, "--cwd", cwd] });
  const report = (line) => call("report", "orchestrate", line, "--session", "build");
  const start = (id) => report(`START:${id}`);
  return {
    begin: call("orchestrate", "--in-session"),
    next: call("next", "orchestrate", "--session", "build"),
    start,
    done: (id) => [start(id), report(`DONE:${id}`)],
    failed: (id) => [start(id), report(`FAIL:${id}:-`), start(id), report(`DONE:${id}`)],
  };
}

function makeProject(folder, files) {
  if (files) cpSync(join(seeds, files), join(folder, files), { recursive: true });
  // Its own project, whatever lies above it.
  mkdirSync(join(folder, ".git"), { recursive: true });
  writeFileSync(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
  return folder;
}

/** With a task of the project, so that there is something to read. */
async function makeHome(folder, project) {
  const { openSqlite } = await importTs(join(root, "src/store/database/sqlite.ts"));
  const store = await openSqlite(join(folder, "holdfast.db"));
  const at = "2026-01-02T03:04:05.678Z";
  const kind = { workflow: "create_app", status: "pending", priority: 0, queuedAt: 0, rev: 0 };
  const rest = {
    archived: false,
    retryOf: null,
    data: { title: "-" },
    createdAt: at,
    updatedAt: at,
  };
  const task = { id: "task_0000000000000001", projectId: "p", ...kind, ...rest };
  await store.commit({
    projects: [{ id: "p", root: project, hash: "h", createdAt: at }],
    tasks: [task],
  });
  await store.close();
  return folder;
}
