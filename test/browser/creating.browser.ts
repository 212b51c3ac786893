import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { ask, assignment, makePlace, type Place, rolesOf } from "./support/ask.ts";
import { test } from "./support/visit.ts";

const service = "authorization.v2.AuthorizationService";

const panel = (page: Page) => page.getByRole("complementary", { name: "Assignment" });
const dialog = (page: Page) => page.getByRole("dialog");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const isThere = (page: Page) =>
  dialog(page).getByRole("alert").getByText("The person has an assignment there already.");

async function pick(page: Page, field: string, text: string): Promise<void> {
  await dialog(page).getByLabel(field, { exact: true }).fill(text);
  await page
    .getByRole("option", { name: new RegExp(text) })
    .first()
    .click();
}

/** The address of the dialog with what is picked already. */
function creating(place: Place, user: string): string {
  const { organizationId: organization } = place;
  const create = { user: place.idOf(user), project: `${organization}-till`, organization };
  return `/?create=${encodeURIComponent(JSON.stringify(create))}`;
}

describe("creating an assignment", () => {
  test("picks a user, a project and roles, and opens what was created", async ({ visit }) => {
    const place = await makePlace("Create Inc", { Tilda: [] });
    const id = place.idOf("Tilda");
    await ask("carol", `${service}/DeleteAuthorization`, { id });
    const page = await visit("/", { as: "carol" });
    await button(page, "New assignment").click();
    await pick(page, "Person", "Tilda");
    const organization = dialog(page).getByRole("combobox", { name: "Organization" });
    await expect.poll(() => organization.inputValue(), { message: "the user's own" }).toBe("Create Inc");
    await dialog(page).getByRole("radio", { name: "Till" }).check();
    await dialog(page)
      .getByRole("checkbox", { name: /^Seller/ })
      .check();
    await expectNoViolations(page);
    await button(page, "Create").click();
    await panel(page).getByRole("heading", { name: "Tilda" }).waitFor();
    const created = await assignment(new URL(page.url()).searchParams.get("id") ?? "");
    expect([created.user.id, created.roles.map(({ key }: any) => key)]).toEqual([id, ["seller"]]);
  });

  test("shows the assignment that is there already, edits it in place, and leads to it", async ({ visit }) => {
    const place = await makePlace("Already Inc", { Tove: ["auditor"] });
    const page = await visit(creating(place, "Tove"), { as: "carol" });
    await isThere(page).waitFor();
    await dialog(page)
      .getByRole("checkbox", { name: /^Seller/ })
      .check();
    expect(await button(page, "Create").count()).toBe(0);
    await expectNoViolations(page);
    await button(page, "Save roles").click();
    await panel(page).getByRole("heading", { name: "Tove" }).waitFor();
    expect(await rolesOf(place.idOf("Tove"))).toEqual(["auditor", "seller"]);
    expect(new URL(page.url()).searchParams.get("id")).toBe(place.idOf("Tove"));
  });

  test("shows the assignment that someone else has made meanwhile", async ({ visit }) => {
    const place = await makePlace("Meanwhile Inc", { Tyra: [] });
    const id = place.idOf("Tyra");
    await ask("carol", `${service}/DeleteAuthorization`, { id });
    const page = await visit(creating(place, "Tyra"), { as: "carol", expects: /409/ });
    await dialog(page)
      .getByRole("checkbox", { name: /^Seller/ })
      .check();
    const { organizationId } = place;
    const made = { userId: id, projectId: `${organizationId}-till`, organizationId, roleKeys: ["cashier"] };
    const { id: existing } = await ask("carol", `${service}/CreateAuthorization`, made);
    await button(page, "Create").click();
    await isThere(page).waitFor();
    await dialog(page)
      .getByRole("checkbox", { name: /^Cashier/, checked: true })
      .waitFor();
    await button(page, "Open it").click();
    await expect.poll(() => new URL(page.url()).searchParams.get("id")).toBe(existing);
  });
});
