import { expect } from "vitest";
import { test } from "./support/visit.ts";

test("a part of the page that cannot be loaded says so, and is there after loading it again", async ({ visit }) => {
  const page = await visit("/assignments", { as: "ann", expects: /Failed to load|Unable to preload/ });
  await page.getByText("1–100 of").waitFor();
  // As after an upgrade of the server, which has other files by now.
  await page.route(/\/assets\/overview-page-/, (route) => route.fulfill({ status: 404 }));
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("heading", { name: "This part of the page can't be shown" }).waitFor();

  await page.unroute(/\/assets\/overview-page-/);
  await page.getByRole("button", { name: "Reload the page" }).click();
  await page.getByRole("heading", { name: "By organization" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/overview");
});
