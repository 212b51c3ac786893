import type { BatchCreateAuthorizationsRequest } from "@authorization-service/client";
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
  const assigned: BatchCreateAuthorizationsRequest[] = [];
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
          .map(({ roles = [], ...project }) => ({ ...project, roles, totalRoles: roles.length }));
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
      batchCreateAuthorizations: (request) => {
        assigned.push(request);
        return {
          results: request.items.map(({ userId }) =>
            userId === "u-taken"
              ? { result: { case: "error" as const, value: { reason: "AUTHORIZATION_EXISTS" } } }
              : { result: { case: "success" as const, value: { id: `a-${userId}` } } },
          ),
        };
      },
    },
  };
  return { ...told, asked, assigned };
}

const shop = { id: "p", name: "Shop", organizationId: "acme" };
const withRoles = { ...shop, roles: [{ key: "auditor" }, { key: "seller" }] };
const step = (name: string) => screen.findByRole("heading", { level: 2, name });

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

it("each step begins in its first field", async () => {
  openConsole("/first-steps?step=organization", service());
  const name = await screen.findByLabelText("Name of the organization");
  await waitFor(() => expect(document.activeElement).toBe(name));
});

it("begins with the organization, and the address says which one", async () => {
  const { router } = openConsole("/first-steps", service());
  expect(await step("Organization")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Use Acme" }));
  expect(await step("Project")).toBeDefined();
  expect(router.state.location.search).toEqual({ organization: "acme", step: "project" });
  expect(await screen.findByText(/Acme will own it/)).toBeDefined();
});

it("adds another organization and a project with a reason, under ids that the address keeps", async () => {
  const told = service();
  const { router } = openConsole("/first-steps", told);
  fireEvent.change(await screen.findByLabelText("Name of the organization"), { target: { value: " Initech " } });
  fireEvent.click(screen.getByRole("button", { name: "Add organization" }));
  await waitFor(() => expect(router.state.location.search).toMatchObject({ step: "project" }));
  const added = told.asked[0]?.changes[0]?.change;
  expect(added).toMatchObject({ case: "organization", value: { name: "Initech" } });
  expect(told.asked[0]?.reason).toBe("First steps");
  const id = added?.case === "organization" && added.value.id;
  expect(router.state.location.search).toMatchObject({ organization: id });
});

it("adds several roles at once, and none that is there", async () => {
  const told = service({ projects: [withRoles] });
  const { router } = openConsole("/first-steps?organization=acme&project=p&step=roles", told);
  const keys = await screen.findByLabelText("Keys, with commas between them");
  fireEvent.change(keys, { target: { value: "cook, seller" } });
  expect(screen.getByText("The project has these roles already: seller.")).toBeDefined();
  fireEvent.submit(keys.closest("form") as HTMLFormElement);
  fireEvent.change(keys, { target: { value: "cook, waiter,cook" } });
  fireEvent.click(screen.getByRole("button", { name: "Add 2 roles" }));
  await waitFor(() => expect(router.state.location.search).toMatchObject({ step: "people" }));
  expect(told.asked).toHaveLength(1);
  const added = told.asked[0]?.changes.map(({ change }) => change.value);
  expect(added).toMatchObject([
    { projectId: "p", key: "cook" },
    { projectId: "p", key: "waiter" },
  ]);
});

it.each([
  ["an empty database", "", {}, "Organization"],
  ["a chosen organization", "?organization=acme", {}, "Project"],
  ["a project", "", { projects: [shop] }, "Roles"],
  ["roles", "", { projects: [withRoles] }, "People"],
  ["people", "", { projects: [withRoles], users: [ann] }, "Assignments"],
  ["assignments", "", { projects: [withRoles], users: [ann], assignments: 2 }, "Use the API"],
  [
    "an address with another organization",
    "?organization=globex",
    { organizations: [globex], projects: [withRoles], users: [ann] },
    "Project",
  ],
] as [string, string, Known, string][])(
  "is resumed where it was left, by what there is: %s",
  async (_, search, known, at) => {
    openConsole(`/first-steps${search}`, service(known));
    expect(await step(at)).toBeDefined();
    expect(screen.getByRole("navigation", { name: "Steps" }).querySelector("[aria-current]")?.textContent).toContain(
      at,
    );
  },
);

it("steps that are done can be opened again, and others only in their order", async () => {
  openConsole("/first-steps", service({ projects: [shop] }));
  await step("Roles");
  const nav = within(screen.getByRole("navigation", { name: "Steps" }));
  expect(nav.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
    "Organization (done)",
    "Project (done)",
    "Roles",
    "People",
    "Use the API",
  ]);
});

it("asks before a list of people is lost to another step", async () => {
  openConsole("/first-steps?organization=acme&project=p&step=people", service({ projects: [withRoles] }));
  const list = await screen.findByLabelText("People, one in each line");
  fireEvent.change(list, { target: { value: "Eve, eve@acme.example" } });
  fireEvent.click(await screen.findByRole("link", { name: /^Roles/ }));
  const question = await screen.findByRole("alertdialog", { name: "Leave without adding these people?" });
  fireEvent.click(within(question).getByRole("button", { name: "Stay" }));
  expect(await screen.findByDisplayValue("Eve, eve@acme.example")).toBeDefined();
});

it("gives several people the same roles, and says who got none", async () => {
  const taken = { ...ann, id: "u-taken", displayName: "Tom" };
  const told = service({ projects: [withRoles], users: [ann, taken] });
  openConsole("/first-steps?organization=acme&project=p&step=assignments", told);
  fireEvent.click(await screen.findByRole("checkbox", { name: "auditor" }));
  fireEvent.click(await screen.findByRole("checkbox", { name: /^Ann Keller/ }));
  fireEvent.click(screen.getByRole("checkbox", { name: /^Tom/ }));
  fireEvent.click(screen.getByRole("button", { name: "Assign to 2 people" }));
  const dialog = await screen.findByRole("dialog", { name: "Assign roles: 1 done, 1 failed" });
  within(dialog).getByText(/^Failed. This person has an assignment there already/);
  expect(told.assigned[0]).toMatchObject({
    reason: "First steps",
    items: [
      { userId: "u-ann", projectId: "p", organizationId: "acme", roleKeys: ["auditor"] },
      { userId: "u-taken", projectId: "p", organizationId: "acme", roleKeys: ["auditor"] },
    ],
  });
  fireEvent.click(within(dialog).getByRole("button", { name: "Close" }));
  expect(await screen.findByText("1 person has an assignment now.")).toBeDefined();
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
