// The calls of the command line that are to be cheap: what agents' hooks call, and a look at the project.
// Made for the build by calling them, in a project for each workflow.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { importTs } from "../run-ts.mjs";

const root = resolve(import.meta.dirname, "../..");
const state = ".claude/orchestrate-state.json";
const seeds = join(root, "test", "fixtures", "seeds", "full");

/** Hands `work` the packs to make, in their groups; the projects and the home they speak of are gone afterwards. */
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
    const both = (at) => [...hooks(at), ...looks(at)];
    await work([
      [
        pack("look", none, both(ours)),
        pack("database", home, both(ours)),
        pack("korean", home, both(ours), "ko_KR.UTF-8"),
      ],
      [pack("codec", none, [...both(orchestrate), { words: ["--version"] }])],
      [orchestratePack(join(folder, "run"), home)],
      [pack("plan", none, both(project("plan", ".claude/memory/task-state.json")))],
      [pack("request", none, both(project("request", ".claude/orchestrator/sessions")))],
      [pack("develop", none, both(project("develop", ".develop-workflow/state.yaml")))],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// --- internal ---

function pack(name, home, calls, locale = "C") {
  return { name, calls, env: { HOLDFAST_HOME: home, LC_ALL: locale } };
}

function hooks(cwd) {
  const input = JSON.stringify({ session_id: "build", cwd, source: "startup", trigger: "auto" });
  return ["SessionStart", "PreCompact", "SessionEnd"].map((event) => ({
    words: ["hook", event],
    input,
  }));
}

function looks(cwd) {
  return [{ words: ["status", "--cwd", cwd] }];
}

/** What agents call at every unit. A unit is done once, so the second time it is another's turn. */
function orchestratePack(cwd, home) {
  makeProject(cwd);
  writeFileSync(join(cwd, "TASKS.md"), "# P\n\n## Phase 0\n\n- [ ] T0.1: One\n- [ ] T0.2: Two\n");
  const call = (...words) => ({ words: [...words, "--cwd", cwd] });
  const report = (line) => call("report", "orchestrate", line, "--session", "build");
  const unit = (id) => [
    call("next", "orchestrate", "--session", "build"),
    ...[`START:${id}`, `FAIL:${id}:-`, `START:${id}`, `DONE:${id}`].map(report),
  ];
  const calls = [call("orchestrate", "--in-session"), ...unit("T0.1")];
  return { ...pack("orchestrate", home, calls), again: unit("T0.2") };
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
