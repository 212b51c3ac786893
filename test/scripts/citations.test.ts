// What comments cite exists: files, migrations by their numbers, and chapters of the documentation.

import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { read, root } from "../support/repository.ts";

const sources = globSync(
  [
    "{src,demo,migrations,proto,bench,test,scripts}/**/*.{ts,sql,proto,cjs}",
    "{client,console}/{src,test,examples}/**/*.{ts,tsx}",
  ],
  // Some folders have packages of their own.
  { cwd: root, exclude: ["**/node_modules/**"] },
);
/** Comments alone, each line of a block joined to the next: what is cited may be broken into two lines. */
const comments = sources.map((file) => {
  const lines = read(file).match(/(?<=^|\s)(?:\/\/|--|\*|\/\*\*).*$/gm) ?? [];
  return { file, text: lines.map((line) => line.replace(/^(\/\/|--|\/?\*+) ?/, "")).join(" ") };
});

function cited(pattern: RegExp): { file: string; found: RegExpMatchArray }[] {
  return comments.flatMap(({ file, text }) => [...text.matchAll(pattern)].map((found) => ({ file, found })));
}

test("every file that a comment cites exists", () => {
  const paths = cited(/(?<![\w/.@-])(?:src|docs|migrations|bench|demo|scripts|test|proto|console|ops)\/[\w./-]+\.\w+/g);
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter(({ found: [path] }) => !existsSync(join(root, path)))).toEqual([]);
});

test("every chapter that a comment cites exists", () => {
  const chapters = cited(/(docs\/[\w-]+\.md|README\.md|CONTRIBUTING\.md), "([^"]+)"/g);
  const isThere = (file: string, title: string) => new RegExp(`^#+ ${title}$`, "m").test(read(file));
  expect(chapters.filter(({ found: [, file = "", title = ""] }) => !isThere(file, title))).toEqual([]);
});

test("every migration that a comment cites by its number exists", () => {
  const names = globSync("migrations/*.sql", { cwd: root }).map((file) => file.slice("migrations/".length));
  const numbers = cited(/[Mm]igrations? (\d{4})/g);
  expect(numbers.filter(({ found: [, number = ""] }) => !names.some((name) => name.startsWith(number)))).toEqual([]);
});
