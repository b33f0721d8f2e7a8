// `npm run bench [job]`: the demands on speed, as ratios inside one run (bench/).
import { join } from "node:path";
import { must, ready, root } from "./ready.mjs";

await ready();
must(process.execPath, [
  join(root, "scripts/run-ts.mjs"),
  join(root, "bench/main.ts"),
  ...process.argv.slice(2),
]);
