import { defineConfig } from "vitest/config";

/** The tests of `npm run test:upgrade`, which run two releases as processes of their own. */
export default defineConfig({
  test: {
    include: ["test/rolling/*.upgrade.ts"],
    globalSetup: "test/support/cluster.ts",
    hookTimeout: 60_000,
  },
});
