// The installed program on every supported Node (`npm run test:nodes`): apart, since they are fetched first.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/cli/install.test.ts"],
    globalSetup: ["test/nodes.ts"],
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 300_000 } },
  },
});
