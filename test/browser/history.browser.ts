import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { ask, makePlace } from "./support/ask.ts";
import { test } from "./support/visit.ts";

describe("the history", () => {
  test("tells who changed whose roles, and its link tells the same", async ({ visit }) => {
    const place = await makePlace("Annals Inc", { Jana: ["seller"] });
    const id = place.idOf("Jana");
    const change = "authorization.v2.AuthorizationService/UpdateAuthorization";
    await ask("carol", change, { id, roleKeys: ["auditor", "seller"] });
    const page = await visit(`/history?user=${id}`, { as: "carol" });
    const rows = page.getByRole("table").getByRole("row");
    await expect.poll(() => rows.count()).toBe(3);
    expect(await rows.nth(1).textContent()).toMatch(/Carol/);
    expect(await rows.nth(1).textContent()).toMatch(/Auditor/);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(3);
    await expectNoViolations(page);
  });

  test("is narrowed down by what happened", async ({ visit }) => {
    const place = await makePlace("Kinds Inc", { Kurt: ["seller"] });
    const id = place.idOf("Kurt");
    await ask("carol", "authorization.v2.AuthorizationService/DeactivateAuthorization", { id });
    const page = await visit(`/history?user=${id}`, { as: "carol" });
    const rows = page.getByRole("table").getByRole("row");
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole("button", { name: /^What happened/ }).click();
    await page.getByRole("checkbox", { name: /Deactivated/ }).check();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole("button", { name: "Remove all filters" }).click();
    await page.getByText(/^1–100 of/).waitFor();
  });

  test("is reached from the menu, and has nothing that axe finds", async ({ visit }) => {
    const page = await visit("/", { as: "ann" });
    await page.getByRole("link", { name: "History", exact: true }).click();
    await page.getByRole("table").getByRole("row").nth(2).waitFor();
    await expectNoViolations(page);
  });
});
