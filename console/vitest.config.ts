import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Components that need no browser: rendered into a document of happy-dom. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    name: "console",
    include: ["test/**/*.test.{ts,tsx}"],
    environment: "happy-dom",
    isolate: false,
    // As many as the projects beside it have, or Vitest refuses to run them together.
    maxWorkers: 3,
  },
});
