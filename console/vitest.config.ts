import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { limits } from "../test/support/limits.ts";

/** Files that put others in the place of modules. These would be in place for the other files of a process, too. */
export const replacing = ["test/**/*.mocked.test.{ts,tsx}"];

export const base = {
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    environment: "happy-dom",
    setupFiles: "test/support/limits.ts",
    ...limits,
    // As many as the projects beside it have, or Vitest refuses to run them together.
    maxWorkers: 3,
  },
};

/** Components that need no browser: rendered into a document of happy-dom. */
export default defineConfig({
  ...base,
  test: { ...base.test, name: "console", include: ["test/**/*.test.{ts,tsx}"], exclude: replacing, isolate: false },
});
