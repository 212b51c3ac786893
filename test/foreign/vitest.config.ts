import path from "node:path";
import { defineConfig } from "vitest/config";

process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, "../../.cache/node");

/** The tests of `npm run test:foreign`: clients of other makers, installed by their own package managers. */
export default defineConfig({
  test: {
    name: "foreign",
    include: ["test/foreign/*.foreign.ts"],
    globalSetup: ["test/support/cluster.ts", "test/foreign/install.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 240_000,
  },
});
