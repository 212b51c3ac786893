import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { ask, assignment, makePlace, rolesOf } from "./support/ask.ts";
import { test } from "./support/visit.ts";

const panel = (page: Page) => page.getByRole("complementary", { name: "Assignment" });
const dialog = (page: Page) => page.getByRole("dialog");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe("changing an assignment", () => {
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
});
