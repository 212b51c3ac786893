import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const documents = ["docs/security.md", "docs/backup.md"].map((name) => readFileSync(join(root, name), "utf8"));

type Named = { readonly file: string; readonly name: string };

/** What is written as a file in backquotes, and behind it the names of tests in quotation marks. */
function namedTests(text: string): Named[] {
  return [...text.matchAll(/`((?:console\/)?test\/[\w./-]+\.(?:test|browser)\.ts)`((?:,? "[^"]+")+)/g)].flatMap(
    ([, file = "", names = ""]) => [...names.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => ({ file, name })),
  );
}

test("Every test that a document names exists", () => {
  const named = documents.flatMap(namedTests);
  expect(named.length).toBeGreaterThan(100);
  const missing = named.filter(({ file, name }) => !readFileSync(join(root, file), "utf8").includes(`"${name}"`));
  expect(missing).toEqual([]);
});

test("Every line about what is stopped, bounded or allowed names a test", () => {
  // Of the other tables, one is about attackers, and one about what a parameter does.
  const tables = documents.join("\n").matchAll(/^\|.*(?:proven|Proven by|Test) \|\n\|[-|]+\|\n((?:\|.*\n)+)/gm);
  const lines = [...tables].flatMap(([, body = ""]) => body.trimEnd().split("\n"));
  expect(lines.length).toBeGreaterThan(60);
  expect(lines.filter((line) => namedTests(line).length === 0)).toEqual([]);
});
