import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { ask, changeRoles, makePlace, tableOf } from "./support/ask.ts";
import { test } from "./support/visit.ts";

const panel = (page: Page) => page.getByRole("complementary", { name: "Assignment" });

describe("the panel of an assignment", () => {
  test("opens from a row, tells who, where and why, and a link shows it again", async ({ visit }) => {
    const place = await makePlace("Panel Inc", { Dora: ["seller"] });
    const page = await visit(tableOf(place), { as: "carol" });
    await page.getByRole("rowheader", { name: "Dora" }).getByRole("button").click();
    await panel(page).getByRole("heading", { name: "Dora" }).waitFor();
    await panel(page).getByText("Till in Panel Inc").waitFor();
    await panel(page).getByText("Seller").first().waitFor();
    await panel(page).getByRole("heading", { name: "Why can I see it" }).waitFor();
    expect(new URL(page.url()).searchParams.get("id")).toBe(place.idOf("Dora"));
    await expectNoViolations(page);

    const { pathname, search } = new URL(page.url());
    const other = await visit(pathname + search, { as: "carol" });
    await panel(other).getByRole("heading", { name: "Dora" }).waitFor();
  });

  test("shows what became of it, newest first, and who did it", async ({ visit }) => {
    const place = await makePlace("Story Inc", { Emil: ["seller"] });
    const id = place.idOf("Emil");
    const change = "authorization.v2.AuthorizationService/UpdateAuthorization";
    await ask("carol", change, { id, roleKeys: ["auditor"] });
    const page = await visit(`/?id=${id}`, { as: "carol" });
    const entries = panel(page).locator(".timeline > li");
    await expect.poll(() => entries.count()).toBe(2);
    await expect.poll(() => entries.first().textContent()).toContain("Auditor");
    await expect.poll(() => entries.first().textContent()).toContain("Carol");
  });

  test("closes with Escape and with its button, and gives the focus back to the row", async ({ visit }) => {
    const place = await makePlace("Focus Inc", { Finn: [], Gerd: [] });
    const page = await visit(tableOf(place), { as: "carol" });
    const opener = page.getByRole("rowheader", { name: "Gerd" }).getByRole("button");
    for (const close of [
      () => page.keyboard.press("Escape"),
      () => panel(page).getByRole("button", { name: "Close" }).click(),
    ]) {
      await opener.click();
      await panel(page).getByRole("heading", { name: "Gerd" }).waitFor();
      await close();
      await expect.poll(() => panel(page).count()).toBe(0);
      await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
    }
  });

  test("says so when the assignment is gone", async ({ visit }) => {
    const place = await makePlace("Gone Inc", { Hugo: ["seller"] });
    const id = place.idOf("Hugo");
    await ask("carol", "authorization.v2.AuthorizationService/DeleteAuthorization", { id });
    const page = await visit(`/?id=${id}`, { as: "carol" });
    await panel(page).getByRole("heading", { name: "Not found" }).waitFor();
    await panel(page).getByText("It was of Hugo, for Till in Gone Inc").waitFor();
    await expectNoViolations(page);
  });

  test("tells a plain user nothing of what he may not see", async ({ visit }) => {
    const place = await makePlace("Secret Inc", { Ida: ["seller"] });
    const page = await visit(`/?id=${place.idOf("Ida")}`, { as: "bob" });
    await panel(page).getByRole("heading", { name: "Not found" }).waitFor();
    expect(await panel(page).textContent()).not.toMatch(/Secret Inc|Till/);
  });

  test("says when what it shows is old because the server is away, and asks again when it is looked at again", async ({
    visit,
  }) => {
    const id = (await makePlace("Old Inc", { Jarl: ["seller"] })).idOf("Jarl");
    const page = await visit(`/?id=${id}`, { as: "carol", expects: /Failed to load resource/ });
    const away = panel(page).getByRole("status").getByText("The server can't be reached");
    await panel(page).getByText("Seller").first().waitFor();
    await page.route("**/ListAuthorizations", (route) => route.abort());
    // As when somebody comes back from another tab.
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    await away.waitFor();
    await panel(page).getByText("Seller").first().waitFor();
    await changeRoles(id, ["auditor"]);
    await page.unroute("**/ListAuthorizations");
    await expect.poll(() => away.count()).toBe(0);
    await panel(page).getByText("Auditor").first().waitFor();
  });
});
