import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { askedBy } from "../directory/callers.ts";
import { acme, ann } from "../directory/world.ts";
import { type FakeService, openConsole } from "../support/console.tsx";
import { changingWorld } from "./changes.ts";
// Loaded before, so that no test waits for it.
import "../../src/administrators/administrators-page.tsx";
import "../../src/organization/organization-page.tsx";

const dialog = (name: string) => screen.findByRole("dialog", { name });
const submit = (box: HTMLElement, name: string) => fireEvent.click(within(box).getByRole("button", { name }));

const optionsIn = (box: HTMLElement, kind: "radio" | "checkbox") =>
  within(box)
    .getAllByRole(kind)
    .map((option) => option.parentElement?.querySelector("strong")?.textContent);

async function pick(box: HTMLElement, label: string, text: string, name: RegExp) {
  const field = within(box).getByRole("combobox", { name: label });
  fireEvent.input(field, { target: { value: text }, inputType: "insertText" });
  fireEvent.click(await screen.findByRole("option", { name }));
}

function withEntry(service: FakeService, ...roles: string[]): FakeService {
  const scope = { scope: { case: "organization" as const, value: acme } };
  return {
    ...service,
    directory: { ...service.directory, listAdministrators: () => ({ entries: [{ user: ann, scope, roles }] }) },
  };
}

it("makes a person an administrator, with roles that the reader may give and what each allows", async () => {
  const { service, applied } = changingWorld();
  openConsole("/organization?id=acme", askedBy(service, "acme", "ORG_OWNER"));
  fireEvent.click(await screen.findByRole("button", { name: "Add administrator" }));
  const box = await dialog("Add an administrator of Acme");
  await pick(box, "Person", "Ann", /Ann Keller/);
  const role = await within(box).findByRole("checkbox", { name: /^Manager of people/ });
  expect(within(box).getByText("manages its people and assignments")).toBeDefined();
  expect(optionsIn(box, "radio")).toEqual(["Owner", "Manager of assignments", "Viewer"]);
  expect(optionsIn(box, "checkbox")).toEqual(["Manager of people", "Manager of assignments and grants"]);
  submit(box, "Save");
  expect(applied()).toEqual([]);
  fireEvent.click(role);
  submit(box, "Save");
  await screen.findByText("Ann Keller is an administrator of Acme.");
  const administrator = { userId: "u-ann", organizationId: "acme", roles: ["ORG_USER_MANAGER"] };
  expect(applied()).toEqual([{ changes: [{ administrator }] }]);
});

it("a level replaces what it includes or is part of, and what includes nothing of the others is chosen together", async () => {
  const { service, applied } = changingWorld();
  openConsole("/organization?id=acme", askedBy(withEntry(service, "ORG_OWNER_VIEWER"), "acme", "ORG_OWNER"));
  fireEvent.click(await screen.findByRole("button", { name: "Add administrator" }));
  const box = await dialog("Add an administrator of Acme");
  await pick(box, "Person", "Ann", /Ann Keller/);
  await within(box).findByText("This person is already an administrator there. You are changing these roles.");
  expect(within(box).getByRole<HTMLInputElement>("radio", { name: /^Viewer/ }).checked).toBe(true);
  expect(within(box).queryByRole("radio", { name: /^As now/ })).toBeNull();
  fireEvent.click(within(box).getByRole("checkbox", { name: /^Manager of people/ }));
  fireEvent.click(within(box).getByRole("checkbox", { name: /^Manager of assignments and grants/ }));
  expect(
    within(box)
      .getAllByRole<HTMLInputElement>("radio")
      .some(({ checked }) => checked),
  ).toBe(false);
  submit(box, "Save");
  await screen.findByText("Ann Keller is an administrator of Acme.");
  const roles = ["ORG_PROJECT_PERMISSION_EDITOR", "ORG_USER_MANAGER"];
  expect(applied()).toEqual([{ changes: [{ administrator: { userId: "u-ann", organizationId: "acme", roles } }] }]);
});

it("roles that are held in another combination stay until a level is chosen", async () => {
  const { service, applied } = changingWorld();
  const told = withEntry(service, "ORG_OWNER_VIEWER", "ORG_USER_MANAGER");
  openConsole("/administrators", askedBy(told, "acme", "ORG_OWNER"));
  const edit = async () => {
    fireEvent.click(await screen.findByRole("button", { name: "Edit the administrator roles of Ann Keller of Acme" }));
    const box = await dialog("What Ann Keller administers of Acme");
    await within(box).findByText(/^As now: Viewer and Manager of people\./);
    return box;
  };
  const kept = await edit();
  submit(kept, "Save");
  await screen.findByText("Ann Keller is an administrator of Acme.");
  const box = await edit();
  const people = within(box).getByRole<HTMLInputElement>("checkbox", { name: /^Manager of people/ });
  expect(people.checked).toBe(false);
  fireEvent.click(people);
  expect([people.checked, within(box).queryByText(/^As now/)]).toEqual([true, null]);
  submit(box, "Save");
  await waitFor(() => expect(applied()).toHaveLength(2));
  const sent = (...roles: string[]) => ({
    changes: [{ administrator: { userId: "u-ann", organizationId: "acme", roles } }],
  });
  expect(applied()).toEqual([sent("ORG_OWNER_VIEWER", "ORG_USER_MANAGER"), sent("ORG_USER_MANAGER")]);
});

it("takes an entry, and says whose and where", async () => {
  const { service, applied } = changingWorld();
  openConsole("/administrators", askedBy(withEntry(service, "ORG_OWNER"), "acme", "ORG_OWNER"));
  fireEvent.click(await screen.findByRole("button", { name: "Remove the administrator roles of Ann Keller of Acme" }));
  submit(await dialog("Remove Ann Keller from the administrators of Acme?"), "Remove");
  await screen.findByText("Ann Keller is no longer an administrator of Acme.");
  const administrator = { userId: "u-ann", organizationId: "acme" };
  expect(applied()).toEqual([{ changes: [{ remove: { administrator } }] }]);
});

it("an entry with roles that the reader lacks can be neither changed nor taken", async () => {
  const told = withEntry(changingWorld().service, "ORG_OWNER");
  openConsole("/administrators", askedBy(told, "acme", "ORG_USER_MANAGER"));
  await screen.findByRole("list", { name: "Administrators" });
  await screen.findByRole("link", { name: /^Reader/ });
  expect(screen.queryByRole("button", { name: /administrator roles of Ann/ })).toBeNull();
  expect(screen.queryByRole("button", { name: "Add administrator" })).toBeNull();
});

it("of everything, a grant or another place: where, who, and the roles there", async () => {
  const { service, applied } = changingWorld();
  openConsole("/administrators", askedBy(service, "globex", "ORG_OWNER"));
  fireEvent.click(await screen.findByRole("button", { name: "Add administrator" }));
  const box = await dialog("Add administrator");
  const levels = within(box).getByLabelText<HTMLSelectElement>("Where");
  expect([...levels.options].map(({ value }) => value)).toEqual(["organization", "project", "projectGrant"]);
  fireEvent.change(levels, { target: { value: "project" } });
  await pick(box, "Project", "Shop", /Shop/);
  await within(box).findByText("You can't give administrator roles there.");
  fireEvent.change(levels, { target: { value: "projectGrant" } });
  await pick(box, "Organization", "Acme", /Acme/);
  await within(box).findByText("The project is not granted to this organization.");
  await pick(box, "Organization", "Globex", /Globex/);
  await pick(box, "Person", "Ann", /Ann Keller/);
  fireEvent.click(await within(box).findByRole("radio", { name: /^Viewer/ }));
  submit(box, "Save");
  await screen.findByText("Ann Keller is an administrator of Shop as granted to Globex.");
  const administrator = { userId: "u-ann", projectGrantId: "g-1", roles: ["PROJECT_GRANT_OWNER_VIEWER"] };
  expect(applied()).toEqual([{ changes: [{ administrator }] }]);
});
