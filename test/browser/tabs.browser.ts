import type { Page } from "playwright-core";
import { describe, expect, inject } from "vitest";
import { makePlace, tableOf } from "./support/ask.ts";
import { makeOwner } from "./support/token.ts";
import { openTab, test } from "./support/visit.ts";

const rows = (page: Page) => page.getByRole("rowheader");
const caller = (page: Page, name: string) => page.getByRole("banner").getByText(name);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function signIn(page: Page, token: string): Promise<void> {
  await page.bringToFront();
  await page.getByLabel("Token").fill(token);
  await page.keyboard.press("Enter");
}

describe("a link opened in a new tab", () => {
  test("does not ask for the token while another tab is signed in, and keeps it out of addresses and other storage", async ({
    visit,
  }) => {
    const page = await visit("/", { as: "bob" });
    await caller(page, "Bob Okafor").waitFor();
    const tab = await openTab(page.context(), "/?sort=user&asc=true");
    await caller(tab, "Bob Okafor").waitFor();
    await rows(tab).first().waitFor();
    expect(new URL(tab.url()).search).toBe("?sort=user&asc=true");
    for (const one of [page, tab]) {
      expect(await one.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ""]);
    }
    await tab.reload();
    await caller(tab, "Bob Okafor").waitFor();
    await page.close();
    await tab.reload();
    await caller(tab, "Bob Okafor").waitFor();
  });

  test("asks for it when no other tab is signed in, and follows when one is", async ({ visit }) => {
    const page = await visit("/");
    await page.getByLabel("Token").waitFor();
    const tab = await openTab(page.context(), "/history");
    await tab.getByLabel("Token").waitFor();
    await signIn(page, inject("service").tokens.bob);
    await caller(tab, "Bob Okafor").waitFor();
    expect(new URL(tab.url()).pathname).toBe("/history");
  });

  test("is not signed in by a token that no tab has used with success", async ({ visit }) => {
    const page = await visit("/", { expects: /401/ });
    const tab = await openTab(page.context(), "/");
    await tab.getByLabel("Token").waitFor();
    await signIn(page, "authz_mistyped");
    await page.getByText("It may be mistyped").waitFor();
    expect(await tab.getByText("It may be mistyped").count()).toBe(0);
    await signIn(page, inject("service").tokens.bob);
    await caller(tab, "Bob Okafor").waitFor();
  });

  test("that another origin has opened learns nothing, and tells it nothing", async ({ visit }) => {
    const page = await visit("/", { as: "bob" });
    await caller(page, "Bob Okafor").waitFor();
    const stranger = await page.context().newPage();
    await stranger.route(`${inject("issuer").url}/stranger`, (route) =>
      route.fulfill({ contentType: "text/html", body: '<link rel="icon" href="data:,">' }),
    );
    await stranger.goto(`${inject("issuer").url}/stranger`);
    await stranger.evaluate(() => {
      const heard: unknown[] = [];
      const channel = new BroadcastChannel("authorization-console.session");
      channel.onmessage = ({ data }) => heard.push(data);
      channel.postMessage({ kind: "ask" });
      Object.assign(globalThis, { heard, channel });
    });
    // By the time a tab of the console has asked and has its answer, the stranger would have heard both.
    const tab = await openTab(page.context(), "/");
    await caller(tab, "Bob Okafor").waitFor();
    expect(await stranger.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard)).toEqual([]);
  });
});

describe("a session of several tabs", () => {
  test("ends in all of them by signing out in one, and nothing of it is left", async ({ visit }) => {
    const page = await visit("/", { as: "bob" });
    await caller(page, "Bob Okafor").waitFor();
    const tab = await openTab(page.context(), "/");
    await rows(tab).first().waitFor();
    await page.bringToFront();
    await button(page, "Sign out").click();
    await tab.getByText("You are signed out").waitFor();
    expect(await tab.evaluate(() => document.documentElement.outerHTML)).not.toMatch(/Bob|Okafor/);
    expect(await tab.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
    const later = await openTab(page.context(), "/");
    await later.getByLabel("Token").waitFor();
  });

  test("whose token has ended waits in all of them, and continues in all of them", async ({ visit }) => {
    const place = await makePlace("Tabs Inc", { Anton: [], Bruno: ["seller"] });
    const owner = await makeOwner(place, "Anton");
    const page = await visit(`/?id=${place.idOf("Bruno")}`, { token: owner.token, expects: /401/ });
    await button(page, "Edit roles").click();
    await page
      .getByRole("dialog")
      .getByRole("checkbox", { name: /^Auditor/ })
      .check();
    const tab = await openTab(page.context(), tableOf(place));
    await rows(tab).first().waitFor();
    await owner.revoke();
    await button(tab, "Refresh").click();
    for (const one of [page, tab]) await one.getByText("Your token has expired or has been revoked.").waitFor();
    await signIn(tab, (await makeOwner(place, "Anton")).token);
    await rows(tab).first().waitFor();
    await page.getByRole("dialog").getByText("Saving adds Auditor.").waitFor();
  });

  test("is dropped in all that wait when another person signs in in one", async ({ visit }) => {
    const place = await makePlace("Other Tabs Inc", { Axel: [], Britt: ["seller"] });
    const owner = await makeOwner(place, "Axel");
    const page = await visit(`/?id=${place.idOf("Britt")}`, { token: owner.token, expects: /401/ });
    await button(page, "Edit roles").click();
    await page
      .getByRole("dialog")
      .getByRole("checkbox", { name: /^Auditor/ })
      .check();
    const tab = await openTab(page.context(), "/");
    await rows(tab).first().waitFor();
    await owner.revoke();
    await button(tab, "Refresh").click();
    await page.getByText("Your work is kept").waitFor();
    await signIn(tab, inject("service").tokens.bob);
    await caller(page, "Bob Okafor").waitFor();
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toMatch(/Britt|Axel|Other Tabs Inc/);
  });
});
