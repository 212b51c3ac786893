import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const sources = path.join(import.meta.dirname, "../src");

it("a class is dressed by one stylesheet, because they are loaded in any order and stay", () => {
  const sheets = new Map<string, Set<string>>();
  for (const file of globSync("**/*.css", { cwd: sources })) {
    const text = readFileSync(path.join(sources, file), "utf8");
    // The element itself, not what is in another.
    for (const [, name = ""] of text.matchAll(/^\s*\.([\w-]+)(?::[\w-]+(?:\([^)]*\))?)* \{/gm)) {
      sheets.set(name, (sheets.get(name) ?? new Set()).add(file));
    }
  }
  const shared = [...sheets].filter(([, files]) => files.size > 1).map(([name, files]) => `${name}: ${[...files]}`);
  expect(shared).toEqual([]);
});
