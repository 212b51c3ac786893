import { describe, expect, inject } from "vitest";
import { hold } from "./support/hold.ts";
import { test } from "./support/visit.ts";

describe("signing in with a token", () => {
  test("shows the table and who is signed in, and keeps the token out of the address", async ({ visit }) => {
    const page = await visit("/assignments");
    const token = inject("service").tokens.carol;
    await page.getByLabel("Token").fill(` ${token}\n`);
    await page.getByRole("button", { name: "Sign in with the token" }).click();
    await page.getByRole("table", { name: "Assignments" }).getByRole("row").nth(5).waitFor();
    await page.getByRole("banner").getByText("Carol").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("view");
    expect(page.url()).toBe(`${inject("service").url}/assignments`);
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });

  test("lasts over a reload, ends with signing out, and shows the next person nothing of it", async ({ visit }) => {
    const page = await visit("/assignments?limit=50", { as: "carol" });
    await page.reload();
    await page.getByRole("rowheader").first().waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out").waitFor();
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
    const letGo = await hold(page, "ListAuthorizations");
    await page.getByLabel("Token").fill(inject("service").tokens.bob);
    await page.keyboard.press("Enter");
    await page.getByRole("table", { name: "Assignments" }).waitFor();
    expect(await page.getByRole("rowheader").count()).toBe(0);
    await letGo();
    await page.getByRole("rowheader", { name: "Bob Okafor" }).first().waitFor();
  });
});
