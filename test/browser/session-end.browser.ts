import { describe, expect, inject } from "vitest";
import { makePlace, rolesOf } from "./support/ask.ts";
import { makeOwner } from "./support/token.ts";
import { test } from "./support/visit.ts";

describe("a session whose token is revoked", () => {
  test("ends while a dialog is open, changes nothing, and goes on where it was after signing in", async ({ visit }) => {
    const place = await makePlace("Revoked Inc", { Astrid: [], Berit: ["seller"] });
    const id = place.idOf("Berit");
    const owner = await makeOwner(place, "Astrid");
    const page = await visit(`/?id=${id}`, { token: owner.token, expects: /401/ });
    await page.getByRole("button", { name: "Edit roles" }).click();
    await page
      .getByRole("dialog")
      .getByRole("checkbox", { name: /^Auditor/ })
      .check();
    await owner.revoke();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Your token is not accepted").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await page.locator("body").textContent()).not.toMatch(/Berit|Revoked Inc/);
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
    expect(await rolesOf(id)).toEqual(["seller"]);

    await page.getByLabel("Token").fill(inject("service").tokens.carol);
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "Assignment" }).getByRole("heading", { name: "Berit" }).waitFor();
    await page.getByRole("button", { name: "Edit roles" }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
  });
});
