import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { apply, makePlace } from "./support/ask.ts";
import { test } from "./support/visit.ts";

describe("what was removed", () => {
  test("people have a page with what they were and their history, whose filters find them", async ({ visit }) => {
    const place = await makePlace("Leavers Inc", { Lióba: ["seller"] });
    const userId = place.idOf("Lióba");
    const administrator = { userId, organizationId: place.organizationId, roles: ["ORG_OWNER"] };
    await apply([{ administrator }]);
    await apply([{ remove: { userId } }], "Moved to another company");

    for (const width of [1_280, 390]) {
      const page = await visit(`/person?id=${encodeURIComponent(userId)}`, { as: "carol", width });
      await page.getByRole("heading", { level: 1, name: "Lióba" }).waitFor();
      const view = page.locator("#view");
      for (const told of ["Removed person", "Leavers Inc", "Moved to another company", "Carol"]) {
        await expect.poll(() => view.textContent()).toContain(told);
      }
      await expect.poll(() => view.textContent()).toContain("Removed Lióba from Leavers Inc");
      await expect.poll(() => view.textContent()).toContain("Made Lióba Owner of Leavers Inc");
      expect(await view.textContent()).not.toContain("someone");
      await expectNoViolations(page);
    }

    const page = await visit("/history", { as: "carol" });
    const field = page.getByRole("combobox", { name: "About", exact: false }).first();
    await field.fill("lio");
    await page.getByRole("option", { name: /Lióba.*removed/ }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("user")).toBe(userId);
    await expect.poll(() => page.getByRole("list", { name: "Changes" }).textContent()).toContain("Removed Lióba");
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe("Lióba");
  });

  test("projects and organizations have such a page, too", async ({ visit }) => {
    const place = await makePlace("Gone Inc", { Nora: ["seller"] });
    const id = `${place.organizationId}-till`;
    await apply([{ remove: { projectId: id } }], "Sold");
    const page = await visit(`/project?id=${id}`, { as: "carol" });
    await page.getByRole("heading", { level: 1, name: "Till" }).waitFor();
    for (const told of ["Removed project", "Was owned byGone Inc", "Sold", "Nora"]) {
      await expect.poll(() => page.locator("#view").textContent()).toContain(told);
    }
    await apply([{ remove: { organizationId: place.organizationId } }]);
    const other = await visit(`/organization?id=${place.organizationId}`, { as: "carol" });
    await other.getByRole("heading", { level: 1, name: "Gone Inc" }).waitFor();
    await expect.poll(() => other.locator("#view").textContent()).toContain("Removed organization");

    const history = await visit("/history", { as: "carol" });
    const filters = [
      ["Project", id, /Till.*removed/],
      ["Organization", "gone", /Gone Inc.*removed/],
    ] as const;
    for (const [name, typed, option] of filters) {
      await history.getByRole("button", { name: "More filters" }).click();
      await history.getByRole("dialog").getByRole("button", { name, exact: true }).click();
      await history.getByRole("combobox", { name }).fill(typed);
      await history.getByRole("option", { name: option }).first().click();
      await history.getByRole("button", { name: "Apply" }).click();
    }
    await expect
      .poll(() => history.getByRole("list", { name: "Changes" }).textContent())
      .toContain("Removed the project Till");
  });

  test("what the reader may not see removed can't be found", async ({ visit }) => {
    const place = await makePlace("Secret Inc", { Otto: [] });
    await apply([{ remove: { userId: place.idOf("Otto") } }]);
    const page = await visit(`/person?id=${place.idOf("Otto")}`, { as: "ann" });
    await page.getByRole("heading", { level: 1, name: "This person can't be found" }).waitFor();
  });
});
