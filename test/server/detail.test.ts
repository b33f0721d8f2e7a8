// What a task page needs beyond the flat view: what it waits for and who can clear it, what may be
// done and why not, its phases, attempts and decisions, what a review compares, what a restore does.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Json, type ServerWorld, serverWorld } from "./world.ts";

const settings = `version: 1
slots: 2
task_types:
  note:
    title: A note
    phases:
      - name: Draft
        prompt: Write docs/note.md.
        deliverables: [{ path: docs/note.md, min_characters: 10 }]
        verify: [test -s docs/note.md]
        review: true
      - name: Final
        prompt: Write docs/final.md.
        deliverables: [{ path: docs/final.md, min_characters: 10 }]
        review: true
`;

const note = (text: string): string => `write docs/note.md # Note\\n\\n${text} long enough.\\n`;
const script = `${note("First,")}
phase 1 docs/note.md
on feedback
  ${note("Second,")}
end
write docs/final.md # Final\\n\\nAlso long enough.\\n
phase 2 docs/final.md
`;

interface Detail {
  readonly waits: { kind: string; clears: string; until: string | null; ids: string[] }[];
  readonly actions: { name: string; allowed: boolean; reasons: string[] }[];
  readonly phases: { name: string; status: string; verify: string[] }[];
  readonly attempts: { status: string; phase: number }[];
  readonly decisions: { status: string; feedback: string | null; phase: number }[];
  readonly answers: { question: string; answer: string }[];
  readonly reviews: string[];
  readonly status: string;
  readonly zip: boolean;
  readonly workspace: string | null;
}

let world: ServerWorld;
beforeAll(async () => {
  world = serverWorld();
  writeFileSync(join(world.root, "holdfast.yaml"), settings);
  await world.serve();
});
afterAll(() => world.end());

const until = async (id: string, is: (task: Detail) => boolean): Promise<Detail> =>
  (await world.until(`/api/tasks/${id}`, is)) as unknown as Detail;
const names = ({ actions }: Detail): string[] =>
  actions.filter(({ allowed }) => allowed).map(({ name }) => name);

describe("S6.2 a task with all that its page shows", () => {
  test("S1.7 says what may be done now, and of the rest why not, in the client's language", async () => {
    const id = await world.task("ask choice Which? | A | B\ndone ok\n");
    const asked = await until(id, ({ waits }) => waits.some(({ kind }) => kind === "question"));
    expect(names(asked)).toEqual(["pause", "cancel"]);
    expect(asked.waits).toMatchObject([{ kind: "question", clears: "you", until: null }]);
    await world.call(`/api/tasks/${id}/pause`, { body: {} });
    const paused = (await world.call(`/api/tasks/${id}`, { headers: { "accept-language": "ko" } }))
      .json as unknown as Detail;
    expect(names(paused)).toEqual(["resume", "cancel"]);
    const refused = paused.actions.find(({ name }) => name === "pause");
    expect(refused?.reasons.join("")).toMatch(/[가-힣]/);
    await world.call(`/api/tasks/${id}/resume`, { body: {} });
    await world.call(`/api/tasks/${id}/answer`, { body: { answer: "A" } });
    expect(asked.zip).toBe(false);
    const done = await until(id, ({ status, zip }) => status === "completed" && zip);
    expect(done.answers).toMatchObject([{ question: "Which?", answer: "A" }]);
    expect(names(done)).toEqual(["archive", "delete"]);
    expect(done.waits).toEqual([]);
  });

  test("S1.5 a second review compares with the first; whole, with where the phase began", async () => {
    const id = await world.task(script, { type: "note" });
    const first = await until(id, ({ reviews }) => reviews.length > 0);
    expect(first.phases.map(({ name, status }) => `${name} ${status}`)).toEqual([
      "Draft current",
      "Final next",
    ]);
    const shown = (await world.call(`/api/tasks/${id}/review`)).json as Json & Review;
    expect(shown).toMatchObject({
      since: "phase",
      phaseName: "Draft",
      checked: { commands: ["test -s docs/note.md"], verifier: false },
    });
    expect(changes(shown)).toEqual(["docs/note.md added"]);
    const body = { reviewId: shown.id, feedback: "Again", comments: [] };
    await world.call(`/api/tasks/${id}/request-changes`, { body });
    await until(id, ({ reviews }) => reviews.length > 0 && reviews[0] !== shown.id);
    const again = (await world.call(`/api/tasks/${id}/review`)).json as Json & Review;
    expect([again.since, ...changes(again)]).toEqual(["review", "docs/note.md modified"]);
    const whole = (await world.call(`/api/tasks/${id}/review?whole=true`)).json as Json & Review;
    expect([whole.since, ...changes(whole)]).toEqual(["phase", "docs/note.md added"]);
    await world.call(`/api/tasks/${id}/approve`, {
      body: { reviewId: again.id, hash: again.hash },
    });
    const second = await until(id, ({ reviews }) => reviews.length > 0 && reviews[0] !== again.id);
    expect(second.decisions.map(({ status, phase }) => `${phase} ${status}`)).toEqual([
      "1 changes_requested",
      "1 approved",
      "2 open",
    ]);
    expect(second.attempts.map(({ phase, status }) => `${phase} ${status}`)).toEqual([
      "1 passed",
      "1 passed",
      "2 passed",
    ]);
    // A new phase begins with what was approved.
    const next = (await world.call(`/api/tasks/${id}/review`)).json as Json & Review;
    expect([next.since, ...changes(next)]).toEqual(["phase", "docs/final.md added"]);

    const { snapshots } = (await world.call(`/api/tasks/${id}/snapshots`)).json as unknown as {
      snapshots: { id: string; commit: string | null }[];
    };
    const oldest = snapshots.findLast(({ commit }) => commit !== null)?.id ?? "";
    const preview = (await world.call(`/api/tasks/${id}/snapshots?changes=${oldest}`))
      .json as unknown as { changes: { path: string; status: string }[] };
    expect(preview.changes.map(({ path, status }) => `${path} ${status}`)).toEqual([
      "docs/final.md deleted",
      "docs/note.md modified",
    ]);
    const none = await world.call(`/api/tasks/${id}/snapshots?changes=snapshot_none`);
    expect(none.status).toBe(404);
  });

  test("S1.6 ZIP and review are the approved snapshot, whatever is written or put in the workspace's place afterwards", async () => {
    const id = await world.task(
      `${note("Only,")}\nphase 1 docs/note.md\nwrite docs/final.md # Final\\n\\nAlso long enough.\\n\nphase 2 docs/final.md\n`,
      { type: "note" },
    );
    const seen: string[] = [];
    for (let phase = 1; phase <= 2; phase++) {
      await until(id, ({ reviews }) => reviews.length > 0 && !seen.includes(reviews[0] ?? ""));
      const shown = (await world.call(`/api/tasks/${id}/review`)).json as Json & Review;
      seen.push(shown.id);
      const body = { reviewId: shown.id, hash: shown.hash };
      expect((await world.call(`/api/tasks/${id}/approve`, { body })).status).toBe(200);
    }
    const done = await until(id, ({ status, zip }) => status === "completed" && zip);
    const folder = done.workspace ?? "";
    // As a process would that outlived its agent.
    writeFileSync(join(folder, "docs/note.md"), "changed after the approval");
    const first = await zipOf(id);
    renameSync(folder, `${folder}.away`);
    mkdirSync(join(world.folder, "foreign/docs"), { recursive: true });
    writeFileSync(join(world.folder, "foreign/docs/note.md"), "somebody else's");
    symlinkSync(join(world.folder, "foreign"), folder);
    const second = await zipOf(id);
    expect(first.equals(second)).toBe(true);
    const texts = Object.entries(unzipSync(new Uint8Array(second))).map(
      ([name, bytes]) => `${name} ${Buffer.from(bytes).toString("utf8").split("\n").at(2)}`,
    );
    expect(texts).toEqual(["docs/final.md Also long enough.", "docs/note.md Only, long enough."]);
    const review = (await world.call(`/api/tasks/${id}/review?reviewId=${seen[0]}`))
      .json as unknown as { files: { path: string; text: string }[] };
    expect(review.files.map(({ path, text }) => `${path} ${text.split("\n").at(2)}`)).toEqual([
      "docs/note.md Only, long enough.",
    ]);
  });

  test("S1.19 a workspace that was swapped is neither read nor written: a person is asked, in their language, and puts it back", async () => {
    const id = await world.task("ask choice Which? | A | B\nwrite after.md x\ndone ok\n");
    const asked = await until(id, ({ waits }) => waits.some(({ kind }) => kind === "question"));
    const folder = asked.workspace ?? "";
    const foreign = swap(folder);
    await world.call(`/api/tasks/${id}/answer`, { body: { answer: "A" } });
    const held = (await world.until(`/api/tasks/${id}`, ({ openQuestions }: Held) =>
      openQuestions.some(({ origin }) => origin === "workspace"),
    )) as unknown as Held;
    expect(held).toMatchObject({ status: "in_progress", holds: ["workspace"] });
    expect(held.openQuestions[0]?.question).toContain(folder);
    const refused = await world.call(`/api/tasks/${id}/restore`, {
      body: {},
      headers: { "accept-language": "ko" },
    });
    expect(refused).toMatchObject({ status: 409, json: { error: { code: "refused" } } });
    expect(refused.json.error?.message).toMatch(/링크나 다른 폴더/);
    expect(readdirSync(foreign)).toEqual(["private.txt"]);
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
    await world.call(`/api/tasks/${id}/answer`, { body: { answer: "continue" } });
    await until(id, ({ status }) => status === "completed");
    expect(Object.keys(unzipSync(new Uint8Array(await zipOf(id))))).toContain("after.md");
    expect(await snapshotNames(id)).not.toContain("private.txt");
  });

  test("S1.19 nothing is approved over a swapped workspace; a restore makes one again that is gone", async () => {
    const id = await world.task(script, { type: "note" });
    const { workspace } = await until(id, ({ reviews }) => reviews.length > 0);
    const folder = workspace ?? "";
    const foreign = swap(folder);
    const refused = await world.call(`/api/tasks/${id}/approve`, { body: {} });
    expect(refused).toMatchObject({ status: 409, json: { error: { code: "refused" } } });
    expect(refused.json.error?.message).toContain("is not the folder that was made");
    rmSync(folder);
    rmSync(`${folder}.away`, { recursive: true });
    expect((await world.call(`/api/tasks/${id}/restore`, { body: {} })).status).toBe(200);
    await until(id, ({ actions }) =>
      actions.some(({ name, allowed }) => name === "resume" && allowed),
    );
    expect(readFileSync(join(folder, "docs/note.md"), "utf8")).toContain("First,");
    expect(readdirSync(foreign)).toEqual(["private.txt"]);
    await world.call(`/api/tasks/${id}/resume`, { body: {} });
    await until(id, ({ reviews }) => reviews.length > 0);
    expect((await world.call(`/api/tasks/${id}/approve`, { body: {} })).status).toBe(200);
  });

  test("S1.18 a limit that states no reset is over after 60 seconds exactly; the log and the task say the same moment", async () => {
    const error =
      "[ERROR]\\ntype: recoverable\\nmessage: too many requests\\nrecovery: pause_and_retry\\n[/ERROR]\\n";
    const id = await world.task("", {
      script: undefined,
      agent: `command:sh -c 'printf "${error}"; cat'`,
    });
    const parked = await until(id, ({ waits }) => waits.some(({ kind }) => kind === "limit"));
    const { transitions } = (await world.call(`/api/log?task=${id}&limit=0`)).json as unknown as {
      transitions: { trigger: string; timestamp: string; metadata: { until: string } }[];
    };
    const met = transitions.find(({ trigger }) => trigger === "RATE_LIMIT");
    const wait = Date.parse(met?.metadata.until ?? "") - Date.parse(met?.timestamp ?? "");
    expect(wait).toBe(60_000);
    expect(parked.waits[0]?.until).toBe(met?.metadata.until);
    await world.call(`/api/tasks/${id}/cancel`, { body: {} });
  });

  test("S1.18 what clears by itself stands apart in the inbox: a limit with its time, tasks, a slot", async () => {
    const limited = await world.task("limit 3600\n", { title: "Limited" });
    const behind = await world.task("done ok\n", { title: "Behind it", dependsOn: [limited] });
    const parked = await until(limited, ({ waits }) => waits.some(({ kind }) => kind === "limit"));
    expect(parked.waits).toMatchObject([{ kind: "limit", clears: "itself" }]);
    expect(Date.parse(parked.waits[0]?.until ?? "")).toBeGreaterThan(Date.now());
    const queued = await world.task("done ok\n", { title: "Same account" });
    const inbox = (await world.call("/api/inbox")).json as unknown as {
      items: { taskId: string }[];
      waiting: { taskId: string; kind: string; ids: string[]; title: string }[];
    };
    const of = (id: string) => inbox.waiting.filter(({ taskId }) => taskId === id);
    expect(of(limited)).toMatchObject([{ kind: "limit", title: "Limited" }]);
    expect(of(behind)).toMatchObject([{ kind: "tasks", ids: [limited] }]);
    // The account is at its limit: this one waits for the same.
    expect(of(queued)).toMatchObject([{ kind: "limit" }]);
    const ids = new Set([limited, behind, queued]);
    expect(inbox.items.filter(({ taskId }) => ids.has(taskId))).toEqual([]);
  });

  test("the server says who works and what today cost", async () => {
    const server = (await world.call("/api/server")).json;
    expect(server).toMatchObject({ slots: { total: 2 }, today: { costUsd: 0 } });
  });
});

interface Held extends Detail {
  readonly holds: readonly string[];
  readonly openQuestions: readonly { readonly origin: string; readonly question: string }[];
}

/** A folder of somebody's stands in its place, by a link; gives that folder. */
function swap(folder: string): string {
  const foreign = mkdtempSync(join(world.folder, "foreign-"));
  writeFileSync(join(foreign, "private.txt"), "not for anybody");
  renameSync(folder, `${folder}.away`);
  symlinkSync(foreign, folder);
  return foreign;
}

/** All that a restore to any of its snapshots would bring or take away. */
async function snapshotNames(id: string): Promise<string[]> {
  const { snapshots } = (await world.call(`/api/tasks/${id}/snapshots`)).json as unknown as {
    snapshots: { id: string }[];
  };
  const all = await Promise.all(
    snapshots.map(async (each) => {
      const { changes: differ } = (
        await world.call(`/api/tasks/${id}/snapshots?changes=${each.id}`)
      ).json as unknown as { changes: { path: string }[] };
      return differ.map(({ path }) => path);
    }),
  );
  return all.flat();
}

async function zipOf(id: string): Promise<Buffer> {
  const answer = await fetch(`${world.server.url}/api/tasks/${id}/zip`, {
    headers: { authorization: `Bearer ${world.server.token}` },
  });
  return Buffer.from(await answer.arrayBuffer());
}

interface Review {
  readonly id: string;
  readonly hash: string;
  readonly since: string;
  readonly diff: readonly { readonly path: string; readonly status: string }[];
}

function changes({ diff }: Review): string[] {
  return diff.map(({ path, status }) => `${path} ${status}`);
}
