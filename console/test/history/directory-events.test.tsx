import type { ListDirectoryEventsRequest } from "@authorization-service/client/directory";
import { fireEvent, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { acme, ann, globex, world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/organization/organization-page.tsx";

const moved = {
  sequence: 2n,
  actor: ann,
  reason: "Ann changes teams",
  before: { thing: { case: "user" as const, value: { ...ann, organizationId: acme.id } } },
  after: { thing: { case: "user" as const, value: { ...ann, organizationId: globex.id } } },
};
const given = {
  sequence: 1n,
  after: {
    thing: {
      case: "administrator" as const,
      value: { userId: ann.id, scope: { case: "organizationId" as const, value: "o-secret" }, roles: ["ORG_OWNER"] },
    },
  },
};

function service() {
  const asked: ListDirectoryEventsRequest[] = [];
  return {
    ...world(),
    asked,
    directoryHistory: {
      listDirectoryEvents: (request: ListDirectoryEventsRequest) => {
        asked.push(request);
        return request.pagination?.pageToken
          ? { events: [given], pagination: {} }
          : { events: [moved], pagination: { totalResult: 2, nextPageToken: "next" } };
      },
    },
  };
}

it("tells by names what changed, who did it and why, and shows what was earlier", async () => {
  const told = service();
  openConsole("/organization?id=acme", told);
  const history = await screen.findByRole("region", { name: "History" });
  await within(history).findByText(/^Moved/);
  expect(told.asked[0]?.filters[0]?.filter).toMatchObject({ case: "organizationId", value: { id: "acme" } });
  await within(history).findByRole("link", { name: "Globex" });
  const event = within(history).getByRole("listitem");
  expect(event.textContent).toMatch(/^Moved Ann Keller from Acme to Globex.*Ann Keller/);
  expect(event.textContent).toContain("Ann changes teams");

  fireEvent.click(within(history).getByRole("button", { name: "Show earlier (1)" }));
  await within(history).findByText(/^Made/);
  const [, earlier] = within(history).getAllByRole("listitem");
  expect(await within(earlier as HTMLElement).findByText("another organization")).toBeDefined();
  expect(await within(earlier as HTMLElement).findByRole("link", { name: "Ann Keller" })).toBeDefined();
  expect(earlier?.textContent).toContain("Made Ann Keller Owner of another organization");
  expect(earlier?.textContent).toContain("Command line");
  expect(history.textContent).not.toContain("o-secret");
});
