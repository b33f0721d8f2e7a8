// A person's git beside sessions that report each step (S2.6, S2.11).
import { expect, test } from "vitest";
import { limit } from "../crash/programs.ts";
import { play } from "./player.ts";
import { scenesFor } from "./scenes.ts";

for (const scene of scenesFor("session"))
  test(`S2.6 S2.11 in a session: ${scene.name}`, limit, async () => {
    const { said, due } = await play(scene, "session");
    expect(said).toBe(due);
  });
