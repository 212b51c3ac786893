import { defineConfig } from "vitest/config";
import { base, replacing } from "./vitest.config.ts";

export default defineConfig({ ...base, test: { ...base.test, name: "console-replacing", include: replacing } });
