import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { assignment, assignmentsOf, makePlace, rolesOf, tableOf } from "./support/ask.ts";
import { box, button, dialog } from "./support/find.ts";
import { test } from "./support/visit.ts";

const panel = (page: Page) => page.getByRole("complementary", { name: "Assignment" });

describe("changing an assignment", () => {
  test("deactivates it, takes that back, activates and deletes it, and takes that back, too", async ({ visit }) => {
    const place = await makePlace("States Inc", { Olaf: ["seller"] });
    const id = place.idOf("Olaf");
    // What the panel still asks of what is deleted is answered so.
    const page = await visit(`/assignments?id=${id}`, { as: "carol", expects: /404/ });
    await button(page, "Deactivate").click();
    await button(page, "Activate").waitFor();
    expect((await assignment(id)).state).toBe("STATE_INACTIVE");
    await button(page, "Undo").click();
    await page.getByText(/^Undone: Olaf’s assignment .* deactivated\.$/).waitFor();
    await button(page, "Deactivate").click();
    await button(page, "Activate").click();
    await button(page, "Deactivate").waitFor();
    await button(page, "Delete").click();
    await page.getByRole("alertdialog", { name: "Delete 1 assignment" }).waitFor();
    await expectNoViolations(page);
    await button(page, "Delete 1 assignment").click();
    await panel(page).getByRole("heading", { name: "Not found" }).waitFor();
    expect(await assignment(id)).toBeUndefined();

    await button(page, "Undo").click();
    await page.getByText(/^Undone: Olaf’s assignment .* deleted\.$/).waitFor();
    expect((await assignmentsOf(place)).map(({ user, roles }) => [user.id, roles.length])).toEqual([[id, 1]]);
  });

  test("by two people at once shows the second what the first did, and overwrites nothing", async ({ visit }) => {
    const id = (await makePlace("Race Inc", { Paula: ["seller"] })).idOf("Paula");
    const [first, second] = await Promise.all(
      [/ERR/, /409|ERR|Failed to load/].map((expects) => visit(`/assignments?id=${id}`, { as: "carol", expects })),
    );
    if (first === undefined || second === undefined) throw new Error("two pages were opened");
    for (const [page, role] of [
      [first, "Auditor"],
      [second, "Cashier"],
    ] as const) {
      await button(page, "Edit roles").click();
      await box(page, role).check();
    }
    await button(first, "Save").click();
    await expect.poll(() => dialog(first).count()).toBe(0);
    await button(second, "Save").click();
    await dialog(second).getByRole("heading", { name: "Someone else changed it first" }).waitFor();
    expect(await rolesOf(id)).toEqual(["auditor", "seller"]);
    await expectNoViolations(second);
    await button(second, "Review 1 assignment").click();
    await dialog(second).getByText("adds Cashier").waitFor();
    await button(second, "Save 1 assignment").click();
    await expect.poll(() => dialog(second).count()).toBe(0);
    expect(await rolesOf(id)).toEqual(expect.arrayContaining(["cashier"]));
  });

  test("edits roles in their row: Enter saves, Undo takes it back, and Escape leaves them", async ({ visit }) => {
    const place = await makePlace("Inline Inc", { Ines: ["seller"] });
    const page = await visit(tableOf(place), { as: "carol" });
    const pencil = button(page, "Edit the roles of Ines in Till");
    await pencil.click();
    await box(page, "Auditor").check();
    await dialog(page).getByText("Saving adds Auditor.").waitFor();
    await expectNoViolations(page);
    expect(await rolesOf(place.idOf("Ines"))).toEqual(["seller"]);
    // What is changed is not lost by a click beside it, on something that takes the focus or not, or by leaving with Tab.
    const hasFocus = () => dialog(page).evaluate((element) => element.contains(document.activeElement));
    await page.mouse.click(5, 5);
    await expect.poll(hasFocus).toBe(true);
    await page.getByRole("complementary", { name: "Narrow down" }).click({ position: { x: 4, y: 4 } });
    await expect.poll(hasFocus).toBe(true);
    await button(page, "Save").press("Tab");
    await expect.poll(hasFocus).toBe(true);
    await dialog(page).getByText("Saving adds Auditor.").waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => dialog(page).count()).toBe(0);
    expect(await rolesOf(place.idOf("Ines"))).toEqual(["auditor", "seller"]);
    await expect.poll(() => pencil.evaluate((element) => element === document.activeElement)).toBe(true);

    await button(page, "Undo").click();
    await page.getByText(/^Undone: /).waitFor();
    expect(await rolesOf(place.idOf("Ines"))).toEqual(["seller"]);
    await pencil.press("Enter");
    await box(page, "Auditor").check();
    await page.keyboard.press("Escape");
    await expect.poll(() => dialog(page).count()).toBe(0);
    expect(await rolesOf(place.idOf("Ines"))).toEqual(["seller"]);
  });
});
