// Ways to have git run a program, each planted where an agent works: one row says what is planted and
// which ordinary command sets it off. What goes off leaves a file with the vector's name.
//
// Those of a group are planted together, in one unit's clone; groups are apart where one would hide
// another. `project` is what people have in their own configuration that makes files of the tree run:
// hooks kept in the repository, a tracked configuration, drivers.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Group, type Vector, trapText } from "./_vector.ts";
import { configVectors, hookVectors, placeVectors } from "./_vectors-clone.ts";
import { committedVectors, nameVectors, projectConfig } from "./_vectors-tree.ts";

export { type Group, groups } from "./_vector.ts";

export interface Traps {
  readonly vectors: readonly Vector[];
  /** What the project's owner configured, in .git/config. */
  readonly project: string;
  /** The words that let Node plant a group where it is started. */
  readonly planting: (group: Group) => string[];
  /** Plants a group in a tree. */
  readonly plant: (group: Group, tree: string) => void;
  /** Names of what went off. */
  readonly fired: () => string[];
}

/** In a folder of their own. */
export function traps(folder: string): Traps {
  const canary = join(folder, "canary");
  for (const place of [canary, join(folder, "traps")]) mkdirSync(place, { recursive: true });
  const trap = (name: string): string => {
    const file = join(folder, "traps", name);
    writeFileSync(file, trapText(canary, name), { mode: 0o755 });
    return file;
  };
  const away = join(folder, "away");
  const vectors = [
    ...committedVectors(canary),
    ...hookVectors(canary),
    ...configVectors(trap),
    ...placeVectors(trap, away),
    ...nameVectors(trap, canary),
  ];
  const planting = (group: Group): string[] => {
    const list = join(folder, `${group}.json`);
    const steps = vectors.flatMap((each) => (each.group === group ? each.plant : []));
    writeFileSync(list, JSON.stringify(steps));
    return [join(import.meta.dirname, "plant.mjs"), list];
  };
  return {
    vectors,
    project: projectConfig(trap),
    planting,
    plant: (group, tree) => {
      const { status, stderr } = spawnSync(process.execPath, [...planting(group), tree]);
      if (status !== 0) throw new Error(stderr.toString());
    },
    fired: () => (existsSync(canary) ? readdirSync(canary).toSorted() : []),
  };
}
