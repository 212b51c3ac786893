import { text } from "node:stream/consumers";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { makePlace, tableOf } from "./support/ask.ts";
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
});
