// A person's git beside a run from a terminal (S2.6).
import { expect, test } from "vitest";
import { limit } from "../crash/programs.ts";
import { play } from "./player.ts";
import { scenesFor } from "./scenes.ts";

for (const scene of scenesFor("headless"))
  test(`S2.6 S2.8 from a terminal: ${scene.name}`, limit, async () => {
    const { said, due } = await play(scene, "headless");
    expect(said).toBe(due);
  });
