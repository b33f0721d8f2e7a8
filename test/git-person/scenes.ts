// Every scene, by what the person is at.
import { full } from "../crash/programs.ts";
import { besideScenes } from "./_scenes-beside.ts";
import { branchScenes } from "./_scenes-branch.ts";
import { checkoutScenes } from "./_scenes-checkout.ts";
import { fileScenes } from "./_scenes-files.ts";
import { ownCommandScenes } from "./_scenes-own-commands.ts";
import { placeScenes } from "./_scenes-place.ts";
import { targetScenes } from "./_scenes-target.ts";
import { type Scene, type Way, ways } from "./scene.ts";

export const scenes: readonly Scene[] = [
  ...checkoutScenes,
  ...branchScenes,
  ...targetScenes,
  ...fileScenes,
  ...placeScenes,
  ...besideScenes,
  ...ownCommandScenes,
];

/** Each in one way; all ways in the long form. */
export function scenesFor(way: Way): readonly Scene[] {
  return scenes.filter(({ ways: can = ways }, place) => {
    const chosen = can[usual[place % usual.length] ?? 0] ?? can[0];
    return full ? can.includes(way) : chosen === way;
  });
}

// --- internal ---

/** A session's play is the shortest. */
const usual = [0, 0, 1, 0, 0, 2];
