import type { Page } from "playwright-core";
import { describe, expect, inject } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { makePlace, rolesOf, tableOf } from "./support/ask.ts";
import { box, button, dialog, press } from "./support/find.ts";
import { hold } from "./support/hold.ts";
import { makeOwner } from "./support/token.ts";
import { test, type Visit } from "./support/visit.ts";

const refused = /401|404|409/;

const hasFocus = (page: Page, around: string) =>
  page.evaluate((selector) => document.activeElement?.closest(selector) !== null, around);

/** While no one is signed in, nothing of what was shown is in the document or stored, and the page can be used. */
async function expectSignedOut(page: Page, names: RegExp): Promise<void> {
  await page.getByText("Your token has expired or has been revoked.").waitFor();
  await page.getByText("Your work is kept").waitFor();
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toMatch(names);
  expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  expect(await page.locator("body > [inert], body > [aria-hidden=true]").count()).toBe(0);
}

/** An owner has ticked a role of someone else in the dialog when the token ends, which the page learns from saving. */
async function endWhileEditing(visit: Visit, name: string, owner: string, user: string) {
  const place = await makePlace(name, { [owner]: [], [user]: ["seller"] });
  const id = place.idOf(user);
  const { token, revoke } = await makeOwner(place, owner);
  const page = await visit(`/assignments?id=${id}`, { token, expects: refused });
  await button(page, "Edit roles").click();
  await box(page, "Auditor").check();
  await revoke();
  await press(page, "Save");
  await expectSignedOut(page, new RegExp(`${user}|${name}|Auditor`));
  return { page, place, id };
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("Token").fill(token);
  await page.keyboard.press("Enter");
}

describe("when the token ends while a dialog is open, the same person finds it as it was after signing in", () => {
  test("editing roles", async ({ visit }) => {
    const { page, place, id } = await endWhileEditing(visit, "Revoked Inc", "Astrid", "Berit");
    await expectNoViolations(page);
    expect(await rolesOf(id)).toEqual(["seller"]);

    await signIn(page, (await makeOwner(place, "Astrid")).token);
    await page.getByText(/You were signed out in the meantime/).waitFor();
    await dialog(page).getByText("Saving adds Auditor.").waitFor();
    expect([await box(page, "Auditor").isChecked(), await box(page, "Seller").isChecked()]).toEqual([true, true]);
    await expect.poll(() => hasFocus(page, "[role=dialog]")).toBe(true);
    await expectNoViolations(page);
    await press(page, "Save");
    await expect.poll(() => dialog(page).count()).toBe(0);
    expect(await rolesOf(id)).toEqual(["auditor", "seller"]);
  });

  test("a batch under way: what is done, and what is left to do", async ({ visit }) => {
    const users = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`Dora ${index}`, ["seller"]]));
    const place = await makePlace("Revoked Halfway Inc", { Ada: [], ...users });
    const owner = await makeOwner(place, "Ada");
    const page = await visit(`${tableOf(place)}&limit=250`, { token: owner.token, expects: refused });
    await page.getByRole("checkbox", { name: "Select all rows of this page" }).check();
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Deactivate" }).click();
    const letGo = await hold(page, "BatchSetState", 2);
    await press(page, "Deactivate 121 assignments");
    await dialog(page).getByText("100 of 121").waitFor();
    await owner.revoke();
    await letGo();
    await expectSignedOut(page, /Dora|Revoked Halfway Inc/);

    await signIn(page, (await makeOwner(place, "Ada")).token);
    await dialog(page).getByRole("heading", { name: "100 assignments deactivated, 21 not done" }).waitFor();
    await press(page, "Review 21 assignments");
    await press(page, "Deactivate 21 assignments");
    await page.getByText("21 assignments deactivated.").waitFor();
  });
});

test("when the token ends while a dialog is open, another person finds nothing of it", async ({ visit }) => {
  const { page, id } = await endWhileEditing(visit, "Left Behind Inc", "Agda", "Boel");
  const letGo = await hold(page, "ListAuthorizations");
  await signIn(page, inject("service").tokens.bob);
  await page.getByRole("banner").getByText("Bob Okafor").waitFor();
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toMatch(/Boel|Agda|Left Behind Inc/);
  await letGo();
  await page.getByRole("complementary", { name: "Assignment" }).getByRole("heading", { name: "Not found" }).waitFor();
  expect(await dialog(page).count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toMatch(/Boel|Agda|Left Behind Inc/);
  expect(await rolesOf(id)).toEqual(["seller"]);
});
