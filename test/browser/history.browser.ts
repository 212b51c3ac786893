import { text } from "node:stream/consumers";
import Papa from "papaparse";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { ask, makePlace } from "./support/ask.ts";
import { test } from "./support/visit.ts";

describe("the history", () => {
  test("shows a request that changed the directory and assignments as one line, which opens by keyboard", async ({
    visit,
  }) => {
    const place = await makePlace("Batches Inc", { Nora: ["seller"], Omar: ["seller", "auditor"] });
    const { organizationId } = place;
    const projectRole = { projectId: `${organizationId}-till`, key: "seller" };
    const changes = [{ organization: { id: organizationId, name: "Batches & Sons" } }, { remove: { projectRole } }];
    const reason = "Sellers are cashiers now";
    await ask("carol", "directory.v1.DirectoryService/ApplyChanges", { changes, reason });

    const page = await visit(`/organization?id=${organizationId}`, { as: "carol" });
    await page.getByRole("link", { name: "All changes" }).click();
    await page.getByText("13 changes").waitFor();
    const rows = page.getByRole("table").getByRole("row");
    await expect.poll(() => rows.count()).toBe(3);
    const line = rows.nth(1);
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
    await expect.poll(() => rows.count()).toBe(7);
    // The login names of these people contain the id of the organization. Other names come after the changes.
    const told = async () =>
      (await page.getByRole("table").textContent())?.replaceAll(/place-[\w-]*@place\.example/g, "");
    await expect.poll(told).toMatch(/Renamed the organization Batches Inc to Batches & SonsBatches & Sons/);
    await expect.poll(told).toMatch(/Roles removed from the project or grantremovedSellerNo roles are left.*Nora/);
    await expect.poll(told).not.toContain(organizationId);
    await expectNoViolations(page);

    await page.getByRole("combobox", { name: "Kind", exact: true }).selectOption({ label: "The directory" });
    await page.getByText("9 changes").waitFor();
    expect(new URL(page.url()).searchParams.get("kind")).toBe("directory");
    await page.getByRole("button", { name: /^What happened/ }).click();
    await page.getByRole("checkbox", { name: "People" }).check();
    await page.getByText("2 changes", { exact: true }).waitFor();

    const downloading = page.waitForEvent("download");
    await page.evaluate(() => Reflect.deleteProperty(window, "showSaveFilePicker"));
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Export CSV" }).click();
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const file = await text(await (await downloading).createReadStream());
    const options = { header: true, skipEmptyLines: true } as const;
    const { data } = Papa.parse<Record<string, string>>(file.replace(/^\uFEFF/, ""), options);
    expect(data.map(({ What, Person, Organization }) => [What, Person, Organization]).sort()).toEqual([
      ["Person added", "Nora", "Batches & Sons"],
      ["Person added", "Omar", "Batches & Sons"],
    ]);
  });

  test.for([1_280, 390])(
    "keeps each filter in its place at %i pixels, whatever is picked",
    async (width, { visit }) => {
      const place = await makePlace("Wide Inc", { Wilhelmina: ["seller"] });
      const loginName = `wilhelmina.with.a.very.long.login.name@${place.organizationId}.place.example`;
      const user = {
        id: place.idOf("Wilhelmina"),
        organizationId: place.organizationId,
        preferredLoginName: loginName,
      };
      const changes = [{ user: { ...user, displayName: "Wilhelmina" } }];
      await ask("carol", "directory.v1.DirectoryService/ApplyChanges", { changes });
      const page = await visit(`/history?user=${user.id}&actor=${user.id}`, { as: "carol", width });
      await page.locator(".picker > .hint").nth(1).getByText(loginName).waitFor();
      const outside = () =>
        page.evaluate(() =>
          [...document.querySelectorAll(".history-filters > *")].flatMap((place) => {
            const { left, right } = place.getBoundingClientRect();
            const parts = [...place.querySelectorAll("label, select, [role=combobox], button, .hint")]
              .filter((part) => part.checkVisibility())
              .map((part) => part.getBoundingClientRect());
            return parts.filter((part) => part.left < left - 0.5 || part.right > Math.min(right, innerWidth) + 0.5);
          }),
        );
      expect(await outside()).toEqual([]);
    },
  );
});
