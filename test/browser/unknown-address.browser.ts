import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { test } from "./support/visit.ts";

describe("an unknown address", () => {
  test("is said to be one in the frame, with a way back", async ({ visit }) => {
    const page = await visit("/nothing/here?a=b", { as: "bob", expects: /404/ });
    await page.getByRole("banner").getByText("Bob Okafor").waitFor();
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    expect(await page.title()).toBe("Not found · Authorizations");
    await expectNoViolations(page);
    await page.getByRole("link", { name: "Go to the assignments" }).click();
    await page.getByRole("rowheader").first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/assignments");
  });

  test("is said to be one without signing in, too", async ({ visit }) => {
    const page = await visit("/%zz", { expects: /404/ });
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await expectNoViolations(page);
    await page.getByRole("link", { name: "Go to the assignments" }).click();
    await page.getByLabel("Token").waitFor();
  });
});
