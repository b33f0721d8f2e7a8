// Changes a person makes to our documents by hand: taken over where S5.3 says so.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { OrchestrateState } from "../../src/formats/orchestrate-state.ts";
import type { FormatName } from "../../src/formats/registry.ts";
import { damageWorld, written } from "./damage-world.ts";

describe("a person's change (S5.3)", () => {
  const accepted = { told: "document.foreign", trigger: "foreign" };

  test("S2.8 the seed's jq recipe, failed → completed, is taken over", async () => {
    const world = await damageWorld();
    try {
      const { ref } = await written(world, "orchestrate-state", (document) => {
        const state = document as OrchestrateState;
        const tasks = { ...state.tasks, ready: ["T1.4"], in_progress: [], failed: ["T1.3"] };
        return { ...state, tasks };
      });
      const state = JSON.parse(readFileSync(ref.path, "utf8")) as OrchestrateState;
      // jq '.tasks.failed -= ["T1.3"] | .tasks.completed += ["T1.3"]'
      const completed = [...state.tasks.completed, "T1.3"];
      const edited = { ...state, tasks: { ...state.tasks, failed: [], completed } };
      writeFileSync(ref.path, `${JSON.stringify(edited, null, 2)}\n`);
      expect(await world.documents.read(ref)).toEqual(edited);
      expect(world.told.map(({ key }) => key)).toEqual(["document.foreign"]);
      expect((await world.journal()).map(({ trigger }) => trigger)).toEqual(["foreign"]);
      // The other way round is not a person's: what is completed stays so.
      writeFileSync(ref.path, JSON.stringify({ ...edited, tasks: state.tasks }));
      expect(await world.documents.read(ref)).toEqual(edited);
      expect(world.told.at(-1)?.key).toBe("document.set_aside");
    } finally {
      await world.close();
    }
  });

  test("a changed setting is taken over", async () => {
    const made = await edit("orchestrate-state", (text) =>
      text.replace('"retry_limit": 10', '"retry_limit": 3'),
    );
    expect(made).toMatchObject({ ...accepted, value: { config: { retry_limit: 3 } } });
  });

  test("a comment in YAML is taken over, and stays", async () => {
    const made = await edit("develop-state", (text) => `# mine\n${text}`);
    expect(made).toMatchObject(accepted);
    expect(made.text.startsWith("# mine\n")).toBe(true);
  });

  test("a field of their own is taken over; in a strict format it is set aside", async () => {
    expect(await edit("task-state", withNote)).toMatchObject({
      ...accepted,
      value: { my_note: "keep" },
    });
    expect(await edit("request-state", withNote)).toMatchObject({ trigger: "set_aside" });
  });
});

// --- internal ---

const withNote = (text: string): string => text.replace("{", '{\n  "my_note": "keep",');

async function edit(
  format: FormatName,
  change: (text: string) => string,
): Promise<{ value: unknown; told: string; trigger: string; text: string }> {
  const world = await damageWorld();
  try {
    const { ref, bytes } = await written(world, format);
    const text = change(Buffer.from(bytes).toString("utf8"));
    expect(text).not.toBe(Buffer.from(bytes).toString("utf8"));
    writeFileSync(ref.path, text);
    const value = await world.documents.read(ref);
    const [row] = await world.journal();
    const told = world.told.map(({ key }) => key).join();
    return { value, told, trigger: row?.trigger ?? "", text: readFileSync(ref.path, "utf8") };
  } finally {
    await world.close();
  }
}
