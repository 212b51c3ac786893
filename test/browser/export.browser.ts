import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { ask, makePlace, tableOf } from "./support/ask.ts";
import { hold } from "./support/hold.ts";
import { test } from "./support/visit.ts";

describe("exporting the table", () => {
  test("saves all of its rows, none of which a spreadsheet would calculate", async ({ visit }) => {
    const place = await makePlace("=SUM(1;2)", { Uma: ["seller"], Viktor: ["auditor", "seller"] });
    const page = await visit(tableOf(place), { as: "carol" });
    await page.getByRole("button", { name: "Export CSV" }).click();
    await page.getByRole("dialog").getByRole("heading", { name: "Export as CSV" }).waitFor();
    await expectNoViolations(page);
    // Where the browser asks for a place, nobody could answer here.
    await page.evaluate(() => Reflect.deleteProperty(globalThis, "showSaveFilePicker"));
    const saved = page.waitForEvent("download");
    await page.getByRole("dialog").getByRole("button", { name: "Export", exact: true }).click();
    const lines = (await text(await (await saved).createReadStream())).trim().split(/\r?\n/);
    expect(lines).toHaveLength(3);
    expect(lines.join("\n")).toContain("Uma");
    expect(lines.join("\n")).toContain("Viktor");
    expect(lines.join("\n")).not.toMatch(/(^|,)"?=SUM/m);
  });

  test("leaves no file when it is cancelled in between, and saves all pages when it begins again", async ({
    visit,
  }) => {
    const page = await visit("/?sort=user&asc=true", { as: "ann" });
    await page.getByRole("rowheader").first().waitFor();
    await saveInBrowser(page);
    const letGo = await hold(page, "ListAuthorizations", (route) =>
      /"pageToken":"./.test(route.request().postData() ?? ""),
    );
    await page.getByRole("button", { name: "Export CSV" }).click();
    const dialog = page.getByRole("dialog", { name: "Export as CSV" });
    await dialog.getByRole("button", { name: "Export", exact: true }).click();
    await dialog.getByText("1,000 of 3,021").waitFor();
    await expectNoViolations(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.getByText("Cancelled. Nothing was saved.").waitFor();
    await expect.poll(() => savedFiles(page)).toEqual([]);
    await expectNoViolations(page);

    await letGo();
    await dialog.getByRole("button", { name: "Export", exact: true }).click();
    await dialog.getByText(/3,021 assignments exported to assignments-.*\.csv/).waitFor();
    await expectNoViolations(page);
    const [file = ""] = await savedFiles(page);
    const lines = file.trim().split("\r\n").slice(1);
    expect(lines.map((line) => /^"([^"]*)"/.exec(line)?.[1])).toEqual(await idsByUser());
  });
});

/** Stands for the person who chooses where to save: a folder that the browser keeps for the page. */
async function saveInBrowser(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.assign(globalThis, {
      async showSaveFilePicker({ suggestedName }: { suggestedName: string }) {
        const folder = await navigator.storage.getDirectory();
        return folder.getFileHandle(suggestedName, { create: true });
      },
    });
  });
}

/** What was saved there, each file as its text. */
function savedFiles(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    const texts = [];
    for await (const handle of folder.values()) {
      if (handle instanceof FileSystemFileHandle) texts.push(await (await handle.getFile()).text());
    }
    return texts;
  });
}

/** The ids of all that ann sees, in the order of the export. */
async function idsByUser(): Promise<string[]> {
  const ids: string[] = [];
  for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
    const answer = await ask("ann", "authorization.v2.AuthorizationService/ListAuthorizations", {
      sortingColumn: "AUTHORIZATION_FIELD_NAME_USER_DISPLAY_NAME",
      pagination: { limit: 1_000, asc: true, pageToken },
    });
    ids.push(...answer.authorizations.map(({ id }: any) => id));
    pageToken = answer.pagination.nextPageToken || undefined;
  }
  return ids;
}
