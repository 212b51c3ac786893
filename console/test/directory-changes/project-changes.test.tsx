import { Code, ConnectError } from "@connectrpc/connect";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { askedBy } from "../directory/callers.ts";
import { openConsole } from "../support/console.tsx";
import { changingWorld } from "./changes.ts";
// Loaded before, so that no test waits for it.
import "../../src/project/project-page.tsx";

const button = (name: string) => screen.findByRole("button", { name });
const dialog = (name: string) => screen.findByRole("dialog", { name });
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const submit = (box: HTMLElement, name: string) => fireEvent.click(within(box).getByRole("button", { name }));
const section = (name: string) => screen.findByRole("region", { name });

it("adds a role with its name, its group, what it allows and the reason", async () => {
  const { service, applied } = changingWorld();
  openConsole("/project?id=p-shop", askedBy(service, "shop", "PROJECT_OWNER"));
  fireEvent.click(await button("Add roles"));
  const box = await dialog("Add roles");
  submit(box, "Add");
  expect(applied()).toEqual([]);
  type("Key, or several with commas", "cashier");
  type("Name (optional)", "Cashier");
  type("Group (optional)", "staff");
  type("What it allows (optional)", "Takes money.");
  submit(box, "Add a reason");
  type("Reason (optional; the history keeps it)", "A new till");
  submit(box, "Add");
  expect(await screen.findByText("The role Cashier is added.")).toBeDefined();
  const texts = { displayName: "Cashier", group: "staff", description: "Takes money." };
  const projectRole = { projectId: "p-shop", key: "cashier", ...texts };
  expect(applied()).toEqual([{ changes: [{ projectRole }], reason: "A new till" }]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("gives a role that is typed as a name a key that programs can write, and says so", async () => {
  const { service, applied } = changingWorld();
  openConsole("/project?id=p-shop", askedBy(service, "shop", "PROJECT_OWNER"));
  fireEvent.click(await button("Add roles"));
  const box = await dialog("Add roles");
  type("Key, or several with commas", "cashier");
  expect(within(box).queryByText(/^Programs will check/)).toBeNull();
  type("Key, or several with commas", "Front Désk");
  within(box).getByText("Programs will check the key front-desk, which no one can change later.");
  type("Key, or several with commas", "Driver, Front Désk");
  within(box).getByText("Programs will check the keys Driver and front-desk, which no one can change later.");
  type("Key, or several with commas", "Front Désk");
  submit(box, "Add");
  await screen.findByText("The role Front Désk is added.");
  const projectRole = { projectId: "p-shop", key: "front-desk", displayName: "Front Désk", description: "" };
  expect(applied()).toEqual([{ changes: [{ projectRole }] }]);
});

it("adds several roles at once, each once", async () => {
  const { service, applied } = changingWorld();
  openConsole("/project?id=p-shop", askedBy(service, "shop", "PROJECT_OWNER"));
  fireEvent.click(await button("Add roles"));
  const box = await dialog("Add roles");
  type("Name (optional)", "Cashier");
  type("Key, or several with commas", "cashier, buyer,, cashier ,");
  type("Group (optional)", "staff");
  expect(within(box).queryByLabelText("Name (optional)")).toBeNull();
  const hint = within(box).getByText("Each key becomes a role. You can name the roles once they are added.");
  expect(within(box).getByLabelText("Key, or several with commas").getAttribute("aria-describedby")).toBe(hint.id);
  submit(box, "Add");
  await screen.findByText("2 roles are added.");
  const role = (key: string) => ({ projectRole: { projectId: "p-shop", key, group: "staff" } });
  expect(applied()).toEqual([{ changes: [role("cashier"), role("buyer")] }]);
});

it("doesn't add a role with a key that the project has", async () => {
  const { service, applied } = changingWorld();
  openConsole("/project?id=p-shop", askedBy(service, "shop", "PROJECT_OWNER"));
  fireEvent.click(await button("Add roles"));
  const box = await dialog("Add roles");
  type("Key, or several with commas", "cashier, seller");
  expect(within(box).getByText("The project has a role with this key already.")).toBeDefined();
  submit(box, "Add");
  expect(applied()).toEqual([]);
});

it("renames a role and moves it to another group, under its key", async () => {
  const { service, applied } = changingWorld();
  openConsole("/project?id=p-shop", askedBy(service, "acme", "ORG_OWNER"));
  fireEvent.click(await button("Edit the role Seller"));
  const box = await dialog("Edit the role Seller");
  expect(within(box).queryByLabelText("Key, or several with commas")).toBeNull();
  type("Name (optional)", "Salesperson");
  type("Group (optional)", "");
  submit(box, "Save");
  await screen.findByText("The role Salesperson is changed.");
  expect(applied()).toEqual([
    { changes: [{ projectRole: { projectId: "p-shop", key: "seller", displayName: "Salesperson", description: "" } }] },
  ]);
});

it("says what removing a role takes along, as a dry run counts it, and removes it only then", async () => {
  const { service, applied, counted } = changingWorld(({ dryRun }) => ({
    authorizations: dryRun
      ? [
          { projectId: "p-shop", organizationId: "acme", changed: 200 },
          { projectId: "p-shop", organizationId: "globex", changed: 13 },
          { projectId: "p-shop", organizationId: "other", changed: 1 },
        ]
      : [],
  }));
  openConsole("/project?id=p-shop", askedBy(service, "acme", "ORG_OWNER"));
  fireEvent.click(await button("Remove the role Seller"));
  const box = await dialog("Remove the role Seller?");
  const text = "Removes roles from 214 assignments you can see in 3 organizations, and from any you cannot see.";
  expect(await within(box).findByText(text)).toBeDefined();
  expect(within(box).getByText("This can't be undone.")).toBeDefined();
  const changes = [{ remove: { projectRole: { projectId: "p-shop", key: "seller" } } }];
  expect(counted()).toEqual([{ changes, dryRun: true }]);
  expect(applied()).toEqual([]);
  fireEvent.submit(box.querySelector("form") as HTMLFormElement);
  expect(applied()).toEqual([]);
  submit(box, "Remove");
  await screen.findByText("The role Seller is removed.");
  expect(applied()).toEqual([{ changes }]);
});

it("changes the roles of a grant, and counts what the organization loses", async () => {
  const { service, applied, counted } = changingWorld();
  openConsole("/project?id=p-shop", askedBy(service, "shop", "PROJECT_OWNER"));
  fireEvent.click(await button("Edit the grant to Globex"));
  const box = await dialog("Edit the grant to Globex");
  await waitFor(() => expect(counted()).toHaveLength(1));
  fireEvent.click(within(box).getByRole("checkbox", { name: /Auditor/ }));
  fireEvent.click(within(box).getByRole("checkbox", { name: /Seller/ }));
  expect(await within(box).findByText("Changes no assignment that you can see. There may be others.")).toBeDefined();
  submit(box, "Save");
  await screen.findByText("The grant to Globex is changed.");
  const projectGrant = { id: "g-1", projectId: "p-shop", organizationId: "globex", roleKeys: ["seller"] };
  expect(applied()).toEqual([{ changes: [{ projectGrant }] }]);
});

it("ends a grant, and says how many assignments go with it", async () => {
  const { service, applied } = changingWorld(() => ({
    authorizations: [{ projectId: "p-shop", organizationId: "globex", removed: 1 }],
  }));
  openConsole("/project?id=p-shop", askedBy(service, "shop", "PROJECT_OWNER"));
  fireEvent.click(await button("Remove the grant to Globex"));
  const box = await dialog("Remove the grant to Globex?");
  await within(box).findByText("Deletes 1 assignment you can see in 1 organization, and any you cannot see.");
  submit(box, "Remove");
  await screen.findByText("The grant to Globex is removed.");
  expect(applied()).toEqual([{ changes: [{ remove: { projectGrantId: "g-1" } }] }]);
});

it.each([
  [{ changed: 200, removed: 0 }, "Removes roles from 200 assignments in 1 organization."],
  [{ changed: 0, removed: 3 }, "Deletes 3 assignments in 1 organization."],
  [undefined, "Changes no assignment."],
])("to a reader who sees everything, no assignments are mentioned that can't be seen: %j", async (counts, text) => {
  const { service } = changingWorld(() => ({
    authorizations: counts ? [{ projectId: "p-shop", organizationId: "acme", ...counts }] : [],
  }));
  openConsole("/project?id=p-shop", askedBy(service, "instance", "IAM_OWNER"));
  fireEvent.click(await button("Remove the role Seller"));
  await within(await dialog("Remove the role Seller?")).findByText(text);
});

it("grants the project to an organization", async () => {
  const { service, applied } = changingWorld();
  openConsole("/project?id=p-shop", askedBy(service, "shop", "PROJECT_OWNER"));
  fireEvent.click(await button("Grant to an organization"));
  const box = await dialog("Grant Shop to an organization");
  const field = within(box).getByRole("combobox", { name: "Organization" });
  fireEvent.input(field, { target: { value: "Glo" }, inputType: "insertText" });
  fireEvent.click(await screen.findByRole("option", { name: /Globex/ }));
  fireEvent.click(within(box).getByRole("checkbox", { name: /Seller/ }));
  submit(box, "Grant");
  await screen.findByText("The project is granted to Globex.");
  const id = expect.stringMatching(/^[-\da-f]{36}$/);
  const projectGrant = { id, projectId: "p-shop", organizationId: "globex", roleKeys: ["seller"] };
  expect(applied()).toEqual([{ changes: [{ projectGrant }] }]);
});

it("a refusal is shown in its dialog with everything typed, and trying again sends the same", async () => {
  let isRefused = true;
  const { service, applied } = changingWorld(({ dryRun }) => {
    if (dryRun || !isRefused) return {};
    isRefused = false;
    throw new ConnectError("no", Code.PermissionDenied);
  });
  openConsole("/project?id=p-shop", askedBy(service, "shop", "PROJECT_OWNER"));
  fireEvent.click(await button("Rename"));
  const box = await dialog("Rename Shop");
  type("Name", "Store");
  submit(box, "Rename");
  expect(await within(box).findByRole("alert")).toBeDefined();
  expect(within(box).getByLabelText<HTMLInputElement>("Name").value).toBe("Store");
  submit(box, "Rename");
  await screen.findByText("It is called Store now.");
  const change = { changes: [{ project: { id: "p-shop", organizationId: "acme", name: "Store" } }] };
  expect(applied()).toEqual([change, change]);
});

it("without an answer, it says that the change may have been made, and that trying again is safe", async () => {
  const { service } = changingWorld(() => {
    throw new ConnectError("gone", Code.Unavailable);
  });
  openConsole("/project?id=p-shop", askedBy(service, "shop", "PROJECT_OWNER"));
  fireEvent.click(await button("Rename"));
  const box = await dialog("Rename Shop");
  type("Name", "Store");
  submit(box, "Rename");
  expect((await within(box).findByRole("alert")).textContent).toMatch(/may have been made. It is safe to try again/);
});

it("removes a project, and goes on to the others", async () => {
  const { service, applied } = changingWorld();
  const { router } = openConsole("/project?id=p-shop", askedBy(service, "shop", "PROJECT_OWNER"));
  const actions = (await screen.findByRole("heading", { level: 1, name: "Shop" })).closest("header") as HTMLElement;
  fireEvent.click(await within(actions).findByRole("button", { name: "Remove" }));
  submit(await dialog("Remove Shop?"), "Remove");
  await waitFor(() => expect(router.state.location.pathname).toBe("/projects"));
  expect(applied()).toEqual([{ changes: [{ remove: { projectId: "p-shop" } }] }]);
});

it.each([
  ["globex", "ORG_OWNER", "Globex"],
  ["shop", "PROJECT_OWNER_VIEWER", "Shop"],
] as const)("offers nothing to someone without rights there: in %s as %s", async (scope, role, name) => {
  openConsole("/project?id=p-shop", askedBy(changingWorld().service, scope, role));
  await section("Grants");
  await screen.findAllByText(`None that you can see. Your administrator roles are for ${name}.`);
  const buttons = screen.getAllByRole("button").map(({ textContent }) => textContent);
  for (const label of ["Edit", "Remove", "Rename", "Add roles"]) expect(buttons).not.toContain(label);
});

it("offers what a right covers, and nothing more", async () => {
  openConsole("/project?id=p-shop", askedBy(changingWorld().service, "acme", "ORG_PROJECT_PERMISSION_EDITOR"));
  await button("Remove the grant to Globex");
  expect(
    screen.getAllByRole("button", { name: /^(Edit|Remove)/ }).map((one) => one.getAttribute("aria-label")),
  ).toEqual(["Edit the grant to Globex", "Remove the grant to Globex"]);
  for (const name of ["Rename", "Add roles", "Add administrator"]) {
    expect(screen.queryByRole("button", { name })).toBeNull();
  }
});

it("grants all roles at once, and none only after saying what is missing", async () => {
  const { service, applied } = changingWorld();
  openConsole("/project?id=p-shop", askedBy(service, "acme", "ORG_OWNER"));
  fireEvent.click(await button("Grant to an organization"));
  const box = await dialog("Grant Shop to an organization");
  const field = within(box).getByRole("combobox", { name: "Organization" });
  fireEvent.input(field, { target: { value: "Glo" }, inputType: "insertText" });
  fireEvent.click(await screen.findByRole("option", { name: /Globex/ }));
  expect(within(box).getByText("Pick at least one role.")).toBeDefined();
  const grant = within(box).getByRole("button", { name: "Grant" });
  expect(grant.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(grant);
  fireEvent.click(within(box).getByRole("checkbox", { name: "All roles" }));
  expect(applied()).toEqual([]);
  submit(box, "Grant");
  await screen.findByText("The project is granted to Globex.");
  expect(applied()).toMatchObject([{ changes: [{ projectGrant: { roleKeys: ["auditor", "guest", "seller"] } }] }]);
});

it("sends nothing while a field shows a text that was not picked, and leads to the field", async () => {
  const { service, applied } = changingWorld();
  openConsole("/projects?organization=acme", askedBy(service, "instance", "IAM_OWNER"));
  fireEvent.click(await button("Add project"));
  const box = await dialog("Add a project");
  const owner = within(box).getByRole<HTMLInputElement>("combobox", { name: "Organization that owns it" });
  await waitFor(() => expect(owner.value).toBe("Acme"));
  fireEvent.change(within(box).getByLabelText("Name"), { target: { value: "Till" } });
  fireEvent.input(owner, { target: { value: "Glo" }, inputType: "insertText" });
  // The open list hides what is behind it.
  fireEvent.click(within(box).getByRole("button", { name: "Add", hidden: true }));
  expect(document.activeElement).toBe(owner);
  expect(owner.value).toBe("Glo");
  fireEvent.click(await screen.findByRole("option", { name: /Globex/ }));
  submit(box, "Add");
  await screen.findByText("Till is added.");
  expect(applied()).toMatchObject([{ changes: [{ project: { name: "Till", organizationId: "globex" } }] }]);
});

it("says before that roles which are taken from a grant can't be given back by undoing", async () => {
  openConsole("/project?id=p-shop", askedBy(changingWorld().service, "acme", "ORG_OWNER"));
  fireEvent.click(await button("Edit the grant to Globex"));
  const box = await dialog("Edit the grant to Globex");
  fireEvent.click(within(box).getByRole("checkbox", { name: /Seller/ }));
  expect(within(box).queryByText("This can't be undone.")).toBeNull();
  fireEvent.click(within(box).getByRole("checkbox", { name: /Auditor/ }));
  expect(within(box).getByText("This can't be undone.")).toBeDefined();
});

it("adds a project with roles, a grant and an owner as one change", async () => {
  const { service, applied } = changingWorld();
  openConsole("/projects?organization=acme", askedBy(service, "instance", "IAM_OWNER"));
  fireEvent.click(await button("Add project"));
  const box = await dialog("Add a project");
  const pick = async (name: RegExp, text: string, option: RegExp) => {
    fireEvent.input(within(box).getByRole("combobox", { name }), { target: { value: text }, inputType: "insertText" });
    fireEvent.click(await screen.findByRole("option", { name: option }));
  };
  fireEvent.change(within(box).getByLabelText("Name"), { target: { value: "Till" } });
  await pick(/^Grant/, "Acme", /Acme/);
  await within(box).findByText("It owns the project, so it needs no grant.");
  await pick(/^Grant/, "Globex", /Globex/);
  await within(box).findByText("A grant needs a role.");
  fireEvent.click(within(box).getByRole("button", { name: "Add" }));
  expect(applied()).toEqual([]);
  fireEvent.change(within(box).getByLabelText(/^Roles/), { target: { value: "seller, auditor" } });
  await pick(/^Person/, "Ann", /Ann Keller/);
  submit(box, "Add");
  await screen.findByText("Till is added.");
  expect(applied()).toMatchObject([
    {
      changes: [
        { project: { name: "Till", organizationId: "acme" } },
        { projectRole: { key: "seller" } },
        { projectRole: { key: "auditor" } },
        { projectGrant: { organizationId: "globex", roleKeys: ["auditor", "seller"] } },
        { administrator: { userId: "u-ann", roles: ["PROJECT_OWNER"] } },
      ],
    },
  ]);
});
