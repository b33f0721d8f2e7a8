// The real agent CLIs (`npm run test:agents`): apart, since they are fetched first.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/agents/**/*.cli.test.ts"],
    globalSetup: ["test/agents/tools.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // One CLI takes 200 MB and a core.
    fileParallelism: false,
  },
});
