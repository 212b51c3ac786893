import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { ask, changeRoles, makePlace, tableOf } from "./support/ask.ts";
import { makeOwner } from "./support/token.ts";
import { test } from "./support/visit.ts";

const row = (page: Page, name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
const changed = (page: Page, count: number) => page.getByRole("button", { name: `${count} changed` });

/** How many streams of the page are open. Call it before the page opens any. */
function streamsOf(page: Page) {
  const open = new Set<unknown>();
  page.on("request", (request) => request.url().endsWith("/WatchAuthorizations") && open.add(request));
  for (const end of ["requestfinished", "requestfailed"] as const)
    page.on(end as "requestfailed", (one) => open.delete(one));
  return open;
}

async function isSeen(page: Page, state: "hidden" | "visible"): Promise<void> {
  await page.evaluate((now) => {
    Object.defineProperty(document, "visibilityState", { get: () => now, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}

/** Opens a page and waits until it follows changes. */
async function following(page: Page, address: string) {
  const open = streamsOf(page);
  const began = page.waitForResponse((response) => response.url().endsWith("/WatchAuthorizations"));
  await page.goto(new URL(address, page.url()).href);
  await began;
  return open;
}

describe("changes by others", () => {
  test("are counted in the table, without a row that moves, and shown on request", async ({ visit }) => {
    const place = await makePlace("Live Rows", { Ada: ["seller"], Ben: ["seller"] });
    const page = await visit("/account", { as: "carol" });
    await following(page, tableOf(place));
    await row(page, "Ada").getByText("Seller").waitFor();
    await changeRoles(place.idOf("Ada"), ["auditor"]);
    await changed(page, 1).waitFor();
    expect(await row(page, "Ada").getByText("Auditor").count()).toBe(0);
    await changeRoles(place.idOf("Ben"), ["cashier"]);
    await changeRoles(place.idOf("Ben"), ["auditor"]);
    await changed(page, 2).click();
    await row(page, "Ben").getByText("Auditor").waitFor();
    await page.getByRole("button", { name: "Refresh", exact: true }).waitFor();
  });

  test("elsewhere are not", async ({ visit }) => {
    const [here, there] = [await makePlace("Here", { Ada: [] }), await makePlace("There", { Ben: [] })];
    const page = await visit("/account", { as: "carol" });
    await following(page, tableOf(here));
    await changeRoles(there.idOf("Ben"), ["seller"]);
    await changeRoles(here.idOf("Ada"), ["seller"]);
    await changed(page, 1).waitFor();
  });

  test("are counted in the history", async ({ visit }) => {
    const place = await makePlace("Live History", { Ada: ["seller"] });
    const page = await visit("/account", { as: "carol" });
    await following(page, `/history?organization=${place.organizationId}`);
    const lines = page.locator(".changes > li");
    await lines.first().waitFor();
    const before = await lines.count();
    await changeRoles(place.idOf("Ada"), ["auditor"]);
    await changed(page, 1).waitFor();
    expect(await lines.count()).toBe(before);
    await changed(page, 1).click();
    await expect.poll(() => lines.count()).toBe(before + 1);
  });

  test("take one stream, which ends with the view, and while the tab is hidden", async ({ visit }) => {
    const place = await makePlace("Live Streams", { Ada: ["seller"] });
    const page = await visit("/account", { as: "carol" });
    const open = await following(page, tableOf(place));
    expect(open.size).toBe(1);
    await isSeen(page, "hidden");
    await expect.poll(() => open.size).toBe(0);
    await isSeen(page, "visible");
    await expect.poll(() => open.size).toBe(1);
    await page.getByRole("link", { name: "People", exact: true }).click();
    await expect.poll(() => open.size).toBe(0);
  });
});

test("a change that is made here is not news, but one of somebody else is", async ({ visit }) => {
  const place = await makePlace("Live Own", { Ada: ["seller"], Ben: ["seller"] });
  const owner = await makeOwner(place, "Ben");
  const page = await visit("/account", { as: "carol" });
  await following(page, `${tableOf(place)}&id=${place.idOf("Ada")}`);
  await page.getByRole("button", { name: "Deactivate", exact: true }).click();
  await row(page, "Ada").getByText("Inactive").waitFor();
  // The feed tells of both in their order.
  const request = { id: place.idOf("Ben"), roleKeys: ["auditor"] };
  await ask(owner, "authorization.v2.AuthorizationService/UpdateAuthorization", request);
  await changed(page, 1).waitFor();
});
