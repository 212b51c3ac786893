import type { ListAuthorizationsRequest } from "@authorization-service/client";
import type { ListAdministratorsRequest } from "@authorization-service/client/directory";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { fireEvent, screen, within } from "@testing-library/react";
import Papa from "papaparse";
import { expect, it, onTestFinished, vi } from "vitest";
import { openConsole } from "../support/console.tsx";
import { ann, assignment, world } from "./world.ts";
// Loaded before, so that no test waits for it.
import "../../src/export/export-dialog.tsx";
import "../../src/organizations/organizations-page.tsx";
import "../../src/people/people-page.tsx";
import "../../src/projects/projects-page.tsx";

const yesterday = timestampFromMs(Date.now() - 25 * 3_600_000);

/** Two administrators each, and 1,200 assignments for whom or what `held` says. */
function counted(held: string) {
  const told = world();
  const asked: (string | undefined)[] = [];
  return {
    ...told,
    asked,
    authorizations: {
      listAuthorizations: ({ filters }: ListAuthorizationsRequest) => {
        const filter = filters[0]?.filter;
        const id = filter && "id" in (filter.value ?? {}) ? (filter.value as { id: string }).id : undefined;
        asked.push(id);
        return id === held
          ? { authorizations: [assignment({ changeDate: yesterday })], pagination: { totalResult: 1_200 } }
          : { pagination: {} };
      },
    },
    directory: {
      ...told.directory,
      listAdministrators: ({ scope }: ListAdministratorsRequest) =>
        scope.value === held ? { entries: [{ user: ann }], pagination: { totalResult: 3 } } : { pagination: {} },
    },
  };
}

const hrefs = (row: HTMLElement) =>
  within(row)
    .getAllByRole("link")
    .map((link) => link.getAttribute("href"));
const filterOf = (kind: string, id: string) =>
  `/assignments?filters=${encodeURIComponent(JSON.stringify([{ [kind]: { id } }]))}`;

it("says of each organization who administers it, how many assignments are in it, and when one last changed", async () => {
  const told = counted("acme");
  openConsole("/organizations", told);
  const row = await screen.findByRole("row", { name: /^Acme/ });
  expect(await within(row).findByRole("link", { name: "1,200" })).toBeDefined();
  expect(await within(row).findByRole("link", { name: "and 2 others" })).toBeDefined();
  expect(within(row).getByText("yesterday")).toBeDefined();
  expect(hrefs(row)).toEqual([
    "/organization?id=acme",
    "/person?id=u-ann",
    "/administrators?organization=acme",
    filterOf("organizationId", "acme"),
  ]);
  const other = screen.getByRole("row", { name: /^Globex/ });
  expect(await within(other).findAllByText("None that you can see")).toHaveLength(2);
  // Only for the rows of the page.
  expect(told.asked.sort()).toEqual(["acme", "globex"]);
});

it.each([
  ["/people", /^Ann/, "userId", "u-ann"],
  ["/projects", /^Shop/, "projectId", "p-shop"],
])("says of each row at %s how many assignments there are", async (address, name, kind, id) => {
  openConsole(address, counted(id));
  const row = await screen.findByRole("row", { name });
  const link = await within(row).findByRole("link", { name: "1,200" });
  expect(link.getAttribute("href")).toBe(filterOf(kind, id));
});

it.each([
  ["/people?organization=acme", { Id: "u-ann", Name: "Ann Keller", "Login name": "ann@acme.example" }],
  ["/projects", { Id: "p-shop", Name: "Shop", "Owner's organization id": "acme", Roles: "3", Grants: "1" }],
  ["/organizations", { Id: "acme", Name: "Acme" }],
])("exports all of the list at %s, page by page", async (address, first) => {
  let saved: Promise<string> | undefined;
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    saved = (blob as Blob).text();
    return "blob:here";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const told = world();
  const { listUsers, listProjects, listOrganizations } = told.directory as Record<string, (asked: unknown) => object>;
  // Each page is the same, so the file has everything twice.
  const paged = (list: typeof listUsers) => (request: { pagination?: { pageToken: string } }) => ({
    ...list?.(request),
    pagination: { totalResult: 2, nextPageToken: request.pagination?.pageToken === "" ? "2" : "" },
  });
  const directory = {
    ...told.directory,
    listUsers: paged(listUsers),
    listProjects: paged(listProjects),
    listOrganizations: paged(listOrganizations),
  };
  openConsole(address, { ...told, directory } as typeof told);
  fireEvent.click(await screen.findByRole("button", { name: "Export CSV" }));
  fireEvent.click(await screen.findByRole("button", { name: "Export" }));
  await screen.findByText(/exported to/);
  const text = ((await saved) ?? "").replace(/^\uFEFF/, "");
  const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  expect(data.filter(({ Id }) => Id === first.Id)).toMatchObject([first, first]);
});
