// Many sessions begin a plan at the same moment (S2.11): each gets its clone, and one branch comes of it.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { start } from "../cli/program.ts";
import { full, limit } from "../crash/programs.ts";
import { figure } from "../figures.ts";
import { filesOf, person, unitsIn } from "./person.ts";
import { Played, must } from "./player.ts";
import type { Scene } from "./scene.ts";

const count = 16;
const rounds = full ? 200 : 2;
const lines = Array.from({ length: count }, (_, n) => `- [ ] T1.${n + 1}: t`);
const scene: Scene = {
  name: "at once",
  plan: `# Many\n## Phase 1: Core\n${lines.join("\n")}\n`,
  acts: [],
};

test(
  `S2.6 S2.11 ${count} sessions report their first START at once, and their DONE: all succeed`,
  limit,
  async () => {
    const who = person(scene);
    const played = new Played(who, scene);
    await must(who, ["orchestrate", "--in-session", "--parallel", "100"]);
    const all = (verb: string) =>
      Promise.all(
        unitsIn(scene).map(async (unit) => {
          const words = who.words("report", "orchestrate", `${verb}:${unit}`, "--session", unit);
          return { unit, ...(await start(words, who.around).ended) };
        }),
      );
    const begun = await all("START");
    expect(begun.filter(({ code }) => code !== 0)).toEqual([]);
    const folders = begun.map(({ out }) => out.trim().slice("OK:".length));
    expect(new Set(folders).size).toBe(count);
    for (const [place, folder] of folders.entries())
      for (const [path, text] of Object.entries(filesOf(scene, begun[place]?.unit ?? "")))
        writeFileSync(join(folder, path), text);
    const done = await all("DONE");
    expect(done.filter(({ code }) => code !== 0)).toEqual([]);
    expect(done.filter(({ out }) => out === "ALL_DONE\n")).toHaveLength(1);
    expect(played.ended()).toEqual({ said: "VERIFIED", due: "VERIFIED" });
  },
);

test(`S2.11 ${count} first STARTs at once, ${rounds} times: all succeed`, limit, async () => {
  let failed = 0;
  for (let round = 0; round < rounds; round++) {
    const who = person(scene);
    await must(who, ["orchestrate", "--in-session", "--parallel", "100"]);
    const begun = await Promise.all(
      unitsIn(scene).map((unit) => {
        const words = who.words("report", "orchestrate", `START:${unit}`, "--session", unit);
        return start(words, who.around).ended;
      }),
    );
    const bad = begun.filter(({ code }) => code !== 0);
    failed += bad.length;
    expect({ round, bad }).toEqual({ round, bad: [] });
    rmSync(who.folder, { recursive: true, force: true });
  }
  figure("git.starts", { seen: rounds * count, lost: failed });
});
