import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { ask, listedUsers } from "./support/ask.ts";
import { test } from "./support/visit.ts";

const table = (page: Page) => page.getByRole("table", { name: "Assignments" });
const head = (page: Page, name: string) => page.getByRole("columnheader", { name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
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
    const page = await visit("/", { as: "ann" });
    await expectUsers(page, await listedUsers("ann", {}));
    await page.getByText("1–100 of 3,021 assignments").waitFor();
  });

  test("shows a plain user what was assigned to him, and nothing else", async ({ visit }) => {
    const page = await visit("/", { as: "bob" });
    const { pagination } = await ask("bob", "authorization.v2.AuthorizationService/ListAuthorizations", {});
    await page.getByText(`${pagination.totalResult} assignment`).waitFor();
    expect(new Set(await firstUsers(page, 100))).toEqual(new Set(["Bob Okafor"]));
  });

  test.for([
    { column: "Person", sort: "USER_DISPLAY_NAME", first: "ascending" },
    { column: "Organization", sort: "ORGANIZATION_NAME", first: "ascending" },
    { column: "Project", sort: "PROJECT_NAME", first: "ascending" },
    { column: "Created", sort: "CREATED_DATE", first: "ascending" },
    { column: "Changed", sort: "CHANGED_DATE", first: "descending" },
  ])("is sorted by $column, either way", async ({ column, sort, first }, { visit }) => {
    const page = await visit("/", { as: "ann" });
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
    const page = await visit("/", { as: "ann" });
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

  test("shows the same after a reload and to who opens its link", async ({ visit }) => {
    const page = await visit("/?sort=project&asc=true&limit=50", { as: "ann" });
    await link(page, "Next").click();
    await page.getByText("51–100 of").waitFor();
    await expect.poll(() => page.getByRole("table").getAttribute("aria-busy")).toBe("false");
    const seen = await firstUsers(page);
    await page.reload();
    await page.getByText("51–100 of").waitFor();
    await expectUsers(page, seen);
    const { pathname, search } = new URL(page.url());
    const other = await visit(pathname + search, { as: "ann" });
    await other.getByText("51–100 of").waitFor();
    await expectUsers(other, seen);
  });

  test("has the columns that were chosen, also after a reload", async ({ visit }) => {
    const page = await visit("/", { as: "ann" });
    await button(page, "View").click();
    await page.getByRole("checkbox", { name: "Project" }).uncheck();
    await expect.poll(() => head(page, "Project").count()).toBe(0);
    await page.reload();
    await head(page, "Organization").waitFor();
    expect(await head(page, "Project").count()).toBe(0);
    await button(page, "View").click();
    await page.getByRole("checkbox", { name: "Project" }).check();
    await head(page, "Project").waitFor();
  });

  test("keeps what is selected on other pages, until it is cleared", async ({ visit }) => {
    const page = await visit("/?limit=50", { as: "ann" });
    const boxes = page.getByRole("checkbox", { name: /^Select .*, / });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByText("2 selected").waitFor();
    await link(page, "Next").click();
    await page.getByText("51–100 of").waitFor();
    await expect.poll(() => boxes.nth(0).isChecked()).toBe(false);
    await page.getByRole("checkbox", { name: "Select all rows of this page" }).check();
    await page.getByText("52 selected").waitFor();
    await link(page, "Previous").click();
    await expect.poll(() => boxes.nth(1).isChecked()).toBe(true);
    await page.getByRole("button", { name: /^Clear/ }).click();
    await expect.poll(() => page.getByText(/\d selected/).count()).toBe(0);
    expect(await boxes.nth(0).isChecked()).toBe(false);
  });

  test("holds a thousand rows, and only those in sight in the document", async ({ visit }) => {
    const page = await visit("/?limit=1000", { as: "ann" });
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

  test("shows placeholders while the service is slow, then the rows", async ({ visit }) => {
    const page = await visit("/history", { as: "ann" });
    const slow = Promise.withResolvers<void>();
    await page.route("**/ListAuthorizations", async (route) => {
      await slow.promise;
      await route.continue();
    });
    await page.goto(new URL("/", page.url()).href);
    await page.locator(".skeleton").first().waitFor();
    expect(await table(page).getAttribute("aria-busy")).toBe("true");
    await expectNoViolations(page);
    slow.resolve();
    await page.getByRole("rowheader").first().waitFor();
    expect(await page.locator(".skeleton").count()).toBe(0);
  });

  test("tells times in the reader's zone, and in UTC on hover", async ({ visit }) => {
    const { authorizations } = await ask("ann", "authorization.v2.AuthorizationService/ListAuthorizations", {});
    const created = new Date(authorizations[0].creationDate);
    for (const zone of ["Asia/Kolkata", "America/New_York"]) {
      const page = await visit("/", { as: "ann", zone });
      const time = page.locator('td[data-column="created"] time').first();
      const format = { dateStyle: "medium", timeStyle: "short", timeZone: zone } as const;
      expect(await time.textContent()).toBe(new Intl.DateTimeFormat("en-GB", format).format(created));
      expect(await time.getAttribute("title")).toContain(`${created.toISOString().slice(0, 19).replace("T", " ")} UTC`);
    }
  });

  test("has nothing that axe finds, with the menu of its view open as well", async ({ visit }) => {
    const page = await visit("/", { as: "ann" });
    await page.getByRole("rowheader").first().waitFor();
    await expectNoViolations(page);
    await button(page, "View").click();
    await page.getByLabel("Rows of a page").waitFor();
    await expectNoViolations(page);
  });

  test("says why it is empty, and what to do", async ({ visit }) => {
    const filters = encodeURIComponent(JSON.stringify([{ userId: { id: "nobody" } }]));
    const page = await visit(`/?filters=${filters}`, { as: "ann" });
    await page.getByRole("heading", { name: "No assignment matches these filters" }).waitFor();
    await expectNoViolations(page);
    await link(page, "Remove all filters").click();
    await page.getByText("3,021 assignments").waitFor();
  });

  test("says so when a link's filters cannot be read, and shows nothing instead", async ({ visit }) => {
    const page = await visit("/?filters=%5B%7B%22userId", { as: "ann" });
    await page.getByRole("heading", { name: "The filters in this link can't be read" }).waitFor();
    expect(await table(page).count()).toBe(0);
    await expectNoViolations(page);
  });
});

describe("the table by keyboard alone", () => {
  test("is reached by the skip link, walked by arrows, and opened and closed by Enter and Escape", async ({
    visit,
  }) => {
    const page = await visit("/", { as: "ann" });
    await page.getByRole("rowheader").first().waitFor();
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    const openers = page.getByRole("rowheader").getByRole("button");
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press("Tab");
      if (await openers.nth(0).evaluate((opener) => opener === document.activeElement)) break;
    }
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe(await openers.nth(2).textContent());
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "Assignment" }).getByRole("button", { name: "Close" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("complementary", { name: "Assignment" }).count()).toBe(0);
    await expect.poll(() => openers.nth(2).evaluate((opener) => opener === document.activeElement)).toBe(true);
  });

  test("shows where the focus is", async ({ visit }) => {
    const page = await visit("/", { as: "ann" });
    await page.getByRole("rowheader").first().waitFor();
    // Buttons that come later would be between those that Tab leads to.
    await button(page, "New assignment").waitFor();
    await page.getByRole("complementary", { name: "Narrow down" }).getByRole("button", { name: /^Shop/ }).waitFor();
    for (const name of ["Refresh", "View", "Person", "Sign out"]) {
      await button(page, name).focus();
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Tab");
      const outline = () => button(page, name).evaluate((element) => getComputedStyle(element).outlineStyle);
      await expect.poll(outline, { message: name }).not.toBe("none");
    }
  });
});
