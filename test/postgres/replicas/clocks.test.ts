import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../src/postgres");

/** Where statements are that only read, for requests, so that a replica may run them. */
const reading = ["caller/*.ts", "history/*.ts", "list/*.ts", "look-up/*.ts", "overview/*.ts", "page/*.ts", "seen/*.ts"];

const ownClock =
  /\b(?<!performance\.)(now|(clock|statement|transaction)_timestamp|timeofday)\(\)|\b(current|local)(_date|_?time(stamp)?)\b/;

test("no statement that a replica may run asks for the time there: primaryNow is the primary's", () => {
  const files = [...globSync(reading, { cwd: root }), "token/list-tokens.ts"];
  expect(files.length).toBeGreaterThan(30);
  const found = files.filter((file) => ownClock.test(readFileSync(join(root, file), "utf8")));
  expect(found).toEqual([]);
});
