import Papa from "papaparse";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { apply, makePlace } from "./support/ask.ts";
import { exported } from "./support/find.ts";
import { test } from "./support/visit.ts";

describe("the history", () => {
  test("shows a request that changed directory and assignments as one line, opened by keyboard", async ({ visit }) => {
    const place = await makePlace("Batches Inc", { Nora: ["seller"], Omar: ["seller", "auditor"] });
    const { organizationId } = place;
    const projectRole = { projectId: `${organizationId}-till`, key: "seller" };
    const changes = [{ organization: { id: organizationId, name: "Batches & Sons" } }, { remove: { projectRole } }];
    const reason = "Sellers are cashiers now";
    await apply(changes, reason);

    const page = await visit(`/organization?id=${organizationId}`, { as: "carol" });
    await page.getByRole("link", { name: "All changes" }).click();
    await page.getByText("13 changes").waitFor();
    const lines = page.locator(".changes > li");
    await expect.poll(() => lines.count()).toBe(2);
    const line = lines.first();
    for (const told of [
      "Carol",
      "Removed the role Seller from Till",
      "Renamed the organization Batches Inc to Batches & Sons",
      "Roles removed from the project or grant: Nora, Till in Batches & Sons (removed Seller)",
      "Sellers are cashiers now",
    ]) {
      await expect.poll(() => line.textContent()).toContain(told);
    }
    await line.getByRole("button", { name: "Show the 4 changes" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => line.locator(".plain-list > li").count()).toBe(4);
    // The login names of these people contain the id of the organization. Other names come after the changes.
    const told = async () =>
      (await page.getByRole("list", { name: "Changes" }).textContent())?.replaceAll(/place-[\w-]*@place\.example/g, "");
    await expect.poll(told).toMatch(/(Renamed the organization Batches Inc to Batches & Sons.*){2}/);
    await expect.poll(told).toMatch(/(grant: Nora, Till in Batches & Sons \(removed Seller\).*){2}/);
    await expect.poll(told).not.toContain(organizationId);
    await expectNoViolations(page);

    await page.getByRole("button", { name: "More filters" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "What happened" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Add filter: What happened" });
    await dialog.getByRole("combobox", { name: "Kind" }).selectOption({ label: "The directory" });
    await expectNoViolations(page);
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.getByText("9 changes").waitFor();
    expect(new URL(page.url()).searchParams.get("kind")).toBe("directory");
    await page.getByRole("button", { name: "What happened: The directory", exact: true }).click();
    await page.getByRole("checkbox", { name: "People" }).check();
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("2 changes", { exact: true }).waitFor();
    await page.getByRole("button", { name: "What happened: People", exact: true }).waitFor();

    const file = await exported(page);
    const options = { header: true, skipEmptyLines: true } as const;
    const { data } = Papa.parse<Record<string, string>>(file.replace(/^\uFEFF/, ""), options);
    expect(data.map(({ What, Person, Organization }) => [What, Person, Organization]).sort()).toEqual([
      ["Person added", "Nora", "Batches & Sons"],
      ["Person added", "Omar", "Batches & Sons"],
    ]);
  });

  test.for([1_280, 390])("at %i pixels has one line of filters, with a change in sight", async (width, { visit }) => {
    const place = await makePlace("Wide Inc", { Wilhelmina: ["seller"] });
    const { organizationId } = place;
    const id = place.idOf("Wilhelmina");
    const loginName = `wilhelmina.with.a.very.long.login.name@${organizationId}.place.example`;
    await apply([{ user: { id, organizationId, preferredLoginName: loginName, displayName: "Wilhelmina" } }]);
    const page = await visit("/history", { as: "carol", width });
    const filters = page.getByRole("search", { name: "Filters" });
    await page.locator(".changes time").first().waitFor();
    expect((await filters.boundingBox())?.height).toBeLessThan(60);
    expect((await page.locator(".changes > li").first().boundingBox())?.y).toBeLessThan(320);

    const found = await visit(`/history?user=${id}&actor=${id}`, { as: "carol", width });
    await found.locator(".picker > .hint").getByText(loginName).waitFor();
    await found.getByRole("button", { name: "Who did it: Wilhelmina", exact: true }).waitFor();
    const [wide, inView] = await found.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      const view = document.getElementById("view");
      return [
        [scrollWidth, view?.scrollWidth],
        [clientWidth, view?.clientWidth],
      ];
    });
    expect(wide).toEqual(inView);
  });
});
