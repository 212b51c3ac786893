import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { test } from "./support/visit.ts";

describe("from the assignments", () => {
  test("everything that Ann Keller holds and administers is three actions away", async ({ visit }) => {
    const page = await visit("/", { as: "carol" });
    await page.getByRole("link", { name: "People", exact: true }).click();
    await page.getByRole("searchbox", { name: "Search by name" }).fill("keller ann");
    await page.getByRole("table", { name: "People" }).getByRole("link", { name: "Ann Keller", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Ann Keller" }).waitFor();
    const inAcme = page.getByRole("region", { name: "Acme" });
    await inAcme.getByText("Seller").waitFor();
    await page.getByRole("region", { name: "Administers" }).getByText("ORG_OWNER").waitFor();
    await page
      .getByRole("region", { name: "What changed about the assignments" })
      .getByText("Assigned")
      .first()
      .waitFor();
    await expectNoViolations(page);

    await inAcme.getByRole("link", { name: "Shop", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Shop" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Ann Keller" }).waitFor();
  });

  test("Shop's roles, administrators and grants are two actions away, and a role tells who holds it", async ({
    visit,
  }) => {
    const page = await visit("/", { as: "ann" });
    await page.getByRole("link", { name: "Projects", exact: true }).click();
    const projects = page.getByRole("table", { name: "Projects" });
    await projects.getByRole("link", { name: "Shop", exact: true }).waitFor();
    await expectNoViolations(page);
    await projects.getByRole("link", { name: "Shop", exact: true }).click();
    const grants = page.getByRole("region", { name: "Grants" });
    await grants.getByRole("link", { name: "Globex" }).waitFor();
    const administrators = page.getByRole("region", { name: "Administrators" });
    await administrators.getByText("Owner (PROJECT_OWNER)", { exact: true }).waitFor();
    const roles = page.getByRole("region", { name: "Roles", exact: true });
    await roles
      .getByText(/^\d+ assignments?$/)
      .first()
      .waitFor();
    await page.getByRole("link", { name: /^All .* assignments$/ }).waitFor();
    await expectNoViolations(page);

    await roles.getByRole("link", { name: "Auditor", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Auditor" }).waitFor();
    await page.getByRole("table", { name: "Who holds it" }).getByRole("rowheader").first().waitFor();
    await expectNoViolations(page);
  });

  test("an organization shows its people and projects", async ({ visit }) => {
    const page = await visit("/", { as: "carol" });
    await page.getByRole("link", { name: "Organizations", exact: true }).click();
    const organizations = page.getByRole("table", { name: "Organizations" });
    await organizations.getByRole("rowheader").first().waitFor();
    await expectNoViolations(page);
    // Other tests may have added more organizations than fit on the first page.
    await page.getByRole("searchbox", { name: "Search by name" }).fill("Globex");
    await organizations.getByRole("link", { name: "Globex", exact: true }).click();
    await page.getByRole("region", { name: "Its projects" }).getByRole("link", { name: "Intranet" }).waitFor();
    const granted = page.getByRole("region", { name: "Projects granted to it" });
    await granted.getByRole("link", { name: "Shop", exact: true }).waitFor();
    await expectNoViolations(page);
    await page.getByRole("link", { name: "All 250 people" }).click();
    await page.getByText("1–50 of 250 people").waitFor();
    await expectNoViolations(page);
  });

  test("who administers what is in one list, narrowed down by role", async ({ visit }) => {
    const page = await visit("/", { as: "ann" });
    await page.getByRole("link", { name: "Administrators", exact: true }).click();
    const rows = page.getByRole("table", { name: "Administrators" }).getByRole("rowheader");
    await rows.first().waitFor();
    await expectNoViolations(page);
    await page.getByRole("combobox", { name: "Role", exact: true }).selectOption("ORG_OWNER");
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByRole("link", { name: "Ann Keller" }).click();
    await page.getByRole("heading", { level: 1, name: "Ann Keller" }).waitFor();
  });

  test("the own account is behind the own name", async ({ visit }) => {
    const page = await visit("/", { as: "ann" });
    await page.getByRole("link", { name: /your account$/ }).click();
    await page.getByRole("table", { name: "What you may do, and why" }).waitFor();
    await expectNoViolations(page);
    await page.getByRole("link", { name: "Everything you hold and administer" }).click();
    await page.getByRole("heading", { level: 1, name: "Ann Keller" }).waitFor();
  });
});

describe("who may see little", () => {
  test("a plain user knows no other organization than that of the assignments", async ({ visit }) => {
    const page = await visit("/person?id=ann", { as: "bob" });
    await page.getByRole("heading", { name: "This person can't be found" }).waitFor();
    await expectNoViolations(page);
    await page.getByRole("link", { name: "Go to the people" }).click();
    await page.getByRole("table", { name: "People" }).getByRole("link").first().waitFor();
    expect(await page.getByRole("rowheader").count()).toBe(1);
  });
});
