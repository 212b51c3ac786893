import { describe, expect } from "vitest";
import { ask } from "./support/ask.ts";
import { test } from "./support/visit.ts";

const list = "authorization.v2.AuthorizationService/ListAuthorizations";

describe("the overview", () => {
  test("counts what the service counts, and its bars lead to the table of what they count", async ({ visit }) => {
    const counted = await ask("ann", "authorization.v2.OverviewService/GetOverview", { top: 1 });
    const [{ project, count }] = counted.projects;
    const page = await visit("/overview", { as: "ann" });
    await page
      .getByRole("link", { name: `${counted.totalResult.toLocaleString("en")} assignments`, exact: true })
      .waitFor();
    const number = count.toLocaleString("en");
    await page.getByRole("link", { name: new RegExp(`^${project.name}.*: ${number} assignments`) }).click();
    await page.getByRole("table", { name: "Assignments" }).waitFor();
    await page.getByText(`of ${number} assignments`).waitFor();
  });

  test("links each count to the table of just as many", async ({ visit }) => {
    const page = await visit("/overview", { as: "ann" });
    for (const by of ["By state", "By organization", "By project", "By role", "Created over time"]) {
      const links = page.getByRole("region", { name: by }).getByRole("link");
      await links.first().waitFor();
      const counts = await links.evaluateAll((all) =>
        all.map(
          (link) => [link.ariaLabel ?? link.textContent, new URL((link as HTMLAnchorElement).href).search] as const,
        ),
      );
      for (const [text, search] of counts) {
        const filters = JSON.parse(new URLSearchParams(search).get("filters") ?? "[]");
        const answer = await ask("ann", list, { filters, pagination: { limit: 1 } });
        const told = Number(/([\d,]+) assignments?/.exec(text)?.[1]?.replaceAll(",", ""));
        expect(told, `${by}: ${text}`).toBe(answer.pagination.totalResult);
      }
    }
  });
});
