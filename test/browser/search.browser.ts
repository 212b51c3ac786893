import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { test } from "./support/visit.ts";

describe("the search", () => {
  test("finds everything of a person by Ctrl K, words in any order and Enter", async ({ visit }) => {
    const page = await visit("/", { as: "carol" });
    await page.getByRole("rowheader").first().waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /^Search people/ }).fill("keller ann");
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).search).toContain("ann");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await page.getByText("Ann Keller").first().waitFor();
  });

  test("has nothing that axe finds: with results, without, and in its list of keys", async ({ visit }) => {
    const page = await visit("/overview", { as: "carol" });
    await page.getByRole("button", { name: /^Search/ }).click();
    const field = page.getByRole("combobox", { name: /^Search people/ });
    await field.fill("auditor");
    await page
      .getByRole("option", { name: /Auditor/ })
      .first()
      .waitFor();
    await page.getByText(/^ ?Searched|Searched people/).waitFor();
    await expectNoViolations(page);
    await field.fill("nothing has this name");
    await page.getByText(/^Nothing found for/).waitFor();
    await expectNoViolations(page);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await expectNoViolations(page);
  });
});
