import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { readHistorySearch } from "../../src/history/search.ts";
import { openConsole } from "../support/console.tsx";
import { world } from "./world.ts";
// Loaded before, so that no test waits for it.
import "../../src/account/account-page.tsx";
import "../../src/administrators/administrators-page.tsx";
import "../../src/organization/organization-page.tsx";
import "../../src/person/person-page.tsx";
import "../../src/project/project-page.tsx";
import "../../src/role/role-page.tsx";

it.each([
  ["/person?id=u-ann", "All changes about this person", { user: "u-ann" }],
  ["/person?id=u-ann", "All changes by this person", { actor: "u-ann" }],
  ["/project?id=p-shop", "All changes", { project: "p-shop" }],
  ["/organization?id=acme", "All changes", { organization: "acme" }],
  ["/role?project=p-shop&key=auditor", "All changes", { project: "p-shop", role: "auditor" }],
  ["/administrators", "All changes", { kinds: ["administrator"] }],
  ["/administrators?organization=acme", "All changes", { organization: "acme", kinds: ["administrator"] }],
  ["/administrators?user=u-ann", "All changes", { user: "u-ann", kinds: ["administrator"] }],
  ["/account", "All changes by you", { actor: "carol" }],
] as const)("%s leads to its own part of the history by %j", async (address, name, filters) => {
  const { router } = openConsole(address, world());
  const link = await screen.findByRole("link", { name });
  const { pathname, search } = new URL(link.getAttribute("href") ?? "", "http://console.example");
  expect(pathname).toBe("/history");
  expect(readHistorySearch(router.options.parseSearch?.(search) ?? {})).toEqual(filters);
});
