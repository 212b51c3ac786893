import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { ask, listedUsers } from "./support/ask.ts";
import { button } from "./support/find.ts";
import { test } from "./support/visit.ts";

const table = (page: Page) => page.getByRole("table", { name: "Assignments" });
const head = (page: Page, name: string) => page.getByRole("columnheader", { name });
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

/** The users of the first rows, as they stand in the table. */
async function firstUsers(page: Page, count = 5): Promise<string[]> {
  const names = await table(page).locator(".who-name").allInnerTexts();
  return names.slice(0, count);
}

async function expectUsers(page: Page, expected: readonly string[]): Promise<void> {
  await expect.poll(() => firstUsers(page)).toEqual(expected.slice(0, 5));
}

describe("the table of assignments", () => {
  test("shows the newest hundred, and how many there are", async ({ visit }) => {
    const page = await visit("/assignments", { as: "ann" });
    await expectUsers(page, await listedUsers("ann", {}));
    await page.getByText("1–100 of 3,021 assignments").waitFor();
  });

  test.for([
    { column: "Person", sort: "USER_DISPLAY_NAME", first: "ascending" },
    { column: "Organization", sort: "ORGANIZATION_NAME", first: "ascending" },
    { column: "Project", sort: "PROJECT_NAME", first: "ascending" },
    { column: "Created", sort: "CREATED_DATE", first: "ascending" },
    { column: "Changed", sort: "CHANGED_DATE", first: "descending" },
  ])("is sorted by $column, either way", async ({ column, sort, first }, { visit }) => {
    const page = await visit("/assignments", { as: "ann" });
    const second = first === "ascending" ? "descending" : "ascending";
    for (const direction of [first, second]) {
      await button(page, column).click();
      await expect.poll(() => head(page, column).getAttribute("aria-sort")).toBe(direction);
      const asc = direction === "ascending";
      const sortingColumn = `AUTHORIZATION_FIELD_NAME_${sort}`;
      await expectUsers(page, await listedUsers("ann", { sortingColumn, pagination: { asc } }));
    }
  });

  test("pages forward, back and to the first page, also by the browser's buttons", async ({ visit }) => {
    const page = await visit("/assignments", { as: "ann" });
    const { pagination } = await ask("ann", "authorization.v2.AuthorizationService/ListAuthorizations", {});
    const second = await listedUsers("ann", { pagination: { pageToken: pagination.nextPageToken } });

    await link(page, "Next").click();
    await page.getByText("101–200 of").waitFor();
    await expectUsers(page, second);
    await link(page, "Next").click();
    await page.getByText("201–300 of").waitFor();
    await link(page, "Previous").click();
    await page.getByText("101–200 of").waitFor();
    await expectUsers(page, second);
    await link(page, "First").click();
    await page.getByText("1–100 of").waitFor();
    await expect.poll(() => link(page, "Previous").getAttribute("aria-disabled")).toBe("true");
    await page.goBack();
    await page.getByText("101–200 of").waitFor();
    await page.goForward();
    await page.getByText("1–100 of").waitFor();
  });

  test("holds a thousand rows, and only those in sight in the document", async ({ visit }) => {
    const page = await visit("/assignments?limit=1000", { as: "ann" });
    await page.getByText("1–1,000 of").waitFor();
    expect(await page.getByRole("rowheader").count()).toBeLessThan(60);
    const last = (await listedUsers("ann", { pagination: { limit: 1_000 } })).at(-1) ?? "";
    await expect
      .poll(async () => {
        await page.locator(".scroller").evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
        return (await firstUsers(page, 1_000)).at(-1);
      })
      .toBe(last);
  });

  test("tells how long ago times were, and on hover when in the reader's zone and in UTC", async ({ visit }) => {
    const { authorizations } = await ask("ann", "authorization.v2.AuthorizationService/ListAuthorizations", {});
    const created = new Date(authorizations[0].creationDate);
    for (const zone of ["Asia/Kolkata", "America/New_York"]) {
      const page = await visit("/assignments", { as: "ann", zone });
      const time = page.locator('td[data-column="created"] time').first();
      expect(await time.textContent()).toMatch(/^\d+ (day|month|year)s? ago$/);
      const format = { dateStyle: "full", timeStyle: "long", timeZone: zone } as const;
      const local = new Intl.DateTimeFormat("en-GB", format).format(created);
      const utc = `${created.toISOString().slice(0, 19).replace("T", " ")} UTC`;
      expect(await time.getAttribute("title")).toBe(`${local}\n${utc}`);
    }
  });
});

test("the table's tools have labels from 1,200 pixels on, beside the facets and in one line", async ({ visit }) => {
  const page = await visit("/assignments", { as: "ann" });
  const labels = page.locator(".assignments-toolbar .tool-label");
  await page.locator(".facets-place").waitFor();
  await expectUsers(page, await listedUsers("ann", {}));
  for (const [width, isLabelled] of [
    [1_200, true],
    [1_280, true],
    [900, false],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    const shown = () => labels.evaluateAll((all) => all.map((label) => label.getBoundingClientRect().width > 1));
    await expect.poll(shown).toEqual(Array(5).fill(isLabelled));
    const lines = await page
      .locator(".assignments-toolbar button:visible")
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    expect(new Set(lines).size).toBe(1);
  }
});

test("the table is reached by the skip link, walked by arrows, opened by Enter, closed by Escape", async ({
  visit,
}) => {
  const page = await visit("/assignments", { as: "ann" });
  await page.getByRole("rowheader").first().waitFor();
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("Skip to content");
  await page.keyboard.press("Enter");
  const openers = page.getByRole("rowheader").getByRole("button");
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    if (await openers.nth(0).evaluate((opener) => opener === document.activeElement)) break;
  }
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe(await openers.nth(2).textContent());
  // What is shown whole there stays in its column.
  await page.setViewportSize({ width: 900, height: 800 });
  const right = (what: string) => page.locator(what).evaluate((element) => element.getBoundingClientRect().right);
  expect(await right("th:has(:focus-visible) .muted")).toBeLessThanOrEqual(await right("th:has(:focus-visible)"));
  await page.keyboard.press("Enter");
  await page.getByRole("complementary", { name: "Assignment" }).getByRole("button", { name: "Close" }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("complementary", { name: "Assignment" }).count()).toBe(0);
  await expect.poll(() => openers.nth(2).evaluate((opener) => opener === document.activeElement)).toBe(true);
});
