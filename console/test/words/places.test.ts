import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const source = path.join(import.meta.dirname, "../../src");

/** Texts that people read, as components write them: between tags, in labels, and sentences anywhere. */
const texts = [
  /(?<!=)>\s*([A-Z][^<>{}=;()]*[a-z][^<>{}=;()]*)</,
  /\b(?:aria-label|aria-valuetext|title|placeholder|label|alt)="([^"]*[a-z][^"]*)"/,
  /(?<!throw new \w+\()["`]([A-Z][a-z'’]* [a-z'’]+[^"`]*)["`]/,
];

/** Messages for developers, and what programs read. */
const exempt = /throw |Error\(|message === |message\?\.startsWith|^\s*(?:\/?\*|\/\/)/;
/** The columns of the exported file, which programs read. */
const format = "export/rows.ts";

function textsIn(file: string): string[] {
  const code = readFileSync(path.join(source, file), "utf8");
  const lines = code.split("\n").filter((line) => !exempt.test(line));
  return lines.flatMap((line) => texts.flatMap((text) => text.exec(line)?.[1] ?? [])).map((text) => `${file}: ${text}`);
}

it("all texts are in words/, ready for translation", () => {
  const files = globSync("**/*.{ts,tsx}", { cwd: source }).filter(
    (file) => !file.startsWith("words/") && file !== format,
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(textsIn)).toEqual([]);
});
