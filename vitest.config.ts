import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/cluster.ts",
    // A process for each test file, so that nothing a file leaves behind reaches the next one. Two at a time: the
    // database server needs the rest of a small machine, and every file creates a database of its own.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
