import type { Page } from "playwright-core";
import { describe, expect, inject } from "vitest";
import { button } from "./support/find.ts";
import { openTab, test } from "./support/visit.ts";

const rows = (page: Page) => page.getByRole("rowheader");
const caller = (page: Page, name: string) => page.getByRole("banner").getByText(name);

describe("a link opened in a new tab", () => {
  test("does not ask for the token while another tab is signed in, and keeps it out of addresses and other storage", async ({
    visit,
  }) => {
    const page = await visit("/assignments", { as: "bob" });
    await caller(page, "Bob Okafor").waitFor();
    const tab = await openTab(page.context(), "/assignments?sort=user&asc=true");
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

  test("that another origin has opened learns nothing, and tells it nothing", async ({ visit }) => {
    const page = await visit("/assignments", { as: "bob" });
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
    const tab = await openTab(page.context(), "/assignments");
    await caller(tab, "Bob Okafor").waitFor();
    expect(await stranger.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard)).toEqual([]);
  });
});

describe("a session of several tabs", () => {
  test("ends in all of them by signing out in one, and nothing of it is left", async ({ visit }) => {
    const page = await visit("/assignments", { as: "bob" });
    await caller(page, "Bob Okafor").waitFor();
    const tab = await openTab(page.context(), "/assignments");
    await rows(tab).first().waitFor();
    await page.bringToFront();
    await button(page, "Sign out").click();
    await tab.getByText("You are signed out").waitFor();
    expect(await tab.evaluate(() => document.documentElement.outerHTML)).not.toMatch(/Bob|Okafor/);
    expect(await tab.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
    const later = await openTab(page.context(), "/assignments");
    await later.getByLabel("Token").waitFor();
  });
});
