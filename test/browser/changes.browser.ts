import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { ask, assignment, changeRoles, makePlace, rolesOf } from "./support/ask.ts";
import { test } from "./support/visit.ts";

const panel = (page: Page) => page.getByRole("complementary", { name: "Assignment" });
const dialog = (page: Page) => page.getByRole("dialog");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

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
    await expect.poll(() => panel(page).locator(".timeline > li").count()).toBe(2);
  });

  test("deactivates it, takes that back, activates and deletes it, and takes that back, too", async ({ visit }) => {
    const place = await makePlace("States Inc", { Olaf: ["seller"] });
    const id = place.idOf("Olaf");
    // What the panel still asks of what is deleted is answered so.
    const page = await visit(`/?id=${id}`, { as: "carol", expects: /404/ });
    await button(page, "Deactivate").click();
    await button(page, "Activate").waitFor();
    expect((await assignment(id)).state).toBe("STATE_INACTIVE");
    await button(page, "Undo").click();
    await page.getByText(/^Undone: Olaf’s assignment .* is activated again/).waitFor();
    await button(page, "Deactivate").click();
    await button(page, "Activate").click();
    await button(page, "Deactivate").waitFor();
    await button(page, "Delete").click();
    await page.getByRole("alertdialog", { name: "Delete this assignment?" }).waitFor();
    await expectNoViolations(page);
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete", exact: true }).click();
    await panel(page).getByRole("heading", { name: "Not found" }).waitFor();
    expect(await assignment(id)).toBeUndefined();

    await button(page, "Undo").click();
    await page.getByText(/is back, with a new id/).waitFor();
    const filters = [{ organizationId: { id: place.organizationId } }];
    const list = "authorization.v2.AuthorizationService/ListAuthorizations";
    const { authorizations } = await ask("carol", list, { filters });
    expect(authorizations.map(({ user, roles }: any) => [user.id, roles.length])).toEqual([[id, 1]]);
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
    await dialog(second).getByRole("heading", { name: "Someone else changed it first" }).waitFor();
    expect(await rolesOf(id)).toEqual(["auditor", "seller"]);
    await expectNoViolations(second);
    await button(second, "Continue with what it is now").click();
    await button(second, "Save").click();
    await expect.poll(() => dialog(second).count()).toBe(0);
    expect(await rolesOf(id)).toEqual(expect.arrayContaining(["cashier"]));
  });

  test("of a state, or deleting, is decided on again when someone else was faster", async ({ visit }) => {
    const id = (await makePlace("Faster Inc", { Pablo: ["seller"] })).idOf("Pablo");
    const page = await visit(`/?id=${id}`, { as: "carol", expects: /409/ });
    const conflict = page.getByRole("dialog", { name: "Someone else changed it first" });
    await button(page, "Deactivate").waitFor();
    await changeRoles(id, ["auditor"]);
    await button(page, "Deactivate").click();
    await conflict.getByText("It was changed in the meantime.").waitFor();
    await expectNoViolations(page);
    expect((await assignment(id)).state).toBe("STATE_ACTIVE");
    await button(page, "Deactivate anyway").click();
    await button(page, "Activate").waitFor();

    await button(page, "Delete").click();
    await changeRoles(id, ["cashier"]);
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete", exact: true }).click();
    await conflict.getByRole("row", { name: "Auditor Yes No" }).waitFor();
    await button(page, "Leave it unchanged").click();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect(await rolesOf(id)).toEqual(["cashier"]);
    await panel(page).getByText("Cashier").first().waitFor();
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
