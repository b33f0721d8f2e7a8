import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { SlowFirst } from "./scripts/slow-first.ts";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // The real agent CLIs are fetched first: `npm run test:agents`.
    exclude: ["**/node_modules/**", "**/*.cli.test.ts"],
    // Others are fetched first: `npm run test:nodes`.
    provide: { nodes: [{ version: process.versions.node, path: process.execPath }], oldNode: null },
    // Two also where Vitest would take one: most of them wait for disks and processes.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: SlowFirst },
    // The long properties count cases, not seconds: a loaded machine must not fail them.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 300_000 } },
    reporters: ["default", "./scripts/closing-line.ts"],
  },
});
