import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checksum } from "./_document-sum.ts";
import { loadDriver } from "./database/driver.ts";
import { openSqlite } from "./database/sqlite.ts";
import type { Store } from "./database/store.ts";
import { realDisk } from "./disk.ts";
import { broughtHere, carryOver, findMoved, projectHere, rootsOf } from "./moved.ts";

const at = "2026-01-01T00:00:00.000Z";

let folder = "";
let [here, there] = ["", ""];
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-moved-"));
  [here, there] = [join(folder, "here"), join(folder, "there")];
  store = await openSqlite(join(folder, "home/holdfast.db"));
  await project("p1", here, { "a.json": ["first", "second"], "sub/b.json": ["only"] });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A project with documents, each with its revisions; the last of them lies on the disk. */
async function project(id: string, root: string, files: Record<string, string[]>): Promise<void> {
  await store.commit({ projects: [{ id, root, hash: "00000000", createdAt: at }] });
  for (const [name, revisions] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    const row = { path, projectId: id, taskId: null, format: "shared-context" };
    let before: string | null = null;
    for (const [rev, text] of revisions.entries()) {
      const content = Buffer.from(text);
      const after = checksum(content);
      await store.commit({
        documents: [
          {
            document: {
              ...row,
              rev,
              before,
              after,
              token: "t",
              boot: "b",
              updatedAt: at,
            },
            revision: { kind: "ours", base: null, content, event: { rev }, createdAt: at },
          },
        ],
      });
      before = after;
      writeFileSync(path, content);
    }
  }
}

const text = async (path: string, rev: number): Promise<string> =>
  Buffer.from((await store.contentAt(path, rev)) ?? []).toString("utf8");

describe("a project that was moved", () => {
  test("S4.1 is recognised by its documents once the old folder is gone, and a copy is not", async () => {
    cpSync(here, there, { recursive: true });
    expect(await findMoved(there, store, realDisk)).toBeUndefined();
    rmSync(here, { recursive: true });
    expect(await findMoved(there, store, realDisk)).toMatchObject({
      project: { id: "p1", root: here },
      same: 2,
    });
    expect(await projectHere(there, store, realDisk)).toMatchObject({ project: { id: "p1" } });
    expect(await findMoved(join(folder, "elsewhere"), store, realDisk)).toBeUndefined();
  });

  test("S4.1 one document as it was is enough; with none it is a stranger", async () => {
    renameSync(here, there);
    writeFileSync(join(there, "a.json"), "edited on the way");
    expect(await findMoved(there, store, realDisk)).toMatchObject({ same: 1 });
    rmSync(join(there, "sub"), { recursive: true });
    expect(await findMoved(there, store, realDisk)).toBeUndefined();
    // As before the last write, which was cut short.
    writeFileSync(join(there, "a.json"), "first");
    expect(await findMoved(there, store, realDisk)).toMatchObject({ same: 1 });
  });

  test("S4.1 of several that are gone it is the one with most in common", async () => {
    await project("p2", join(folder, "other"), { "sub/b.json": ["only"] });
    rmSync(join(folder, "other"), { recursive: true });
    renameSync(here, there);
    expect(await findMoved(there, store, realDisk)).toMatchObject({ project: { id: "p1" } });
  });

  test("S4.1 is carried over whole: row, documents, their revisions, and the way there", async () => {
    renameSync(here, there);
    const moved = await findMoved(there, store, realDisk);
    if (!moved) throw new Error("not recognised");
    const before = await store.document(join(here, "a.json"));
    const done = await carryOver(there, moved, store, new Date(at));
    if (!done) throw new Error("not carried over");
    const { project: carried, told } = done;
    expect(carried).toMatchObject({ id: "p1", root: there });
    expect(told).toMatchObject({ key: "project.carried", params: { from: here, root: there } });
    expect(await store.projectAt(there)).toEqual(carried);
    expect(await store.projectAt(here)).toBeUndefined();
    const path = join(there, "a.json");
    expect((await store.documents("p1")).map((row) => row.path)).toEqual([
      path,
      join(there, "sub/b.json"),
    ]);
    expect(await store.document(path)).toEqual({ ...before, path });
    expect([await text(path, 1), await text(path, 2)]).toEqual(["first", "second"]);
    expect((await store.revisions(path)).map(({ event }) => event)).toEqual([
      { rev: 0 },
      { rev: 1 },
    ]);
    expect(await store.transitions()).toMatchObject([
      { machine: "project", entityId: "p1", from: here, to: there, trigger: "moved" },
    ]);
    expect(await findMoved(there, store, realDisk)).toBeUndefined();
  });

  test("S4.1 every root it ever had is known, so that its journal can be read", async () => {
    const third = join(folder, "third");
    for (const [from, to] of [
      [here, there],
      [there, third],
    ] as const) {
      renameSync(from, to);
      const moved = await findMoved(to, store, realDisk);
      if (moved) await carryOver(to, moved, store, new Date(at));
    }
    const [row] = await store.projects();
    expect(row && (await rootsOf(row, store))).toEqual([third, there, here]);
  });

  test("S4.1 two processes at once: one carries it over, the other finds it there", async () => {
    renameSync(here, there);
    const other = await openSqlite(join(folder, "home/holdfast.db"));
    const both = await Promise.all(
      [store, other].map((each) => broughtHere(there, each, realDisk, new Date(at))),
    );
    await other.close();
    expect(both.map(({ project: row }) => row)).toEqual([
      expect.objectContaining({ id: "p1", root: there }),
      expect.objectContaining({ id: "p1", root: there }),
    ]);
    expect(both.filter(({ told }) => told !== undefined)).toHaveLength(1);
    expect(await store.transitions()).toHaveLength(1);
    expect(await text(join(there, "a.json"), 2)).toBe("second");
  });

  test("S4.1 of two copies one is the project, and the other stays a stranger", async () => {
    const second = join(folder, "second");
    cpSync(here, second, { recursive: true });
    renameSync(here, there);
    const [moved, late] = [
      await findMoved(there, store, realDisk),
      await findMoved(second, store, realDisk),
    ];
    if (!moved || !late) throw new Error("not recognised");
    expect(await carryOver(there, moved, store, new Date(at))).toBeDefined();
    // Looked before the first was done, and comes after it.
    expect(await carryOver(second, late, store, new Date(at))).toBeUndefined();
    expect(await broughtHere(second, store, realDisk, new Date(at))).toEqual({});
    expect(await store.projectAt(there)).toMatchObject({ id: "p1" });
    expect((await store.documents("p1")).map(({ path }) => path)).toEqual([
      join(there, "a.json"),
      join(there, "sub/b.json"),
    ]);
  });

  test("S4.1 a row that was made in the new place meanwhile stays as it is", async () => {
    renameSync(here, there);
    const moved = await findMoved(there, store, realDisk);
    if (!moved) throw new Error("not recognised");
    await store.commit({ projects: [{ id: "p2", root: there, hash: "00000000", createdAt: at }] });
    expect(await carryOver(there, moved, store, new Date(at))).toBeUndefined();
    expect(await broughtHere(there, store, realDisk, new Date(at))).toMatchObject({
      project: { id: "p2" },
    });
    expect(await text(join(here, "a.json"), 2)).toBe("second");
  });

  test("S4.1 a damaged revision does not keep the rest behind", async () => {
    const path = join(here, "a.json");
    const large = Buffer.alloc(100_000, "x");
    const row = { path, projectId: "p1", taskId: null, format: "shared-context" };
    for (const [rev, content] of [large, Buffer.concat([large, Buffer.from("y")])].entries())
      await store.commit({
        documents: [
          {
            document: {
              ...row,
              rev: rev + 2,
              before: null,
              after: checksum(content),
              token: "t",
              boot: "b",
              updatedAt: at,
            },
            revision: { kind: "ours", base: null, content, event: null, createdAt: at },
          },
        ],
      });
    // The whole copy that revision 4 is a difference to.
    const database = loadDriver()(join(folder, "home/holdfast.db"));
    database.exec("update revision set content = null where rev = 3");
    database.close();
    renameSync(here, there);
    expect(await broughtHere(there, store, realDisk, new Date(at))).toMatchObject({
      project: { id: "p1", root: there },
    });
    expect(await store.revisions(join(there, "a.json"))).toHaveLength(4);
    expect(await text(join(there, "a.json"), 2)).toBe("second");
    expect(await store.contentAt(join(there, "a.json"), 4)).toBeUndefined();
  });

  test("S4.1 a document outside the project says nothing of where the project is", async () => {
    await project("p3", join(folder, "third"), {});
    const path = join(folder, "outside.json");
    writeFileSync(path, "outside");
    const document = { path, projectId: "p3", taskId: null, format: "shared-context", rev: 0 };
    const after = checksum(Buffer.from("outside"));
    await store.commit({
      documents: [
        {
          document: {
            ...document,
            before: null,
            after,
            token: "t",
            boot: "b",
            updatedAt: at,
          },
          revision: {
            kind: "ours",
            base: null,
            content: Buffer.from("outside"),
            event: null,
            createdAt: at,
          },
        },
      ],
    });
    expect(await findMoved(join(folder, "anywhere"), store, realDisk)).toBeUndefined();
  });
});
