// A verifier judges each phase of the built-in types that a person reviews (S1.14), with no setting at all;
// holdfast.yaml names another, or turns it off. Where it comes to no verdict, a person decides.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cli, start } from "../cli/program.ts";
import { settings } from "../engine/stage.ts";
import { type ServerWorld, serverWorld } from "./world.ts";

let world: ServerWorld;
beforeAll(async () => {
  world = serverWorld();
  await world.serve();
});
afterAll(() => world.end());

const path = "docs/analysis/current_state.md";
const written = `write ${path} # Today\\n\\n${"How it works today, and what depends on it. ".repeat(30)}\\n`;
const claim = `${written}\nphase 1 ${path}`;

describe("S1.14 a phase of a built-in type", () => {
  test("S1.14 is judged by the task's own agent in a conversation of its own, and what that spends is the task's", async () => {
    settings(world, "");
    const id = await task({ type: "modify_app", script: undefined });
    const asked = await until(id, ({ openQuestions }) => openQuestions.length > 0);
    const answer = asked.openQuestions[0]?.options[0];
    await world.call(`/api/tasks/${id}/answer`, { body: { answer } });
    const shown = await until(id, ({ reviews }) => reviews.length > 0);
    expect(shown.phases.map(({ verifier }) => verifier)).toEqual([true, true, true, true]);
    expect(await checked(id)).toBe(true);
    const { agents } = await get<{ agents: Agent[] }>(`/api/tasks/${id}/agents`);
    const judge = agents.find(({ name }) => name === "verifier-1");
    expect(judge).toMatchObject({ status: "completed", tokensUsed: 50 });
    // Its output is there; what is shown unasked is still the working agent's.
    const { processes, text } = await get<Output>(`/api/tasks/${id}/output`);
    expect(processes.map(({ verifier }) => verifier)).toEqual([false, true]);
    expect(text).toContain("=== PHASE 1 COMPLETE ===");
    const other = await get<Output>(`/api/tasks/${id}/output?process=${processes[1]?.id}`);
    expect(other.text).toContain("=== VERIFICATION_RESULT ===");
    expect(shown.tokens).toBe(agents.reduce((sum, { tokensUsed }) => sum + tokensUsed, 0));
  });

  test("S1.14 that does not hold goes back with what the verifier found, before a person sees it", async () => {
    const script = [
      claim,
      "on feedback",
      `  write found.md {feedback}`,
      "end",
      "verifier",
      "  verdict fail It does not say what depends on it",
      "end",
      "verifier",
      "  verdict pass",
      "end",
    ].join("\n");
    const id = await task({ type: "modify_app", script });
    const { attempts, workspace } = await until(id, ({ reviews }) => reviews.length > 0);
    expect(attempts.map(({ status }) => status)).toEqual(["failed", "passed"]);
    expect(readFileSync(join(workspace, "found.md"), "utf8")).toContain("what depends on it");
  });

  test("S1.14 is judged by the agent that holdfast.yaml names; turned off, or in a custom task, by no one", async () => {
    const judge = join(world.folder, "judge.sh");
    const verdict =
      '{"criteria":[{"id":"all","status":"passed","details":"","suggestion":"","affectedDocuments":[]}]}';
    writeFileSync(judge, `echo '=== VERIFICATION_RESULT ==='\necho '${verdict}'\ncat >/dev/null\n`);
    settings(world, `verifier: { agent: "command:sh ${judge}" }`);
    const named = await task({ type: "modify_app", script: claim });
    await until(named, ({ reviews }) => reviews.length > 0);
    expect(await judges(named)).toEqual(["verifier-1"]);
    settings(world, "verifier: { enabled: false }");
    const off = await task({ type: "modify_app", script: claim });
    const { phases } = await until(off, ({ reviews }) => reviews.length > 0);
    expect(phases.map(({ verifier }) => verifier)).toEqual([false, false, false, false]);
    expect([await checked(off), await judges(off)]).toEqual([false, []]);
    settings(world, "");
    const custom = await task({ type: "custom", script: "write a.txt x\ndone x" });
    await until(custom, ({ status }) => status === "completed");
    expect(await judges(custom)).toEqual([]);
  });

  test("S1.14 whose agent cannot judge asks a person, who accepts it without a verdict; the review says so", async () => {
    settings(world, "");
    const worker = join(world.folder, "worker.sh");
    // Whatever it is told, it does the same: as a verifier it writes into its copy, and claims.
    const lines = [
      "mkdir -p docs/analysis",
      `for i in $(seq 60); do echo "How it works today, line $i."; done > ${path}`,
      "echo '=== PHASE 1 COMPLETE ==='",
      "echo 'Files created:'",
      `echo '- ${path}'`,
      "echo",
    ];
    writeFileSync(worker, lines.join("\n"));
    const agent = `command:sh ${worker}`;
    const id = await task({ type: "modify_app", agent, script: undefined });
    const asked = await until(id, ({ openQuestions }) => openQuestions.length > 0);
    expect(asked.openQuestions).toMatchObject([
      { origin: "verifier", options: ["again", "rework", "accept", "cancel"] },
    ]);
    expect(asked.openQuestions[0]?.question).toContain("holdfast.yaml");
    expect(asked.status).toBe("in_progress");
    await world.call(`/api/tasks/${id}/answer`, { body: { answer: "accept" } });
    await until(id, ({ reviews }) => reviews.length > 0);
    expect(await checked(id)).toBe(false);
    for (const word of ["review", "show"]) {
      const options = { cwd: world.root, env: world.env };
      const { ended } = start([process.execPath, cli, "task", word, id], options);
      expect((await ended).out).toContain(
        "phase 1 was accepted by a person, without a verifier's verdict\n",
      );
    }
  });
});

// --- internal ---

interface Shown {
  readonly status: string;
  readonly tokens: number;
  readonly workspace: string;
  readonly reviews: readonly string[];
  readonly phases: readonly { readonly verifier: boolean }[];
  readonly attempts: readonly { readonly status: string }[];
  readonly openQuestions: readonly {
    readonly question: string;
    readonly origin: string;
    readonly options: readonly string[];
  }[];
}

interface Output {
  readonly text: string;
  readonly processes: readonly { readonly id: string; readonly verifier: boolean }[];
}

interface Agent {
  readonly name: string;
  readonly status: string;
  readonly tokensUsed: number;
}

const task = (more: object): Promise<string> => world.task("", more);
const get = async <T>(address: string): Promise<T> =>
  (await world.call(address)).json as unknown as T;
const until = async (id: string, is: (task: Shown) => boolean): Promise<Shown> =>
  (await world.until(`/api/tasks/${id}`, is)) as unknown as Shown;

async function judges(id: string): Promise<string[]> {
  const { agents } = await get<{ agents: Agent[] }>(`/api/tasks/${id}/agents`);
  return agents.map(({ name }) => name).filter((name) => name.startsWith("verifier"));
}

/** Does the open review say that a verifier agreed? */
async function checked(id: string): Promise<boolean> {
  const review = await get<{ checked: { verifier: boolean } }>(`/api/tasks/${id}/review`);
  return review.checked.verifier;
}
