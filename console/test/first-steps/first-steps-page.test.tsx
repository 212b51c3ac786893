import type {
  ApplyChangesRequest,
  ListOrganizationsRequest,
  ListProjectsRequest,
  ListUsersRequest,
} from "@authorization-service/client/directory";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { callerWith, reader } from "../directory/callers.ts";
import { acme, ann, globex } from "../directory/world.ts";
import { type FakeService, openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/add-people/add-people-page.tsx";
import "../../src/first-steps/first-steps-page.tsx";
import "../../src/first-steps/welcome.tsx";

type Known = {
  readonly organizations?: readonly { id: string; name: string }[];
  readonly projects?: readonly { id: string; name: string; organizationId: string; roles?: { key: string }[] }[];
  readonly users?: readonly (typeof ann)[];
  readonly assignments?: number;
};

/** A service that its first owner has just made, with these things in addition. It keeps what it is asked to change. */
function service(known: Known = {}) {
  const asked: ApplyChangesRequest[] = [];
  const organizations = [acme, ...(known.organizations ?? [])];
  const ids = ({ filters }: ListOrganizationsRequest | ListProjectsRequest | ListUsersRequest) =>
    filters.flatMap(({ filter }) => (filter.case === "ids" ? [filter.value.ids] : []))[0];
  const inOrganization = ({ filters }: ListProjectsRequest | ListUsersRequest) =>
    filters.flatMap(({ filter }) =>
      filter.case === "inOrganizationId" || filter.case === "organizationId" ? [filter.value.id] : [],
    )[0];
  const told: FakeService = {
    caller: { getCaller: () => callerWith("instance", "IAM_OWNER") },
    directory: {
      applyChanges: (request) => {
        if (!request.dryRun) asked.push(request);
        return { applied: request.changes.length, outcomes: request.changes.map(() => ({ effect: 2 })), version: "v" };
      },
      listOrganizations: (request) => ({
        organizations: organizations.filter(({ id }) => ids(request)?.includes(id) ?? true),
      }),
      listProjects: (request) => {
        const projects = (known.projects ?? [])
          .filter(({ id }) => ids(request)?.includes(id) ?? true)
          .filter(({ organizationId }) => organizationId === (inOrganization(request) ?? organizationId))
          .map(({ roles = [], ...project }) => ({
            ...{ ...project, roles, totalRoles: roles.length },
            assignableIn: { id: project.organizationId, name: "Acme" },
          }));
        return { projects, pagination: { totalResult: projects.length } };
      },
      listUsers: (request) => {
        const all = [{ ...reader, preferredLoginName: "reader@acme.example" }, ...(known.users ?? [])];
        const users = all.filter(({ organizationId }) => organizationId === inOrganization(request));
        return { users, pagination: { totalResult: users.length } };
      },
    },
    authorizations: {
      listAuthorizations: () => ({ pagination: { totalResult: known.assignments ?? 0 } }),
      batchCreateAuthorizations: ({ items }) => ({
        results: items.map(({ userId: id }) => ({ result: { case: "success", value: { id } } })),
      }),
    },
  };
  return { ...told, asked };
}

const shop = { id: "p", name: "Shop", organizationId: "acme" };
const withRoles = { ...shop, roles: [{ key: "auditor" }, { key: "seller" }] };
const step = (name: string) => screen.findByRole("heading", { level: 2, name: new RegExp(`^${name}`) });

it("an owner who sees an empty table is led to the first steps, and on from where they are", async () => {
  const { unmount } = openConsole("/assignments", service());
  const begin = await screen.findByRole("link", { name: "Start with the first steps" });
  expect(begin.getAttribute("href")).toBe("/first-steps");
  unmount();
  openConsole("/assignments", service({ projects: [shop] }));
  expect(await screen.findByRole("link", { name: "Continue the first steps" })).toBeDefined();
});

it("no one else is led there", async () => {
  const told = service();
  const listProjects = vi.fn(() => ({ projects: [] }));
  openConsole("/assignments", {
    ...told,
    directory: { ...told.directory, listProjects },
    caller: { getCaller: () => callerWith("acme", "ORG_OWNER") },
  });
  await screen.findByText("You see no assignments yet");
  await screen.findByRole("link", { name: "Reader: your account" });
  // What is loaded on demand has been rendered by then.
  await act(async () => {
    await import("../../src/first-steps/welcome.tsx");
  });
  expect(listProjects).not.toHaveBeenCalled();
  expect(screen.queryByText("Set up your service")).toBeNull();
});

it("an owner who sees no assignment reads only what to do", async () => {
  openConsole("/assignments", service());
  await screen.findByRole("heading", { name: "Set up your service" });
  expect(screen.queryByText("You see no assignments yet")).toBeNull();
});

const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));
const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));

it("begins with the reader's own organization, or with another one, which the address keeps", async () => {
  const told = service();
  const { router } = openConsole("/first-steps", told);
  expect(await screen.findByRole("link", { name: "Acme" })).toBeDefined();
  await press("Add another organization");
  const added = await dialog("Add an organization");
  fireEvent.change(added.getByLabelText("Name"), { target: { value: "Initech" } });
  fireEvent.click(added.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(told.asked).toHaveLength(1));
  const change = told.asked[0]?.changes[0]?.change;
  expect(change).toMatchObject({ case: "organization", value: { name: "Initech" } });
  const id = change?.case === "organization" && change.value.id;
  await waitFor(() => expect(router.state.location.search).toEqual({ organization: id }));
});

it("adds a project to the organization, under an id that the address keeps", async () => {
  const told = service();
  const { router } = openConsole("/first-steps", told);
  await press("Add project");
  const added = await dialog("Add a project");
  fireEvent.change(added.getByLabelText("Name"), { target: { value: "Shop" } });
  fireEvent.click(added.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(told.asked).toHaveLength(1));
  const change = told.asked[0]?.changes[0]?.change;
  expect(change).toMatchObject({ case: "project", value: { name: "Shop", organizationId: "acme" } });
  const project = change?.case === "project" && change.value.id;
  await waitFor(() => expect(router.state.location.search).toEqual({ organization: "acme", project }));
});

it("adds roles to the project", async () => {
  const told = service({ projects: [withRoles] });
  openConsole("/first-steps?organization=acme&project=p", told);
  await press("Add roles");
  const keys = await screen.findByLabelText("Key, or several with commas");
  fireEvent.change(keys, { target: { value: "cook, waiter,cook" } });
  fireEvent.submit(keys.closest("form") as HTMLFormElement);
  await waitFor(() => expect(told.asked).toHaveLength(1));
  const added = told.asked[0]?.changes.map(({ change }) => change.value);
  expect(added).toMatchObject([
    { projectId: "p", key: "cook" },
    { projectId: "p", key: "waiter" },
  ]);
});

it.each([
  ["an empty database", "", {}, "Project"],
  ["a chosen organization", "?organization=acme", {}, "Project"],
  ["a project", "", { projects: [shop] }, "Roles"],
  ["roles", "", { projects: [withRoles] }, "People"],
  ["people", "", { projects: [withRoles], users: [ann] }, "Assignments"],
  ["assignments", "", { projects: [withRoles], users: [ann], assignments: 2 }, undefined],
  [
    "an address with another organization",
    "?organization=globex",
    { organizations: [globex], projects: [withRoles], users: [ann] },
    "Project",
  ],
] as [string, string, Known, string | undefined][])(
  "is resumed where it was left, by what there is: %s",
  async (_, search, known, at) => {
    openConsole(`/first-steps${search}`, service(known));
    await step("Assignments");
    const next = document.querySelector("[aria-current=step] h2")?.textContent;
    expect(next).toBe(at);
    expect(screen.queryByRole("heading", { level: 2, name: "Use the API" }) === null).toBe(at !== undefined);
  },
);

it("a step waits for those that it needs", async () => {
  openConsole("/first-steps", service({ projects: [shop] }));
  await step("Roles");
  const main = within(screen.getByRole("main"));
  expect(main.getByRole("button", { name: "Add another organization" })).toBeDefined();
  expect(main.getByRole("button", { name: "Add roles" }).className).toBe("primary");
  expect(main.queryByRole("button", { name: "New assignment" })).toBeNull();
});

it("people are added from a list, with roles of the project, and it leads back", async () => {
  const told = service({ projects: [withRoles] });
  const { router } = openConsole("/first-steps?organization=acme&project=p", told);
  fireEvent.click(await screen.findByRole("link", { name: "Add people from a list" }));
  const list = await screen.findByLabelText("People, one in each line");
  fireEvent.change(list, { target: { value: "Eve, eve@acme.example" } });
  expect(await screen.findByRole("radio", { name: "Shop" })).toHaveProperty("checked", true);
  fireEvent.click(screen.getByRole("checkbox", { name: "auditor" }));
  await press("Add 1 person");
  await waitFor(() => expect(router.state.location.href).toBe("/first-steps?organization=acme&project=p"));
  const said = screen.getByText("1 person is added to Acme. 1 of them has roles.");
  // The people stay.
  expect(said.parentElement?.textContent).toContain("Undo the roles");
});

it("the dialog for the first assignment has the place picked", async () => {
  openConsole("/first-steps", service({ projects: [withRoles], users: [ann] }));
  await press("New assignment");
  expect(await screen.findByRole("checkbox", { name: "auditor" })).toBeDefined();
});

it("ends with the lines that ask for the assignments, filled in but for the token", async () => {
  openConsole("/first-steps", service({ projects: [withRoles], users: [ann], assignments: 1 }));
  await step("Use the API");
  const curl = screen.getByRole("region", { name: "With curl" });
  expect(curl.textContent).toContain(`curl -s '${location.origin}/service.authorization.v2`);
  expect(curl.textContent).toContain('{"projectId":{"id":"p"}},{"organizationId":{"id":"acme"}}');
  expect(curl.textContent).toContain("Bearer $TOKEN");
  expect(screen.getByRole("region", { name: "In TypeScript" }).textContent).toContain('value: { id: "p" }');
});

it("is for owners of everything", async () => {
  openConsole("/first-steps", { ...service(), caller: { getCaller: () => callerWith("acme", "ORG_OWNER") } });
  expect(await screen.findByRole("heading", { name: "The first steps are for owners of everything" })).toBeDefined();
});
