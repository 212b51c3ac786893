import path from "node:path";
import { defineConfig } from "vitest/config";

process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, "../../.cache/node");

/** The tests of `npm run test:patroni`: fail-over of a real Patroni cluster. */
export default defineConfig({
  test: {
    name: "patroni",
    include: ["test/patroni/*.patroni.ts"],
    globalSetup: "test/patroni/install.ts",
    pool: "forks",
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
