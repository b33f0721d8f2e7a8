// `npm run test:nodes`: the packed program, installed once, on the oldest Node that is supported and on each newer line.
// The Nodes are fetched once (test/nodes.ts).
import { join } from "node:path";
import { must, ready, root } from "./ready.mjs";

await ready();
const vitest = join(root, "node_modules", ".bin", "vitest");
must(vitest, ["run", "--config", "vitest.nodes.config.ts", ...process.argv.slice(2)]);
