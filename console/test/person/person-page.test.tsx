import { type ListAuthorizationEventsRequest, State } from "@authorization-service/client";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { ann, assignment, failingOnce, globex, shop, world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/person/person-page.tsx";

const person = () => screen.findByRole("heading", { level: 1, name: "Ann Keller" });
const section = (name: string | RegExp) => screen.findByRole("region", { name });

it("shows who a person is, and keeps the id behind a button", async () => {
  const { container } = openConsole("/person?id=u-ann", world());
  await person();
  expect(await screen.findByText("ann@acme.example")).toBeDefined();
  await waitFor(() => expect(document.title).toBe("Ann Keller · Authorizations"));
  expect(container.ownerDocument.body.textContent).not.toContain("u-ann");
});

it("lists every assignment by organization and project, with its owner where it is granted", async () => {
  const told = world();
  const books = { id: "p-books", name: "Books", organizationId: "acme" };
  const authorizations = [
    assignment(),
    assignment({ id: "a-2", project: books, expirationDate: timestampFromMs(Date.now() + 30 * 86_400_000) }),
    assignment({ id: "a-3", organization: globex, roles: [] }),
  ];
  openConsole("/person?id=u-ann", {
    ...told,
    authorizations: { listAuthorizations: () => ({ authorizations, pagination: { totalResult: 3 } }) },
  });
  const list = await section("Assignments");
  await within(list).findByText("granted by Acme");
  const rows = within(list)
    .getAllByRole("listitem")
    .filter(({ className }) => className !== "chip");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Books in AcmeSellerActiveends in 30 days/),
    expect.stringMatching(/^Shop in AcmeSellerActiveDetails/),
    expect.stringMatching(/^Shop in Globex granted by AcmeNo rolesActive/),
  ]);
  expect(within(list).getAllByRole("link", { name: "Shop" })[0]?.getAttribute("href")).toBe("/project?id=p-shop");
  const details = within(list).getByRole("link", { name: "Details of the assignment for Shop in Acme" });
  expect(details.getAttribute("href")).toBe("/assignments?id=a-1");
  const all = new URL(screen.getByRole("link", { name: "Show in the table" }).getAttribute("href") ?? "", "http://c");
  expect(JSON.parse(all.searchParams.get("filters") ?? "")).toEqual([{ userId: { id: "u-ann" } }]);
});

it.each([
  ["Assignments (suspended)", { expired: false, totalResult: 2 }],
  ["Assignments", { expired: true, totalResult: 2 }],
  // The third may be active.
  ["Assignments", { expired: false, totalResult: 3 }],
])("calls assignments that are all deactivated, and not by their ends, suspended: %s", async (name, given) => {
  const { expired, totalResult } = given;
  const one = assignment({ state: State.INACTIVE });
  const authorizations = [one, assignment({ id: "a-2", state: State.INACTIVE, expired })];
  const listAuthorizations = () => ({ authorizations, pagination: { totalResult } });
  openConsole("/person?id=u-ann", { ...world(), authorizations: { listAuthorizations } });
  const list = await section(name);
  expect(await within(list).findAllByText(/^Inactive$|^Ended$/)).toHaveLength(2);
  expect(screen.getByRole("heading", { level: 2, name: /^Assignments/ }).textContent).toBe(name);
});

it("opens a new assignment in place, with the person picked", async () => {
  const { router } = openConsole("/person?id=u-ann", world());
  fireEvent.click(await within(await section("Assignments")).findByRole("button", { name: "New assignment" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New assignment" }));
  expect(await dialog.findByText("Ann Keller")).toBeDefined();
  fireEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(router.state.location.href).toBe("/person?id=u-ann");
});

it("says how many assignments only the table has", async () => {
  const told = world();
  openConsole("/person?id=u-ann", {
    ...told,
    authorizations: {
      listAuthorizations: () => ({ authorizations: [assignment()], pagination: { totalResult: 201 } }),
    },
  });
  expect(await screen.findByText("1 more assignment is in the table.")).toBeDefined();
});

it("tells what changed about a person, and what the person changed", async () => {
  const told = world();
  const asked: ListAuthorizationEventsRequest[] = [];
  openConsole("/person?id=u-ann", {
    ...told,
    history: {
      listAuthorizationEvents: (request) => {
        asked.push(request);
        const isBy = request.filters[0]?.filter.case === "actorId";
        const bob = { id: "bob", displayName: "Bob", preferredLoginName: "bob@acme.example" };
        const event = {
          sequence: isBy ? 2n : 1n,
          type: "user.grant.added",
          actor: isBy ? ann : bob,
          user: isBy ? bob : ann,
          project: shop,
          organization: globex,
        };
        return { events: [event], pagination: { totalResult: 1 } };
      },
    },
  });
  const about = await section("History of this person");
  await within(about).findByText(/^Assigned/);
  expect(within(about).getByText("Bob")).toBeDefined();
  const by = await section("What this person changed");
  const whose = await within(by).findByRole("link", { name: "Bob" });
  expect(whose.getAttribute("href")).toBe("/person?id=bob");
  expect(screen.getByRole("link", { name: "All changes about this person" }).getAttribute("href")).toBe(
    "/history?user=u-ann",
  );
  expect(screen.getByRole("link", { name: "All changes by this person" }).getAttribute("href")).toBe(
    "/history?actor=u-ann",
  );
  const kinds = asked.map(({ filters }) => filters.map(({ filter }) => [filter.case, filter.value]));
  expect(kinds.sort()).toMatchObject([[["actorId", { id: "u-ann" }]], [["userId", { id: "u-ann" }]]]);
});

it.each(["/person?id=stranger", "/person"])(
  "says that no one is found at %s, and leads to the assignments",
  async (address) => {
    openConsole(address, world());
    expect(await screen.findByRole("heading", { name: "This person can't be found" })).toBeDefined();
    expect(screen.getByRole("link", { name: "Go to the assignments" })).toBeDefined();
  },
);

it("a part that fails says so, the others stay, and trying again shows it", async () => {
  const told = world();
  const answer = failingOnce(() => ({ authorizations: [assignment()], pagination: { totalResult: 1 } }));
  openConsole("/person?id=u-ann", { ...told, authorizations: { listAuthorizations: answer } });
  await person();
  const assignments = await section("Assignments");
  fireEvent.click(await within(assignments).findByRole("button", { name: "Try again" }));
  expect(await within(assignments).findByRole("link", { name: "Shop" })).toBeDefined();
});

it("says of an empty list that it is empty", async () => {
  const told = world();
  openConsole("/person?id=u-ann", {
    ...told,
    authorizations: { listAuthorizations: () => ({ authorizations: [], pagination: {} }) },
  });
  expect(await screen.findByText("No assignments to show.")).toBeDefined();
  expect(await screen.findAllByText("No changes to show.")).toHaveLength(2);
});
