import { describe, expect } from "vitest";
import { freePort } from "../support/free-port.ts";
import { expectNoViolations } from "./support/accessibility.ts";
import { untilQuiet } from "./support/quiet.ts";
import { dataDirectoryOfTest, serviceOfTest } from "./support/service.ts";
import { test } from "./support/visit.ts";

const broken = /Failed to load resource/;

describe("when something fails", () => {
  test("says what, keeps trying while the server is unavailable, and continues when it is back", async ({ visit }) => {
    const page = await visit("/history", { as: "carol", expects: broken });
    await page.route("**/ListAuthorizations", (route) => route.abort());
    await page.goto(new URL("/assignments", page.url()).href);
    await page.getByRole("alert").getByText("The server can't be reached").waitFor();
    await expectNoViolations(page);
    await page.unroute("**/ListAuthorizations");
    await page.getByRole("rowheader").first().waitFor();
    await expect.poll(() => page.getByText("The server can't be reached").count()).toBe(0);
  });

  test("a server that is killed and comes back: the last rows under a banner, then fresh ones", async ({ visit }) => {
    const env = { DATA_DIR: await dataDirectoryOfTest(), PORT: String(await freePort()) };
    const first = await serviceOfTest(env);
    const page = await visit("/assignments", { as: "carol", service: first, expects: broken });
    await page.getByRole("rowheader").first().waitFor();
    // What is loaded after the rows would fail with the server.
    await untilQuiet(page);
    await first.kill();
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("status").getByText("The server can't be reached").waitFor();
    expect(await page.getByRole("rowheader").count()).toBeGreaterThan(5);
    await expectNoViolations(page);

    await serviceOfTest(env);
    await expect.poll(() => page.getByText("The server can't be reached").count()).toBe(0);
    expect(await page.getByRole("rowheader").count()).toBeGreaterThan(5);
  });
});
