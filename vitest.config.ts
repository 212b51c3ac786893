import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/cluster.ts",
    // A process for each test file, so that nothing a file leaves behind reaches the next one. Three at a time also on
    // two cores: many tests wait for a process, a lock or a deadline. Every file creates a database of its own.
    pool: "forks",
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
