import { describe, expect, inject } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { test } from "./support/visit.ts";

const refused = /401/;

describe("signing in with a token", () => {
  test("shows the table and who is signed in, and keeps the token out of the address", async ({ visit }) => {
    const page = await visit("/");
    const token = inject("service").tokens.carol;
    await page.getByLabel("Token").fill(` ${token}\n`);
    await page.getByRole("button", { name: "Sign in with the token" }).click();
    await page.getByRole("table", { name: "Assignments" }).getByRole("row").nth(5).waitFor();
    await page.getByRole("banner").getByText("Carol").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("view");
    expect(page.url()).toBe(`${inject("service").url}/`);
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });

  test("tells of a token that is not accepted, and takes another one", async ({ visit }) => {
    const page = await visit("/", { expects: refused });
    await page.getByLabel("Token").fill("authz_wrong");
    await page.getByRole("button", { name: "Sign in with the token" }).click();
    await page.getByText("Your token is not accepted").waitFor();
    await page.getByLabel("Token").fill(inject("service").tokens.bob);
    await page.keyboard.press("Enter");
    await page.getByRole("banner").getByText("Bob Okafor").waitFor();
  });

  test("keeps the view that a link shows", async ({ visit }) => {
    const page = await visit("/?sort=changed&asc=true&limit=50");
    await page.getByLabel("Token").fill(inject("service").tokens.carol);
    await page.keyboard.press("Enter");
    await page.getByRole("columnheader", { name: "Changed" }).waitFor();
    expect(await page.getByRole("columnheader", { name: "Changed" }).getAttribute("aria-sort")).toBe("ascending");
    await page.getByText("1–50 of").waitFor();
  });

  test("lasts over a reload, ends with signing out, and shows the next person nothing of it", async ({ visit }) => {
    const page = await visit("/", { as: "carol" });
    await page.reload();
    await page.getByRole("rowheader").first().waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out").waitFor();
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
    let held = () => {};
    const isHeld = new Promise<void>((resolve) => {
      held = resolve;
    });
    await page.route("**/ListAuthorizations", async (route) => {
      await isHeld;
      await route.continue();
    });
    await page.getByLabel("Token").fill(inject("service").tokens.bob);
    await page.keyboard.press("Enter");
    await page.getByRole("table", { name: "Assignments" }).waitFor();
    expect(await page.getByRole("rowheader").count()).toBe(0);
    held();
    await page.getByRole("rowheader", { name: "Bob Okafor" }).first().waitFor();
  });

  test("is asked for again when the token ends while the page is open, and the token is not taken for mistyped", async ({
    visit,
  }) => {
    const page = await visit("/?sort=user", { as: "carol", expects: refused });
    await page.getByRole("rowheader").first().waitFor();
    await page.route("**/ListAuthorizations", (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: "Bearer ended" } }),
    );
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("Your token has expired or has been revoked. Sign in again to continue.").waitFor();
    expect(await page.getByText("mistyped").count()).toBe(0);
    expect(new URL(page.url()).search).toBe("?sort=user");
  });

  test("has nothing that axe finds", async ({ visit }) => {
    const page = await visit("/");
    await page.getByLabel("Token").waitFor();
    await expectNoViolations(page);
  });
});
