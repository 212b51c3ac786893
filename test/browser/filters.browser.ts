import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { ask, listedUsers, makePlace, tableOf, tableWith } from "./support/ask.ts";
import { test } from "./support/visit.ts";

describe("the filters", () => {
  test("the number beside a value is the number of rows that the click leads to", async ({ visit }) => {
    // Assignments that other tests make meanwhile are not counted.
    const created = { from: "2024-03-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
    const page = await visit(tableWith([{ created }]), { as: "carol" });
    const facets = page.getByRole("complementary", { name: "Narrow down" });
    const option = (list: RegExp, name: RegExp) =>
      facets.getByRole("region", { name: list }).getByRole("button", { name }).first();
    const total = page.getByRole("navigation", { name: "Pages" }).getByText(/assignments?$/);
    // Each of the later clicks replaces an earlier choice.
    for (const [list, name] of [
      [/^State/, /^Active/],
      [/^State/, /^Inactive/],
      [/^Project/, /^Shop/],
      [/^Role/, /^Auditor/],
      [/^Role/, /^Seller/],
      [/^Organization/, /^Globex/],
      [/^Organization/, /^Acme/],
      [/^State/, /^Active/],
      [/^Project/, /^Wiki/],
    ] as const) {
      const count = option(list, name).locator(".facet-count");
      // Counts that are still those of the filters before are hidden.
      await count.waitFor();
      const said = await count.textContent();
      await option(list, name).click();
      await facets.getByRole("button", { name, pressed: true }).first().waitFor();
      await expect.poll(() => total.textContent(), { message: `${name}` }).toMatch(new RegExp(`(^|of )${said} `));
    }
  });

  test("hold others in groups, which list what the service answers to the same", async ({ visit }) => {
    const users = { Anni: ["seller"], Bela: ["auditor"], Cleo: ["cashier"], Dion: ["auditor", "seller"] };
    const place = await makePlace("Groups Inc", users);
    await ask("carol", "authorization.v2.AuthorizationService/DeactivateAuthorization", { id: place.idOf("Anni") });
    const page = await visit(tableOf(place), { as: "carol" });
    const dialog = page.getByRole("dialog");
    const kindOf = (name: string) => dialog.getByRole("combobox", { name: `${name}: what to filter by` });

    await page.getByRole("button", { name: "More filters" }).click();
    await dialog.getByRole("button", { name: "Any of several filters" }).click();
    await dialog.getByRole("button", { name: "Add a filter" }).click();
    await kindOf("Filter 1").selectOption({ label: "State" });
    await dialog.getByRole("radio", { name: "inactive" }).check();
    await dialog.getByRole("button", { name: "Add another filter" }).click();
    await kindOf("Filter 2").selectOption({ label: "Role key" });
    await dialog.getByRole("textbox", { name: "Role key" }).fill("audit");
    await expectNoViolations(page);
    await dialog.getByRole("button", { name: "Apply" }).click();
    const group = [
      { state: { state: "STATE_INACTIVE" } },
      { roleKey: { key: "audit", method: "TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE" } },
    ];
    const inPlace = { organizationId: { id: place.organizationId } };
    await expectListed(page, [inPlace, { anyOf: { filters: group } }], ["Anni", "Bela", "Dion"]);

    await page.getByRole("button", { name: "More filters" }).click();
    await dialog.getByRole("button", { name: "Not: the opposite of a filter" }).click();
    await kindOf("Not").selectOption({ label: "Is this person" });
    const picker = dialog.getByLabel("Person", { exact: true });
    await picker.fill("Dion");
    await page.getByRole("option", { name: /Dion/ }).first().waitFor();
    await expectNoViolations(page);
    await page.getByRole("option", { name: /Dion/ }).first().click();
    await dialog.getByRole("button", { name: "Apply" }).click();
    const not = { not: { userId: { id: place.idOf("Dion") } } };
    await expectListed(page, [inPlace, { anyOf: { filters: group } }, not], ["Anni", "Bela"]);

    await page.getByRole("button", { name: /^Any of: State is inactive/ }).click();
    await dialog.getByRole("button", { name: "Remove filter 1" }).click();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await expectListed(page, [inPlace, { anyOf: { filters: group.slice(1) } }, not], ["Bela"]);
  });
});

/** The address has the filters, and the table shows what the service answers to them. */
async function expectListed(page: Page, filters: object[], users: string[]): Promise<void> {
  await expect.poll(() => JSON.parse(new URL(page.url()).searchParams.get("filters") ?? "")).toEqual(filters);
  await expect.poll(async () => (await page.locator(".who-name").allInnerTexts()).toSorted()).toEqual(users);
  expect((await listedUsers("carol", { filters })).toSorted()).toEqual(users);
}
