import { defineConfig } from "vitest/config";

/** The tests of `npm run test:pooler`: the service behind a real PgBouncer. */
export default defineConfig({
  test: {
    name: "pooler",
    include: ["test/pooler/*.pooler.ts"],
    globalSetup: "test/pooler/setup.ts",
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
