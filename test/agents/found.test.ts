// `holdfast agents`: what is found on a machine, told as it is. The programs are small scripts.
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Ended, type Place, freshPlace, holdfastByNode, nowhere } from "../cli/program.ts";

interface Found {
  readonly agents: readonly {
    readonly name: string;
    readonly path: string | null;
    readonly version: string | null;
    readonly usable: boolean;
    readonly message: string;
    readonly hint?: string;
  }[];
  readonly advice?: string;
}

let place: Place = nowhere;
beforeEach(() => {
  place = freshPlace();
});

function program(folder: string, name: string, script: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function agents(env: Record<string, string> = {}, ...words: readonly string[]): Ended {
  const { project, folder, home } = place;
  const own = { PATH: join(folder, "bin"), HOME: join(folder, "user"), HOLDFAST_HOME: home };
  return holdfastByNode(["agents", ...words], { cwd: project, env: { ...own, ...env } });
}
const found = (env: Record<string, string> = {}): Found =>
  JSON.parse(agents(env, "--json").out) as Found;
const named = (name: string, env: Record<string, string> = {}) =>
  found(env).agents.find((agent) => agent.name === name);

describe("S7.1 holdfast agents", () => {
  test("S6.5 on a machine with none says how to get one, and that the sample agent runs everything", () => {
    const { agents: all, advice } = found();
    expect(all.map(({ name, usable }) => `${name} ${usable}`)).toEqual([
      "claude false",
      "codex false",
      "gemini false",
      "opencode false",
      "sample true",
    ]);
    expect(advice).toContain("--agent sample");
    for (const { path, hint } of all.slice(0, -1))
      expect([path, hint]).toEqual([null, expect.stringContaining("npm install -g")]);
    const { code, out } = agents({}, "--lang", "ko");
    expect(code).toBe(0);
    expect(out).toContain("내장 에이전트");
  });

  test("names path, version and use of one that is there; nothing of its user is shown to it", () => {
    const mine = join(place.folder, "user", ".claude");
    mkdirSync(mine, { recursive: true });
    writeFileSync(join(mine, "credentials"), "secret");
    const path = program(
      join(place.folder, "bin"),
      "claude",
      '[ "$*" = --version ] || exit 1\n[ -e "$HOME/.claude" ] && echo 9.9.9\n[ -n "$ANTHROPIC_API_KEY" ] && echo 8.8.8\necho "2.1.325 (Claude Code)"',
    );
    const scratch = join(place.folder, "scratch");
    mkdirSync(scratch);
    const agent = named("claude", { ANTHROPIC_API_KEY: "secret", TMPDIR: scratch });
    expect(agent).toMatchObject({ path, version: "2.1.325", usable: true });
    expect(agent?.message).toContain("--agent claude");
    expect(found().advice).toBeUndefined();
    expect(readdirSync(scratch)).toEqual([]);
  });

  test("tells one that does not run from one that Holdfast can not drive yet", () => {
    const bin = join(place.folder, "bin");
    program(bin, "claude", "echo 'cannot open shared object' >&2; exit 127");
    program(bin, "opencode", "echo 1.18.33");
    const broken = named("claude");
    expect(broken).toMatchObject({ usable: false, version: null });
    expect(broken?.message).toContain("cannot open shared object");
    expect(named("opencode")).toMatchObject({ usable: false, version: "1.18.33" });
    expect(named("opencode")?.hint).toContain("command:");
  });

  test("looks where HOLDFAST_CLAUDE says and nowhere else, else on PATH, else where installers put it", () => {
    const { folder } = place;
    const [one, two, three] = ["opt", "bin", "user/.local/bin"].map((name, number) =>
      program(join(folder, name), "claude", `echo 2.1.${number}`),
    );
    expect(named("claude", { HOLDFAST_CLAUDE: one ?? "" })).toMatchObject({ path: one });
    expect(named("claude")).toMatchObject({ path: two, version: "2.1.1" });
    expect(named("claude", { PATH: join(folder, "none") })).toMatchObject({ path: three });
    const wrong = named("claude", { HOLDFAST_CLAUDE: join(folder, "nothing") });
    expect(wrong).toMatchObject({ path: null, usable: false });
    expect(wrong?.message).toContain("HOLDFAST_CLAUDE");
    // A folder of the project's on a relative PATH is nobody's program.
    program(join(place.project, "here"), "claude", "echo 6.6.6");
    expect(named("claude", { PATH: "here:.", HOME: folder })).toMatchObject({ path: null });
  });

  test("S6.5 a task for an agent that is not there is refused, with how to get it", () => {
    const { project, folder, home } = place;
    const words = ["task", "create", "--type", "custom", "--title", "t", "--description", "d"];
    const env = { PATH: join(folder, "bin"), HOME: folder, HOLDFAST_HOME: home };
    const refused = holdfastByNode([...words, "--agent", "claude"], { cwd: project, env });
    expect(refused.code).toBe(3);
    expect(refused.err).toContain("The agent “claude” is not on this machine.");
    expect(refused.err).toContain("npm install -g @anthropic-ai/claude-code");
  });
});
