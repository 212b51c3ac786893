import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const documents = ["explanation/security", "reference/limits", "how-to/back-up-and-restore"].map((name) =>
  readFileSync(join(root, `docs/${name}.md`), "utf8"),
);

type Named = { readonly file: string; readonly name: string };

/** Links to tests: each title has the names of the tests that prove the promise, separated by slashes. */
function namedTests(text: string): Named[] {
  return [
    ...text.matchAll(/\]\(\.\.\/\.\.\/((?:console\/)?test\/[\w./-]+\.(?:test|browser)\.ts) "([^"]+)"\)/g),
  ].flatMap(([, file = "", names = ""]) => names.split(" / ").map((name) => ({ file, name })));
}

test("Every test that a promise links to exists", () => {
  const named = documents.flatMap(namedTests);
  expect(named.length).toBeGreaterThan(150);
  const missing = named.filter(({ file, name }) => !readFileSync(join(root, file), "utf8").includes(`"${name}"`));
  expect(missing).toEqual([]);
});

test("No link to a test is without the names of its tests", () => {
  const links = documents.flatMap((text) => [...text.matchAll(/\]\([^)]*test\/[^)]*\.ts[^)]*\)/g)]);
  const named = documents.flatMap((text) => [...text.matchAll(/\]\([^)]*test\/[^)]*\.ts "[^"]+"\)/g)]);
  expect(links.length).toBe(named.length);
});

test("Every promise, and every limit, links to a test", () => {
  const tables = documents.join("\n").matchAll(/^\|.* Tests \|\n\|[-|]+\|\n((?:\|.*\n)+)/gm);
  const lines = [...tables].flatMap(([, body = ""]) => body.trimEnd().split("\n"));
  expect(lines.length).toBeGreaterThan(110);
  expect(lines.filter((line) => namedTests(line).length === 0)).toEqual([]);
});
