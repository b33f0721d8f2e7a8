// The chain by which a document comes back, link by link, for every format: the database, `.bak`, the
// backup folder, the journal, a rebuild, a clear stop. At each link the ones before it are damaged
// too. Whatever takes its place, the bad file is kept, journaled and told (S2.9, S3.7, S4.3, S5.3).
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Fault } from "../../src/core/errors.ts";
import { render } from "../../src/core/messages.ts";
import { type Codec, loadCodec } from "../../src/formats/codec.ts";
import type { OrchestrateState } from "../../src/formats/orchestrate-state.ts";
import { type FormatName, formatNames, formats } from "../../src/formats/registry.ts";
import type { TaskState } from "../../src/formats/task-state.ts";
import { checksum } from "../../src/store/_document-sum.ts";
import type { DocumentRef } from "../../src/store/documents.ts";
import { type FaultKind, faultyDisk } from "../crash/faulty-disk.ts";
import { testWorld } from "../crash/world.ts";
import { fixtureOf, seed } from "../fixtures/documents.ts";
import { type DamageWorld, damageWorld, refOf, today } from "./damage-world.ts";

let world: DamageWorld;
let ref: DocumentRef;
let codec: Codec<unknown>;

const torn = Buffer.from("{ torn: [");
const good = (): Uint8Array => fixtureOf(ref.format).bytes;
/** The same document in another layout: still valid, told apart by its bytes. */
const alike = (mark: string): Buffer =>
  formats[ref.format].syntax === "json"
    ? Buffer.from(`${Buffer.from(good()).toString("utf8")}${" ".repeat(mark.length)}\n`)
    : Buffer.from(`${Buffer.from(good()).toString("utf8")}# ${mark}\n`);

const memory = formatNames.filter((format) => formats[format].path.startsWith(".claude/memory/"));
const others = formatNames.filter((format) => !memory.includes(format));

function valueOf(bytes: Uint8Array): unknown {
  const read = codec.read(bytes);
  return read.ok ? read.value : read.findings;
}

async function start(format: FormatName, rebuildAsked = false): Promise<void> {
  world = await damageWorld(rebuildAsked);
  ref = refOf(world, format);
  codec = (await loadCodec(format)) as Codec<unknown>;
}

/** Three revisions: adopted, and twice changed by hand in its layout alone. */
async function withRow(): Promise<void> {
  for (const bytes of [good(), alike("x"), alike("xy")]) {
    world.write(ref.path, bytes);
    await world.documents.read(ref);
  }
  await world.journal();
  world.told.length = 0;
}

/** The third is what the row promises; the others are what the journal still has. */
function damageRow(...revisions: readonly number[]): void {
  for (const rev of revisions) world.damageRevision(ref.path, rev, rev === 3 ? torn : null);
}

/** Where copies of this file lie (S3.5). */
function copy(stamp: string): string {
  const inMemory = join(world.project, ".claude/memory");
  const folder = ref.format === "agent-memory" ? "backup/agents" : "backup";
  const name = ref.path.slice(dirname(ref.path).length + 1, -".json".length);
  return join(inMemory, folder, `${name}.${stamp}.json`);
}

/** Read, and what was told and journaled of it: each once. The bad file is kept, if there was one. */
async function recovered(
  bad: Uint8Array | null = torn,
): Promise<{ told: string; trigger: string; text: string }> {
  const value = await world.documents.read(ref);
  const left = readFileSync(ref.path);
  expect(valueOf(left)).toEqual(value);
  const rows = await world.journal();
  expect(rows).toHaveLength(1);
  expect(world.told).toHaveLength(1);
  const [told] = world.told;
  const text = told ? render("en", told) : "";
  expect(text).not.toMatch(/[{}]/);
  const kept = told?.params["kept"] as string | undefined;
  expect(kept === undefined ? null : readFileSync(kept)).toEqual(bad);
  // And it is settled: nothing more is told.
  await world.documents.read(ref);
  expect(world.told).toHaveLength(1);
  return { told: told?.key ?? "", trigger: rows[0]?.trigger ?? "", text };
}

/** A clear Fault, and everything as it was. */
async function stopped(
  bytes: Uint8Array = torn,
  act: () => Promise<unknown> = () => world.documents.read(ref),
): Promise<Fault> {
  const thrown: unknown = await act().catch((cause: unknown) => cause);
  expect(thrown).toBeInstanceOf(Fault);
  expect(readFileSync(ref.path)).toEqual(Buffer.from(bytes));
  expect(world.told).toEqual([]);
  expect(await world.journal()).toEqual([]);
  return thrown as Fault;
}

afterEach(() => world.close());

describe("a document that was removed", () => {
  // To remove this one is a person's way to start over (S0.8).
  test.each(formatNames.filter((format) => format !== "develop-state"))(
    "S5.3 comes back from the database: %s",
    async (format) => {
      await start(format);
      await withRow();
      rmSync(ref.path);
      expect(await recovered(null)).toMatchObject({
        told: "document.published_again",
        trigger: "published_again",
      });
    },
  );

  test("S0.8 stays removed where that is a person's way to start over, and what it held is kept", async () => {
    await start("develop-state");
    await withRow();
    const held = readFileSync(ref.path);
    rmSync(ref.path);
    expect(await world.documents.read(ref)).toBeUndefined();
    expect(world.told.map(({ key }) => key)).toEqual(["document.removed_by_hand"]);
    expect(readFileSync(world.told[0]?.params["kept"] as string)).toEqual(held);
    expect(existsSync(ref.path)).toBe(false);
  });
});

describe.each(formatNames)("a damaged %s", (format) => {
  beforeEach(() => start(format));

  test("S5.3 comes back from the database", async () => {
    await withRow();
    writeFileSync(ref.path, torn);
    expect(await recovered()).toMatchObject({ told: "document.set_aside", trigger: "set_aside" });
    expect(readFileSync(ref.path)).toEqual(alike("xy"));
  });

  test.each([
    ["damaged in the database", [3]],
    ["with no row at all", undefined],
  ])("S2.9 %s: comes back from .bak", async (_, revisions) => {
    await withRow();
    if (revisions) damageRow(...revisions);
    else await world.loseHome(ref.path);
    world.write(`${ref.path}.bak`, alike("backup"));
    writeFileSync(ref.path, torn);
    const { told, trigger, text } = await recovered();
    expect({ told, trigger }).toEqual({ told: "document.from_backup", trigger: "restored" });
    expect(text).toContain(`${ref.path}.bak`);
    expect(readFileSync(ref.path)).toEqual(alike("backup"));
  });

  test("a valid file beside a damaged row is the newest there is: taken as it is, and told", async () => {
    await withRow();
    damageRow(3);
    writeFileSync(ref.path, alike("by hand"));
    expect(await recovered(null)).toMatchObject({
      told: "document.taken_as_is",
      trigger: "adopted",
    });
    expect(readFileSync(ref.path)).toEqual(alike("by hand"));
  });
});

/** Read as the first thing of an update: a first start makes no file. */
const looked = (): Promise<unknown> =>
  world.documents.update({
    files: [ref],
    event: "look",
    apply: (all) => ({ documents: new Map(), result: all.get(ref.path) }),
  });

function damagedToo(): void {
  world.write(ref.path, torn);
  world.write(`${ref.path}.bak`, torn);
  world.write(copy("2026-01-30T00-00-00.000Z"), alike("old"));
  world.write(copy("2026-01-31T00-00-00.000Z"), alike("newer"));
  world.write(copy("2026-01-31T01-00-00.000Z"), torn);
}

describe.each(memory)("a damaged %s, of a plan's memory", (format) => {
  beforeEach(() => start(format));

  test("S3.5 without .bak: comes back from the newest valid copy", async () => {
    damagedToo();
    expect(await recovered()).toMatchObject({ told: "document.from_backup", trigger: "restored" });
    expect(readFileSync(ref.path)).toEqual(alike("newer"));
  });

  test("S3.7 with nothing left: begins empty", async () => {
    world.write(ref.path, torn);
    const { told, trigger, text } = await recovered();
    expect({ told, trigger }).toEqual({ told: "document.recovered", trigger: "restored" });
    expect(text).toContain("There is no backup, so it begins empty");
    expect(await world.documents.read(ref)).toMatchObject({ version: "1.0" });
  });

  test("S3.1 gone, with no row: brought back from a backup, and only without one a first start", async () => {
    expect(await looked()).toBeUndefined();
    expect(world.told).toEqual([]);
    world.write(`${ref.path}.bak`, alike("backup"));
    expect(await looked()).toEqual(valueOf(good()));
    expect(world.told.map(({ key }) => key)).toEqual(["document.brought_back"]);
    expect(readFileSync(ref.path)).toEqual(alike("backup"));
  });
});

describe.each(others)("a damaged %s", (format) => {
  beforeEach(() => start(format));

  test("S2.9 S4.3 with nothing left: a stop with path and hint, and the file stays as it is", async () => {
    damagedToo();
    const { code, text, hint } = await stopped();
    expect(code).toBe("corrupt");
    expect(render("en", text)).toContain(ref.path);
    expect(hint && render("ko", hint)).toContain("파일은 그대로 두었습니다");
  });

  test("S4.3 an invalid one stops with field, what was expected and what stands there", async () => {
    const document = valueOf(good()) as object;
    const field = Object.keys(document).find((name) => name !== "version") ?? "";
    const bytes = Buffer.from(codec.print({ ...document, [field]: 42 }));
    world.write(ref.path, bytes);
    const said = render("en", (await stopped(bytes)).text);
    expect(said).toContain(ref.path);
    expect(said).toMatch(new RegExp(`/${field}: expected .+, got .*42`));
  });

  test("gone, with no row: a first start, for a workflow may have removed it itself", async () => {
    world.write(`${ref.path}.bak`, alike("backup"));
    expect(await looked()).toBeUndefined();
    expect(world.told).toEqual([]);
    expect(existsSync(ref.path)).toBe(false);
  });
});

describe.each(formatNames.filter((format) => format !== "orchestrate-state"))(
  "a %s that is damaged in file, database and backup",
  (format) => {
    test("S3.7 S4.3 comes back from the newest revision in the journal that reads", async () => {
      await start(format);
      await withRow();
      damageRow(3, 2);
      writeFileSync(ref.path, torn);
      const { told, trigger, text } = await recovered();
      expect({ told, trigger }).toEqual({ told: "document.recovered", trigger: "restored" });
      expect(text).toContain("Revision 1 from the journal is in its place");
      expect(await world.documents.read(ref)).toEqual(valueOf(good()));
    });
  },
);

/** As a newer Holdfast would leave it: its version, and something of its own. */
function newer(): Buffer {
  const { version } = formats[ref.format];
  const next = typeof version === "number" ? version + 1 : "9.0";
  const printed = codec.print({ ...(valueOf(good()) as object), version: next, of_tomorrow: true });
  return Buffer.from(printed);
}

/** What a stop says, with everything as it was and nothing kept aside. */
async function refusal(bytes: Uint8Array = newer()): Promise<{ code: string; said: string }> {
  const { code, text } = await stopped(bytes, looked);
  expect(existsSync(world.quarantine)).toBe(false);
  return { code, said: render("en", text).replace(ref.path, "PATH") };
}
const refused = {
  code: "refused",
  said: expect.stringMatching(/^PATH was left as it is: \/version: .*; update Holdfast$/) as string,
};

describe.each(formatNames.filter((format) => formats[format].version !== null))(
  "a %s of a newer Holdfast",
  (format) => {
    beforeEach(() => start(format, true));

    test("S5.3 that is not known here: refused, whatever backup there is", async () => {
      world.write(ref.path, newer());
      world.write(`${ref.path}.bak`, good());
      expect(await refusal()).toEqual(refused);
    });

    test("S5.3 kept as .bak beside a damaged file: refused, not passed over for what is older", async () => {
      world.write(ref.path, torn);
      world.write(`${ref.path}.bak`, newer());
      expect(await refusal(torn)).toEqual({
        ...refused,
        said: expect.stringMatching(
          /^PATH\.bak was left as it is: \/version: .*; update Holdfast$/,
        ),
      });
    });

    test("S5.3 in the place of ours: refused, and not put aside", async () => {
      await withRow();
      writeFileSync(ref.path, newer());
      expect(await refusal()).toEqual(refused);
      // Nor is it where ours can not be read either.
      damageRow(3, 2);
      expect(await refusal()).toEqual(refused);
    });

    test("S5.3 that it has published with this very home: refused, whatever the file is now", async () => {
      await withRow();
      const row = await world.store.document(ref.path);
      if (!row) throw new Error("it has no row");
      const [content, createdAt] = [newer(), today];
      const after = checksum(content);
      await world.store.commit({
        documents: [
          {
            document: { ...row, before: row.after, after },
            revision: { kind: "ours", base: null, content, event: null, createdAt },
          },
        ],
      });
      writeFileSync(ref.path, content);
      expect(await refusal()).toEqual(refused);
      writeFileSync(ref.path, good());
      expect(await refusal(good())).toEqual(refused);
    });

    test("S5.3 that differs from ours in a digit: refused; in a bit alone: flipped, and ours comes back", async () => {
      await withRow();
      const ours = alike("xy");
      const digit = ours.toString("utf8").search(/(?<=^\s*"?version"?: "?)\d/m);
      const changed = (bits: number): Buffer => {
        const bytes = Buffer.from(ours);
        bytes[digit] = (bytes[digit] ?? 0) ^ bits;
        return bytes;
      };
      // 1 becomes 6, 2 becomes 5.
      writeFileSync(ref.path, changed(7));
      expect(await refusal(changed(7))).toEqual(refused);
      writeFileSync(ref.path, changed(1));
      expect(await recovered(changed(1))).toMatchObject({ told: "document.set_aside" });
      expect(readFileSync(ref.path)).toEqual(ours);
    });
  },
);

describe("the quarantine (S5.3)", () => {
  test("keeps the same damage once, and other damage beside it", async () => {
    await start("develop-state");
    await withRow();
    for (const bytes of [torn, torn, Buffer.from("phase: ["), torn]) {
      writeFileSync(ref.path, bytes);
      await world.documents.read(ref);
    }
    expect(world.told).toHaveLength(4);
    expect(await world.journal()).toHaveLength(4);
    const kept = readdirSync(world.quarantine);
    expect(kept).toHaveLength(2);
    expect(kept.every((name) => name.endsWith("-state.yaml"))).toBe(true);
    // One that was damaged itself is written anew: the name says what is in it.
    const [first = ""] = kept;
    const path = join(world.quarantine, first);
    const was = readFileSync(path);
    writeFileSync(path, "rotten");
    writeFileSync(ref.path, was);
    await world.documents.read(ref);
    expect(readFileSync(path)).toEqual(was);
  });
});

describe("a damaged database", () => {
  beforeEach(() => start("shared-context"));

  test.each([
    ["other bytes, but a valid document", () => alike("flipped")],
    ["bytes that do not read", () => torn],
    ["no revision at all", () => null],
  ])("S5.3 %s: never published, the next link is taken", async (_, bytes) => {
    await withRow();
    world.damageRevision(ref.path, 3, bytes());
    world.write(`${ref.path}.bak`, alike("backup"));
    rmSync(ref.path);
    expect(await recovered(null)).toMatchObject({ told: "document.brought_back" });
    expect(readFileSync(ref.path)).toEqual(alike("backup"));
  });
});

describe("safe repairs (S3.7)", () => {
  test("are made, listed and journaled, and the file as it was is kept", async () => {
    await start("task-state");
    const { bytes } = seed("full/.claude/memory/task-state.json");
    const state = JSON.parse(Buffer.from(bytes).toString("utf8")) as TaskState;
    const { last_updated: _, ...without } = state;
    const doubled = { ...without, pending_tasks: [state.current_task] };
    const found = Buffer.from(JSON.stringify(doubled, null, 2));
    world.write(ref.path, found);
    world.write(`${ref.path}.bak`, alike("older than the file"));
    expect(await world.documents.read(ref)).toEqual({
      ...state,
      pending_tasks: [],
      last_updated: today,
    });
    const [told] = world.told;
    expect(told && render("en", told)).toContain(
      `It was repaired: /last_updated was missing, now "${today}"; ` +
        "/pending_tasks/0: task-2025-11-18-001 stood twice, one of them is gone.",
    );
    expect(readFileSync(told?.params["kept"] as string)).toEqual(found);
    const [row] = await world.journal();
    expect(row).toMatchObject({ trigger: "restored", metadata: { how: expect.any(String) } });
  });
});

describe("the state of an orchestrate run, when a rebuild is asked for (S2.9)", () => {
  const plan = "# Shop\n\n## Phase 1\n- [x] T1.1: a\n- [ ] T1.2: b\n  - depends: T1.1\n";

  test("is not rebuilt unasked: it stops, and says how to ask", async () => {
    await start("orchestrate-state");
    await withRow();
    damageRow(3, 2);
    writeFileSync(ref.path, torn);
    world.write(join(world.project, "TASKS.md"), plan);
    const { hint } = await stopped();
    expect(hint && render("en", hint)).toContain("holdfast doctor --fix");
  });

  test("is made from TASKS.md and what the journal still knows", async () => {
    await start("orchestrate-state", true);
    await withRow();
    damageRow(3, 2);
    writeFileSync(ref.path, torn);
    world.write(join(world.project, "TASKS.md"), plan);
    const { told, text } = await recovered();
    expect(told).toBe("document.recovered");
    expect(text).toContain("rebuilt from TASKS.md: 2 of 2 tasks are completed");
    const state = (await world.documents.read(ref)) as OrchestrateState;
    // T1.2 was completed in the journal; settings are the run's own.
    expect(state.tasks.completed).toEqual(["T1.1", "T1.2"]);
    expect(state.config.slack_webhook_url).toMatch(/^https:/);
  });

  test("with a plan that can not be read, or none, it stops and says which line to mend", async () => {
    await start("orchestrate-state", true);
    world.write(ref.path, torn);
    const none = await stopped();
    expect(none.hint && render("en", none.hint)).toContain("docs/planning/TASKS.md");
    world.write(join(world.project, "TASKS.md"), plan.replace("depends: T1.1", "depends: T9.9"));
    const bad = await stopped();
    expect(bad.hint && render("en", bad.hint)).toMatch(/TASKS\.md .*line 6: .*T9\.9/);
  });

  test("the plan is looked for where the settings say", async () => {
    await start("orchestrate-state", true);
    world.write(ref.path, torn);
    world.write(
      join(world.project, "holdfast.yaml"),
      "version: 1\norchestrate: { tasks: doc/p.md }\n",
    );
    world.write(join(world.project, "doc/p.md"), plan);
    expect((await recovered()).text).toContain("rebuilt from doc/p.md: 1 of 2 tasks");
  });
});

describe("a process that dies while it recovers (S5.2)", () => {
  test.each<FaultKind>(["die_before", "die_after", "EIO", "ENOSPC"])(
    "%s at any step: the next one ends it, and the bad file is kept and journaled once",
    async (kind) => {
      await start("task-state");
      const place = await testWorld();
      const mine: DocumentRef = { path: join(place.folder, "task-state.json"), format: ref.format };
      const sound = alike("backup");
      writeFileSync(`${mine.path}.bak`, sound);
      for (let at = 1; ; at++) {
        await place.store.commit({ documentsGone: [mine.path] });
        const bad = Buffer.concat([torn, Buffer.from(String(at))]);
        writeFileSync(mine.path, bad);
        const [last] = (await place.store.transitions({ machine: "document" })).slice(-1);
        const disk = faultyDisk(at, kind);
        await place
          .process(disk)
          .read(mine)
          .catch(() => undefined);
        expect(await place.process().read(mine)).toEqual(valueOf(sound));
        expect(readFileSync(mine.path)).toEqual(sound);
        const rows = await place.store.transitions({ machine: "document", after: last?.seq ?? 0 });
        expect(rows.filter(({ trigger }) => trigger === "restored")).toHaveLength(1);
        const kept = readdirSync(join(place.folder, "home/quarantine"))
          .filter((name) => !name.endsWith(".tmp"))
          .map((name) => readFileSync(join(place.folder, "home/quarantine", name)));
        expect(kept.filter((bytes) => bytes.equals(bad))).toHaveLength(1);
        if (disk.taken.length < at) break;
      }
      await place.close();
    },
  );
});
