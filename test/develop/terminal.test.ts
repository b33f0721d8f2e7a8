// develop as a shell runs it: exit codes, a terminal in which a person is asked, and a kill (S0.8, S0.9).
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Ended, cli, holdfast, seeded } from "../cli/program.ts";
import { World, designFile } from "./world.ts";

const limit = { timeout: 600_000 };

function shell(world: World, ...words: readonly string[]): Ended {
  return holdfast(words, { cwd: world.project, env: { HOLDFAST_HOME: world.home } });
}

/** In a terminal of its own; whenever `asked` stands there, the next answer is typed. */
function typed(
  world: World,
  words: string,
  asked: string,
  answers: readonly string[],
): Promise<Ended> {
  const env = {
    PATH: process.env["PATH"],
    LANG: "ko_KR.UTF-8",
    HOLDFAST_HOME: world.home,
    TERM: "xterm",
  };
  const line = `'${process.execPath}' '${cli}' ${words}`;
  const child = spawn("script", ["-qec", line, "/dev/null"], { cwd: world.project, env });
  let out = "";
  let from = 0;
  const left = [...answers];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    const at = out.indexOf(asked, from);
    if (at < 0) return;
    from = at + asked.length;
    const next = left.shift();
    // None left: the end of what is typed.
    child.stdin.write(next === undefined ? "\u0004" : `${next}\n`);
  });
  return new Promise((end) => child.once("close", (code) => end({ code, out, err: "" })));
}

describe("the command", () => {
  test(
    "S0.8 S7.2 where nobody can be asked it exits with 4 and says what decides it",
    limit,
    () => {
      const world = new World();
      seeded(world.project);
      const before = world.read();
      for (const words of [
        ["develop", "x"],
        ["develop", "x", "--in-session"],
      ]) {
        const { code, err } = shell(world, ...words);
        expect(code).toBe(4);
        expect(err).toContain("cp-2 in_progress (iter 1/3)");
        expect(err).toMatch(/--resume.*--restart/);
      }
      const wire = JSON.parse(shell(world, "develop", "x", "--json").out) as {
        error: { code: string };
      };
      expect(wire.error.code).toBe("refused");
      expect(world.read()).toBe(before);
      expect(shell(world, "develop", "--in-session", "--restart", "--resume").code).toBe(2);
      const help = shell(world, "develop", "--help").out;
      for (const flag of ["--strategy", "--resume", "--restart", "--in-session", "--dry-run"])
        expect(help).toContain(flag);
    },
  );

  test(
    "S0.8 S7.4 in a terminal a person is asked in Korean, until they answer, and it goes on so",
    limit,
    async () => {
      const world = new World();
      seeded(world.project);
      world.design("cp-1", "cp-2 < cp-1", "cp-3 < cp-2");
      // Ctrl-D decides nothing.
      const none = await typed(world, "develop x --in-session", "선택 (1–2):", []);
      expect(none.code).toBe(4);
      expect(world.state.phase).toBe("IMPLEMENT");
      const on = await typed(world, "develop x --in-session", "선택 (1–2):", ["7", "이어서 진행"]);
      expect(on.code).toBe(0);
      for (const part of [
        "이전 세션: '실시간 채팅 기능', Phase IMPLEMENT",
        "Checkpoints: cp-1 passed, cp-2 in_progress (iter 1/3), cp-3 pending",
        "1) 이어서 진행",
        "2) 처음부터",
        "READY:cp-2",
      ])
        expect(on.out).toContain(part);
      const anew = await typed(world, "develop 검색 --in-session", "선택 (1–2):", ["2"]);
      expect(anew.code).toBe(0);
      expect(anew.out).toContain("READY:DESIGN");
      expect(world.state).toMatchObject({ phase: "DESIGN", feature: "검색" });
    },
  );

  test(
    "S0.8 S7.4 in tmux the dialogue stands on the screen in Korean, and the answer typed there decides",
    limit,
    async ({ skip }) => {
      skip(spawnSync("tmux", ["-V"]).status !== 0, "the dialogue on a screen: there is no tmux");
      const world = new World();
      seeded(world.project);
      world.design("cp-1", "cp-2 < cp-1", "cp-3 < cp-2");
      const tmux = (...words: string[]): string =>
        spawnSync("tmux", ["-u", "-S", join(world.home, "..", "tmux"), ...words], {
          encoding: "utf8",
          env: { PATH: process.env["PATH"], LANG: "C.UTF-8", TERM: "xterm-256color" },
        }).stdout;
      const screen = (): string => tmux("capture-pane", "-p", "-J");
      const line = `cd '${world.project}' && LANG=ko_KR.UTF-8 HOLDFAST_HOME='${world.home}' '${process.execPath}' '${cli}' develop 검색 --in-session; echo "exit $?"`;
      tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "sh");
      try {
        tmux("send-keys", "-l", line);
        tmux("send-keys", "Enter");
        await expect.poll(screen).toContain("선택 (1–2):");
        for (const part of [
          "이전 세션: '실시간 채팅 기능', Phase IMPLEMENT",
          "cp-1 passed, cp-2 in_progress (iter 1/3), cp-3 pending",
          "1) 이어서 진행",
          "2) 처음부터",
        ])
          expect(screen()).toContain(part);
        tmux("send-keys", "-l", "처음부터");
        tmux("send-keys", "Enter");
        await expect.poll(screen).toContain("exit 0");
        expect(screen()).toContain("READY:DESIGN");
        expect(world.state).toMatchObject({ phase: "DESIGN", feature: "검색" });
      } finally {
        tmux("kill-server");
      }
    },
  );

  test(
    "S0.5 S0.9 killed while it validates, it has not passed; resumed it is where it was",
    limit,
    async () => {
      const world = new World();
      await world.implementing("cp-1");
      // The checkpoint's own command kills who runs it, the first time.
      const kills = "test -f once || { touch once; kill -9 $PPID; sleep 60; }; cat cp-1.txt";
      world.write(designFile, world.read(designFile).replace("cat cp-1.txt", kills));
      await world.begin(undefined, { restart: true });
      await world.report("DONE:DESIGN");
      await world.call({ approve: true });
      await world.report("DONE:REVIEW");
      await world.report("START:cp-1");
      world.make("cp-1");
      const before = world.read();
      const report = [cli, "report", "develop", "DONE:cp-1", "--session", "a"];
      const { signal } = spawnSync(process.execPath, report, {
        cwd: world.project,
        env: { PATH: process.env["PATH"], HOLDFAST_HOME: world.home },
      });
      expect(signal).toBe("SIGKILL");
      expect([world.has("once"), world.read()]).toEqual([true, before]);
      expect(shell(world, "develop", "--resume", "--in-session", "--session", "a").out).toContain(
        "READY:cp-1",
      );
      expect(shell(world, "report", "develop", "DONE:cp-1", "--session", "a").out).toBe(
        "PHASE_DONE:IMPLEMENT\n",
      );
      expect(world.state.checkpoints).toEqual({ "cp-1": { status: "passed", iteration: 1 } });
    },
  );
});
