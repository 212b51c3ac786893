import { defineConfig } from "vitest/config";

/** The tests of `npm run test:upgrade`, which take the code of the last release out of the repository's history. */
export default defineConfig({
  test: {
    include: ["test/rolling/*.upgrade.ts"],
    globalSetup: "test/support/cluster.ts",
    hookTimeout: 60_000,
  },
});
