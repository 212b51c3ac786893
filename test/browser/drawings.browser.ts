import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

const docs = path.join(import.meta.dirname, "../../docs");
const drawings = globSync("*/*.svg", { cwd: docs, exclude: ["public/*"] });

/** Fonts of very different widths: the reader's own, the widest that are common, and those where all letters are wide. */
const fonts = ["system-ui", "serif", "'DejaVu Sans', Verdana", "monospace"];

let browser: Awaited<ReturnType<typeof chromium.connect>>;
beforeAll(async () => {
  browser = await chromium.connect(inject("browser"));
});
afterAll(() => browser.close());

test("there are drawings", () => expect(drawings.length).toBeGreaterThan(4));

describe.each(drawings)("docs/%s", (file) => {
  const svg = readFileSync(path.join(docs, file), "utf8");

  test.each(fonts)("has every text in its box, and no two on each other, with the font %s", async (font) => {
    const page = await browser.newPage();
    await page.setContent(`<style>svg text { font-family: ${font} !important }</style>${svg}`);
    expect(await page.evaluate(misplacedTexts)).toEqual([]);
    await page.close();
  });

  test.each(["light", "dark"] as const)("can be read in the color scheme %s", async (colorScheme) => {
    const page = await browser.newPage({ colorScheme });
    await page.setContent(svg);
    expect(await page.evaluate(leastContrast)).toBeGreaterThanOrEqual(4.5);
    await page.close();
  });
});

/** Runs in the page. The texts that leave the box of their group, or the drawing, and those that overlap another. */
function misplacedTexts(): string[] {
  const drawing = document.querySelector("svg")?.getBoundingClientRect() ?? new DOMRect();
  const texts = [...document.querySelectorAll("text")].map((text) => ({
    says: text.textContent,
    at: text.getBoundingClientRect(),
    box: text.parentElement?.querySelector(":scope > rect:not(.card)")?.getBoundingClientRect() ?? drawing,
  }));
  const found = texts
    .filter(
      ({ at, box }) => at.left < box.left + 4 || at.right > box.right - 4 || at.top < box.top || at.bottom > box.bottom,
    )
    .map(({ says, at, box }) => `${says} is ${Math.ceil(at.width)} wide, in a box of ${box.width}`);
  for (const [index, { says, at }] of texts.entries())
    for (const other of texts.slice(index + 1)) {
      const apart =
        at.right < other.at.left ||
        at.left > other.at.right ||
        at.bottom - 3 < other.at.top ||
        at.top > other.at.bottom - 3;
      if (!apart) found.push(`${says} is on ${other.says}`);
    }
  return found;
}

/** Runs in the page. The least contrast between a text and what it stands on, as WCAG counts it. */
function leastContrast(): number {
  const brightness = (color: string) => {
    const parts = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => Number(part) / 255);
    const [red = 0, green = 0, blue = 0] = parts.map((part) =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const fill = (element: Element | null | undefined) => (element ? getComputedStyle(element).fill : "none");
  const card = document.querySelector(".card");
  const contrasts = [...document.querySelectorAll("text")].map((text) => {
    const box = fill(text.parentElement?.querySelector(":scope > rect:not(.card)"));
    const [dark = 0, bright = 0] = [fill(text), box === "none" ? fill(card) : box]
      .map(brightness)
      .toSorted((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  });
  return Math.min(...contrasts);
}
