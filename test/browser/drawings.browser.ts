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

/** Runs in the page. The texts that leave the smallest box in which they begin, and those that overlap another. */
function misplacedTexts(): string[] {
  const boxes = [...document.querySelectorAll("rect")].map((rect) => rect.getBoundingClientRect());
  const texts = [...document.querySelectorAll("text")].map((text) => {
    const at = text.getBoundingClientRect();
    const middle = (at.top + at.bottom) / 2;
    const around = boxes.filter(
      ({ left, right, top, bottom }) => left < at.left && at.left < right && top < middle && middle < bottom,
    );
    const [box = new DOMRect()] = around.toSorted((a, b) => a.width * a.height - b.width * b.height);
    return { says: text.textContent, at, box };
  });
  const found = texts
    .filter(({ at, box }) => at.right > box.right - 4 || at.top < box.top || at.bottom > box.bottom)
    .map(({ says, at, box }) => `${says} is ${Math.ceil(at.width)} wide, in a box of ${box.width}`);
  for (const [index, { says, at }] of texts.entries())
    for (const other of texts.slice(index + 1)) {
      const beside = at.right < other.at.left || at.left > other.at.right;
      const apart = beside || at.bottom - 3 < other.at.top || at.top > other.at.bottom - 3;
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
  const fillOf = (element: Element) => getComputedStyle(element).fill;
  const filled = [...document.querySelectorAll("rect")].filter((rect) => fillOf(rect) !== "none");
  const contrasts = [...document.querySelectorAll("text")].map((text) => {
    const { left, top, height } = text.getBoundingClientRect();
    const below = filled.filter((rect) => {
      const box = rect.getBoundingClientRect();
      return box.left < left && left < box.right && box.top < top + height / 2 && top + height / 2 < box.bottom;
    });
    // What comes later is drawn on what comes before. A drawing without a box stands on any page.
    const ground = below.at(-1);
    if (ground === undefined) return 0;
    const [dark = 0, bright = 0] = [fillOf(text), fillOf(ground)].map(brightness).toSorted((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  });
  return Math.min(...contrasts);
}
