// A person who does anything at any moment beside a session (S2.6): whatever it was, once they give up what they
// had begun and let the run's own work count, everything is there.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { start } from "../cli/program.ts";
import { full, limit, seeded } from "../crash/programs.ts";
import { figure } from "../figures.ts";
import { filesOf, person, unitsIn } from "./person.ts";
import { Played, must } from "./player.ts";
import { type Draw, giveUp, primitives } from "./primitives.ts";
import type { Scene } from "./scene.ts";

/** `HOLDFAST_SEED=7,9` plays these alone. */
const only = process.env["HOLDFAST_SEED"];
const seeds =
  only === undefined
    ? Array.from({ length: full ? 300 : 12 }, (_, n) => n + 1)
    : only.split(",").map(Number);
/** How often somebody has to come before a step is taken. */
const most = 6;

test(
  `S2.6 whatever a person does with git beside a run: ${seeds.length} random sequences`,
  limit,
  async () => {
    const wrong: string[] = [];
    for (const seed of seeds) {
      const did: string[] = [];
      try {
        await playRandom(seed, did);
      } catch (cause) {
        wrong.push(`seed ${seed}: ${did.join(" · ")}\n${String(cause)}`);
      }
    }
    figure("git.person", { seen: seeds.length, lost: wrong.length });
    expect(wrong).toEqual([]);
  },
);

// --- internal ---

async function playRandom(seed: number, did: string[]): Promise<void> {
  const draw = seeded(seed * 7919);
  const scene: Scene = { name: `seed ${seed}`, acts: [], files: { "a.txt": "a\n" } };
  const who = person(scene);
  who.git("branch", "other", "HEAD~1");
  who.git("tag", "began");
  const played = new Played(who, scene);
  await must(who, ["orchestrate", "--in-session"]);
  for (const unit of unitsIn(scene)) {
    disturb(played, draw, did);
    const folder = (await told(played, `START:${unit}`, did)).trim().slice("OK:".length);
    for (const [path, text] of Object.entries(filesOf(scene, unit)))
      writeFileSync(join(folder, path), text);
    disturb(played, draw, did);
    await told(played, `DONE:${unit}`, did);
  }
  expect(played.ended()).toEqual({ said: "VERIFIED", due: "VERIFIED" });
}

function disturb(played: Played, draw: Draw, did: string[]): void {
  const names = Object.keys(primitives);
  for (let left = draw(3); left > 0; left--) {
    const name = names[draw(names.length)] ?? "";
    did.push(name);
    played.does((who) => primitives[name]?.(who, draw));
  }
}

async function told(played: Played, line: string, did: string[]): Promise<string> {
  const { who } = played;
  for (let tries = 1; ; tries++) {
    const words = who.words("report", "orchestrate", line, "--session", "a");
    const { code, out, err } = await start(words, who.around).ended;
    did.push(`${line} ${code}`);
    if (code === 0) return out;
    if (tries === most) throw new Error(`${line}: ${err}`);
    played.does(giveUp);
    await start(who.words("orchestrate", "--settle", "ours"), who.around).ended;
  }
}
