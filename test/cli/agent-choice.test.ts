// Which agent works (S6.5b): named, configured, recorded; and what is refused before anything starts. The
// programs of agents are small scripts.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Repository, repository } from "../orchestrate/repository.ts";
import { type Ended, holdfastByNode } from "./program.ts";

const plan = "# Shop\n## Phase 1: Core\n- [ ] T1.1: model\n- [ ] T1.2: pages\n";
const limit = { timeout: 600_000 };

let made: Repository;
let bin = "";
beforeEach(() => {
  made = repository(plan);
  bin = join(made.folder, "bin");
  mkdirSync(bin);
  // Nothing else is on PATH: what the machine of the test has does not matter.
  for (const name of ["git", "sh"]) symlinkSync(located(name), join(bin, name));
});

function located(name: string): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? name;
}

function program(name: string, version: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\necho ${version}\n`);
  chmodSync(join(bin, name), 0o755);
}

function call(...words: readonly string[]): Ended {
  const env = { ...made.env, PATH: bin, HOME: made.folder };
  return holdfastByNode(words, { cwd: made.project, env });
}

/** Where agents really work: with all that their shells need. */
function carriedOut(...words: readonly string[]): Ended {
  return holdfastByNode(words, { cwd: made.project, env: made.env });
}

function configure(text: string): void {
  made.write("holdfast.yaml", `version: 1\n${text}`);
  made.git("add", "-A");
  made.git("commit", "-q", "-m", "settings");
}

/** All that a run could have left: files, branches, rows. */
function traces(): object {
  const rows = JSON.parse(call("task", "list", "--json").out) as { tasks: object[] };
  const files = readdirSync(made.project, { recursive: true, encoding: "utf8" });
  return {
    files: files.filter((path) => !path.startsWith(".git")).toSorted(),
    branches: made.git("branch", "--format=%(refname:short)"),
    tasks: rows.tasks,
  };
}

const task = ["task", "create", "--title", "t", "--description", "d"];
const starts: readonly (readonly string[])[] = [
  ["orchestrate"],
  ["orchestrate", "--resume"],
  ["develop", "chat"],
  ["plan", "Ship it"],
  ["request", "add a search"],
  [...task, "--type", "custom"],
  [...task, "--type", "custom", "--submit"],
  [...task, "--type", "orchestrate"],
  [...task, "--type", "develop"],
  [...task, "--type", "plan"],
  [...task, "--type", "request"],
];

describe("S6.5b which agent works", () => {
  test(
    "S6.5b without a configured agent nothing starts, and the refusal says what was found and how to choose",
    limit,
    () => {
      program("claude", "2.1.9");
      program("codex", "0.4.0");
      const before = traces();
      for (const words of starts) {
        const { code, err } = call(...words);
        expect([words, code]).toEqual([words, 4]);
        expect(err).toContain("No agent is configured for this project. Nothing was started.");
        expect(err).toContain("Found on this machine: claude 2.1.9, codex (cannot be used).");
        expect(err).toContain("“--agent NAME”");
        expect(err).toContain("“agent: NAME” in holdfast.yaml");
        expect(err).toContain("“--agent sample” is for trying things out");
      }
      expect(traces()).toEqual(before);
      expect(JSON.parse(call("develop", "chat", "--json").out)).toMatchObject({
        error: { code: "refused" },
      });
      expect(call("develop", "chat", "--lang", "ko").err).toContain(
        "이 컴퓨터에서 찾은 에이전트: claude 2.1.9, codex(사용할 수 없음).",
      );
    },
  );

  test("S6.5b where no agent is found the refusal says how to get one, and sample is not taken", () => {
    const { code, err } = call("orchestrate");
    expect(code).toBe(4);
    expect(err).toContain("“holdfast agents” says how to install one");
    expect(made.git("log", "--format=%s")).toBe("begin");
  });

  test("S6.5b a run of sessions needs no agent, and is not taken over without one", limit, () => {
    const state = ".develop-workflow/state.yaml";
    expect(call("develop", "chat", "--in-session").code).toBe(0);
    expect(call("orchestrate", "--in-session").code).toBe(0);
    expect(call("plan", "Ship it", "--in-session").code).toBe(0);
    expect(call("request", "add a search", "--in-session").code).toBe(0);
    expect(call("next", "orchestrate").out).toContain("READY:T1.1,T1.2");
    const before = [made.read(state), traces()];
    expect(call("develop", "--resume").code).toBe(4);
    expect(call("orchestrate").code).toBe(4);
    expect([made.read(state), traces()]).toEqual(before);
  });

  test(
    "S6.5b an agent that is unknown or not on this machine is refused, with what was found",
    limit,
    () => {
      program("codex", "0.4.0");
      const before = traces();
      const wrong = [
        ["clod", 2, "There is no agent “clod”"],
        ["claude", 3, "The agent “claude” is not on this machine."],
        ["command:no-such-program --fast", 3, "“no-such-program” is not on this machine"],
        [`command:${made.folder}/nothing`, 3, "/nothing” is not on this machine"],
      ] as const;
      for (const [agent, code, text] of wrong)
        for (const words of [["orchestrate"], ["plan", "Ship it"], [...task, "--type", "custom"]]) {
          const refused = call(...words, "--agent", agent);
          expect([agent, refused.code]).toEqual([agent, code]);
          expect(refused.err).toContain(text);
          expect(refused.err).toContain("Found on this machine: codex (cannot be used).");
        }
      expect(traces()).toEqual(before);
      configure("agent: claude\n");
      const { code, err } = call("request", "add a search");
      expect([code, existsSync(join(made.project, ".claude"))]).toEqual([3, false]);
      expect(err).toContain("The agent “claude” is not on this machine.");
    },
  );

  test(
    "S6.5b a task type's own agent works on its tasks, and its verifiers have to be there",
    limit,
    () => {
      const phase = "{ name: A, prompt: Do it., verifier: Is it good?, verifier_agent: claude }";
      configure(`agent: claude
task_types:
  note: { agent: sample, phases: [{ name: A, prompt: Do it. }] }
  judged: { agent: sample, phases: [${phase}] }
`);
      const note = call(...task, "--type", "note", "--json");
      expect(JSON.parse(note.out)).toMatchObject({ agent: "sample" });
      const judged = call(...task, "--type", "judged", "--submit");
      expect(judged.code).toBe(3);
      expect(judged.err).toContain("The agent “claude” is not on this machine.");
      const types = JSON.parse(call("task", "types", "--json").out) as { types: object[] };
      expect(types.types).toContainEqual(
        expect.objectContaining({ name: "note", agent: "sample" }),
      );
      expect(types.types).toContainEqual(expect.objectContaining({ name: "custom", agent: null }));
      const lines = call("task", "types").out;
      expect(lines).toMatch(/^create_app {2}Create an app$/m);
      expect(lines).toMatch(/^note {2}note$/m);
    },
  );

  test(
    "S6.5b the first line of a run says who works; a run that goes on keeps its agent",
    limit,
    () => {
      const [, agent = ""] = made.agent;
      made.course({ "T1.1": [{ fail: "no such table" }] });
      const held = carriedOut("orchestrate", "--agent", agent);
      expect([held.code, firstLine(held)]).toEqual([4, `Agent: ${agent}`]);
      made.course({});
      expect(call("orchestrate", "--retry", "T1.1").code).toBe(0);
      const ended = carriedOut("orchestrate", "--resume", "--lang", "ko");
      expect([ended.code, firstLine(ended)]).toEqual([0, `에이전트: ${agent}`]);
      expect(JSON.parse(call("settings", "--json").out)).toMatchObject({ agent: null });
    },
  );

  test("S6.5b a run whose agent is gone does not go on, and says which", limit, () => {
    program("mine", "1.0.0");
    const agent = `command:${join(bin, "mine")}`;
    const runs = ["orchestrate", "develop", "plan", "request"] as const;
    // Begun, and carried out by nobody.
    for (const type of runs) {
      const begun = call(...task, "--type", type, "--agent", agent, "--json");
      expect(JSON.parse(begun.out)).toMatchObject({ agent, status: "in_progress" });
    }
    rmSync(join(bin, "mine"));
    const before = traces();
    for (const words of [
      "orchestrate --resume",
      "develop --resume",
      "plan resume",
      "request resume",
    ]) {
      const { code, err } = call(...words.split(" "));
      expect([words, code]).toEqual([words, 3]);
      expect(err).toContain("mine” is not on this machine");
    }
    expect(traces()).toEqual(before);
  });

  test(
    "S6.5b the sample agent works where it is named, and the run says that it does no real work",
    limit,
    () => {
      const script = join(made.folder, "script.txt");
      writeFileSync(script, "write {unit}.txt yes\ndone made\n");
      const words = ["orchestrate", "--agent", "sample", "--script", script];
      const run = carriedOut(...words);
      expect([run.code, firstLine(run)]).toEqual([
        0,
        "Agent: sample (plays a script and does no real work)",
      ]);
    },
  );
});

describe("S6.5b holdfast init", () => {
  test("S6.5b writes the agent that it finds, and a run begins with it", () => {
    program("claude", "2.1.9");
    program("codex", "0.4.0");
    const { out } = call("init");
    expect(out).toContain("the agent that was found here, claude");
    expect(made.read("holdfast.yaml")).toMatch(/^agent: claude$/m);
    expect(call("validate").code).toBe(0);
    const made2 = call(...task, "--type", "custom", "--json");
    expect(JSON.parse(made2.out)).toMatchObject({ agent: "claude" });
  });

  test("S6.5b where none can be used writes how to choose one, never the sample agent, and says so", () => {
    program("codex", "0.4.0");
    for (const [language, text] of [
      ["en", "No usable agent was found on this machine, so none is set"],
      ["ko", "이 컴퓨터에서 쓸 수 있는 에이전트를 찾지 못해 설정하지 않았습니다"],
    ] as const) {
      rmSync(join(made.project, "holdfast.yaml"), { force: true });
      expect(call("init", "--lang", language).out).toContain(text);
      expect(made.read("holdfast.yaml")).toMatch(/^# agent: claude$/m);
      expect(made.read("holdfast.yaml")).not.toMatch(/^agent:/m);
      expect(made.read("holdfast.yaml")).not.toContain("sample");
      expect(call("validate").code).toBe(0);
    }
    expect(call("orchestrate").code).toBe(4);
  });
});

function firstLine({ out }: Ended): string {
  return out.split("\n")[0] ?? "";
}
