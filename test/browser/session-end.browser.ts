import type { Page } from "playwright-core";
import { describe, expect, inject } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { ask, assignment, changeRoles, makePlace, rolesOf, tableOf } from "./support/ask.ts";
import { hold } from "./support/hold.ts";
import { makeOwner } from "./support/token.ts";
import { test } from "./support/visit.ts";

const refused = /401|404|409/;

const dialog = (page: Page) => page.getByRole("dialog");
const question = (page: Page) => page.getByRole("alertdialog");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const press = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click();
const box = (page: Page, role: string) => dialog(page).getByRole("checkbox", { name: new RegExp(`^${role}`) });
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

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("Token").fill(token);
  await page.keyboard.press("Enter");
}

describe("when the token ends while a dialog is open, the same person finds it as it was after signing in", () => {
  test("editing roles", async ({ visit }) => {
    const place = await makePlace("Revoked Inc", { Astrid: [], Berit: ["seller"] });
    const id = place.idOf("Berit");
    const owner = await makeOwner(place, "Astrid");
    const page = await visit(`/?id=${id}`, { token: owner.token, expects: refused });
    await button(page, "Edit roles").click();
    await box(page, "Auditor").check();
    await owner.revoke();
    await press(page, "Save");
    await expectSignedOut(page, /Berit|Revoked Inc|Auditor/);
    await expectNoViolations(page);
    expect(await rolesOf(id)).toEqual(["seller"]);

    await signIn(page, (await makeOwner(place, "Astrid")).token);
    await dialog(page).getByText("You were signed out in the meantime").waitFor();
    await dialog(page).getByText("Saving adds Auditor.").waitFor();
    expect([await box(page, "Auditor").isChecked(), await box(page, "Seller").isChecked()]).toEqual([true, true]);
    await expect.poll(() => hasFocus(page, "[role=dialog]")).toBe(true);
    await expectNoViolations(page);
    await press(page, "Save");
    await expect.poll(() => dialog(page).count()).toBe(0);
    expect(await rolesOf(id)).toEqual(["auditor", "seller"]);
  });

  test("creating an assignment", async ({ visit }) => {
    const place = await makePlace("Revoked New Inc", { Asta: [], Bo: [] });
    const { organizationId: organization } = place;
    const id = place.idOf("Bo");
    await ask("carol", "authorization.v2.AuthorizationService/DeleteAuthorization", { id });
    const owner = await makeOwner(place, "Asta");
    const create = JSON.stringify({ project: `${organization}-till`, organization });
    const page = await visit(`/?create=${encodeURIComponent(create)}`, { token: owner.token, expects: refused });
    await dialog(page).getByLabel("Person", { exact: true }).fill("Bo");
    // Until then, the options are those of before, and move.
    await expect.poll(() => page.getByRole("option").count()).toBe(1);
    await page.getByRole("option", { name: /Bo/ }).first().click();
    await box(page, "Cashier").check();
    await owner.revoke();
    await press(page, "Create");
    await expectSignedOut(page, /Revoked New Inc|Cashier/);

    await signIn(page, (await makeOwner(place, "Asta")).token);
    await dialog(page).getByText("You were signed out in the meantime").waitFor();
    expect(await dialog(page).getByLabel("Person", { exact: true }).inputValue()).toBe("Bo");
    expect(await box(page, "Cashier").isChecked()).toBe(true);
    await press(page, "Create");
    await page.getByText("Bo is assigned: Till in Revoked New Inc.").waitFor();
  });

  test("a batch, with the selection it is for", async ({ visit }) => {
    const place = await makePlace("Revoked Batch Inc", { Alma: [], Bea: ["seller"], Cleo: [] });
    const owner = await makeOwner(place, "Alma");
    const page = await visit(tableOf(place), { token: owner.token, expects: refused });
    await page.getByRole("checkbox", { name: "Select all rows of this page" }).check();
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Add roles" }).click();
    await box(page, "Auditor").check();
    await owner.revoke();
    await press(page, "Add roles: 3 assignments");
    await expectSignedOut(page, /Bea|Cleo|Revoked Batch Inc/);

    await signIn(page, (await makeOwner(place, "Alma")).token);
    await dialog(page).getByText("You were signed out in the meantime").waitFor();
    expect(await box(page, "Auditor").isChecked()).toBe(true);
    await press(page, "Add roles: 3 assignments");
    await dialog(page).getByRole("heading", { name: "Add roles: 3 done" }).waitFor();
    expect(await rolesOf(place.idOf("Bea"))).toEqual(["auditor", "seller"]);
  });

  test("a batch under way: what is done, and what is left to do", async ({ visit }) => {
    const users = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`Dora ${index}`, ["seller"]]));
    const place = await makePlace("Revoked Halfway Inc", { Ada: [], ...users });
    const owner = await makeOwner(place, "Ada");
    const page = await visit(`${tableOf(place)}&limit=250`, { token: owner.token, expects: refused });
    await page.getByRole("checkbox", { name: "Select all rows of this page" }).check();
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Deactivate" }).click();
    let sent = 0;
    const letGo = await hold(page, "BatchSetState", () => {
      sent += 1;
      return sent === 2;
    });
    await press(page, "Deactivate: 121 assignments");
    await dialog(page).getByText("100 of 121").waitFor();
    await owner.revoke();
    await letGo();
    await expectSignedOut(page, /Dora|Revoked Halfway Inc/);

    await signIn(page, (await makeOwner(place, "Ada")).token);
    await dialog(page).getByRole("heading", { name: "Deactivate: 100 done, 21 not done" }).waitFor();
    await press(page, "Review 21 assignments");
    await press(page, "Deactivate: 21 assignments");
    await dialog(page).getByRole("heading", { name: "Deactivate: 21 done" }).waitFor();
  });

  test("deleting, and deciding again on what someone else has changed", async ({ visit }) => {
    const place = await makePlace("Revoked Gone Inc", { Anja: [], Bent: ["seller"] });
    const id = place.idOf("Bent");
    const first = await makeOwner(place, "Anja");
    const page = await visit(`/?id=${id}`, { token: first.token, expects: refused });
    await button(page, "Delete").click();
    await first.revoke();
    await question(page).getByRole("button", { name: "Delete", exact: true }).click();
    await expectSignedOut(page, /Bent|Revoked Gone Inc/);
    const second = await makeOwner(place, "Anja");
    await signIn(page, second.token);
    await question(page).getByText("Bent").first().waitFor();
    await page.getByText("was not deleted. You were signed out in the meantime").waitFor();

    await changeRoles(id, ["auditor"]);
    await question(page).getByRole("button", { name: "Delete", exact: true }).click();
    await dialog(page).getByRole("row", { name: "Auditor No Yes" }).waitFor();
    await second.revoke();
    await press(page, "Delete anyway");
    await expectSignedOut(page, /Bent|Revoked Gone Inc/);
    await signIn(page, (await makeOwner(place, "Anja")).token);
    await dialog(page).getByRole("row", { name: "Auditor No Yes" }).waitFor();
    await press(page, "Delete anyway");
    await expect.poll(() => assignment(id)).toBeUndefined();
  });

  test("a filter that is half written, and a list that is exported", async ({ visit }) => {
    const place = await makePlace("Revoked List Inc", { Arne: [] });
    const owner = await makeOwner(place, "Arne");
    const page = await visit("/", { token: owner.token, expects: refused });
    await button(page, "More filters").click();
    await dialog(page)
      .getByRole("button", { name: /^Login name/ })
      .click();
    await dialog(page).getByRole("textbox").fill("half writ");
    await owner.revoke();
    // The page asks again when it is looked at again.
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await expectSignedOut(page, /Revoked List Inc|half writ/);
    const again = await makeOwner(place, "Arne");
    await signIn(page, again.token);
    expect(await dialog(page).getByRole("textbox").inputValue()).toBe("half writ");
    await press(page, "Cancel");

    // Where the browser asks for a place, no one could answer here.
    await page.evaluate(() => Reflect.deleteProperty(globalThis, "showSaveFilePicker"));
    const letGo = await hold(page, "ListAuthorizations");
    await button(page, "Export CSV").click();
    const downloaded = page.waitForEvent("download");
    await press(page, "Export");
    await dialog(page).getByText("Asking for the first").waitFor();
    await again.revoke();
    await letGo();
    await expectSignedOut(page, /Revoked List Inc/);
    await expectNoViolations(page);
    await signIn(page, (await makeOwner(place, "Arne")).token);
    await dialog(page).getByText("1 assignment exported").waitFor();
    await (await downloaded).delete();
    await expectNoViolations(page);
  });
});

describe("when the token ends while a dialog is open, another person", () => {
  test("finds nothing of it", async ({ visit }) => {
    const place = await makePlace("Left Behind Inc", { Agda: [], Boel: ["seller"] });
    const id = place.idOf("Boel");
    const owner = await makeOwner(place, "Agda");
    const page = await visit(`/?id=${id}`, { token: owner.token, expects: refused });
    await button(page, "Edit roles").click();
    await box(page, "Auditor").check();
    await owner.revoke();
    await press(page, "Save");
    await expectSignedOut(page, /Boel|Left Behind Inc/);
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

  test("can mistype a token first, which is said, and what is kept stays kept", async ({ visit }) => {
    const place = await makePlace("Mistyped Inc", { Aina: [], Birk: ["seller"] });
    const owner = await makeOwner(place, "Aina");
    const page = await visit(`/?id=${place.idOf("Birk")}`, { token: owner.token, expects: refused });
    await button(page, "Edit roles").click();
    await box(page, "Auditor").check();
    await owner.revoke();
    await press(page, "Save");
    await expectSignedOut(page, /Birk/);
    await signIn(page, "authz_mistyped");
    await page.getByText("Your token is not accepted. It may be mistyped").waitFor();
    await signIn(page, (await makeOwner(place, "Aina")).token);
    await dialog(page).getByText("Saving adds Auditor.").waitFor();
  });
});
