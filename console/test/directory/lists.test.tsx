import type { ListAuthorizationsRequest } from "@authorization-service/client";
import type { ListAdministratorsRequest, ListUsersRequest } from "@authorization-service/client/directory";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import Papa from "papaparse";
import { expect, it, onTestFinished, vi } from "vitest";
import { openConsole } from "../support/console.tsx";
import { callerWith } from "./callers.ts";
import { ann, assignment, world } from "./world.ts";
// Loaded before, so that no test waits for it.
import "../../src/administrators/administrators-page.tsx";
import "../../src/changes/create-dialog.tsx";
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

/** The rows of the file that is saved. */
function savedFile() {
  let saved: Promise<string> | undefined;
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    saved = (blob as Blob).text();
    return "blob:here";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  return async () => {
    const text = ((await saved) ?? "").replace(/^\uFEFF/, "");
    return Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
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
  const row = await screen.findByRole("row", { name: /^Select Acme / });
  expect(await within(row).findByRole("link", { name: "1,200" })).toBeDefined();
  expect(await within(row).findByRole("link", { name: "and 2 others" })).toBeDefined();
  expect(within(row).getByText("yesterday")).toBeDefined();
  expect(hrefs(row)).toEqual([
    "/organization?id=acme",
    "/person?id=u-ann",
    "/administrators?organization=acme",
    filterOf("organizationId", "acme"),
  ]);
  const other = screen.getByRole("row", { name: /^Select Globex / });
  await waitFor(() => expect(within(other).getAllByText("None")).toHaveLength(2));
  // Only for the rows of the page.
  expect(told.asked.sort()).toEqual(["acme", "globex"]);
});

it("says that there is none that the reader can see, to those who see a part", async () => {
  openConsole("/organizations", { ...counted("acme"), caller: { getCaller: () => callerWith("acme", "ORG_OWNER") } });
  const other = await screen.findByRole("row", { name: /^Select Globex / });
  await waitFor(() => expect(within(other).getAllByText("None that you can see")).toHaveLength(2));
});

it.each([
  ["/people", /^Select Ann /, "userId", "u-ann"],
  ["/projects", /^Select Shop /, "projectId", "p-shop"],
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
  const saved = savedFile();
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
  await screen.findByText(/exported to/);
  expect((await saved()).filter(({ Id }) => Id === first.Id)).toMatchObject([first, first]);
});

it.each(["/people", "/projects", "/organizations"])("selects rows at %s, and exports them alone", async (address) => {
  const saved = savedFile();
  openConsole(address, world());
  const boxes = await screen.findAllByRole<HTMLInputElement>("checkbox", { name: /^Select (?!all)/ });
  expect(screen.queryByRole("region", { name: "Selection" })).toBeNull();
  fireEvent.click(screen.getByRole("checkbox", { name: "Select all on this page" }));
  const bar = screen.getByRole("region", { name: "Selection" });
  within(bar).getByText(`${boxes.length} selected`);
  for (const box of boxes.slice(1)) fireEvent.click(box);
  within(bar).getByText("1 selected");
  fireEvent.click(within(bar).getByRole("button", { name: "Export selected" }));
  await screen.findByText(/1 \w+ exported to/);
  expect(await saved()).toHaveLength(1);
  fireEvent.click(await within(bar).findByRole("button", { name: "Clear" }));
  expect(screen.queryByRole("region", { name: "Selection" })).toBeNull();
});

it("exports selected rows as they are shown after a refresh", async () => {
  const saved = savedFile();
  const told = world();
  let displayName = "Ann";
  const listUsers = () => ({ users: [{ ...ann, displayName }] });
  openConsole("/people", { ...told, directory: { ...told.directory, listUsers } });
  fireEvent.click(await screen.findByRole("checkbox", { name: "Select Ann" }));
  displayName = "Anne";
  fireEvent.click(screen.getByRole("button", { name: /^Refresh/ }));
  await screen.findByRole("checkbox", { name: "Select Anne" });
  fireEvent.click(screen.getByRole("button", { name: "Export selected" }));
  await screen.findByText(/exported to/);
  expect(await saved()).toMatchObject([{ Name: "Anne" }]);
});

it("with Shift, selects all people from the one before, who can be given a role, looked at and, if two, compared", async () => {
  const told = world();
  const users = ["Ann", "Bob", "Cem", "Dee"].map((displayName) => ({ ...ann, id: displayName, displayName }));
  openConsole("/people", { ...told, directory: { ...told.directory, listUsers: () => ({ users }) } });
  const box = (name: string) => screen.getByRole("checkbox", { name: `Select ${name}` });
  await screen.findByRole("checkbox", { name: "Select Bob" });
  fireEvent.click(box("Bob"));
  const bar = within(screen.getByRole("region", { name: "Selection" }));
  expect(bar.queryByRole("link", { name: "Compare" })).toBeNull();
  fireEvent.click(box("Cem"));
  expect(bar.getByRole("link", { name: "Compare" }).getAttribute("href")).toBe("/compare?from=Bob&to=Cem");
  fireEvent.click(box("Cem"));
  fireEvent.click(box("Bob"));
  fireEvent.click(box("Bob"));
  fireEvent.click(box("Dee"), { shiftKey: true });
  const again = within(screen.getByRole("region", { name: "Selection" }));
  again.getByText("3 selected");
  const filters = encodeURIComponent(JSON.stringify([{ inUserIds: { ids: ["Bob", "Cem", "Dee"] } }]));
  expect(again.getByRole("link", { name: "Show their assignments" }).getAttribute("href")).toBe(
    `/assignments?filters=${filters}`,
  );
  fireEvent.click(again.getByRole("button", { name: "Assign roles" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New assignment" }));
  expect(dialog.getAllByRole("button", { name: /^Remove/ })).toHaveLength(3);
});

it.each([
  ["/people", "Add a person"],
  ["/projects", "Add a project"],
  ["/organizations", "Add an organization"],
])("the address says whether the dialog that adds one is open at %s", async (address, name) => {
  const caller = { getCaller: () => callerWith("instance", "IAM_OWNER") };
  const { router } = openConsole(`${address}?open=true`, { ...world(), caller });
  const dialog = within(await screen.findByRole("dialog", { name }));
  fireEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(router.state.location.href).toBe(address));
});

it("shows the assignments of at most 200 selected people, because the address names each of them", async () => {
  const users = Array.from({ length: 201 }, (_, index) => ({ ...ann, id: `u-${index}`, displayName: `P ${index}` }));
  openConsole("/people", { ...world(), directory: { ...world().directory, listUsers: () => ({ users }) } });
  const last = await screen.findByRole("checkbox", { name: "Select P 200" });
  fireEvent.click(screen.getByRole("checkbox", { name: "Select all on this page" }));
  screen.getByText("Select at most 200 people to show their assignments.");
  expect(screen.queryByRole("link", { name: "Show their assignments" })).toBeNull();
  fireEvent.click(last);
  expect(screen.getByRole("link", { name: "Show their assignments" }).getAttribute("href")).toContain("u-199");
});

it("clears a selection while another page is loading", async () => {
  const users = [ann];
  const never = new Promise<never>(() => {});
  const { directory } = world();
  const listUsers = ({ pagination }: ListUsersRequest) =>
    pagination?.pageToken ? never : { users, pagination: { totalResult: 2, nextPageToken: "2" } };
  openConsole("/people", { ...world(), directory: { ...directory, listUsers } });
  fireEvent.click(await screen.findByRole("checkbox", { name: "Select Ann Keller" }));
  fireEvent.click(screen.getByRole("link", { name: "Next" }));
  await waitFor(() => expect(screen.getByRole("link", { name: "Previous" }).hasAttribute("href")).toBe(true));
  fireEvent.click(screen.getByRole("button", { name: "Clear" }));
  expect(screen.queryByRole("region", { name: "Selection" })).toBeNull();
});

it.each([
  ["/people", "5"],
  ["/projects", "7"],
  ["/organizations", "4"],
  ["/administrators", "2"],
])("until the list at %s is there, has a skeleton with its columns", async (address, columns) => {
  const never = () => new Promise<never>(() => {});
  const directory = { listUsers: never, listProjects: never, listOrganizations: never, listAdministrators: never };
  openConsole(address, { ...world(), directory });
  await screen.findByText("Loading…");
  expect(document.querySelector(".page-skeleton")?.getAttribute("data-columns")).toBe(columns);
});
