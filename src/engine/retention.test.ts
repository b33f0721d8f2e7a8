import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nextFor } from "./_retain.ts";
import { type KeptTask, type Planned, type Removal, planRemovals, sizeOf } from "./retention.ts";

const day = 86_400_000;
const now = 100 * day;
const limits = { keepMs: 30 * day, keepBytes: 100, removalNoticeMs: day };

const task = (id: string, ended: number, more: Partial<Planned> = {}): Planned => ({
  id,
  endedAt: ended * day,
  bytes: 10,
  removeAt: null,
  needed: false,
  ...more,
});

const plan = (...tasks: Planned[]): Record<string, Removal> =>
  Object.fromEntries(planRemovals(tasks, limits, now));

test("S1.21c by age: told a day before, never less, however long it is over", () => {
  expect(plan(task("new", 99), task("soon", 70.5), task("long", 10))).toEqual({
    new: { at: 129 * day, why: "age", near: false },
    soon: { at: 101 * day, why: "age", near: true },
    long: { at: 101 * day, why: "age", near: true },
  });
});

test("S1.21c a date that was told stays, unless the limit is further off by now", () => {
  expect(plan(task("told", 60, { removeAt: 100.5 * day }))["told"]?.at).toBe(100.5 * day);
  const more = { ...limits, keepMs: 41 * day };
  const [moved] = planRemovals([task("told", 60, { removeAt: 100.5 * day })], more, now).values();
  expect(moved).toEqual({ at: 101 * day, why: "age", near: true });
});

test("S1.21c by size: the oldest, until the rest fits", () => {
  const found = plan(
    task("c", 90, { bytes: 60 }),
    task("a", 80, { bytes: 30 }),
    task("b", 85, { bytes: 40 }),
  );
  expect(found["a"]).toEqual({ at: 101 * day, why: "size", near: true });
  expect(found["b"]).toMatchObject({ why: "age", near: false });
  expect(found["c"]).toMatchObject({ why: "age", near: false });
});

test("S1.21c what goes by its age makes room for the others", () => {
  const found = plan(task("old", 60, { bytes: 60 }), task("young", 90, { bytes: 90 }));
  expect(found["old"]).toMatchObject({ why: "age", near: true });
  expect(found["young"]).toMatchObject({ near: false });
});

test("S1.21c one that another task needs is not touched; the next one goes in its place", () => {
  const found = plan(
    task("needed", 10, { bytes: 90, needed: true }),
    task("b", 85, { bytes: 40 }),
    task("c", 90, { bytes: 5 }),
  );
  expect(found["needed"]).toBeUndefined();
  expect(found["b"]).toMatchObject({ why: "size", near: true });
  expect(found["c"]).toMatchObject({ near: false });
});

const whyOf = (removeAt: number | null): "age" | null => (removeAt === null ? null : "age");

const shown = (removal: Removal | null, removeAt?: number | null): KeptTask => ({
  id: "t",
  projectId: "p",
  title: "",
  status: "completed",
  endedAt: 0,
  bytes: 7,
  kept:
    removeAt === undefined ? null : { bytes: 7, removeAt, why: whyOf(removeAt), removedAt: null },
  removal,
});

// oxfmt-ignore
test.each<[string, Removal | null, number | null | undefined, object | null]>([
  ["far off, not looked at: its size is kept", { at: 200, why: "age", near: false }, undefined, { name: "keep", bytes: 7, removal: null, tell: false }],
  ["far off, looked at: nothing",              { at: 200, why: "age", near: false }, null,      null],
  ["near: told",                               { at: 150, why: "size", near: true }, null,      { name: "keep", bytes: 7, removal: { at: 150, why: "size" }, tell: true }],
  ["near, told: nothing",                      { at: 150, why: "age", near: true },  150,       null],
  ["near, told, for another reason by now",    { at: 150, why: "size", near: true }, 150,       { name: "keep", bytes: 7, removal: { at: 150, why: "size" }, tell: false }],
  ["its time has come: it goes",               { at: 100, why: "age", near: true },  100,       { name: "clear" }],
  ["its time has come, never told: told",      { at: 100, why: "age", near: true },  null,      { name: "keep", bytes: 7, removal: { at: 100, why: "age" }, tell: true }],
  ["no longer over a limit: taken back",       { at: 200, why: "age", near: false }, 90,        { name: "keep", bytes: 7, removal: null, tell: false }],
  ["needed, or settings that nobody can read", null,                                 90,        { name: "keep", bytes: 7, removal: null, tell: false }],
])("S1.21c %s", (_, removal, removeAt, next) => {
  expect(nextFor(shown(removal, removeAt), 100, true)).toEqual(next);
});

test("S1.21c sizes are those on the disk: folders walked, links not followed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-size-"));
  try {
    const large = join(folder, "large");
    writeFileSync(large, Buffer.alloc(500_000, 1));
    const inside = join(folder, "inside/deep");
    mkdirSync(inside, { recursive: true });
    writeFileSync(join(inside, "a"), Buffer.alloc(100_000, 1));
    symlinkSync(large, join(inside, "link"));
    const size = await sizeOf([join(folder, "inside"), join(folder, "not there")]);
    expect(size).toBeGreaterThanOrEqual(100_000);
    expect(size).toBeLessThan(300_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
