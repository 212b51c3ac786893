import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { ask, assignment, makePlace, tableOf } from "./support/ask.ts";
import { test } from "./support/visit.ts";

const panel = (page: Page) => page.getByRole("complementary", { name: "Assignment" });
const dialog = (page: Page) => page.getByRole("dialog");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const rolesOf = async (id: string) => (await assignment(id)).roles.map(({ key }: any) => key);

describe("changing an assignment", () => {
  test("edits its roles, and shows the difference before it is saved", async ({ visit }) => {
    const id = (await makePlace("Roles Inc", { Nora: ["seller"] })).idOf("Nora");
    const page = await visit(`/?id=${id}`, { as: "carol" });
    await button(page, "Edit roles").click();
    await dialog(page).getByText("Nothing is changed yet.").waitFor();
    await dialog(page)
      .getByRole("checkbox", { name: /^Auditor/ })
      .check();
    await dialog(page)
      .getByRole("checkbox", { name: /^Seller/ })
      .uncheck();
    await dialog(page)
      .getByText(/^Saving .*Auditor/)
      .waitFor();
    await expectNoViolations(page);
    expect(await rolesOf(id)).toEqual(["seller"]);
    await button(page, "Save").click();
    await expect.poll(() => dialog(page).count()).toBe(0);
    expect(await rolesOf(id)).toEqual(["auditor"]);
    await panel(page).getByText("Auditor").first().waitFor();
  });

  test("deactivates, activates and deletes it", async ({ visit }) => {
    const id = (await makePlace("States Inc", { Olaf: ["seller"] })).idOf("Olaf");
    const page = await visit(`/?id=${id}`, { as: "carol" });
    await button(page, "Deactivate").click();
    await button(page, "Activate").waitFor();
    expect((await assignment(id)).state).toBe("STATE_INACTIVE");
    await button(page, "Activate").click();
    await button(page, "Deactivate").waitFor();
    await button(page, "Delete").click();
    await page.getByRole("alertdialog", { name: "Delete this assignment?" }).waitFor();
    await expectNoViolations(page);
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete", exact: true }).click();
    await panel(page).getByRole("heading", { name: "Not found" }).waitFor();
    expect(await assignment(id)).toBeUndefined();
  });

  test("by two people at once shows the second what the first did, and overwrites nothing", async ({ visit }) => {
    const id = (await makePlace("Race Inc", { Paula: ["seller"] })).idOf("Paula");
    const [first, second] = await Promise.all(
      [/ERR/, /409|ERR|Failed to load/].map((expects) => visit(`/?id=${id}`, { as: "carol", expects })),
    );
    if (first === undefined || second === undefined) throw new Error("two pages were opened");
    for (const [page, role] of [
      [first, "Auditor"],
      [second, "Cashier"],
    ] as const) {
      await button(page, "Edit roles").click();
      await dialog(page)
        .getByRole("checkbox", { name: new RegExp(`^${role}`) })
        .check();
    }
    await button(first, "Save").click();
    await expect.poll(() => dialog(first).count()).toBe(0);
    await button(second, "Save").click();
    await dialog(second).getByRole("heading", { name: "Somebody else was faster" }).waitFor();
    expect(await rolesOf(id)).toEqual(["auditor", "seller"]);
    await expectNoViolations(second);
    await button(second, "Go on from what it is now").click();
    await button(second, "Save").click();
    await expect.poll(() => dialog(second).count()).toBe(0);
    expect(await rolesOf(id)).toEqual(expect.arrayContaining(["cashier"]));
  });

  test("is not offered to who may only look", async ({ visit }) => {
    const page = await visit("/", { as: "bob" });
    await page.getByRole("rowheader").first().getByRole("button").click();
    await panel(page).getByRole("heading", { name: "Why can I see it" }).waitFor();
    for (const name of ["Edit roles", "Deactivate", "Delete", "New assignment"]) {
      expect(await button(page, name).count(), name).toBe(0);
    }
  });
});

describe("changing a selection", () => {
  test("deactivates all of it, and tells what came of each", async ({ visit }) => {
    const users = { Quinn: ["seller"], Rosa: ["seller"], Sven: ["seller"] };
    const place = await makePlace("Batch Inc", users);
    const page = await visit(tableOf(place), { as: "carol" });
    await page.getByRole("checkbox", { name: "Select all rows of this page" }).check();
    await page.getByText("3 selected").waitFor();
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Deactivate" }).click();
    await dialog(page)
      .getByRole("button", { name: /^Deactivate/ })
      .click();
    await dialog(page).getByRole("list", { name: "Results" }).or(dialog(page).getByLabel("Results")).first().waitFor();
    await expectNoViolations(page);
    for (const user of Object.keys(users)) expect((await assignment(place.idOf(user))).state).toBe("STATE_INACTIVE");
  });
});

describe("creating an assignment", () => {
  test("picks a user, a project and roles, and opens what was created", async ({ visit }) => {
    const place = await makePlace("Create Inc", { Tilda: [] });
    const id = place.idOf("Tilda");
    await ask("carol", "authorization.v2.AuthorizationService/DeleteAuthorization", { id });
    const page = await visit("/", { as: "carol" });
    await page.getByRole("button", { name: /New assignment/ }).click();
    await dialog(page).getByLabel("User").fill("Tilda");
    await page.getByRole("option", { name: /Tilda/ }).first().click();
    await dialog(page).getByLabel("Only projects in this organization (optional)").fill("Create Inc");
    await page
      .getByRole("option", { name: /Create Inc/ })
      .first()
      .click();
    await dialog(page).getByLabel("Project", { exact: true }).fill("Till");
    await page.getByRole("option", { name: /Till/ }).first().click();
    await dialog(page)
      .getByRole("checkbox", { name: /^Seller/ })
      .check();
    await expectNoViolations(page);
    await button(page, "Create").click();
    await panel(page).getByRole("heading", { name: "Tilda" }).waitFor();
    const created = await assignment(new URL(page.url()).searchParams.get("id") ?? "");
    expect([created.user.id, created.roles.map(({ key }: any) => key)]).toEqual([id, ["seller"]]);
  });
});
