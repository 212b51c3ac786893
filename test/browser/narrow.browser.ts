import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { expectNoViolationsNow } from "./support/accessibility.ts";
import { makePlace, rolesOf, tableOf } from "./support/ask.ts";
import { test } from "./support/visit.ts";

const width = 360;

/** Whether it can be seen and reached without scrolling sideways. */
async function expectWithin(element: Locator): Promise<void> {
  await element.scrollIntoViewIfNeeded();
  const sides = async () => {
    const box = await element.boundingBox();
    return { left: box?.x ?? -1, right: (box?.x ?? width) + (box?.width ?? width) };
  };
  // What is still loading can move it.
  await expect.poll(async () => (await sides()).left).toBeGreaterThanOrEqual(0);
  await expect.poll(async () => (await sides()).right).toBeLessThanOrEqual(width);
}

test("a narrow, dark window has room for the panel, its dialogs, the history and the overview", async ({ visit }) => {
  const place = await makePlace("A place with a name that is longer than a narrow window is wide", {
    Narin: ["seller"],
  });
  const id = place.idOf("Narin");
  const page = await visit(tableOf(place), { as: "carol", width, scheme: "dark" });
  const panel = page.getByRole("complementary", { name: "Assignment" });
  const dialog = page.getByRole("dialog");
  await page.getByRole("rowheader", { name: "Narin" }).getByRole("button").click();
  for (const name of ["Close", "Edit roles", "Deactivate", "Delete"]) {
    await expectWithin(panel.getByRole("button", { name, exact: true }));
  }
  expect((await panel.boundingBox())?.width).toBeGreaterThan(300);

  await panel.getByRole("button", { name: "Edit roles" }).click();
  const auditor = dialog.getByRole("checkbox", { name: /^Auditor/ });
  await auditor.check();
  await expectWithin(auditor);
  const save = dialog.getByRole("button", { name: "Save" });
  await expectWithin(save);
  await save.click();
  await page.getByText(/^Narin’s .* saved\.$/).waitFor();
  await expectWithin(page.getByRole("button", { name: "Close the message" }));
  expect(await rolesOf(id)).toEqual(["auditor", "seller"]);
  await panel.getByRole("button", { name: "Close", exact: true }).click();

  await page.getByRole("button", { name: "New assignment" }).click();
  for (const element of [
    dialog.getByLabel("People", { exact: true }),
    dialog.getByRole("button", { name: "Create" }),
  ]) {
    await expectWithin(element);
  }
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More filters" }).click();
  await expectWithin(dialog.getByRole("button", { name: "Is this organization" }));
  await page.keyboard.press("Escape");
  await expect.poll(() => dialog.count()).toBe(0);

  await page.getByRole("link", { name: "History", exact: true }).click();
  await expectWithin(page.getByLabel("About"));
  await expectWithin(page.getByRole("button", { name: "More filters" }));
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("heading", { name: "By organization" }).waitFor();
  await expectWithin(page.getByRole("link", { name: /assignments, / }).first());
  expect(await page.evaluate(() => getComputedStyle(document.body).colorScheme)).toMatch(/dark/);
});

test("at 200% zoom, the filters of the history leave room for its changes", async ({ visit }) => {
  const page = await visit("/history", { as: "carol" });
  await page.setViewportSize({ width: 640, height: 360 });
  const row = page.locator(".changes > li").first();
  await row.waitFor();
  await expect.poll(async () => (await row.boundingBox())?.y ?? 1_000).toBeLessThan(300);
  await expectNoViolationsNow(page, "640 by 360 pixels");
});

test("at 390 pixels, the names of roles stay in one line on the page of a person", async ({ visit }) => {
  const place = await makePlace("Narrow Names Inc", { Nadja: ["seller", "auditor"] });
  const page = await visit(`/person?id=${place.idOf("Nadja")}`, { as: "carol", width: 390 });
  const chips = page.getByRole("main").locator(".chip");
  await chips.getByText("Seller").first().waitFor();
  for (const chip of await chips.all()) expect((await chip.boundingBox())?.height).toBeLessThan(30);
});

test("at 360 pixels, every view is in sight", async ({ visit }) => {
  const page = await visit("/history", { as: "carol", width });
  const views = page.getByRole("navigation", { name: "Views" }).getByRole("link");
  await views.last().waitFor();
  expect(await views.count()).toBe(7);
  for (const view of await views.all()) await expectWithin(view);
});
