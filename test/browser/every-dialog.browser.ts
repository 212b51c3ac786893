import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations, fewLooks } from "./support/accessibility.ts";
import { apply, changeRoles, makePlace, type Place, tableOf } from "./support/ask.ts";
import { button } from "./support/find.ts";
import { expectUsableByAll } from "./support/reach.ts";
import { serviceOfTest } from "./support/service.ts";
import { test } from "./support/visit.ts";

const first = (page: Page, name: string | RegExp) => button(page, name).first();
const dialog = (page: Page) => page.locator("[role=dialog], [role=alertdialog], dialog[open]").last();

/** How a dialog is opened: the address of the page, and what is pressed on it, one after the other. */
type Way = { readonly at: (place: Place) => string; readonly press: readonly (string | RegExp)[] };

const table = tableOf;
const panel = (place: Place) => `/assignments?id=${place.idOf("Dana")}`;
const project = ({ organizationId }: Place) => `/project?id=${organizationId}-till`;
const person = (place: Place) => `/person?id=${place.idOf("Dana")}`;
const organization = ({ organizationId }: Place) => `/organization?id=${organizationId}`;
const inOrganization = ({ organizationId }: Place) => `?organization=${organizationId}`;

const allRows = "Select all rows of this page";

const dialogs: Record<string, Way> = {
  "editing roles": { at: panel, press: ["Edit roles"] },
  "editing roles in the row": { at: table, press: ["Edit the roles of Dana in Till"] },
  "deleting an assignment": { at: panel, press: ["Delete"] },
  "creating an assignment": { at: table, press: ["New assignment"] },
  "adding roles to a selection": { at: table, press: [allRows, "Add roles"] },
  "removing roles from a selection": { at: table, press: [allRows, "Remove roles"] },
  "activating a selection": { at: table, press: [allRows, "Activate"] },
  "deactivating a selection": { at: table, press: [allRows, "Deactivate"] },
  "deleting a selection": { at: table, press: [allRows, "Delete"] },
  "adding a filter": { at: table, press: ["More filters"] },
  "adding a group of filters": { at: table, press: ["More filters", "Any of several filters", "Add a filter"] },
  "searching everything": { at: table, press: [/^Search\b/] },
  "adding an organization": { at: () => "/organizations", press: ["Add organization"] },
  "renaming an organization": { at: organization, press: ["Rename"] },
  "removing an organization": { at: organization, press: ["Remove"] },
  "adding a project": { at: (place) => `/projects${inOrganization(place)}`, press: ["Add project"] },
  "renaming a project": { at: project, press: ["Rename"] },
  "removing a project": { at: project, press: ["Remove"] },
  "adding roles to a project": { at: project, press: ["Add roles"] },
  "editing a role": { at: project, press: ["Edit the role Seller"] },
  "removing a role": { at: project, press: ["Remove the role Seller"] },
  "granting a project": { at: project, press: ["Grant to an organization"] },
  "editing a grant": { at: project, press: ["Edit the grant to Globex"] },
  "removing a grant": { at: project, press: ["Remove the grant to Globex"] },
  "adding an administrator of a project": { at: project, press: ["Add administrator"] },
  "editing an administrator": { at: project, press: [/^Edit the administrator roles of Dana/] },
  "removing an administrator": { at: project, press: [/^Remove the administrator roles of Dana/] },
  "adding an administrator of anything": { at: () => "/administrators", press: ["Add administrator"] },
  "adding an administrator role of a person": { at: person, press: ["Add administrator role"] },
  "adding a person": { at: (place) => `/people${inOrganization(place)}`, press: ["Add person"] },
  "editing a person": { at: person, press: ["Edit"] },
  "creating a token": { at: () => "/account", press: ["Create token"] },
  "revoking a token": { at: () => "/account", press: [/^Revoke/] },
};

async function makeDialogPlace(): Promise<Place> {
  const place = await makePlace("Dialogs Inc", { Dana: ["seller"], Dirk: ["seller", "auditor"] });
  const projectId = `${place.organizationId}-till`;
  const projectGrant = { id: `${projectId}-grant`, projectId, organizationId: "globex", roleKeys: ["seller"] };
  const administrator = { userId: place.idOf("Dana"), projectId, roles: ["PROJECT_OWNER"] };
  await apply([{ projectGrant }, { administrator }]);
  return place;
}

async function open(page: Page, press: Way["press"]): Promise<void> {
  for (const name of press) {
    if (name === allRows) await page.getByRole("checkbox", { name: allRows }).check();
    else await first(page, name).click();
  }
  await dialog(page).waitFor();
  await expect.poll(() => dialog(page).locator(".skeleton, [aria-busy=true]").count()).toBe(0);
}

async function expectUsable(page: Page): Promise<void> {
  await expectNoViolations(page, fewLooks);
  await expectUsableByAll(page);
}

describe("every dialog", () => {
  test.for(Object.entries(dialogs))("%s can be used by all", async ([, { at, press }], { visit }) => {
    const page = await visit(at(await makeDialogPlace()), { as: "carol" });
    await open(page, press);
    await expectUsable(page);
  });

  test("an export under way can be used by all", async ({ visit }) => {
    const page = await visit(table(await makeDialogPlace()), { as: "carol" });
    await page.getByRole("rowheader").first().waitFor();
    // Its page is not answered.
    await page.route(/ListAuthorizations$/, () => {});
    await open(page, ["Export CSV"]);
    await expectUsable(page);
  });

  test("what could not be undone can be read by all", async ({ visit }) => {
    const place = await makeDialogPlace();
    const page = await visit(panel(place), { as: "carol", expects: /409/ });
    await first(page, "Deactivate").click();
    await first(page, "Activate").waitFor();
    await changeRoles(place.idOf("Dana"), ["auditor"]);
    await first(page, /^Undo/).click();
    await page.getByRole("dialog", { name: "Not everything could be undone" }).waitFor();
    await expectUsable(page);
  });

  test("why a state is changed can be said by all, where a reason is required", async ({ visit }) => {
    const service = await serviceOfTest({ REQUIRE_REASON: "true", CONSOLE_TITLE: "Access at Acme" });
    const page = await visit("/assignments", { as: "carol", service });
    await expect.poll(() => page.title()).toBe("Assignments · Access at Acme");
    await page.getByRole("banner").getByText("Access at Acme", { exact: true }).waitFor();
    await page.getByRole("rowheader").first().getByRole("button").click();
    await first(page, /^(Deactivate|Activate)$/).click();
    await page
      .getByRole("dialog")
      .getByLabel(/^Reason/)
      .waitFor();
    await expectUsable(page);
    // It follows changes, and would miss its service.
    await page.close();
  });
});
