import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { assignment, makePlace, rolesOf, tableOf } from "./support/ask.ts";
import { loseAnswers } from "./support/hold.ts";
import { test } from "./support/visit.ts";

const lost = /ERR_FAILED/;

const dialog = (page: Page) => page.getByRole("dialog");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe("a change whose answer is lost", () => {
  test("of roles and of a state is told of as uncertain, and not sent again", async ({ visit }) => {
    const id = (await makePlace("Lost Inc", { Yara: ["seller"] })).idOf("Yara");
    const page = await visit(`/assignments?id=${id}`, { as: "carol", expects: lost });
    const updates = await loseAnswers(page, "UpdateAuthorization");
    await button(page, "Edit roles").click();
    await dialog(page)
      .getByRole("checkbox", { name: /^Auditor/ })
      .check();
    await button(page, "Save").click();
    await dialog(page).getByRole("alert").getByText("It is unknown whether the roles were saved").waitFor();
    await expectNoViolations(page);
    expect(await rolesOf(id)).toEqual(["auditor", "seller"]);
    await button(page, "Check what they are").click();
    await page.getByText("is saved: added Auditor").waitFor();
    expect(await dialog(page).count()).toBe(0);

    const deactivations = await loseAnswers(page, "DeactivateAuthorization");
    await button(page, "Deactivate").click();
    await page.getByText(/It is unknown whether Yara’s assignment .* was deactivated/).waitFor();
    await button(page, "Activate").waitFor();
    expect((await assignment(id)).state).toBe("STATE_INACTIVE");
    expect([updates(), deactivations()]).toEqual([1, 1]);
  });

  test("of a selection is looked up, and not sent again", async ({ visit }) => {
    const place = await makePlace("Lost Batch Inc", { Zoe: ["seller"], Zack: ["seller"] });
    const page = await visit(tableOf(place), { as: "carol", expects: lost });
    const batches = await loseAnswers(page, "BatchDeleteAuthorizations");
    await page.getByRole("checkbox", { name: "Select all rows of this page" }).check();
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Delete" }).click();
    await button(page, "Delete: 2 assignments").click();
    await dialog(page).getByRole("heading", { name: "Delete: 2 uncertain" }).waitFor();
    await expectNoViolations(page);
    await button(page, "Check what they are now").click();
    await dialog(page).getByRole("heading", { name: "Delete: 2 done" }).waitFor();
    expect(await assignment(place.idOf("Zoe"))).toBeUndefined();
    expect(batches()).toBe(1);
  });
});
