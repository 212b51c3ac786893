import { expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { test } from "./support/visit.ts";

test.for([{ address: "/nothing/here?a=b", as: "bob" }, { address: "/%zz" }] as const)(
  "the unknown address $address is said to be one, with a way back, whether or not someone is signed in",
  async ({ address, ...who }, { visit }) => {
    const page = await visit(address, { ...who, expects: /404/ });
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    expect(await page.title()).toBe("Page not found · Authorizations");
    const caller = page.getByRole("banner").getByText("Bob Okafor");
    await expect.poll(() => caller.count()).toBe("as" in who ? 1 : 0);
    await expectNoViolations(page);
    await page.getByRole("link", { name: "Go to the assignments" }).click();
    await ("as" in who ? page.getByRole("rowheader").first() : page.getByLabel("Token")).waitFor();
    expect(new URL(page.url()).pathname).toBe("/assignments");
  },
);
