import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { makePlace, tableOf } from "./support/ask.ts";
import { test } from "./support/visit.ts";

const table = (page: Page) => page.getByRole("table", { name: "Zuweisungen" });

describe("the console in German", () => {
  test.for([1_280, 390])("speaks it where the browser asks for it, at %i pixels", async (width, { visit }) => {
    const place = await makePlace(`Gärtnerei ${width}`, { Lieselotte: ["seller"] });
    const page = await visit(tableOf(place), { as: "carol", width, locale: "de-AT" });
    await page.getByRole("rowheader", { name: "Lieselotte" }).getByRole("button").click();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("de");
    const panel = page.getByRole("complementary", { name: "Zuweisung" });
    await panel.getByRole("heading", { name: "Details" }).waitFor();
    await expectNoViolations(page);

    const dialog = page.getByRole("dialog");
    await panel.getByRole("button", { name: "Rollen bearbeiten" }).click();
    await dialog.getByRole("checkbox", { name: /^Auditor/ }).check();
    await expectNoViolations(page);
    await dialog.getByRole("button", { name: "Speichern" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => panel.textContent()).toContain("Auditor");

    await page.goto(`${new URL(page.url()).origin}/history?user=${encodeURIComponent(place.idOf("Lieselotte"))}`);
    await page.getByRole("heading", { level: 1, name: "Verlauf" }).waitFor();
    await expect.poll(() => page.locator("#view").textContent()).toContain("Rollen geändert");
    await expect.poll(() => page.locator("#view").textContent()).toContain(`zu Gärtnerei ${width} hinzugefügt`);
    await expectNoViolations(page);

    for (const [address, heading] of [
      [`/person?id=${encodeURIComponent(place.idOf("Lieselotte"))}`, "Lieselotte"],
      ["/administrators", "Verwaltung"],
      ["/overview", "Übersicht"],
      ["/organizations", "Organisationen"],
      ["/account", "Ihr Konto"],
    ] as const) {
      await page.goto(new URL(address, page.url()).href);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await expectNoViolations(page);
    }
  });

  test("is chosen on the page of the account, and kept in the browser", async ({ visit }) => {
    const page = await visit("/account", { as: "ann" });
    const language = () => page.evaluate(() => document.documentElement.lang);
    expect(await language()).toBe("en");
    await page.getByRole("combobox", { name: "Language" }).selectOption({ label: "Deutsch" });
    await page.getByRole("heading", { level: 1, name: "Ihr Konto" }).waitFor();
    await page.goto(new URL("/assignments", page.url()).href);
    await table(page).waitFor();
    expect(await language()).toBe("de");
    await page.goto(new URL("/account", page.url()).href);
    await page.getByRole("combobox", { name: "Sprache" }).selectOption({ label: "Wie im Browser" });
    await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
  });

  test("loads nothing of it for readers of English", async ({ visit }) => {
    const page = await visit("/assignments", { as: "ann" });
    await page.getByRole("rowheader").first().waitFor();
    const germanIn = (one: Page) =>
      one.evaluate(
        () => performance.getEntriesByType("resource").filter(({ name }) => /\/german-[^/]+\.js/.test(name)).length,
      );
    expect(await germanIn(page)).toBe(0);
    const german = await visit("/assignments", { as: "ann", locale: "de-DE" });
    await german.getByRole("rowheader").first().waitFor();
    await expect.poll(() => germanIn(german)).toBeGreaterThan(0);
  });

  test("says refusals of the server by their reason, with its own words marked as English", async ({ visit }) => {
    const page = await visit("/assignments", { as: "carol", locale: "de-DE", expects: /401|403|400|429|500|503/ });
    await page.getByRole("rowheader").first().waitFor();
    await page.goto(new URL("/assignments?page=not-a-page-token", page.url()).href);
    const failure = page.getByText("Diese Seite gehört zu einer anderen Liste");
    await failure.waitFor();
    await page.getByText("Details", { exact: true }).click();
    expect(await page.locator("details p[lang=en]").textContent()).toMatch(/page/i);
    await expectNoViolations(page);
  });

  test("signs people in", async ({ visit }) => {
    const page = await visit("/assignments", { locale: "de-CH", width: 390 });
    await page.getByLabel("Token").waitFor();
    await page.getByText("Woher bekomme ich ein Token?").click();
    await expectNoViolations(page);
  });
});
