import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = (name: string) => readFileSync(join(root, `docs/${name}.md`), "utf8");
const evidence = ["security", "limits", "authzen"].map((subject) => page(`internals/${subject}-evidence`));
const documents = [...evidence, page("how-to/back-up-and-restore"), page("how-to/fail-over")];

type Named = { readonly file: string; readonly name: string };

/** Links to tests: each title has the names of the tests that prove the promise, separated by slashes. */
function namedTests(text: string): Named[] {
  return [
    ...text.matchAll(/\]\(\.\.\/\.\.\/((?:console\/)?test\/[\w./-]+\.(?:test|browser|patroni)\.ts) "([^"]+)"\)/g),
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

test("Every limit has its evidence, in the same order", () => {
  const firstCells = (text: string) =>
    [...text.matchAll(/^\| (?!What )(.+?) \|/gm)].map(([, cell]) => cell?.replace(/\]\([^)]*\)/g, "]"));
  const [limits = ""] = page("reference/limits").split("\n## ");
  const proven = firstCells(page("internals/limits-evidence"));
  expect(proven.length).toBeGreaterThan(60);
  expect(firstCells(limits)).toEqual(proven);
});

test("Every promise links to evidence", () => {
  const [promises = ""] = page("explanation/security").split("## What it doesn't promise");
  const lines = [...promises.matchAll(/^- .*$/gm)].map(([line]) => line);
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.filter((line) => !/\[Evidence\]\(\.\.\/internals\/security-evidence\.md#[\w-]+\)$/.test(line))).toEqual(
    [],
  );
});
