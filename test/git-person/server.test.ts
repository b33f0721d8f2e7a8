// A person's git beside a run that the server carries out (S2.6).
import { expect, test } from "vitest";
import { limit } from "../crash/programs.ts";
import { play } from "./player.ts";
import { scenesFor } from "./scenes.ts";

for (const scene of scenesFor("server"))
  test(`S2.6 on the server: ${scene.name}`, limit, async () => {
    const { said, due } = await play(scene, "server");
    expect(said).toBe(due);
  });
