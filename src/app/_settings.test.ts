import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { projectHash } from "../core/ids.ts";
import { openSqlite } from "../store/database/sqlite.ts";
import type { Store } from "../store/database/store.ts";
import { type SettingsOf, createSettings } from "./_settings.ts";

let folder = "";
let [here, there] = ["", ""];
let store: Store;
/** Of another process, as `doctor --fix` in the new place. */
let other: Store;
let settings: SettingsOf;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-settings-"));
  [here, there] = [join(folder, "here"), join(folder, "there")];
  mkdirSync(here);
  write(here, 2);
  store = await openSqlite(join(folder, "home/holdfast.db"));
  other = await openSqlite(join(folder, "home/holdfast.db"));
  await filedUnder(here);
  settings = createSettings(store);
  // Known from now on.
  await settings.of("p1");
});
afterEach(async () => {
  await store.close();
  await other.close();
  rmSync(folder, { recursive: true, force: true });
});

test("S7.5 settings that changed are read anew", async () => {
  expect(await settings.of("p1")).toMatchObject({ slots: 2 });
  write(here, 30);
  expect(await settings.of("p1")).toMatchObject({ slots: 30 });
  rmSync(join(here, "holdfast.yaml"));
  expect(await settings.of("p1")).toBeUndefined();
});

test("S4.1 a project that is moved meanwhile is found in its new place", async () => {
  renameSync(here, there);
  write(there, 5);
  await filedUnder(there);
  expect(await settings.rootOf("p1")).toBe(there);
  expect(await settings.of("p1")).toMatchObject({ slots: 5 });
});

test("S4.1 also where something else stands in the old place by now", async () => {
  renameSync(here, there);
  await filedUnder(there);
  mkdirSync(here);
  write(here, 9);
  expect(await settings.rootOf("p1")).toBe(there);
  expect(await settings.of("p1")).toMatchObject({ slots: 2 });
});

test("S4.1 one that is gone is said to be gone, and is back when it is back", async () => {
  renameSync(here, there);
  await expect(settings.of("p1")).rejects.toMatchObject({
    code: "not_found",
    text: { key: "project.gone", params: { root: here } },
  });
  renameSync(there, here);
  expect(await settings.of("p1")).toMatchObject({ slots: 2 });
});

// --- internal ---

function write(root: string, slots: number): void {
  writeFileSync(join(root, "holdfast.yaml"), `version: 1\nslots: ${slots}\n`);
}

async function filedUnder(root: string): Promise<void> {
  const row = { id: "p1", root, hash: projectHash(root), createdAt: "2026-01-01T00:00:00.000Z" };
  await other.commit({ projects: [row] });
}
