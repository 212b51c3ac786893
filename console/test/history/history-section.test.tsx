import type { ListAuthorizationEventsRequest } from "@authorization-service/client";
import { fireEvent, screen, within } from "@testing-library/react";
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

it("tells by names what changed, who did it and why, and shows what was earlier", async () => {
  const asked: ListAuthorizationEventsRequest[] = [];
  const told = { user: ann, project: shop, organization: globex, roles: [{ key: "seller", displayName: "Seller" }] };
  const changes = Array.from({ length: 12 }, (_, index) => assigned(index + 2, { ...told, type: "user.grant.added" }));
  const { assignments, directory } = historiesOf(changes, [moved, given as typeof moved]);
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
  expect(asked[0]?.filters[0]?.filter).toMatchObject({ case: "organizationId", value: { id: "acme" } });
  await within(history).findAllByRole("link", { name: "Globex" });
  const events = within(history).getAllByRole("listitem");
  expect(events).toHaveLength(10);
  expect(events[0]?.textContent).toMatch(/^Moved Ann Keller from Acme to Globex.*Ann Keller/);
  expect(events[0]?.textContent).toContain("Ann changes teams");
  expect(events[1]?.textContent).toContain("Assigned: Ann Keller, Shop in Globex (with Seller)");
  expect(within(events[1] as HTMLElement).getByRole("link", { name: "Shop" })).toBeDefined();

  fireEvent.click(within(history).getByRole("button", { name: "Show earlier (4)" }));
  await within(history).findByText(/^Made/);
  const all = within(history).getAllByRole("listitem");
  expect(all).toHaveLength(14);
  const earlier = all.at(-1) as HTMLElement;
  expect(await within(earlier).findByText("another organization")).toBeDefined();
  expect(await within(earlier).findByRole("link", { name: "Ann Keller" })).toBeDefined();
  expect(earlier.textContent).toContain("Made Ann Keller Owner of another organization");
  expect(earlier.textContent).toContain("Command line");
  expect(history.textContent).not.toContain("o-secret");
  expect(within(history).queryByRole("button", { name: /^Show earlier/ })).toBeNull();
});
