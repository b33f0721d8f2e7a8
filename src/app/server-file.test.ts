import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { self } from "../os/identity.ts";
import { openSqlite } from "../store/database/sqlite.ts";
import { lockWorldOf } from "./_wiring.ts";
import { takeServerPlace } from "./server-file.ts";

test("S7.6 what servers left that were killed as they came or went is gone with the next one", async () => {
  const home = mkdtempSync(join(tmpdir(), "holdfast-server-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const store = await openSqlite(join(home, "holdfast.db"));
  onTestFinished(() => store.close());
  // No system gives so high a number.
  writeFileSync(join(home, ".server.json.00000000000000aa.own"), own(2 ** 22 + 1));
  writeFileSync(join(home, ".server.json.00000000000000bb.own"), own(process.pid));
  writeFileSync(join(home, ".server.token.00000000000000cc.tmp"), "half");
  writeFileSync(join(home, ".open.html.00000000000000ee.tmp"), "half");
  for (const name of ["secret.key", "secret.key.00000000000000dd.tmp"])
    writeFileSync(join(home, name), "k");
  const place = await takeServerPlace(home, lockWorldOf(store));
  place.leave();
  const left = readdirSync(home).filter((name) => /^\.|\.tmp$/.test(name));
  expect(left).toEqual([".server.json.00000000000000bb.own"]);
});

// --- internal ---

/** What one writes who asks for the place. */
function own(pid: number): string {
  return JSON.stringify({ holdfast: 1, token: "a", took: [], process: { ...self(), pid } });
}
