import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { makePlace, tableOf } from "./support/ask.ts";
import { test } from "./support/visit.ts";

const assets = path.join(import.meta.dirname, "../../console/dist/assets");
/** What the JavaScript of the first view may weigh, gzipped, in bytes. */
const mostOfFirstView = 200_000;

/** The files of the API that a script describes. Each description begins with a tag, the length of the name, and the name. */
function describedIn(script: string): string[] {
  return [...script.matchAll(/["'`](C[\w+/]{40,}=*)["'`]/g)]
    .map(([, text = ""]) => Buffer.from(text, "base64"))
    .map((bytes) => bytes.subarray(2, 2 + (bytes[1] ?? 0)).toString())
    .filter((name) => name.startsWith("service/"))
    .toSorted();
}

const boxOf = async (element: Locator) => (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

const bottomOf = ({ y, height }: { y: number; height: number }) => y + height;

/** How many rows of the table are whole in sight. */
async function rowsInSight(page: Page): Promise<number> {
  return page.evaluate(() => {
    const frame = document.querySelector(".scroller")?.getBoundingClientRect();
    const rows = [...document.querySelectorAll("tr[data-index]")].map((row) => row.getBoundingClientRect());
    const bottom = Math.min(frame?.bottom ?? 0, innerHeight);
    return rows.filter(({ top, bottom: end }) => top >= (frame?.top ?? 0) && end <= bottom).length;
  });
}

describe("the looks", () => {
  test("of the first view need at most 200 kB of gzipped JavaScript", async ({ visit }) => {
    const page = await visit("/overview", { as: "carol" });
    await page.goto(new URL("/", page.url()).href);
    // With everything that the rows load, such as counts and names.
    await page.getByRole("complementary", { name: "Narrow down" }).getByRole("button", { name: /^Shop/ }).waitFor();
    await page.waitForLoadState("networkidle");
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
    expect(total).toBeLessThanOrEqual(mostOfFirstView);
  });

  test("of the first view take its code in steps, and describe only the messages of its first calls", async () => {
    const page = await readFile(path.join(assets, "../index.html"), "utf8");
    const files = [...page.matchAll(/\/assets\/(([a-z-]+)-[\w-]+\.js)"/g)];
    const scripts = new Map<string, string>();
    for (const [, file = "", name = ""] of files) scripts.set(name, await readFile(path.join(assets, file), "utf8"));
    expect([...scripts.keys()].toSorted()).toEqual(["calls", "messages", "react", "rolldown-runtime", "start", "view"]);
    // Otherwise other steps would be evaluated together with the first.
    expect([...(scripts.get("start") ?? "").matchAll(/from\s*"\.\/([a-z-]+)-/g)].map(([, name]) => name)).toEqual([
      "rolldown-runtime",
    ]);
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

  test.for([1_280, 1_024, 860])("of the table's head are whole words at %i pixels", async (width, { visit }) => {
    const page = await visit("/", { as: "carol", width });
    await page.getByRole("rowheader").first().waitFor();
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll(".table thead th[data-column]")]
        .filter((head) => head.scrollWidth > head.clientWidth)
        .map((head) => head.textContent),
    );
    expect(cut).toEqual([]);
  });

  test.for([1_440, 1_280, 1_024, 640])(
    "show every view at %i pixels, also when Undo appears",
    async (width, { visit }) => {
      const place = await makePlace("Width Inc", { Wanda: ["seller"] });
      const page = await visit(tableOf(place), { as: "carol", width });
      const views = page.getByRole("navigation", { name: "Views" });
      const hidden = () => views.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      await page.getByRole("rowheader").first().waitFor();
      const { height } = await boxOf(page.getByRole("banner"));
      expect(await hidden()).toBe(0);
      await page.getByRole("checkbox", { name: /^Select Wanda/ }).check();
      await page.getByRole("button", { name: "Deactivate", exact: true }).click();
      await page.getByRole("button", { name: "Deactivate: 1 assignment" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).click();
      await page.getByRole("button", { name: /^Undo: / }).waitFor();
      expect(await hidden()).toBe(0);
      expect((await boxOf(page.getByRole("banner"))).height).toBe(height);
    },
  );

  test.for([1_280, 1_024, 390])("show the whole focus ring around a view at %i pixels", async (width, { visit }) => {
    const page = await visit("/people", { as: "carol", width });
    const first = page.getByRole("navigation", { name: "Views" }).getByRole("link").first();
    await first.focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    const room = await first.evaluate((link) => {
      const { outlineWidth, outlineOffset, outlineStyle } = getComputedStyle(link);
      const ring =
        outlineStyle === "none" ? Number.NaN : Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
      const [inner, outer] = [link, link.closest("nav") as Element].map((one) => one.getBoundingClientRect());
      const sides = ["left", "top"] as const;
      return sides.map((side) => (inner?.[side] ?? 0) - (outer?.[side] ?? 0) - ring);
    });
    for (const side of room) expect(side).toBeGreaterThanOrEqual(0);
  });

  test.for([1_280, 360])(
    "keep the pages at the foot at %i pixels, also of an empty table",
    async (width, { visit }) => {
      const page = await visit("/", { as: "carol", width });
      const foot = page.locator(".assignments-foot");
      await page.getByRole("rowheader").first().waitFor();
      const withRows = bottomOf(await boxOf(foot));
      await page.goto(new URL(`/?filters=${encodeURIComponent('[{"userId":{"id":"no-one"}}]')}`, page.url()).href);
      await page.getByText("No assignment matches these filters").waitFor();
      expect(bottomOf(await boxOf(foot))).toBe(withRows);
    },
  );

  test("of a row on a phone are three lines, about 80 pixels high", async ({ visit }) => {
    const page = await visit("/", { as: "carol", width: 390 });
    await page.getByRole("rowheader").first().waitFor();
    for (const row of (await page.locator("tr[data-index]").all()).slice(0, 6)) {
      const { height } = await boxOf(row);
      expect(height).toBeGreaterThan(60);
      expect(height).toBeLessThanOrEqual(90);
    }
    await expect.poll(() => rowsInSight(page)).toBeGreaterThanOrEqual(5);
  });

  test("keep the table readable beside the panel at 1024 pixels", async ({ visit }) => {
    const page = await visit("/", { as: "carol", width: 1024 });
    await page.getByRole("rowheader").first().getByRole("button").click();
    await page.getByRole("complementary", { name: "Assignment" }).getByRole("button", { name: "Close" }).waitFor();
    await expect.poll(async () => (await boxOf(page.locator(".assignments-list"))).width).toBeGreaterThanOrEqual(620);
    for (const name of ["Person", "Roles"]) {
      expect((await boxOf(page.getByRole("columnheader", { name }))).width, name).toBeGreaterThanOrEqual(140);
    }
    for (const name of ["Organization", "Project"]) {
      expect((await boxOf(page.getByRole("columnheader", { name }))).width, name).toBeGreaterThanOrEqual(90);
    }
  });

  test("have dates on one line, and everything in the width of the window", async ({ visit }) => {
    const page = await visit("/", { as: "carol" });
    await page.getByRole("rowheader").first().waitFor();
    const time = page.locator('td[data-column="created"] time').first();
    expect((await boxOf(time)).height).toBeLessThan(24);
    const { scrollWidth, clientWidth } = await page
      .locator(".scroller")
      .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
    expect(scrollWidth).toBe(clientWidth);
  });

  test("can be used at 200% zoom", async ({ visit }) => {
    // A window of 1280 by 800 pixels has half as many then.
    const page = await visit("/", { as: "carol", width: 640 });
    await page.setViewportSize({ width: 640, height: 400 });
    await page.getByRole("rowheader").first().waitFor();
    await expect.poll(() => rowsInSight(page)).toBeGreaterThanOrEqual(2);
    await page.getByRole("rowheader").nth(1).getByRole("button").click();
    await page.getByRole("complementary", { name: "Assignment" }).getByRole("button", { name: "Edit roles" }).click();
    const save = page.getByRole("dialog").getByRole("button", { name: "Save" });
    await page.getByRole("dialog").getByRole("checkbox").first().waitFor();
    await save.scrollIntoViewIfNeeded();
    await expect.poll(async () => bottomOf(await boxOf(save))).toBeLessThanOrEqual(400);
  });

  test("show what is chosen where colors are forced, and more contrast where it is asked for", async ({ visit }) => {
    const place = await makePlace("Contrast Inc", { Cora: ["seller"] });
    const page = await visit(tableOf(place), { as: "carol" });
    await page.getByRole("checkbox", { name: /^Select Cora/ }).check();
    const outline = () => page.locator("tr[data-selected]").evaluate((row) => getComputedStyle(row).outlineStyle);
    expect(await outline()).toBe("none");
    await page.emulateMedia({ forcedColors: "active" });
    expect(await outline()).toBe("solid");
    // What is current is not told by an outline, which would look like the focus, and what is disabled is grey.
    const look = (element: Locator) =>
      element.evaluate((one) => {
        const { backgroundColor, color, outlineStyle } = getComputedStyle(one);
        return { backgroundColor, color, outlineStyle };
      });
    const views = page.getByRole("navigation", { name: "Views" }).getByRole("link");
    const [current, other] = [await look(views.nth(0)), await look(views.nth(1))];
    const highlight = await page.evaluate(() => {
      const sample = document.body.appendChild(document.createElement("span"));
      sample.style.cssText = "forced-color-adjust: none; color: HighlightText; background-color: Highlight";
      const { backgroundColor, color } = getComputedStyle(sample);
      sample.remove();
      return { backgroundColor, color };
    });
    expect(current).toMatchObject(highlight);
    expect(other.backgroundColor).not.toBe(highlight.backgroundColor);
    expect(current.outlineStyle).toBe("none");
    const disabled = await look(page.getByRole("link", { name: "Next" }));
    expect(disabled.color).not.toBe((await look(page.getByRole("button", { name: "Clear" }))).color);
    await page.emulateMedia({ forcedColors: "none", contrast: "more" });
    const muted = () =>
      page
        .locator(".who .muted")
        .first()
        .evaluate((text) => getComputedStyle(text).color);
    const strong = await muted();
    await expectNoViolations(page);
    await page.emulateMedia({ contrast: "no-preference", colorScheme: "light" });
    expect(await muted()).not.toBe(strong);
  });

  test("move nothing for people who want less motion", async ({ visit }) => {
    const page = await visit("/history", { as: "carol" });
    await page.route("**/ListAuthorizations", () => {});
    await page.getByRole("link", { name: "Assignments", exact: true }).click();
    const waiting = page.locator(".skeleton span").first();
    await waiting.waitFor();
    expect(await waiting.evaluate((element) => getComputedStyle(element).animationName)).toBe("none");
    await page.getByText(/slow to answer/).waitFor();
    await expectNoViolations(page);
  });
});

describe("a batch", () => {
  test("of twenty is deactivated in five steps and undone in one, by keyboard alone", async ({ visit }) => {
    const users = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`Tina ${index}`, ["seller"]]));
    const place = await makePlace("Twenty Inc", users);
    const page = await visit(tableOf(place), { as: "carol" });
    const boxes = page.getByRole("checkbox", { name: /^Select Tina/ });
    await boxes.nth(0).focus();
    await page.keyboard.press("Space"); // 1
    // A key that comes before the next row is there moves nothing.
    const rowOfFocus = () =>
      page.evaluate(() => Number(document.activeElement?.closest("tr")?.getAttribute("data-index")));
    while ((await rowOfFocus()) < 19) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+Space"); // 2
    await page.getByText("20 selected").waitFor();
    await page.getByRole("button", { name: "Deactivate", exact: true }).press("Enter"); // 3
    await page.getByRole("button", { name: "Deactivate: 20 assignments" }).press("Enter"); // 4
    await page.getByRole("heading", { name: "Deactivate: 20 done" }).waitFor();
    await page.keyboard.press("Escape"); // 5
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("Control+z"); // undone by 1
    await page.getByText("Undone: Deactivate, 20 assignments.").waitFor();
    await expect.poll(async () => new Set(await page.locator(".state").allTextContents())).toEqual(new Set(["Active"]));
  });
});
