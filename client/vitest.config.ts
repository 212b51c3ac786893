import { defineConfig } from "vitest/config";

/** The tests of `npm run test:client`, which need a package registry: `npm test` leaves them out. */
export default defineConfig({
  test: {
    include: ["client/test/*.test.ts"],
    globalSetup: "test/support/cluster.ts",
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
