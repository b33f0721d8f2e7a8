// A run whose first agent has begun, and waits until the test lets it continue.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../crash/programs.ts";
import { type Repository, repository } from "./repository.ts";

export interface Waiting extends Repository {
  readonly begun: () => Promise<void>;
  readonly go: () => void;
}

/** T1.1 is at work, T1.2 comes after it. */
export function waiting(): Waiting {
  const plan = "# Shop\n## Phase 1: Core\n- [ ] T1.1: model\n- [ ] T1.2: pages\n";
  const made = repository(plan, {}, "version: 1\nslots: 1\n");
  const [begun, go] = [join(made.folder, "begun"), join(made.folder, "go")];
  const wait = `const fs = require("node:fs");
    fs.writeFileSync(${JSON.stringify(begun)}, "");
    (function look() { if (!fs.existsSync(${JSON.stringify(go)})) setTimeout(look, 20); })()`;
  made.course({ "T1.1": [{ run: ["-e", wait] }] });
  return {
    ...made,
    begun: () => until("its agent is at work", () => existsSync(begun)),
    go: () => writeFileSync(go, ""),
  };
}
