import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ann, assignment, world } from "../directory/world.ts";
import { directed } from "../history/events.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/compare/compare-page.tsx";

const bob = { ...ann, id: "u-bob", displayName: "Bob", preferredLoginName: "bob@acme.example" };

it.each([
  ["was never there", []],
  ["was removed", [directed(1, { after: undefined, before: { thing: { case: "user", value: bob } } })]],
] as const)("says that a person who %s can't be found, and offers nothing", async (_, events) => {
  openConsole("/compare?from=u-ann&to=u-bob", {
    ...world(),
    directoryHistory: { listDirectoryEvents: () => ({ events: [...events] }) },
  });
  expect(await screen.findByText(/^One of these people can't be found\./)).toBeDefined();
  expect(screen.queryByRole("button", { name: /^(Give|Nothing to give)/ })).toBeNull();
});

it("says that only the first ten thousand assignments are compared", async () => {
  const told = world();
  const authorizations = Array.from({ length: 10_000 }, (_, index) => assignment({ id: `a-${index}` }));
  openConsole("/compare?from=u-ann&to=u-bob", {
    ...told,
    directory: {
      ...told.directory,
      listUsers: ({ filters }) => {
        const [filter] = filters.map(({ filter }) => filter);
        const ids = filter?.case === "ids" ? filter.value.ids : [];
        return { users: [ann, bob].filter(({ id }) => ids.includes(id)) };
      },
    },
    authorizations: { listAuthorizations: () => ({ authorizations }) },
  });
  expect(await screen.findByText("Only the first 10,000 assignments of each are compared.")).toBeDefined();
});
