// request through the program itself: words, exit codes, both languages (S7.1, S7.2).
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshPlace, holdfast } from "../cli/program.ts";

const limit = { timeout: 600_000 };

describe("holdfast request", () => {
  test(
    "S7.1 begin, next, report, contracts, status, stop, resume, reset, learn: each says what and what next",
    limit,
    () => {
      const { project, home } = freshPlace();
      mkdirSync(join(project, ".git"));
      writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
      const call = (...words: string[]) =>
        holdfast(words, { cwd: project, env: { HOLDFAST_HOME: home, HOLDFAST_SESSION: "a" } });
      expect(call("request", "status")).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^NOT_STARTED\n/),
      });
      expect(call("request", "stop")).toMatchObject({ code: 3 });
      expect(call("request", "read items")).toMatchObject({
        // Carried out by itself it needs a history to clone.
        code: 4,
        err: expect.stringContaining("git"),
      });
      const begun = call("request", "read items", "--in-session");
      expect(begun.out).toMatch(
        /^READY:explore,plan\nR1 has begun\.\n[^]*# explore \(code-explore\)/,
      );
      expect(call("next", "request").out).toMatch(/^READY:explore,plan\n/);
      expect(call("report", "request", "START:explore").out).toBe(`OK:${project}\n`);
      const refused = call("report", "request", "DONE:explore");
      expect(refused).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^RETRY:explore:2\n[^]*is not there/),
      });
      writeFileSync(join(project, "draft.yaml"), "version: 1\nmood: good\n");
      const handed = call("contracts", "--unit", "explore", "--text", "@draft.yaml");
      expect(handed).toMatchObject({ code: 2, out: expect.stringContaining("/mood") });
      const shown = JSON.parse(call("request", "status", "--json").out) as {
        request: { id: string };
      };
      expect(shown.request).toMatchObject({
        id: "R1",
        phase: "global_discovery",
        status: "active",
      });
      expect(call("request", "stop", "--lang", "ko").out).toContain("R1을 멈췄습니다");
      expect(call("report", "request", "DONE:explore")).toMatchObject({ code: 4 });
      expect(call("request", "resume").out).toMatch(/^READY:/);
      expect(call("request", "learn").out).toMatch(/^LEARNED:0:0:0\n/);
      // It ends as stopped: nothing of it was completed, in no document and no list (S4.8).
      const reset = call("request", "reset");
      expect(reset.out).toMatch(/^R1:stopped:global_discovery\n/);
      expect(`${reset.out}${reset.err}`).not.toContain("--resume");
      expect(call("next", "request").out).toMatch(/^ERROR:STOPPED:R1\nR1 was reset/);
      expect(call("request", "resume")).toMatchObject({
        code: 4,
        err: expect.stringContaining("was reset and has ended"),
      });
      expect(call("report", "request", "START:explore")).toMatchObject({ code: 4 });
      expect(call("task", "list", "--json").out).not.toContain('"completed"');
      expect(call("request", "again", "--dry-run").out).toContain("It would begin now");
      expect(call("request", "again", "--in-session").out).toMatch(/^READY:/);
      expect(JSON.parse(call("request", "status", "--json").out)).toMatchObject({
        request: { id: "R2", status: "active" },
      });
      expect(call("request", "--help").out).toContain(
        'holdfast request "add a search" --in-session',
      );
      expect(call("task", "list").out).toContain("read items");
    },
  );

  test(
    "S4.1 S4.2b its files lie below the hash of the root's path, and the session names the project and its manifest",
    limit,
    () => {
      const { project, home } = freshPlace();
      mkdirSync(join(project, ".git"));
      writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
      writeFileSync(join(project, "CLAUDE.md"), "Be brief.\n");
      const env = { HOLDFAST_HOME: home, HOLDFAST_SESSION: "a" };
      expect(holdfast(["request", "read items", "--in-session"], { cwd: project, env }).code).toBe(
        0,
      );
      const hash = createHash("md5").update(project).digest("hex").slice(0, 8);
      const sessions = join(project, ".claude/orchestrator/sessions");
      expect(readdirSync(sessions)).toEqual([hash]);
      const read = (name: string): unknown =>
        JSON.parse(readFileSync(join(sessions, hash, name), "utf8"));
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;
      expect(read("session.json")).toEqual({
        version: 1,
        project: { path: project, name: "project", hash },
        status: "active",
        current_task: null,
        created_at: time,
        updated_at: time,
        manifest: { claude_md: join(project, "CLAUDE.md"), agents_md: null },
      });
      expect(read("state.json")).toEqual({
        version: 2,
        request: {
          id: "R1",
          original_request: "read items",
          status: "active",
          current_task: null,
          global_phase: "global_discovery",
        },
        tasks: {},
        task_order: [],
      });
    },
  );

  test("S4.6 what the project knows is in the prompt of each role", limit, () => {
    const { project, home } = freshPlace();
    mkdirSync(join(project, ".git"));
    writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(project, "patterns.yaml"), "testing: every rule has its test\n");
    const env = { HOLDFAST_HOME: home, HOLDFAST_SESSION: "a" };
    const call = (...words: string[]) => holdfast(words, { cwd: project, env });
    expect(call("request", "read items", "--in-session").code).toBe(0);
    expect(call("request", "learn", "--patterns", "patterns.yaml").out).toMatch(/^LEARNED:1/);
    const { out } = call("next", "request");
    expect(out).toContain("# explore (code-explore)");
    expect(out).toContain("every rule has its test");
  });
});
