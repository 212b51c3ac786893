import type { ListAuthorizationEventsRequest } from "@authorization-service/client";
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { acme, ann, globex, shop, world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
import { assigned, directed, historiesOf } from "./events.ts";
// Loaded before, so that no test waits for it.
import "../../src/organization/organization-page.tsx";
import "../../src/person/person-page.tsx";

const moved = directed(31, {
  actor: ann,
  reason: "Ann changes teams",
  before: { thing: { case: "user", value: { ...ann, organizationId: acme.id } } },
  after: { thing: { case: "user", value: { ...ann, organizationId: globex.id } } },
});
const { actor: _, ...given } = directed(1, {
  after: {
    thing: {
      case: "administrator",
      value: { userId: ann.id, scope: { case: "organizationId", value: "o-secret" }, roles: ["ORG_OWNER"] },
    },
  },
});

it("tells by names what changed, who did it and why: the latest ten, and leads to all", async () => {
  const asked: ListAuthorizationEventsRequest[] = [];
  const told = { user: ann, project: shop, organization: globex, roles: [{ key: "seller", displayName: "Seller" }] };
  const changes = Array.from({ length: 12 }, (_, index) => assigned(index + 2, { ...told, type: "user.grant.added" }));
  const { assignments, directory } = historiesOf(changes, [moved]);
  openConsole("/organization?id=acme", {
    ...world(),
    history: {
      listAuthorizationEvents: (request) => {
        asked.push(request);
        return assignments(request);
      },
    },
    directoryHistory: { listDirectoryEvents: directory },
  });
  const history = await screen.findByRole("region", { name: "History" });
  await within(history).findByText(/^Moved/);
  expect(asked.map(({ filters, pagination }) => [filters[0]?.filter, pagination?.limit])).toMatchObject([
    [{ case: "organizationId", value: { id: "acme" } }, 11],
  ]);
  await within(history).findAllByRole("link", { name: "Globex" });
  const events = within(history).getAllByRole("listitem");
  expect(events).toHaveLength(10);
  expect(events[0]?.textContent).toMatch(/^Moved Ann Keller from Acme to Globex.*Ann Keller/);
  expect(events[0]?.textContent).toContain("Ann changes teams");
  expect(events[1]?.textContent).toContain("Assigned: Ann Keller, Shop in Globex (with Seller)");
  expect(within(events[1] as HTMLElement).getByRole("link", { name: "Shop" })).toBeDefined();
  const all = within(history).getByRole("link", { name: "All changes" });
  expect(all.getAttribute("href")).toBe("/history?organization=acme");
});

it("says another organization where the reader may not know it, and the command line where no one acted", async () => {
  const { assignments, directory } = historiesOf([], [given as typeof moved]);
  openConsole("/organization?id=acme", {
    ...world(),
    history: { listAuthorizationEvents: assignments },
    directoryHistory: { listDirectoryEvents: directory },
  });
  const history = await screen.findByRole("region", { name: "History" });
  expect(await within(history).findByRole("link", { name: "Ann Keller" })).toBeDefined();
  const [change] = within(history).getAllByRole("listitem");
  expect(change?.textContent).toMatch(/^Made Ann Keller Owner of another organizationCommand line/);
  expect(history.textContent).not.toContain("o-secret");
});
