// What an agent plants where it works, as a list of what to do (vectors.ts): by hand, so that no git
// runs that could set off what is planted.
//   node plant.mjs <list.json> [folder]
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";

const [list, folder = "."] = process.argv.slice(2);
const at = (path) => {
  const place = resolve(folder, path);
  mkdirSync(dirname(place), { recursive: true });
  return place;
};
const hands = {
  move: (from, to) => renameSync(at(from), at(to)),
  link: (path, target) => symlinkSync(target, at(path)),
  folder: (path) => mkdirSync(at(path), { recursive: true }),
  write: (path, text) => writeFileSync(at(path), text),
  append: (path, text) => appendFileSync(at(path), text),
  program: (path, text) => {
    writeFileSync(at(path), text);
    chmodSync(at(path), 0o755);
  },
};
for (const [what, ...words] of JSON.parse(readFileSync(list, "utf8"))) hands[what](...words);
