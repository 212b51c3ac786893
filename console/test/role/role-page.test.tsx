import type { ListAuthorizationsRequest } from "@authorization-service/client";
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { assignment, globex, shop, world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/role/role-page.tsx";

it("shows who holds a role, where, and through which grant", async () => {
  const told = world();
  const asked: ListAuthorizationsRequest[] = [];
  openConsole("/role?project=p-shop&key=auditor", {
    ...told,
    authorizations: {
      listAuthorizations: (request) => {
        asked.push(request);
        const authorizations = [assignment(), assignment({ id: "a-2", organization: globex })];
        return { authorizations, pagination: { totalResult: 2 } };
      },
    },
  });
  expect(await screen.findByRole("heading", { level: 1, name: "Auditor" })).toBeDefined();
  const list = await screen.findByRole("region", { name: "Who holds it" });
  await within(list).findByText("the grant of Acme");
  const rows = within(list).getAllByRole("listitem");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Ann KellerAcmethe project's ownerActive$/),
    expect.stringMatching(/Ann KellerGlobexthe grant of AcmeActive$/),
  ]);
  expect(asked[0]?.filters.map(({ filter }) => filter)).toMatchObject([
    { case: "projectId", value: { id: "p-shop" } },
    { case: "roleKey", value: { key: "auditor", method: 0 } },
  ]);
  const facts = screen.getByText("Granted to").nextElementSibling as HTMLElement;
  expect(within(facts).getByRole("link", { name: "Globex" })).toBeDefined();
});

it.each([
  ["/role?project=p-shop&key=nothing", "a key that the project doesn't have"],
  ["/role?project=p-shop", "no key"],
  ["/role?key=auditor", "no project"],
])("says of %s that the role is not found: %s", async (address) => {
  openConsole(address, world());
  expect(await screen.findByRole("heading", { name: "This role can't be found" })).toBeDefined();
});

it("a role that the service doesn't list among a thousand others is shown by its key", async () => {
  const told = world();
  const large = { ...shop, totalRoles: 2_000 };
  openConsole("/role?project=p-shop&key=far", {
    ...told,
    directory: { ...told.directory, listProjects: () => ({ projects: [large] }) },
    authorizations: { listAuthorizations: () => ({ authorizations: [], pagination: {} }) },
  });
  expect(await screen.findByRole("heading", { level: 1, name: "far" })).toBeDefined();
  expect(await screen.findByText("No holders to show.")).toBeDefined();
});
