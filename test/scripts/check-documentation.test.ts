import { describe, expect, test } from "vitest";
import { deadLinks } from "../../scripts/documentation/check-site.ts";
import { brokenTables } from "../../scripts/documentation/tables.ts";

describe("A broken table", () => {
  const found = (...lines: string[]) => brokenTables(new Map([["page.md", lines.join("\n")]]));

  test("has an empty line in it, no line of dashes, or a row with more or fewer cells than its head", () => {
    const head = ["| a | b |", "|---|:-:|"];
    expect(found(...head, "| 1 | 2 |", "", "| 3 | 4 |")).toEqual([
      expect.stringContaining("page.md:5: this row belongs"),
    ]);
    expect(found("| a | b |", "| 1 | 2 |")).toEqual([expect.stringContaining("page.md:1: this row belongs")]);
    expect(found(...head, "| 1 |", "| `x|y` | 2 |")).toEqual([
      "page.md:3: this row has 1 cells, and its table 2",
      "page.md:4: this row has 3 cells, and its table 2",
    ]);
  });

  test("isn't one with escaped pipes, in a list, or in a block of code", () => {
    expect(found("- one:", "", "  | a | b |", "  |---|---|", "  | `x\\|y` | |", "", "```", "| a |", "```")).toEqual([]);
  });
});

describe("A dead link of the site", () => {
  const found = (html: string) =>
    deadLinks(
      new Map([
        ["guides/start.html", html],
        ["index.html", '<h2 id="what-it-does">'],
        ["logo.svg", ""],
      ]),
    );

  test("leads to a page, a file or a heading that isn't there", () => {
    expect(found('<a class="x" href="/gone">')).toEqual(["guides/start.html: the site has no /gone"]);
    expect(found('<a href="./gone.html">')).toEqual(["guides/start.html: the site has no /guides/gone.html"]);
    expect(found('<img src="/gone.svg">')).toEqual(["guides/start.html: the site has no /gone.svg"]);
    expect(found('<a href="/#gone">')).toEqual(["guides/start.html: index.html has no heading #gone"]);
  });

  test("isn't one to another site, or to what is there", () => {
    expect(
      found('<a href="https://example.com/gone"><a href="/#what-it-does"><a href="start"><img src="/logo.svg">'),
    ).toEqual([]);
  });
});
