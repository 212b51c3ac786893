import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { ask, makePlace, tableOf } from "./support/ask.ts";
import { test } from "./support/visit.ts";

const list = "authorization.v2.AuthorizationService/ListAuthorizations";

describe("the filters", () => {
  test("find users while somebody types, and the address follows", async ({ visit }) => {
    const page = await visit("/", { as: "ann" });
    await page.getByRole("searchbox", { name: "Search users" }).pressSequentially("ann keller");
    await expect.poll(() => page.getByRole("rowheader").count()).toBeGreaterThan(0);
    await expect
      .poll(async () => new Set(await page.locator(".who-name").allTextContents()))
      .toEqual(new Set(["Ann Keller"]));
    await page.reload();
    expect(await page.getByRole("searchbox", { name: "Search users" }).inputValue()).toBe("ann keller");
    await page.goBack();
    await page.getByText("3,021 assignments").waitFor();
  });

  test("narrow down to a state", async ({ visit }) => {
    const filters = [{ state: { state: "STATE_INACTIVE" } }];
    const { pagination } = await ask("ann", list, { filters });
    const page = await visit("/", { as: "ann" });
    await page.getByRole("combobox", { name: "State" }).selectOption({ label: "Inactive" });
    await page.getByText(new RegExp(`${pagination.totalResult} assignments`)).waitFor();
    expect(new Set(await page.locator(".state").allTextContents())).toEqual(new Set(["Inactive"]));
  });

  test("of a link stand above the table, and can be taken away", async ({ visit }) => {
    const place = await makePlace("Narrow Inc", { Lena: ["seller"], Mara: [] });
    const page = await visit(tableOf(place), { as: "carol" });
    await page.getByText("2 assignments").waitFor();
    await expectNoViolations(page);
    await page
      .getByRole("list", { name: "Filters in use" })
      .getByRole("button", { name: /^Remove/ })
      .click();
    await page.getByText(/^1–100 of/).waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  test("are added in a dialog that the keyboard opens and Escape closes", async ({ visit }) => {
    const page = await visit("/", { as: "ann" });
    const opener = page.getByRole("button", { name: "Add filter" });
    await opener.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Add filter" }).waitFor();
    await expectNoViolations(page);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});
