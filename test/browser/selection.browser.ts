import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { assignmentsOf, changeRoles, makePlace, rolesOf, tableOf } from "./support/ask.ts";
import { box, dialog, press } from "./support/find.ts";
import { hold } from "./support/hold.ts";
import { test } from "./support/visit.ts";

const selection = (page: Page) => page.getByRole("region", { name: "Selection" });
const results = (page: Page) => dialog(page).getByRole("region", { name: "Results" }).getByRole("listitem");

async function selectPage(page: Page, count: number): Promise<void> {
  await page.getByRole("checkbox", { name: "Select all rows of this page" }).check();
  await selection(page).getByText(`${count} selected`).waitFor();
}

async function begin(page: Page, change: string): Promise<void> {
  await selection(page).getByRole("button", { name: change, exact: true }).click();
}

describe("changing a selection", () => {
  test("adds roles to each, except the one that someone else changed, which is decided on again", async ({ visit }) => {
    const place = await makePlace("Batch Inc", { Quinn: ["seller"], Rosa: [], Sven: ["auditor", "seller"] });
    const page = await visit(tableOf(place), { as: "carol" });
    await selectPage(page, 3);
    await begin(page, "Add roles");
    await box(page, "Cashier").check();
    await expectNoViolations(page);
    await changeRoles(place.idOf("Sven"), ["auditor"]);
    const letGo = await hold(page, "BatchUpdateAuthorizations");
    await press(page, "Add roles to 3 assignments");
    await dialog(page).getByText("0 of 3").waitFor();
    await expectNoViolations(page);

    await letGo();
    await dialog(page).getByRole("heading", { name: "Roles added to 2 assignments, 1 failed" }).waitFor();
    await expect.poll(() => results(page).first().textContent()).toMatch(/Sven.*changed.*It is now active: Auditor\.$/);
    expect((await results(page).allTextContents()).slice(1).every((text) => text.endsWith("Done"))).toBe(true);
    await expectNoViolations(page);
    expect(await Promise.all(["Quinn", "Rosa", "Sven"].map((user) => rolesOf(place.idOf(user))))).toEqual([
      ["cashier", "seller"],
      ["cashier"],
      ["auditor"],
    ]);

    await press(page, "Review 1 assignment");
    await press(page, "Add roles to 1 assignment");
    await page.getByText(/^Roles added to Sven’s assignment /).waitFor();
    await expect.poll(() => selection(page).count()).toBe(0);
    expect(await rolesOf(place.idOf("Sven"))).toEqual(["auditor", "cashier"]);
    await expect.poll(() => page.getByRole("cell").filter({ hasText: "Cashier" }).count()).toBe(3);
  });

  test("takes in all that match, also on other pages, and tells what came of each", async ({ visit }) => {
    const users = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`Xenia ${index}`, ["seller"]]));
    const place = await makePlace("Many Inc", users);
    const page = await visit(`${tableOf(place)}&limit=50`, { as: "carol" });
    await selectPage(page, 50);
    await selection(page).getByRole("button", { name: "Select all 120 that match" }).click();
    await selection(page).getByText("120 selected").waitFor();
    await begin(page, "Deactivate");
    const letGo = await hold(page, "BatchSetState", 2);
    await press(page, "Deactivate 120 assignments");
    await dialog(page).getByText("100 of 120").waitFor();
    await letGo();
    await page.getByText("120 assignments deactivated.").waitFor();
    expect(await assignmentsOf(place, { state: { state: "STATE_INACTIVE" } })).toHaveLength(120);
    await expect
      .poll(async () => new Set(await page.locator(".state").allTextContents()))
      .toEqual(new Set(["Inactive"]));
  });
});

describe("the list of people", () => {
  test("gives those selected with Shift a role, or shows what they have, at 390 pixels", async ({ visit }) => {
    const place = await makePlace("Select Inc", { Uma: [], Vera: [], Will: [] });
    const page = await visit(`/people?organization=${place.organizationId}`, { as: "carol", width: 390 });
    await page.getByRole("checkbox", { name: "Select Uma" }).check();
    await page.getByRole("checkbox", { name: "Select Will" }).click({ modifiers: ["Shift"] });
    await selection(page).getByText("3 selected").waitFor();
    await expectNoViolations(page);
    await selection(page).getByRole("button", { name: "Assign roles" }).click();
    await dialog(page).getByRole("button", { name: "Remove Vera" }).waitFor();
    await expectNoViolations(page);
    await page.keyboard.press("Escape");
    await selection(page).getByRole("link", { name: "Show their assignments" }).click();
    await page.getByText("3 assignments", { exact: true }).first().waitFor();
  });

  test("asks what a row has to say only for the rows in sight", async ({ visit }) => {
    const people = Array.from({ length: 40 }, (_, nth) => [`Person ${nth + 10}`, []] as const);
    const place = await makePlace("Sight Inc", Object.fromEntries(people));
    const page = await visit("/account", { as: "carol" });
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/ListAuthorizations")) asked += 1;
    });
    await page.setViewportSize({ width: 1_280, height: 720 });
    await page.goto(new URL(`/people?organization=${place.organizationId}`, page.url()).href);
    const cell = (nth: number) =>
      page.getByRole("row", { name: new RegExp(`Person ${nth} `) }).getByRole("link", { name: "1", exact: true });
    await cell(10).waitFor();
    expect(asked).toBeLessThan(25);
    await page.getByRole("row", { name: /Person 49 / }).scrollIntoViewIfNeeded();
    await cell(49).waitFor();
  });
});
