import { defineConfig } from "vitest/config";

/** The tests of `npm run test:guides`: the documentation, followed as a newcomer does. Needs a package registry. */
export default defineConfig({
  test: { name: "guides", include: ["test/guides/*.guides.ts"], testTimeout: 240_000, hookTimeout: 400_000 },
});
