// `--rebuild-state` beside a run that lives (S2.9): refused while somebody works, and nothing is forgotten.
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Running, cli, holdfast, start } from "../cli/program.ts";
import { someOf } from "../conduct/killed.ts";
import { full, until } from "../crash/programs.ts";
import { followed } from "./carried.ts";
import { type Repository, repository } from "./repository.ts";
import { type Waiting, waiting } from "./waiting.ts";

const limit = { timeout: full ? 3_600_000 : 600_000 };

const plan = "# Shop\n## Phase 1: Core\n- [ ] T1.1: model\n- [ ] T1.2: pages\n";

function begun(made: Repository, words: readonly string[]): Running {
  const running = start([process.execPath, cli, ...words], { cwd: made.project, env: made.env });
  onTestFinished(() => void running.child.kill("SIGKILL"));
  return running;
}

/** By a foreground run, or by a server that a foreground run follows. */
async function atWork(made: Waiting, way: "headless" | "server"): Promise<Running[]> {
  const running: Running[] = [];
  if (way === "server") {
    const server = begun(made, ["serve", "--port", "0"]);
    let said = "";
    server.child.stdout.on("data", (text: string) => (said += text));
    await until("the server is there", () => said.includes("#token="));
    running.push(server);
  }
  running.push(begun(made, made.run));
  await made.begun();
  return running;
}

test.each(["headless", "server"] as const)(
  "S2.9 %s: refused while the run lives; killed and rebuilt, its agent goes on with the unit, once",
  limit,
  async (way) => {
    const made = waiting();
    const running = await atWork(made, way);
    const refused = made.call("orchestrate --rebuild-state");
    expect(refused.code).toBe(4);
    expect(refused.err).toMatch(/T1\.1 \(run task_\w+\)/);
    for (const { child } of running) child.kill("SIGKILL");
    await Promise.all(running.map(({ ended }) => ended));
    const rebuilt = made.call("orchestrate --rebuild-state");
    expect(rebuilt).toMatchObject({ code: 0, err: "" });
    expect(rebuilt.out).toContain("Still with the agents of the run: T1.1.");
    expect(made.state().tasks.in_progress).toEqual(["T1.1"]);
    made.go();
    const end = await begun(made, [...made.run, "--resume"]).ended;
    expect(end).toMatchObject({ code: 0, out: expect.stringContaining("ALL_DONE") as string });
    expect(made.conversations()).toEqual(
      new Map([
        ["T1.1", 1],
        ["T1.2", 1],
      ]),
    );
    expect(made.read("T1.1.txt")).toBe("T1.1\n");
  },
);

test(
  "S2.9 S1.7c an agent of the run is refused, also with an environment of its own",
  limit,
  () => {
    const made = repository(plan, {}, "version: 1\nslots: 1\n");
    const said = join(made.folder, "said");
    // As a model would try it, and once more without what its process was told.
    const call = `const { spawnSync } = require("node:child_process");
    const words = [${JSON.stringify(cli)}, "orchestrate", "--rebuild-state"];
    const at = { cwd: ${JSON.stringify(made.project)}, encoding: "utf8" };
    const bare = { PATH: process.env.PATH, HOLDFAST_HOME: process.env.HOLDFAST_HOME };
    const ends = [{}, { env: bare }].map((more) => spawnSync(process.execPath, words, { ...at, ...more }));
    require("node:fs").writeFileSync(${JSON.stringify(said)}, JSON.stringify(ends.map(({ status, stderr }) => [status, stderr])));`;
    made.course({ "T1.1": [{ run: ["-e", call] }] });
    expect(holdfast(made.run, { cwd: made.project, env: made.env }).code).toBe(0);
    const ends = JSON.parse(made.read(join("..", "said"))) as [number, string][];
    expect(ends.map(([status]) => status)).toEqual([4, 4]);
    for (const [, err] of ends) expect(err).toContain("An agent does not rebuild");
    expect([...made.conversations().values()]).toEqual([1, 1]);
  },
);

test(
  "S2.9 killed at its boundaries a rebuild is done once, and attempts are as they were",
  limit,
  async () => {
    const made = repository(plan, {}, "version: 1\n");
    made.call("orchestrate --in-session");
    made.report("START:T1.1", "a");
    made.report("FAIL:T1.1:x", "a");
    const node = ["--require", join(import.meta.dirname, "../conduct/boundaries.cjs")];
    const env = { BOUNDARIES: join(made.folder, "boundaries"), KILLS: someOf(3, 8, 31) };
    const words = ["orchestrate", "--rebuild-state"];
    for (let lives = 0; ; lives++) {
      const { code } = await followed(made, words, () => undefined, undefined, { node, env });
      if (code === 0) break;
      expect({ code, lives: lives < 100 }).toEqual({ code: null, lives: true });
    }
    expect(made.state().tasks).toMatchObject({
      ready: ["T1.1", "T1.2"],
      in_progress: [],
      failed: [],
    });
    made.report("START:T1.1", "a");
    expect(made.report("FAIL:T1.1:y", "a").out).toMatch(/^RETRY:T1\.1:2\/10/);
  },
);
