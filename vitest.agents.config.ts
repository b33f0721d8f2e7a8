// The real agent CLIs (`npm run test:agents`): apart, since they are fetched first.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/agents/**/*.cli.test.ts"],
    globalSetup: ["test/agents/tools.ts"],
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 300_000 } },
    // One CLI takes 200 MB and a core.
    fileParallelism: false,
  },
});
