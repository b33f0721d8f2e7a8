// A project with a plan, and sessions that work through it as shells do: each call is a process.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OrchestrateState } from "../../src/formats/orchestrate-state.ts";
import { type Ended, type Place, freshPlace, holdfast } from "../cli/program.ts";

export interface Project extends Place {
  readonly env: Record<string, string>;
  /** As the session of this name; none: as whoever runs the tests. */
  readonly call: (words: string, session?: string) => Ended;
  /** A whole line after its verb: `START:T1.1`. */
  readonly report: (line: string, session?: string) => Ended;
  readonly next: (...words: string[]) => string;
  readonly state: () => OrchestrateState;
  readonly write: (path: string, text: string) => void;
  readonly read: (path: string) => string;
}

export function project(plan?: string): Project {
  const place = freshPlace();
  const env = { HOLDFAST_HOME: place.home };
  const run = (words: readonly string[], session?: string): Ended =>
    holdfast([...words, ...(session === undefined ? [] : ["--session", session])], {
      cwd: place.project,
      env,
    });
  const at = (path: string): string => join(place.project, path);
  const made: Project = {
    ...place,
    env,
    call: (words, session) => run(words.split(" "), session),
    report: (line, session) => run(["report", "orchestrate", line], session),
    next: (...words) => run(["next", "orchestrate", ...words]).out,
    state: () => JSON.parse(made.read(".claude/orchestrate-state.json")) as OrchestrateState,
    write: (path, text) => {
      mkdirSync(join(at(path), ".."), { recursive: true });
      writeFileSync(at(path), text);
    },
    read: (path) => readFileSync(at(path), "utf8"),
  };
  // Its own project, whatever lies above it.
  mkdirSync(at(".git"));
  made.write(".git/HEAD", "ref: refs/heads/main\n");
  if (plan !== undefined) made.write("TASKS.md", plan);
  return made;
}

/** As a person types it; where there is no jq, what it would have written. */
export function byRecipe(cwd: string, id: string): void {
  const file = ".claude/orchestrate-state.json";
  const recipe = `.tasks.failed -= ["${id}"] | .tasks.completed += ["${id}"]`;
  const line = `jq '${recipe}' ${file} > tmp.json && mv tmp.json ${file}`;
  if (spawnSync("jq", ["--version"]).status === 0) {
    execFileSync("sh", ["-c", line], { cwd });
    return;
  }
  console.error("There is no jq: its recipe is played by hand.");
  const document = JSON.parse(readFileSync(join(cwd, file), "utf8")) as OrchestrateState;
  document.tasks.failed = document.tasks.failed.filter((other) => other !== id);
  document.tasks.completed.push(id);
  writeFileSync(join(cwd, file), `${JSON.stringify(document, null, 2)}\n`);
}
