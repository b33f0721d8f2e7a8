import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { faultyDisk } from "../../test/crash/faulty-disk.ts";
import { type Codec, loadCodec } from "../formats/codec.ts";
import type { FormatName } from "../formats/registry.ts";
import { initialMemory } from "../workflows/plan/initial.ts";
import { backup, backupsOf } from "./backups.ts";
import { realDisk } from "./disk.ts";

let folder = "";
let clock = 0;
let ids = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-backups-"));
  clock = Date.parse("2026-01-31T09:00:00Z");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const paths = {
  "task-state": ".claude/memory/task-state.json",
  "agent-memory": ".claude/memory/agents/task-state.json",
  "develop-state": ".develop-workflow/state.yaml",
} as const;

async function copied(format: keyof typeof paths, disk = realDisk): Promise<string | undefined> {
  const codec = (await loadCodec(format)) as Codec<unknown>;
  return backup(ref(format), {
    disk,
    codec,
    now: () => new Date(clock),
    random: () => `r${++ids}`,
  });
}

function ref(format: keyof typeof paths): { path: string; format: FormatName } {
  return { path: join(folder, paths[format]), format };
}

/** A state that is told apart by its time. */
function write(format: "task-state" | "agent-memory", updated: number): string {
  const { path } = ref(format);
  mkdirSync(dirname(path), { recursive: true });
  const now = new Date(updated).toISOString();
  writeFileSync(path, JSON.stringify(initialMemory(format, "task-state", now)));
  return readFileSync(path, "utf8");
}

const inBackup = (): string[] => readdirSync(join(folder, ".claude/memory/backup")).toSorted();

test("S3.5 half a copy that a killed process left goes with a later one, that of a living one stays", async () => {
  write("task-state", 1);
  const below = join(folder, ".claude/memory/backup");
  mkdirSync(below, { recursive: true });
  const [dead, living] = [join(below, ".dead.tmp"), join(below, ".living.tmp")];
  for (const path of [dead, living]) writeFileSync(path, "{");
  clock = Date.now();
  utimesSync(dead, clock / 1_000 - 61, clock / 1_000 - 61);
  expect(await copied("task-state")).toBeDefined();
  expect([existsSync(dead), existsSync(living)]).toEqual([false, true]);
});

describe("backups of a plan's memory (S3.5)", () => {
  test("a copy is named by file and time, and holds the very bytes", async () => {
    const text = write("task-state", 1);
    const path = await copied("task-state");
    expect(path).toBe(
      join(folder, ".claude/memory/backup/task-state.2026-01-31T09-00-00.000Z.json"),
    );
    expect(readFileSync(path ?? "", "utf8")).toBe(text);
    expect(inBackup()).toHaveLength(1);
  });

  test("an agent's file has its copies apart, whatever the agent is called", async () => {
    write("task-state", 1);
    const text = write("agent-memory", 2);
    await copied("task-state");
    const path = await copied("agent-memory");
    expect(path).toContain("/backup/agents/task-state.2026-");
    expect(readFileSync(path ?? "", "utf8")).toBe(text);
    expect(backupsOf(ref("agent-memory"), realDisk)).toEqual([path]);
  });

  test("the newest 20 of each file stay; another's are not counted", async () => {
    write("agent-memory", 0);
    await copied("agent-memory");
    for (let at = 1; at <= 25; at++) {
      clock += 60_000;
      write("task-state", at);
      await copied("task-state");
    }
    const kept = backupsOf(ref("task-state"), realDisk);
    expect(kept).toHaveLength(20);
    const times = kept.map(
      (path) => (JSON.parse(readFileSync(path, "utf8")) as { last_updated: string }).last_updated,
    );
    const wanted = Array.from({ length: 20 }, (_, place) => new Date(25 - place).toISOString());
    expect(times).toEqual(wanted);
    expect(backupsOf(ref("agent-memory"), realDisk)).toHaveLength(1);
  });

  test("what is already the newest copy is not copied again", async () => {
    write("task-state", 1);
    const first = await copied("task-state");
    clock += 1000;
    expect(await copied("task-state")).toBe(first);
    expect(inBackup()).toHaveLength(1);
  });

  test("the order is that of the making, even when the clock stands still or goes back", async () => {
    for (let at = 1; at <= 3; at++) {
      write("task-state", at);
      await copied("task-state");
      clock -= 3_600_000;
    }
    const texts = backupsOf(ref("task-state"), realDisk).map((path) => readFileSync(path, "utf8"));
    expect(texts.map((text) => text.match(/:00\.00(\d)Z/)?.[1])).toEqual(["3", "2", "1"]);
  });

  test("an invalid file, a missing one and any other format are not copied", async () => {
    expect(await copied("task-state")).toBeUndefined();
    write("task-state", 1);
    writeFileSync(ref("task-state").path, "{ torn");
    expect(await copied("task-state")).toBeUndefined();
    expect(await copied("develop-state")).toBeUndefined();
    expect(existsSync(join(folder, ".claude/memory/backup"))).toBe(false);
  });

  test("S5.4 nothing is written or read through a link", async () => {
    write("task-state", 1);
    const elsewhere = join(folder, "elsewhere");
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(folder, ".claude/memory/backup"));
    await expect(copied("task-state")).rejects.toMatchObject({ code: "refused" });
    expect(readdirSync(elsewhere)).toEqual([]);
    writeFileSync(join(elsewhere, "task-state.2026-01-31T09-00-00.000Z.json"), "{}");
    expect(backupsOf(ref("task-state"), realDisk)).toEqual([]);
  });

  test("S5.1 a fault at any step leaves no half copy under a copy's name", async () => {
    for (const kind of ["EIO", "ENOSPC", "die_before", "die_after"] as const)
      for (let at = 1; ; at++) {
        const text = write("task-state", at);
        clock += 1000;
        const disk = faultyDisk(at, kind);
        await copied("task-state", disk).catch(() => undefined);
        for (const path of backupsOf(ref("task-state"), realDisk))
          expect(readFileSync(path, "utf8")).toHaveLength(text.length);
        if (disk.taken.length < at) break;
      }
  });
});
