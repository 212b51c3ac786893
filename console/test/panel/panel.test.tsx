import {
  type AuthorizationEvent,
  AuthorizationEventSchema,
  AuthorizationSchema,
  RoleSchema,
  State,
} from "@authorization-service/client";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, onTestFinished } from "vitest";
import { Roles } from "../../src/panel/details.tsx";
import { type FakeService, openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/panel/panel.tsx";

const noon = timestampFromDate(new Date("2026-01-31T12:00:00Z"));
const bob = { id: "bob", displayName: "Bob", preferredLoginName: "bob@globex.example", organizationId: "globex" };
const shop = { id: "shop", name: "Shop", organizationId: "acme" };
const globex = { id: "globex", name: "Globex" };

const assignment = create(AuthorizationSchema, {
  id: "a-1",
  creationDate: noon,
  changeDate: noon,
  user: bob,
  project: shop,
  organization: globex,
  state: State.ACTIVE,
  roles: [
    { key: "audit", displayName: "Auditor", group: "Control" },
    { key: "raw" },
    { key: "seller", displayName: "Seller", group: "" },
  ],
});

type Told = Exclude<MessageInitShape<typeof AuthorizationEventSchema>, AuthorizationEvent>;

function event(sequence: number, told: Told) {
  return create(AuthorizationEventSchema, {
    sequence: BigInt(sequence),
    authorizationId: "a-1",
    time: timestampFromDate(new Date(Date.UTC(2026, 0, sequence))),
    user: bob,
    project: shop,
    organization: globex,
    state: State.ACTIVE,
    ...told,
  });
}

/** Answers events, given newest first, in pages as long as asked. */
function pagesOf(events: AuthorizationEvent[]): NonNullable<FakeService["history"]> {
  return {
    listAuthorizationEvents: ({ pagination }) => {
      const start = Number(pagination?.pageToken || 0);
      const end = start + (pagination?.limit ?? 0);
      return {
        pagination: { totalResult: events.length, nextPageToken: end < events.length ? String(end) : "" },
        events: events.slice(start, end),
      };
    },
  };
}

const permissions = ["read", "write", "delete"].map((name) => ({ permission: `user.grant.${name}`, held: false }));

/** One assignment of Bob's, who asks for it himself. */
function service(told: FakeService & { isGone?: boolean } = {}): FakeService {
  return {
    authorizations: {
      listAuthorizations: ({ filters }) => {
        const isOfPanel = filters[0]?.filter.case === "authorizationIds";
        const isListed = !isOfPanel || !told.isGone;
        return { pagination: { totalResult: 1 }, authorizations: isListed ? [assignment] : [] };
      },
    },
    directory: { listOrganizations: () => ({ organizations: [{ id: "acme", name: "Acme" }] }) },
    history: pagesOf([event(1, { type: "user.grant.added", roles: assignment.roles })]),
    ...told,
    caller: { explainAccess: () => ({ sees: true, own: true, permissions }), ...told.caller },
  };
}

/** The panel itself, not what stands for it while its code is loaded. */
async function panel(): Promise<HTMLElement> {
  const heading = await screen.findByRole("heading", { level: 2 });
  return heading.closest("aside") as HTMLElement;
}

it("tells whose the assignment is, where, by whom it is granted, and in which state", async () => {
  openConsole("/assignments?id=a-1", service());
  const shown = within(await panel());
  expect(await shown.findByRole("heading", { name: "Bob" })).toBeDefined();
  expect(shown.getByText("bob@globex.example")).toBeDefined();
  expect(await shown.findByText("granted to it by Acme")).toBeDefined();
  expect(shown.getByText("Active")).toBeDefined();
  const times = [...(await panel()).querySelectorAll(".facts time")];
  expect(times.map((time) => time.getAttribute("title")?.endsWith("\n2026-01-31 12:00:00 UTC"))).toEqual([true, true]);
});

it("an organization that the reader may not know is another organization, not an id", async () => {
  openConsole("/assignments?id=a-1", service({ directory: { listOrganizations: () => ({}) } }));
  expect(await within(await panel()).findByText("granted to it by another organization")).toBeDefined();
});

it("lists the roles by group, with their keys, those without a group last", async () => {
  openConsole("/assignments?id=a-1", service());
  const shown = within(await panel());
  await shown.findByRole("heading", { name: "Roles 3" });
  const groups = shown.getAllByRole("heading", { level: 4 });
  expect(groups.map(({ parentElement }) => parentElement?.textContent)).toEqual([
    "ControlAuditor audit",
    "No groupraw Seller seller",
  ]);
});

it("of very many roles it lists the first, and all on request", async () => {
  const many = Array.from({ length: 160 }, (_, index) => ({ key: `role-${index}`, group: "Staff" }));
  render(<Roles roles={many.map((role) => create(RoleSchema, role))} />);
  onTestFinished(cleanup);
  expect(screen.getByRole("heading", { name: "Roles 160" })).toBeDefined();
  expect(screen.getAllByRole("listitem")).toHaveLength(100);
  fireEvent.click(screen.getByRole("button", { name: "Show more (60)" }));
  expect(screen.getAllByRole("listitem")).toHaveLength(160);
});

it("links to the pages of whom and what it is about", async () => {
  openConsole("/assignments?id=a-1", service());
  const shown = within(await panel());
  await shown.findByRole("heading", { name: "Details" });
  const hrefOf = (name: string) => shown.getByRole("link", { name }).getAttribute("href");
  expect(["Bob", "Shop", "Globex"].map(hrefOf)).toEqual([
    "/person?id=bob",
    "/project?id=shop",
    "/organization?id=globex",
  ]);
});

it("one opened by a click takes the focus to its heading, and Escape gives it back to the row", async () => {
  const { router } = openConsole("/assignments", service());
  const row = await screen.findByRole("button", { name: /^Bob/ });
  row.focus();
  fireEvent.click(row);
  const heading = await within(await panel()).findByRole("heading", { level: 2 });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(router.state.location.search).toEqual({ id: "a-1" });

  fireEvent.keyDown(heading, { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("complementary")).toBeNull());
  expect(router.state.location.search).toEqual({});
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: /^Bob/ })));
});

it("one that comes while the reader writes takes no focus", async () => {
  const field = document.body.appendChild(document.createElement("input"));
  field.focus();
  openConsole("/assignments?id=a-1", service());
  await within(await panel()).findByRole("heading", { name: "Bob" });
  expect(document.activeElement).toBe(field);
  field.remove();
});

it("Escape in a dialog that is open in it leaves the panel open", async () => {
  const { router } = openConsole("/assignments?id=a-1", service());
  const shown = await panel();
  const dialog = shown.appendChild(document.createElement("dialog"));
  const button = dialog.appendChild(document.createElement("button"));
  fireEvent.keyDown(button, { key: "Escape" });
  // What comes after a panel that were closed would not have it either.
  await act(() => router.navigate({ to: "/assignments", search: (now) => ({ ...now, sort: "changed" }) }));
  expect(router.state.location.search).toEqual({ id: "a-1", sort: "changed" });

  dialog.remove();
  fireEvent.keyDown(shown, { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("complementary")).toBeNull());
});

it("an assignment that is gone tells what became of it", async () => {
  const roleKeysBefore = assignment.roles.map(({ key }) => key);
  const actor = { displayName: "Carol" };
  const removed = event(2, {
    type: "user.grant.removed",
    state: State.UNSPECIFIED,
    actor,
    roleKeysBefore,
    reason: "left",
  });
  const added = event(1, { type: "user.grant.added", roles: assignment.roles });
  openConsole("/assignments?id=a-1", service({ isGone: true, history: pagesOf([removed, added]) }));
  const shown = within(await panel());
  expect(await shown.findByRole("heading", { name: "This assignment was deleted, or you can't see it" })).toBeDefined();
  expect(await shown.findByText(/It was of Bob, for Shop in Globex/)).toBeDefined();
  const [last, first] = shown.getAllByRole("listitem");
  expect(last?.textContent).toMatch(/^Deleted \(held Auditor, raw, and Seller\)Reason: leftCCarol/);
  expect(first?.textContent).toMatch(/^Assigned.*Command line/);
});

describe("when the assignment goes while it is changed", () => {
  function vanishing() {
    const world = { isGone: false };
    const vanish = () => {
      world.isGone = true;
      const value = { reason: "AUTHORIZATION_NOT_FOUND", code: "not_found", message: "gone" };
      return { results: [{ result: { case: "error" as const, value } }] };
    };
    const roles = [{ key: "audit", displayName: "Auditor" }];
    const told = service({
      directory: { listOrganizations: () => ({}), listProjects: () => ({ projects: [{ roles }] }) },
    });
    const authorizations: FakeService["authorizations"] = {
      listAuthorizations: (request, context) => {
        const isOfPanel = request.filters[0]?.filter.case === "authorizationIds";
        return isOfPanel && world.isGone ? {} : (told.authorizations?.listAuthorizations?.(request, context) ?? {});
      },
      batchUpdateAuthorizations: vanish,
      batchSetState: vanish,
    };
    return { world, service: { ...told, authorizations } };
  }

  const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));

  async function sayingSo() {
    await screen.findByText("Not found");
    const dialog = await screen.findByRole("dialog", { name: "The assignment is gone" });
    fireEvent.click(within(dialog).getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Not found" })));
    expect(screen.queryByRole("button", { name: "Edit roles" })).toBeNull();
  }

  it("it is said after saving its roles, and the focus goes to the heading", async () => {
    openConsole("/assignments?id=a-1", vanishing().service);
    await press("Edit roles");
    fireEvent.click(await screen.findByRole("checkbox", { name: /Auditor/ }));
    await press("Save");
    await sayingSo();
  });

  it("it is said after deactivating it, and the focus goes to the heading", async () => {
    openConsole("/assignments?id=a-1", vanishing().service);
    await press("Deactivate");
    await sayingSo();
  });

  it("an answer in between leaves open what is edited", async () => {
    const { world, service } = vanishing();
    const { client } = openConsole("/assignments?id=a-1", service);
    await press("Edit roles");
    fireEvent.click(await screen.findByRole("checkbox", { name: /Auditor/ }));
    world.isGone = true;
    await act(() => client.refetchQueries());
    expect(await screen.findByText("Not found")).toBeDefined();
    expect(screen.getByText("Saving removes Auditor.")).toBeDefined();
    await press("Save");
    await sayingSo();
  });
});

it("one that is not there and has no past says so", async () => {
  openConsole("/assignments?id=a-1", service({ isGone: true, history: pagesOf([]) }));
  expect(await within(await panel()).findByText("Nothing to show.")).toBeDefined();
});

it("a failure is said in the panel, and asking again helps", async () => {
  let isAway = true;
  const whole = service();
  const listAuthorizations: NonNullable<NonNullable<FakeService["authorizations"]>["listAuthorizations"]> = (
    request,
    context,
  ) => {
    if (isAway && request.filters.length > 0) throw new ConnectError("broken", Code.Internal);
    return whole.authorizations?.listAuthorizations?.(request, context) ?? {};
  };
  openConsole("/assignments?id=a-1", { ...whole, authorizations: { listAuthorizations } });
  const shown = within(await panel());
  await shown.findByText("Something went wrong in the service");
  isAway = false;
  fireEvent.click(shown.getByRole("button", { name: "Try again" }));
  expect(await shown.findByRole("heading", { name: "Bob" })).toBeDefined();
});

it("the history names each difference: the latest twenty, and leads to all", async () => {
  const events = Array.from({ length: 25 }, (_, index) =>
    event(25 - index, {
      type: index === 24 ? "user.grant.added" : "user.grant.changed",
      roles: [{ key: `r${25 - index}` }],
      roleKeysBefore: index === 24 ? [] : [`r${24 - index}`],
    }),
  );
  const listProjects = () => ({ projects: [{ ...shop, roles: [{ key: "r5", displayName: "Fifth" }] }] });
  openConsole("/assignments?id=a-1", service({ history: pagesOf(events), directory: { listProjects } }));
  const shown = within(await panel());
  await shown.findByRole("list", { name: "Changes" });
  const entries = () => [...document.querySelectorAll(".changes > li .change")].map((one) => one.textContent);
  expect(entries()).toHaveLength(20);
  await waitFor(() => expect(entries().at(-1)).toBe("Roles changed (added r6; removed Fifth)"));
  expect(entries()[0]).toBe("Roles changed (added r25; removed r24)");
  expect(shown.getByRole("link", { name: "All changes" }).getAttribute("href")).toBe("/history?assignment=a-1");
});

it("the history is asked for again when someone else has changed the assignment", async () => {
  const events = [event(1, { type: "user.grant.added" })];
  const told = { ...assignment };
  const listAuthorizations = () => ({ pagination: { totalResult: 1 }, authorizations: [told] });
  const fake = service({
    authorizations: { listAuthorizations },
    history: { listAuthorizationEvents: () => ({ events }) },
  });
  const { client } = openConsole("/assignments?id=a-1", fake);
  const shown = within(await panel());
  await shown.findByText("Assigned (with no roles)");
  events.unshift(event(2, { type: "user.grant.deactivated", state: State.INACTIVE }));
  told.changeDate = timestampFromDate(new Date("2026-02-01T12:00:00Z"));
  await act(() =>
    client.refetchQueries({ predicate: ({ queryKey }) => JSON.stringify(queryKey).includes("authorizationIds") }),
  );
  expect(await shown.findByText("Deactivated")).toBeDefined();
});

it("tells why the caller sees it, what it may do, and what is missing", async () => {
  const missing = [{ scope: { scope: { case: "instance" as const, value: true } }, roles: ["IAM_OWNER"] }];
  const explainAccess = () => ({ own: true, permissions: permissions.map((one) => ({ ...one, missing })) });
  openConsole("/assignments?id=a-1", service({ caller: { explainAccess } }));
  const shown = within(await panel());
  const lines = [
    (await shown.findByText("You can see it")).parentElement,
    shown.getByText("You can't delete it").parentElement,
  ];
  expect(lines[0]?.textContent).toBe("You can see itIt is your own assignment.");
  expect(lines[1]?.textContent).toBe(
    "You can't delete itWhat is missingAny one of these would do:Owner for everything",
  );
});

it("whoever reads there may ask about someone else", async () => {
  const explainAccess = ({ userId }: { userId: string }) => ({
    own: userId === "bob",
    permissions: permissions.map((one) => ({ ...one, held: userId === "", sources: [] })),
  });
  const listUsers = () => ({ users: [bob] });
  openConsole(
    "/assignments?id=a-1",
    service({ caller: { explainAccess }, directory: { listUsers, listOrganizations: () => ({}) } }),
  );
  const picker = await screen.findByRole("combobox", { name: "What may this person do with it" });
  fireEvent.input(picker, { target: { value: "bo" }, inputType: "insertText" });
  fireEvent.click(await screen.findByRole("option", { name: /^Bob/ }));
  expect(await screen.findByText("Bob can see it")).toBeDefined();
  expect(screen.getByText("It is their own assignment.")).toBeDefined();
  expect(screen.getByText("Bob can't delete it")).toBeDefined();
});

it("whoever sees only its own may not ask about others", async () => {
  openConsole("/assignments?id=a-1", service());
  await screen.findByText("You can see it");
  expect(screen.queryByRole("combobox", { name: "What may this person do with it" })).toBeNull();
});
