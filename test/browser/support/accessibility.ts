import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const looks = [
  { scheme: "light", width: 1_280 },
  { scheme: "dark", width: 1_280 },
  { scheme: "dark", width: 360 },
  { scheme: "light", width: 360 },
] as const;

/** Of what is large and the same everywhere, light and dark are enough, and wide and narrow. */
export const fewLooks = looks.filter(({ scheme, width }) => (scheme === "light") === (width === 1_280));

/** axe finds nothing on the page as it stands, in light and dark, wide and narrow; nothing is cut off sideways either. */
export async function expectNoViolations(page: Page, of: readonly (typeof looks)[number][] = looks): Promise<void> {
  await page.evaluate(await source);
  const before = page.viewportSize();
  for (const { scheme, width } of of) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 800 });
    await isPainted(page);
    const message = `${scheme}, ${width} pixels wide`;
    await expect.poll(() => overflow(page), { message }).toBe(0);
    expect(await violations(page), message).toEqual([]);
  }
  if (before !== null) await page.setViewportSize(before);
}

/** The same for the page as it looks now, whatever is emulated. */
export async function expectNoViolationsNow(page: Page, message: string): Promise<void> {
  await page.evaluate(await source);
  await isPainted(page);
  await expect.poll(() => overflow(page), { message }).toBe(0);
  expect(await violations(page), message).toEqual([]);
}

/** Waits until the page has followed the size of the window. */
async function isPainted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

async function violations(page: Page): Promise<string[]> {
  return page.evaluate(async (values) => {
    const { axe: run } = globalThis as unknown as { axe: typeof axe };
    const found = await run.run(document, { runOnly: { type: "tag", values }, resultTypes: ["violations"] });
    return found.violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
    );
  }, tags);
}

/** By how many pixels the page is wider than the window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
