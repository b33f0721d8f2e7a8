// request in session, on a real disk (S4.1 to S4.8).
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { request as session } from "../../src/app/_session-request.ts";
import { takeOutcome } from "../../src/app/conduct/request.ts";
import { readRequest } from "../../src/app/request/documents.ts";
import { doneIn } from "../../src/app/request/local.ts";
import { stepsOf } from "../../src/workflows/request/steps.ts";
import { projectHash } from "../../src/core/ids.ts";
import { type Message, render } from "../../src/core/messages.ts";
import { breakdown, command, design, discovered, passing, step, tests } from "./in-session.ts";
import { fill, inSession, world } from "./world.ts";

const limit = { timeout: 600_000 };

describe("in session", () => {
  test(
    "S4.4 a request goes from its first to its last gate, and the tree is that of S4.1",
    limit,
    async () => {
      const made = world();
      expect((await made.next()).line).toBe("ERROR:NOT_STARTED");
      await discovered(made);
      expect(await step(made, "T1", design)).toBe("OK");
      expect(await step(made, "T1-S1", tests, () => made.write("test/item.test.sh", passing))).toBe(
        "OK",
      );
      expect(made.state().tasks["T1"]?.subtasks["T1-S1"]).toMatchObject({
        phase: "implementation",
      });
      expect(
        await step(made, "T1-S1", undefined, () => {
          made.write("src/database.ts", "export const rows = [];\n");
          made.write("src/item.ts", "export const item = 2;\n");
        }),
      ).toBe("OK");
      expect(made.state().tasks["T1"]?.subtasks["T1-S1"]?.gates).toMatchObject({
        "GATE-3": "passed",
      });
      expect(await step(made, "T1-S1", {})).toBe("OK");
      const judged = { execution: { command, timestamp: "2026-01-01T00:00:00Z", result: "pass" } };
      expect(await step(made, "T1-S1", judged)).toBe("ALL_DONE");
      expect((await made.next()).line).toBe("ALL_DONE");
      const at = (path: string) => inSession(made.root, path).replace(/^\.claude\//, "");
      const tree = made.tree().filter((path) => !path.endsWith(".bak"));
      expect(tree).toEqual(
        [
          at("knowledge").replace(/sessions\/(\w+)\/knowledge/, "knowledge/$1/knowledge.yaml"),
          at("contracts/R1/T1/T1-S1/test-contract.yaml"),
          at("contracts/R1/T1/T1-S1/test-result.yaml"),
          at("contracts/R1/T1/design-brief.yaml"),
          at("contracts/R1/T1/design-contract.yaml"),
          at("contracts/R1/explored.yaml"),
          at("contracts/R1/task-breakdown.yaml"),
          at("session.json"),
          at("state.json"),
        ].toSorted(),
      );
    },
  );
});

describe("reports are claims", () => {
  test(
    "S4.3 a contract that breaks its rules is refused field by field, and nothing of it is written",
    limit,
    async () => {
      const made = world();
      await made.request("read items", { inSession: true });
      await made.report("START:plan");
      const path = fill(await made.next(), made, { mood: "good" });
      const refused = await made.report("DONE:plan");
      expect(refused.line).toBe("RETRY:plan:2");
      expect(refused.says && said(refused.says)).toMatch(
        /plan\.task-breakdown\.yaml was refused[^]*\/mood/,
      );
      expect(made.tree().some((each) => each.includes("task-breakdown"))).toBe(false);
      // The draft stays where it is, to be mended.
      expect(made.read(path)).toContain("mood");
      const again = await made.next();
      expect(again.prompt).toContain("/mood");
      // A wrong type: what was expected, and what stands there.
      fill(again, made, { assumptions: "none" });
      const typed = await made.report("DONE:plan");
      expect(typed.line).toBe("RETRY:plan:1");
      expect(typed.says && said(typed.says)).toMatch(/\/assumptions.*: expected a list, got/i);
      fill(await made.next(), made, breakdown);
      expect((await made.report("DONE:plan")).line).toBe("OK");
      expect(made.tree().some((each) => each.includes("task-breakdown"))).toBe(true);
    },
  );

  test(
    "S3.1 a form that is handed back as it was shown is no work: neither contract, verdict nor result",
    limit,
    async () => {
      const made = world();
      const asShown = async (unit: string, place: RegExp): Promise<void> => {
        await made.next();
        await made.report(`START:${unit}`);
        fill(await made.next(), made, "as shown");
        const handed = await made.report(`DONE:${unit}`);
        expect(handed.line).toMatch(/^RETRY:/);
        expect(handed.says && said(handed.says)).toMatch(place);
      };
      const own = async (unit: string, more: object): Promise<void> => {
        fill(await made.next(), made, more);
        expect((await made.report(`DONE:${unit}`)).line).toMatch(/^(?:OK|ALL_DONE)$/);
      };
      await made.request("read items", { inSession: true });
      await asShown("explore", /\/explored_files\/0\/path: expected a file that is in the project/);
      made.write(".holdfast/drafts/explore.patterns.yaml", "naming: …\n");
      await own("explore", {
        created_at: "2001-01-01T00:00:00Z",
        explored_files: [{ path: "src/item.ts", summary: "items" }],
        directory_structure: { src: "code" },
      });
      await asShown("plan", /\/tasks\/0\/name[^]*your own words/);
      await own("plan", breakdown);
      await asShown("T1", /\/invariants\/0\/rule[^]*your own words/);
      await own("T1", design);
      await asShown("T1-S1", /\/test_cases\/0\/name[^]*your own words/);
      made.write("test/item.test.sh", passing);
      await own("T1-S1", tests);
      await step(made, "T1-S1", undefined, () => made.write("src/database.ts", "export {};\n"));
      await asShown("T1-S1", /items, each with item, holds and why/);
      fill(await made.next(), made, { items: [{ item: "INV-1", holds: true, why: "…" }] });
      expect((await made.report("DONE:T1-S1")).line).toMatch(/^RETRY:/);
      await own("T1-S1", {});
      await asShown("T1-S1", /\/execution\/result/);
      await own("T1-S1", {
        execution: { command, timestamp: "2026-01-01T00:00:00Z", result: "pass" },
      });
      // When it was written is not its author's to say, and no form is knowledge.
      expect(made.read(inSession(made.root, "contracts/R1/explored.yaml"))).not.toContain("2001");
      const known = inSession(made.root, "").replace("sessions", "knowledge");
      expect(made.read(`${known}knowledge.yaml`)).not.toContain("…");
    },
  );

  test(
    "S3.1 explored files are in the project: one that is not is named, the others are kept",
    limit,
    async () => {
      const made = world();
      await made.request("read items", { inSession: true });
      await made.report("START:explore");
      const files = ["src/item.ts", "src/imagined.ts"].map((path) => ({ path, summary: "items" }));
      const explored = { explored_files: files, directory_structure: { src: "code" } };
      fill(await made.next(), made, explored);
      const refused = await made.report("DONE:explore");
      expect(refused.says && said(refused.says)).toMatch(/explored_files\/1\/path[^]*imagined/);
      fill(await made.next(), made, { ...explored, explored_files: files.slice(0, 1) });
      expect((await made.report("DONE:explore")).line).toBe("OK");
    },
  );

  test(
    "S4.4 a session does not verify what it implemented while another is there, and may alone",
    limit,
    async () => {
      for (const other of ["b", null]) {
        const made = world();
        await discovered(made);
        await step(made, "T1", design);
        if (other !== null) {
          await made.report("START:T1-S1", other);
          fill(await made.next(other), made, tests);
          made.write("test/item.test.sh", passing);
          await made.report("DONE:T1-S1", other);
        } else await step(made, "T1-S1", tests, () => made.write("test/item.test.sh", passing));
        await step(made, "T1-S1", undefined, () => made.write("src/database.ts", "export {};\n"));
        const next = await made.next();
        expect([other, next.line]).toEqual([other, other === null ? "READY:T1-S1" : "WAIT"]);
        const start = made.report("START:T1-S1").then(
          ({ line }) => line,
          (thrown: { code: string }) => thrown.code,
        );
        expect(await start).toBe(other === null ? `OK:${made.root}` : "refused");
        const judge = other ?? "a";
        await made.report("START:T1-S1", judge);
        fill(await made.next(judge), made, {});
        expect((await made.report("DONE:T1-S1", judge)).line).toBe("OK");
        const gate = await made.with(async (context) =>
          (await (await context.store()).transitions({})).find(
            ({ trigger }) => trigger === "pass_gate_4",
          ),
        );
        const self = other === null ? { self_judged: true } : {};
        expect(gate?.metadata).toMatchObject({ session: judge, ...self });
      }
    },
  );

  test(
    "S4.4 GATE-4: an import across a forbidden boundary goes back to design; GATE-2: a pass that is none",
    limit,
    async () => {
      const made = world();
      await discovered(made);
      await step(made, "T1", design);
      const failing = () => made.write("test/item.test.sh", "echo 1..1; echo 'not ok 1 - x'\n");
      await step(made, "T1-S1", tests, failing);
      const crossed = await step(made, "T1-S1", undefined, () => {
        made.write("src/database.ts", "export const rows = [];\n");
        made.write("src/item.ts", 'import { rows } from "./database.ts";\nexport { rows };\n');
      });
      expect(crossed).toBe("BACK:T1-S1:design");
      const next = await made.next();
      expect(next.line).toBe("READY:T1");
      expect(next.prompt).toMatch(/boundary item → database \(src\/item\.ts:1\)/);
      await step(made, "T1", design);
      await step(made, "T1-S1", tests, failing);
      await step(made, "T1-S1", undefined, () => made.write("src/item.ts", "export {};\n"));
      await step(made, "T1-S1", {});
      const judged = { execution: { command, timestamp: "2026-01-01T00:00:00Z", result: "pass" } };
      expect(await step(made, "T1-S1", judged)).toBe("BACK:T1-S1:implementation");
      expect(made.state().tasks["T1"]?.subtasks["T1-S1"]?.gates).toMatchObject({
        "GATE-2": "failed",
      });
      expect(made.read(inSession(made.root, "contracts/R1/T1/T1-S1/test-result.yaml"))).toMatch(
        /result: fail/,
      );
    },
  );

  test(
    "S4.4 GATE-3 counts what nobody committed, GATE-1 a file that is not there",
    limit,
    async () => {
      const made = world();
      await discovered(made);
      await step(made, "T1", design);
      expect(await step(made, "T1-S1", tests)).toBe("BACK:T1-S1:test_first");
      expect(made.state().tasks["T1"]?.subtasks["T1-S1"]?.gates).toEqual({ "GATE-1": "failed" });
      await step(made, "T1-S1", tests, () => made.write("test/item.test.sh", passing));
      const strayed = await step(made, "T1-S1", undefined, () => {
        made.write("src/database.ts", "");
        made.write("README.md", "more\n");
      });
      expect(strayed).toBe("BACK:T1-S1:planning");
      expect(made.state().request.global_phase).toBe("global_discovery");
      const shown = await made.request("status");
      expect(shown.line).toBe("R1:active:global_discovery");
      expect(shown.request?.tasks[0]?.subtasks[0]?.gates).toMatchObject({ "GATE-3": "failed" });
      // The planner is told why.
      expect((await made.next()).prompt).toContain("README.md");
    },
  );

  test(
    "S2.11 a unit belongs to the session that started it; a report without a start is refused",
    limit,
    async () => {
      const made = world();
      await made.request("read items", { inSession: true });
      await expect(made.report("DONE:explore")).rejects.toMatchObject({ code: "refused" });
      await made.report("START:explore", "a");
      expect((await made.next("b")).line).toBe("READY:plan");
      expect((await made.next("a")).line).toBe("READY:explore,plan");
      await expect(made.report("DONE:explore", "b")).rejects.toMatchObject({ code: "refused" });
      const more = (name: string) =>
        made.with((context) => session.more(context, { session: name }));
      expect(await more("a")).toMatchObject({
        key: "request.stop_hook",
        params: { ids: "explore" },
      });
      expect(await more("b")).toBeNull();
      const notDone = (subject: string) =>
        made.with((context) => session.notDone(context, subject, { session: "a" }));
      expect(await notDone("explore the code")).toMatchObject({ key: "request.unreported" });
      expect(await notDone("something else")).toBeNull();
      await made.report("START:plan", "b");
      expect((await made.next("c")).line).toBe("WAIT");
      await expect(made.report("START:T1", "c")).rejects.toMatchObject({ code: "refused" });
      await expect(made.report("NONSENSE", "c")).rejects.toMatchObject({ code: "invalid_input" });
      expect((await made.report("FAIL:plan:no idea", "b")).line).toBe("RETRY:plan:2");
      expect((await made.next("c")).line).toBe("READY:plan");
    },
  );

  test(
    "S6.3 contracts: read those of one's role, hand one in, and what is wrong comes back as data",
    limit,
    async () => {
      const made = world();
      await discovered(made);
      const read = await made.contracts({ unit: "T1" });
      expect(read).toMatchObject({
        unit: "T1",
        role: "architect",
        valid: null,
        write: ".holdfast/drafts/T1.design-contract.yaml",
      });
      expect(read.contracts.map(({ name }) => name)).toEqual([
        "explored.yaml",
        "design-brief.yaml",
      ]);
      const wrong = await made.contracts({ unit: "T1", text: `${read.form ?? ""}\nmood: good\n` });
      expect(wrong).toMatchObject({
        valid: false,
        findings: [expect.objectContaining({ field: "/mood" })],
      });
      const elsewhere = (read.form ?? "").replace(/task_id: T1/, "task_id: T2");
      const other = await made.contracts({ unit: "T1", text: elsewhere });
      expect(other.findings[0]).toMatchObject({
        field: "/task_id",
        expected: 'exactly "T1"',
        got: expect.stringContaining("T2"),
      });
      const fine = await made.contracts({
        unit: "T1",
        text: (read.form ?? "").replaceAll("…", "item"),
      });
      expect(fine).toMatchObject({ valid: true, findings: [] });
      expect(made.read(".holdfast/drafts/T1.design-contract.yaml")).toContain("task_id: T1");
      await made.report("START:T1");
      expect((await made.report("DONE:T1")).line).toBe("OK");
      expect(await made.contracts({ format: "explored", text: "version: 2\n" })).toMatchObject({
        valid: false,
      });
      await expect(made.contracts({ unit: "T9" })).rejects.toMatchObject({ code: "refused" });
    },
  );
});

describe("a report that was cut short", () => {
  test(
    "S4.8 what was claimed stands, the check that did not run is run by the next report",
    limit,
    async () => {
      const made = world();
      await discovered(made);
      await step(made, "T1", design);
      await made.report("START:T1-S1");
      fill(await made.next(), made, tests);
      made.write("test/item.test.sh", passing);
      // As if the process had died between the contract and the look at the test file.
      await made.with(async (context) => {
        const { board } = await readRequest(context);
        const [due] = board === undefined ? [] : stepsOf(board);
        if (due?.kind !== "agent") throw new Error("no step");
        await takeOutcome(context, doneIn(context, due));
      });
      const next = await made.next();
      expect(next).toMatchObject({ line: "READY:T1-S1", says: { key: "request.check_due" } });
      expect((await made.report("DONE:T1-S1")).line).toBe("OK");
      expect(made.state().tasks["T1"]?.subtasks["T1-S1"]).toMatchObject({
        phase: "implementation",
      });
    },
  );

  test(
    "S4.4 who judges changes nothing: a file that strays after GATE-3 keeps the tests from running",
    limit,
    async () => {
      const made = world();
      await discovered(made);
      await step(made, "T1", {
        ...design,
        boundaries: [],
        file_refs: design.file_refs.slice(0, 1),
      });
      await step(made, "T1-S1", tests, () => made.write("test/item.test.sh", passing));
      await step(made, "T1-S1", undefined, () =>
        made.write("src/item.ts", "export const item = 3;\n"),
      );
      await step(made, "T1-S1", {});
      await made.report("START:T1-S1");
      fill(await made.next(), made, {
        execution: { command, timestamp: "2026-01-01T00:00:00Z", result: "pass" },
      });
      made.write("other.txt", "");
      await expect(made.report("DONE:T1-S1")).rejects.toMatchObject({
        code: "refused",
        message: expect.stringContaining("other.txt"),
      });
      rmSync(made.at("other.txt"));
      expect((await made.report("DONE:T1-S1")).line).toBe("ALL_DONE");
    },
  );
});

describe("several requests, several sessions, another place", () => {
  test(
    "S4.2 a second request waits until the first has ended, and begins then as R2",
    limit,
    async () => {
      const made = world();
      expect((await made.request("one", { dryRun: true })).line).toBe("DRY_RUN");
      expect(made.tree()).toEqual([]);
      await made.request("one", { inSession: true });
      expect(await made.request("two", { inSession: true })).toMatchObject({ line: "WAIT:R2" });
      expect((await made.request("status")).waiting).toEqual([{ id: "R2", text: "two" }]);
      expect(made.state().request.id).toBe("R1");
      // Stopped is not ended.
      await made.request("stop");
      expect((await made.next()).line).toBe("ERROR:STOPPED:R1");
      await expect(made.request("stop")).rejects.toMatchObject({ code: "refused" });
      await made.request("resume");
      const reset = await made.request("reset");
      expect(made.state().request).toMatchObject({
        id: "R2",
        status: "active",
        original_request: "two",
      });
      expect(reset.says.map(said).join("\n")).toContain(".claude/orchestrator/backup/R1.");
      expect(made.tree().filter((each) => each.includes("backup/R1."))).toHaveLength(2);
      expect((await made.next()).line).toBe("READY:explore,plan");
      await expect(made.request("three")).rejects.toMatchObject({ code: "refused" });
    },
  );

  test(
    "S4.1 a project that was moved goes on where it was, under the hash of its new place",
    limit,
    async () => {
      const made = world();
      await discovered(made);
      const before = made.state();
      const old = projectHash(made.root);
      renameSync(made.root, join(made.folder, "moved"));
      made.root = join(made.folder, "moved");
      // Who only looks recognises it, and carries nothing over.
      const lies = made.tree();
      expect((await made.request("status")).line).toBe("R1:active:task_loop");
      expect(made.tree()).toEqual(lies);
      const next = await made.next();
      expect(next.line).toBe("READY:T1");
      expect(made.state()).toEqual(before);
      expect(JSON.parse(made.read(inSession(made.root, "session.json")))).toMatchObject({
        project: { path: made.root, name: "moved", hash: projectHash(made.root) },
      });
      expect(made.tree().filter((each) => each.includes(old))).toEqual([]);
      expect(made.told.join("\n")).toContain("moved");
      await step(made, "T1", design);
    },
  );

  test(
    "S4.1 also with a lost home: the session says where it was, and that place is gone",
    limit,
    async () => {
      const made = world();
      await discovered(made);
      renameSync(made.root, join(made.folder, "moved"));
      made.root = join(made.folder, "moved");
      rmSync(join(made.folder, "home"), { recursive: true });
      expect((await made.next()).line).toBe("READY:T1");
      // One of its contracts is missing, and no database can bring it back: one phase back.
      await step(made, "T1", design);
      rmSync(join(made.folder, "home"), { recursive: true });
      rmSync(made.at(inSession(made.root, "contracts/R1/T1/design-contract.yaml")));
      expect((await made.next()).line).toBe("READY:T1");
      expect(made.state().tasks["T1"]?.current_subtask).toBeNull();
    },
  );

  test(
    "S4.8 of several active sessions the newest stays, the rest are stopped",
    limit,
    async () => {
      const made = world();
      await made.request("one", { inSession: true });
      const copy = (hash: string, at: string): void => {
        for (const name of ["session.json", "state.json"]) {
          const own = JSON.parse(made.read(inSession(made.root, name))) as Record<string, unknown>;
          const theirs =
            name === "session.json"
              ? { ...own, updated_at: at, project: { path: "/elsewhere", name: "x", hash } }
              : own;
          made.write(
            `.claude/orchestrator/sessions/${hash}/${name}`,
            JSON.stringify(theirs, null, 2),
          );
        }
      };
      copy("aaaaaaaa", "2020-01-01T00:00:00Z");
      expect((await made.next()).line).toBe("READY:explore,plan");
      expect(
        JSON.parse(made.read(".claude/orchestrator/sessions/aaaaaaaa/session.json")),
      ).toMatchObject({ status: "stopped" });
      expect(
        JSON.parse(made.read(".claude/orchestrator/sessions/aaaaaaaa/state.json")),
      ).toMatchObject({ request: { status: "stopped" } });
      copy("bbbbbbbb", "2099-01-01T00:00:00Z");
      expect((await made.next()).line).toBe("ERROR:STOPPED:R1");
      expect(
        JSON.parse(made.read(".claude/orchestrator/sessions/bbbbbbbb/session.json")),
      ).toMatchObject({ status: "active" });
    },
  );

  test(
    "S4.7 learn: patterns are checked and added, decisions come from the designs there are",
    limit,
    async () => {
      const made = world();
      await discovered(made);
      await step(made, "T1", design);
      await expect(made.request("learn", { patterns: "naming:\n  - a\n" })).rejects.toMatchObject({
        code: "invalid_input",
      });
      expect((await made.request("learn", { patterns: "naming: camelCase\n" })).line).toBe(
        "LEARNED:1:1:0",
      );
      const shown = await made.request("learn");
      expect(shown.line).toBe("LEARNED:1:1:0");
      expect(shown.prompt).toContain("patterns.yaml");
      expect((await made.next()).prompt).toContain("naming: camelCase");
    },
  );
});

const said = (text: Message): string => render("en", text);
