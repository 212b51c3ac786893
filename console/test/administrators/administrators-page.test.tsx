import type { ListAdministratorsRequest } from "@authorization-service/client/directory";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { readAdministratorsSearch } from "../../src/administrators/search.ts";
import { acme, ann, failingOnce, globex, shop, world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/administrators/administrators-page.tsx";
import "../../src/organization/organization-page.tsx";
import "../../src/person/person-page.tsx";
import "../../src/project/project-page.tsx";

const { id, name, organizationId } = shop;
const project = { id, name, organizationId };
const ofAcme = { user: ann, scope: { scope: { case: "organization" as const, value: acme } }, roles: ["ORG_OWNER"] };
const ofGrant = {
  user: ann,
  scope: { scope: { case: "projectGrant" as const, value: { id: "g-1", project, organization: globex } } },
  roles: ["PROJECT_GRANT_OWNER"],
};
const ofEverything = { user: ann, scope: { scope: { case: "instance" as const, value: true } }, roles: ["IAM_NEW"] };

function service(entries: object[], totalResult = entries.length) {
  const asked: ListAdministratorsRequest[] = [];
  const told = world();
  return {
    ...told,
    asked,
    directory: {
      ...told.directory,
      listAdministrators: (request: ListAdministratorsRequest) => {
        asked.push(request);
        return { entries, pagination: { totalResult } };
      },
    },
  };
}

it("says who administers what on every level, and in tooltips what each role allows", async () => {
  openConsole("/administrators", service([ofEverything, ofAcme, ofGrant]));
  const list = await screen.findByRole("list", { name: "Administrators" });
  expect([...list.querySelectorAll(".entry-roles li")].map(({ textContent }) => textContent)).toEqual([
    "IAM_NEW of everything",
    "Owner of Acme",
    "Owner of Shop as granted to Globex",
  ]);
  expect([...list.querySelectorAll(".entry-roles strong")].map((role) => role.getAttribute("title"))).toEqual([
    "IAM_NEW",
    "manages the organization, its people, projects and their roles, grants, assignments and administrators\nORG_OWNER",
    "manages the assignments and administrators of this grant\nPROJECT_GRANT_OWNER",
  ]);
  expect(within(list).getAllByRole("link", { name: "Ann Keller" })[0]?.getAttribute("href")).toBe("/person?id=u-ann");
});

it("asks for what the address says, and choosing a role puts it there", async () => {
  const told = service([ofAcme]);
  const { router } = openConsole("/administrators?user=u-ann&organization=acme", told);
  await screen.findByRole("list", { name: "Administrators" });
  expect(told.asked[0]).toMatchObject({ userId: "u-ann", scope: { case: "organizationId", value: "acme" }, role: "" });
  fireEvent.change(screen.getByRole("combobox", { name: "Role" }), { target: { value: "ORG_OWNER" } });
  await waitFor(() =>
    expect(router.state.location.search).toEqual({ user: "u-ann", organization: "acme", role: "ORG_OWNER" }),
  );
  await waitFor(() => expect(told.asked.at(-1)).toMatchObject({ role: "ORG_OWNER" }));
});

it("an address asks for one place: the narrowest that it names", () => {
  const search = { organization: "acme", project: "p-shop", page: "token", skipped: 50 };
  expect(readAdministratorsSearch(search)).toEqual({ project: "p-shop", page: "token", skipped: 50 });
  expect(readAdministratorsSearch({ ...search, grant: "g-1" })).toMatchObject({ grant: "g-1" });
  expect(readAdministratorsSearch({ organization: "acme" })).toEqual({ organization: "acme" });
});

it("says that nothing matches, and shows all again", async () => {
  const { router } = openConsole("/administrators?role=ORG_OWNER", service([]));
  expect(await screen.findByRole("heading", { name: "Nothing matches this search" })).toBeDefined();
  fireEvent.click(screen.getByRole("link", { name: "Show all" }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  expect(await screen.findByRole("heading", { name: "You see no administrators" })).toBeDefined();
});

it("a failure is shown, and trying again lists the administrators", async () => {
  const told = world();
  const listAdministrators = failingOnce(() => ({ entries: [ofAcme] }));
  openConsole("/administrators", { ...told, directory: { ...told.directory, listAdministrators } });
  fireEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("list", { name: "Administrators" })).toBeDefined();
});

it.each([
  ["/person?id=u-ann", "Administers", { userId: "u-ann" }, "/administrators?user=u-ann"],
  [
    "/project?id=p-shop",
    "Administrators",
    { scope: { case: "projectId", value: "p-shop" } },
    "/administrators?project=p-shop",
  ],
  [
    "/organization?id=acme",
    "Administrators",
    { scope: { case: "organizationId", value: "acme" } },
    "/administrators?organization=acme",
  ],
])("%s lists the first of them under %s, and leads to all", async (address, title, request, all) => {
  const told = service([ofAcme], 300);
  openConsole(address, told);
  const section = await screen.findByRole("region", { name: title });
  expect(await within(section).findByText("Owner")).toBeDefined();
  expect(told.asked[0]).toMatchObject(request);
  expect(within(section).getByRole("link", { name: "All 300 entries" }).getAttribute("href")).toBe(all);
  const isOfPerson = title === "Administers";
  expect(within(section).queryAllByRole("link", { name: "Ann Keller" })).toHaveLength(isOfPerson ? 0 : 1);
});
