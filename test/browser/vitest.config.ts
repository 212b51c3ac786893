import path from "node:path";
import { defineConfig } from "vitest/config";
import { limits } from "../support/limits.ts";

process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, "../../.cache/node");

/** The tests of `npm run test:browser`: the console that the server serves, in a real Chromium. */
export default defineConfig({
  test: {
    name: "browser",
    include: ["test/browser/**/*.browser.ts"],
    globalSetup: "test/browser/support/setup.ts",
    pool: "forks",
    isolate: false,
    maxWorkers: 2,
    ...limits,
    // A long task with axe after each step takes minutes beside other work.
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
