import { ask } from "./support/ask.ts";
import { test } from "./support/visit.ts";

test("the overview counts what the service counts, and its bars lead to the table of that", async ({ visit }) => {
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
