import { TextFilterMethod } from "@authorization-service/client";
import { ChangeOutcome_Effect, type ListUsersRequest } from "@authorization-service/client/directory";
import { Code, ConnectError } from "@connectrpc/connect";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { askedBy } from "../directory/callers.ts";
import { openConsole } from "../support/console.tsx";
import { changingWorld } from "./changes.ts";
// Loaded before, so that no test waits for it.
import "../../src/people/people-page.tsx";
import "../../src/person/person-page.tsx";

beforeEach(() => {
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  return () => vi.unstubAllGlobals();
});

const ann = { id: "u-ann", organizationId: "acme", displayName: "Ann Keller", preferredLoginName: "ann@acme.example" };
const button = (name: string) => screen.findByRole("button", { name });
const dialog = (name: string) => screen.findByRole("dialog", { name });
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const submit = (box: HTMLElement, name: string) => fireEvent.click(within(box).getByRole("button", { name }));

async function pick(box: HTMLElement, label: string, name: string) {
  const field = within(box).getByRole("combobox", { name: label });
  fireEvent.input(field, { target: { value: name }, inputType: "insertText" });
  fireEvent.click(await screen.findByRole("option", { name: new RegExp(name) }));
}

it("edits a person, and keeps what is not edited", async () => {
  const { service, applied } = changingWorld();
  openConsole("/person?id=u-ann", askedBy(service, "acme", "ORG_USER_MANAGER"));
  fireEvent.click(await button("Edit"));
  const box = await dialog("Edit Ann Keller");
  type("Name", "Ann Miller");
  submit(box, "Save");
  await screen.findByText("Ann Miller is changed.");
  expect(applied()).toEqual([{ changes: [{ user: { ...ann, displayName: "Ann Miller" } }] }]);
});

it("moves a person to another organization", async () => {
  const { service, applied } = changingWorld();
  openConsole("/person?id=u-ann", askedBy(service, "instance", "IAM_ORG_MANAGER"));
  fireEvent.click(await button("Edit"));
  const box = await dialog("Edit Ann Keller");
  expect(within(box).queryByText(/^The person keeps all assignments/)).toBeNull();
  await pick(box, "Organization", "Globex");
  await within(box).findByText(/^The person keeps all assignments/);
  submit(box, "Save");
  await screen.findByText("Ann Keller is changed.");
  expect(applied()).toEqual([{ changes: [{ user: { ...ann, organizationId: "globex" } }] }]);
});

it("adds a person to the organization that is shown, and shows the person", async () => {
  const { service, applied } = changingWorld();
  const { router } = openConsole("/people?organization=acme", askedBy(service, "acme", "ORG_OWNER"));
  fireEvent.click(await button("Add person"));
  const box = await dialog("Add a person");
  type("Name", "Bea Long");
  type("Login name", "bea@acme.example");
  type("Id", "u-bea");
  submit(box, "Add");
  await waitFor(() => expect(router.state.location.search).toEqual({ id: "u-bea" }));
  const user = { id: "u-bea", organizationId: "acme", displayName: "Bea Long", preferredLoginName: "bea@acme.example" };
  expect(applied()).toEqual([{ changes: [{ user }] }]);
});

describe("A login name", () => {
  const twin = { ...ann, id: "u-twin", organizationId: "globex" };
  const hidden = { ...ann, id: "u-hidden", organizationId: "hidden", preferredLoginName: "Zoe" };

  /** The service: in exact case it also finds those that the reader doesn't see. */
  function listUsers({ filters }: ListUsersRequest) {
    const filter = filters[0]?.filter;
    if (filter?.case !== "preferredLoginName") return { users: [ann] };
    const { text, method } = filter.value;
    const isExact = method === TextFilterMethod.EQUALS;
    const same = (name: string) => (isExact ? name === text : name.toLowerCase() === text.toLowerCase());
    return { users: [ann, twin, ...(isExact ? [hidden] : [])].filter((user) => same(user.preferredLoginName)) };
  }

  function open(at: string) {
    const { service, applied } = changingWorld();
    openConsole(at, askedBy({ ...service, directory: { ...service.directory, listUsers } }, "acme", "ORG_OWNER"));
    return applied;
  }

  async function adding(loginName: string) {
    const applied = open("/people?organization=acme");
    fireEvent.click(await button("Add person"));
    const box = await dialog("Add a person");
    type("Login name", loginName);
    return { box, applied };
  }

  it("of someone else is warned about, with their organizations and ids, and can be used all the same", async () => {
    const { box, applied } = await adding("ann@acme.example");
    await within(box).findByText(/^Someone else has this login name, too/);
    await waitFor(() =>
      expect(
        within(box)
          .getAllByRole("listitem")
          .map(({ textContent }) => textContent),
      ).toEqual(["Ann Keller ann@acme.example · Acme · u-ann", "Ann Keller ann@acme.example · Globex · u-twin"]),
    );
    type("Id", "u-new");
    submit(box, "Add");
    await waitFor(() => expect(applied()).toMatchObject([{ changes: [{ user: { id: "u-new" } }] }]));
  });

  it("that is someone else's but for upper and lower case is warned about", async () => {
    const { box } = await adding("ANN@acme.example");
    await within(box).findByText(/^Someone else has a login name that looks like this one/);
    expect(within(box).getAllByRole("listitem")).toHaveLength(2);
  });

  it("of someone the reader doesn't see is warned about", async () => {
    const { box } = await adding("Zoe");
    await within(box).findByText(/^Someone else has this login name, too/);
    await within(box).findByText("another organization");
  });

  it("that no one has is not warned about, nor one's own", async () => {
    open("/person?id=u-ann");
    fireEvent.click(await button("Edit"));
    const box = await dialog("Edit Ann Keller");
    type("Login name", "someone new");
    type("Login name", "ANN@acme.example");
    await within(box).findByText(/^Someone else has a login name that looks like this one/);
    expect(
      within(box)
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent),
    ).toEqual([expect.stringContaining("u-twin")]);
    type("Login name", "ann@acme.example");
    await waitFor(() => expect(within(box).queryByRole("listitem")).toBeNull());
  });
});

it("says that an id is taken, and never overwrites the person who has it", async () => {
  const before = { change: { case: "user" as const, value: ann } };
  const { service, applied } = changingWorld(({ dryRun, changes }) =>
    dryRun && changes.some(({ change }) => change.case === "user" && change.value.id === ann.id)
      ? { version: "v1", outcomes: [{ effect: ChangeOutcome_Effect.CHANGED, before, after: changes[0] }] }
      : { version: "v2" },
  );
  openConsole("/people?organization=acme", askedBy(service, "acme", "ORG_OWNER"));
  fireEvent.click(await button("Add person"));
  const box = await dialog("Add a person");
  await waitFor(() =>
    expect(within(box).getByRole<HTMLInputElement>("combobox", { name: "Organization" }).value).toBe("Acme"),
  );
  type("Name", "Bea Long");
  type("Login name", "bea@acme.example");
  type("Id", "u-ann");
  submit(box, "Add");
  const notice = await within(box).findByRole("alert");
  expect(notice.textContent).toContain("This id is taken");
  expect(applied()).toEqual([]);

  type("Id", "u-other");
  submit(box, "Add");
  await screen.findByText("Bea Long is added.");
  const user = {
    id: "u-other",
    organizationId: "acme",
    displayName: "Bea Long",
    preferredLoginName: "bea@acme.example",
  };
  expect(applied()).toEqual([{ changes: [{ user }], ifVersion: "v2" }]);
});

it("sends a new person again after an answer was lost, although the person is there by now", async () => {
  let sent = 0;
  const { service } = changingWorld(({ dryRun, changes }) => {
    if (dryRun)
      return { version: "v1", outcomes: sent === 0 ? [] : changes.map(() => ({ effect: ChangeOutcome_Effect.NONE })) };
    sent += 1;
    if (sent === 1) throw new ConnectError("gone", Code.Unavailable);
    return {};
  });
  openConsole("/people?organization=acme", askedBy(service, "acme", "ORG_OWNER"));
  fireEvent.click(await button("Add person"));
  const box = await dialog("Add a person");
  type("Login name", "bea@acme.example");
  submit(box, "Add");
  await within(box).findByText(/may have been made/);
  submit(box, "Add");
  await screen.findByText("bea@acme.example is added.");
});

it("makes a person an administrator from the person's own page", async () => {
  const { service, applied } = changingWorld();
  openConsole("/person?id=u-ann", askedBy(service, "acme", "ORG_OWNER"));
  fireEvent.click(await button("Add administrator role"));
  const box = await dialog("Add an administrator role for Ann Keller");
  await pick(box, "Organization", "Acme");
  fireEvent.click(await within(box).findByRole("checkbox", { name: /^Manager of people/ }));
  submit(box, "Save");
  await waitFor(() => expect(applied()).toMatchObject([{ changes: [{ administrator: { userId: "u-ann" } }] }]));
});

it("starts a new person in the reader's own organization", async () => {
  openConsole("/people", askedBy(changingWorld().service, "acme", "ORG_OWNER"));
  fireEvent.click(await button("Add person"));
  const box = await dialog("Add a person");
  await waitFor(() =>
    expect(within(box).getByRole<HTMLInputElement>("combobox", { name: "Organization" }).value).toBe("Acme"),
  );
});

it("a login client edits people, but is offered neither to move nor to remove them", async () => {
  openConsole("/person?id=u-ann", askedBy(changingWorld().service, "instance", "IAM_LOGIN_CLIENT"));
  fireEvent.click(await button("Edit"));
  const box = await dialog("Edit Ann Keller");
  expect(within(box).queryByRole("combobox", { name: "Organization" })).toBeNull();
});

it.each([
  ["globex", "ORG_OWNER"],
  ["acme", "ORG_OWNER_VIEWER"],
] as const)("offers nothing to someone without rights there: in %s as %s", async (scope, role) => {
  openConsole("/person?id=u-ann", askedBy(changingWorld().service, scope, role));
  await screen.findByText("ann@acme.example");
  await screen.findByRole("link", { name: "Shop" });
  for (const name of ["Edit", "Create token"]) {
    expect(screen.queryByRole("button", { name })).toBeNull();
  }
});
