import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { describe, expect } from "vitest";
import { makePlace, tableOf } from "./support/ask.ts";
import { untilQuiet } from "./support/quiet.ts";
import { test } from "./support/visit.ts";

const assets = path.join(import.meta.dirname, "../../console/dist/assets");
/** The files of the API that a script describes. Each description begins with a tag, the length of the name, and the name. */
function describedIn(script: string): string[] {
  return [...script.matchAll(/["'`](C[\w+/]{40,}=*)["'`]/g)]
    .map(([, text = ""]) => Buffer.from(text, "base64"))
    .map((bytes) => bytes.subarray(2, 2 + (bytes[1] ?? 0)).toString())
    .filter((name) => name.startsWith("service/"))
    .toSorted();
}

const boxOf = async (element: Locator) => (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

describe("the looks", () => {
  test.for([
    // With everything that the rows load, such as counts and names.
    ["/assignments", 200, "Narrow down"],
    ["/", 200, "What needs attention"],
  ] as const)("of %s need at most %i kB of gzipped JavaScript", async ([address, most, part], { visit }) => {
    const page = await visit("/overview", { as: "carol" });
    await page.goto(new URL(address, page.url()).href);
    await page.getByLabel(part).locator("li").first().waitFor();
    await untilQuiet(page);
    const scripts = await page.evaluate(() => {
      const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      return resources.map(({ name }) => new URL(name).pathname).filter((name) => name.endsWith(".js"));
    });
    expect(scripts.length).toBeGreaterThan(0);
    const known = new Set(await readdir(assets));
    const sizes = scripts.map(async (name) => {
      // Tiny files are not compressed.
      const file = path.basename(name);
      return (await stat(path.join(assets, known.has(`${file}.gz`) ? `${file}.gz` : file))).size;
    });
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThanOrEqual(1_000 * most);
  });

  test("of the first view take its code in steps, and describe only the messages of its first calls", async () => {
    const page = await readFile(path.join(assets, "../index.html"), "utf8");
    const files = [...page.matchAll(/\/assets\/(([a-z-]+)-[\w-]{8}\.js)"/g)];
    const scripts = new Map<string, string>();
    for (const [, file = "", name = ""] of files) scripts.set(name, await readFile(path.join(assets, file), "utf8"));
    expect([...scripts.keys()].toSorted()).toEqual(["calls", "messages", "react", "rolldown-runtime", "start", "view"]);
    // Otherwise other steps would be evaluated together with the first.
    expect(
      [...(scripts.get("start") ?? "").matchAll(/from\s*"\.\/([a-z-]+)-[\w-]{8}\.js/g)].map(([, name]) => name),
    ).toEqual(["rolldown-runtime"]);
    const described = [...scripts].map(([name, script]) => [name, describedIn(script)]);
    expect(Object.fromEntries(described.filter(([, names]) => names?.length !== 0))).toEqual({
      messages: [
        "service/authorization/v2/authorization.proto",
        "service/authorization/v2/authorization_service.proto",
        "service/authorization/v2/caller_service.proto",
        "service/filter/v2/filter.proto",
      ],
    });
  });

  test.for([1_440, 1_280, 1_024, 640])("show every view at %i pixels, and with Undo", async (width, { visit }) => {
    const place = await makePlace("Width Inc", { Wanda: ["seller"] });
    const page = await visit(tableOf(place), { as: "carol", width });
    const views = page.getByRole("navigation", { name: "Views" });
    const hidden = () => views.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await page.getByRole("rowheader").first().waitFor();
    const { height } = await boxOf(page.getByRole("banner"));
    expect(await hidden()).toBe(0);
    await page.getByRole("checkbox", { name: /^Select Wanda/ }).check();
    await page.getByRole("button", { name: "Deactivate", exact: true }).click();
    await page.getByRole("button", { name: "Deactivate 1 assignment" }).click();
    await page.getByRole("button", { name: /^Undo: / }).waitFor();
    expect(await hidden()).toBe(0);
    expect((await boxOf(page.getByRole("banner"))).height).toBe(height);
  });

  test.for([1_280, 1_440, 1_920])("let no cell reach into the next one at %i pixels", async (width, { visit }) => {
    const page = await visit("/assignments", { as: "carol", width });
    for (const address of [
      "/assignments",
      "/assignments?sort=ends&asc=true",
      "/people",
      "/projects",
      "/organizations",
    ]) {
      await page.goto(new URL(address, page.url()).href);
      await page.locator("tbody tr:not(.skeleton, .spacer) > *").first().waitFor();
      await expect.poll(() => page.evaluate(collisions), { message: address }).toEqual([]);
    }
    await page.goto(new URL("/assignments", page.url()).href);
    await page.getByRole("rowheader").nth(9).waitFor();
    const rows = page.locator("tbody tr[data-index]");
    const heights = await rows.evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().height)));
    expect(new Set(heights).size).toBe(1);
  });
});

/** Texts that are seen to the right of the cell they are in. Runs in the page. */
function collisions(): string[] {
  const found: string[] = [];
  for (const cell of document.querySelectorAll("table :is(th, td)")) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      let { right } = range.getBoundingClientRect();
      for (
        let around = texts.currentNode.parentElement;
        around && cell.contains(around);
        around = around.parentElement
      ) {
        if (getComputedStyle(around).overflowX !== "visible")
          right = Math.min(right, around.getBoundingClientRect().right);
      }
      if (right > cell.getBoundingClientRect().right + 1) found.push(`${texts.currentNode.textContent}`);
    }
  }
  return found;
}
