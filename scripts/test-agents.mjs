// `npm run test:agents`: the real agent CLIs at work for the built server, against a scripted model on
// loopback. They are fetched once (test/agents/tools.ts). Arguments go to vitest; HOLDFAST_FULL=1 plays
// every scenario with every pinned version, and freezes for longer.
import { join } from "node:path";
import { must, ready, root } from "./ready.mjs";

await ready();
const vitest = join(root, "node_modules", ".bin", "vitest");
must(vitest, ["run", "--config", "vitest.agents.config.ts", ...process.argv.slice(2)]);
