import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations, fewLooks } from "./support/accessibility.ts";
import { tableWith } from "./support/ask.ts";
import { expectUsableByAll } from "./support/reach.ts";
import { test } from "./support/visit.ts";

type Sight = { readonly address: string; readonly show: (page: Page) => Promise<unknown>; readonly isSignedOut?: true };

const row = (page: Page) => page.getByRole("rowheader").first().waitFor();
const item = (page: Page) => page.locator("main .plain-list > li").first().waitFor();
const heading = (name: string) => (page: Page) => page.getByRole("heading", { level: 1, name }).waitFor();

const pages: Record<string, Sight> = {
  "the sign-in page": { address: "/", show: (page) => page.getByLabel("Token").waitFor(), isSignedOut: true },
  home: { address: "/", show: (page) => page.getByRole("region", { name: "Go to" }).waitFor() },
  assignments: { address: "/assignments", show: row },
  "assignments with filters": { address: tableWith([{ projectId: { id: "shop" } }]), show: row },
  people: { address: "/people", show: row },
  "a person": { address: "/person?id=ann", show: heading("Ann Keller") },
  "a person who can't be found": { address: "/person?id=nobody", show: heading("This person can't be found") },
  projects: { address: "/projects", show: row },
  "a project": { address: "/project?id=shop", show: heading("Shop") },
  "a role": { address: "/role?project=shop&key=auditor", show: item },
  organizations: { address: "/organizations", show: row },
  "an organization": { address: "/organization?id=acme", show: heading("Acme") },
  administrators: { address: "/administrators", show: item },
  history: { address: "/history", show: (page) => page.locator("main time").first().waitFor() },
  overview: { address: "/overview", show: (page) => page.getByRole("heading", { name: "By role" }).waitFor() },
  account: { address: "/account", show: (page) => page.getByRole("table", { name: /^What you may do/ }).waitFor() },
  "adding people": {
    address: "/add-people?organization=acme",
    show: (page) => page.getByLabel("People, one in each line").waitFor(),
  },
  "assigning roles from a list": {
    address: "/assign-list",
    async show(page) {
      const list = page.getByLabel(/^Person, project, organization, and roles/);
      await list.fill("ann, Shop, Acme, Seller\nnobody, Shop, Acme, Seller");
      await page.getByText("No person “nobody” that you can see").waitFor();
    },
  },
  "off-boarding a person": { address: "/offboard?id=ann", show: item },
  "comparing people": { address: "/compare?from=ann&to=bob", show: row },
  "a matrix": { address: "/matrix?project=shop", show: row },
  "a matrix of projects": { address: "/matrix?organization=acme", show: row },
  "first steps": {
    address: "/first-steps",
    show: heading("First steps"),
  },
  "an unknown address": { address: "/nothing-here", show: heading("Page not found") },
};

describe("every page", () => {
  test.for(Object.entries(pages))("%s can be used by all", async ([, { address, show, isSignedOut }], { visit }) => {
    const page = await visit(address, { ...(isSignedOut === undefined && { as: "carol" }), expects: /400|404/ });
    await show(page);
    await expect.poll(() => page.locator("main :is(.skeleton, [aria-busy=true])").count()).toBe(0);
    await expectNoViolations(page, fewLooks);
    await expectUsableByAll(page);
  });
});
