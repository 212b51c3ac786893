import {
  type AuthorizationEvent,
  AuthorizationEventSchema,
  type ListAuthorizationEventsRequest,
} from "@authorization-service/client";
import type { DirectoryEvent, ListDirectoryEventsRequest } from "@authorization-service/client/directory";
import { create } from "@bufbuild/protobuf";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openConsole } from "../support/console.tsx";
import { acme, assigned, at, bob, carol, directed, globex, historiesOf, shop } from "./events.ts";
// Loaded before, so that no test waits for it.
import "../../src/history/history-page.tsx";

const roles = [
  { key: "seller", displayName: "Seller" },
  { key: "auditor", displayName: "Auditor" },
];

/** A service with these histories, that keeps what it was asked. */
function service(assignments: readonly AuthorizationEvent[], directory: readonly DirectoryEvent[] = []) {
  const asked: ListAuthorizationEventsRequest[] = [];
  const askedDirectory: ListDirectoryEventsRequest[] = [];
  const histories = historiesOf(assignments, directory);
  return {
    asked,
    askedDirectory,
    history: {
      listAuthorizationEvents: (request: ListAuthorizationEventsRequest) => {
        asked.push(request);
        return histories.assignments(request);
      },
    },
    directoryHistory: {
      listDirectoryEvents: (request: ListDirectoryEventsRequest) => {
        askedDirectory.push(request);
        return histories.directory(request);
      },
    },
    directory: {
      listUsers: () => ({ users: [bob, carol] }),
      listProjects: () => ({ projects: [{ ...shop, roles }] }),
      listOrganizations: () => ({ organizations: [acme, globex] }),
    },
  };
}

function typesAsked({ filters }: ListAuthorizationEventsRequest): unknown[] {
  return filters.map(({ filter }) => filter.case);
}

/** What each line says, and each change of those that are open. */
async function rows(): Promise<string[]> {
  const list = await screen.findByRole("list", { name: "Changes" });
  await waitFor(() => expect(list.parentElement?.getAttribute("aria-busy")).toBe("false"));
  return [...list.querySelectorAll(".plain-list > li")].map((row) => row.textContent ?? "");
}

it("shows changes of assignments and of the directory together, newest first, in names", async () => {
  const renamed = directed(2, {
    reason: "New name",
    before: { thing: { case: "project", value: { ...shop, name: "Store" } } },
  });
  openConsole("/history", service([assigned(3, { type: "user.grant.added", roles }), assigned(1)], [renamed]));
  const [newest, middle, oldest] = await rows();
  expect(newest).toMatch(/^Assigned: Bob, Shop in Globex \(with Seller and Auditor\)CCarol/);
  expect(middle).toMatch(/^Renamed the project Store to ShopReason: New nameCCarol/);
  expect(oldest).toMatch(/^Roles changed/);
});

it("is loaded again, with what the person may do, when the person's rights change", async () => {
  const fake = service([assigned(1), assigned(3)]);
  const changed = Promise.withResolvers<void>();
  let callers = 0;
  async function* watchAuthorizations() {
    yield { resumeToken: "1" };
    await changed.promise;
    yield { resumeToken: "2", rightsChanged: true };
    await new Promise(() => {});
  }
  const getCaller = () => {
    callers += 1;
    return {};
  };
  openConsole("/history", { ...fake, caller: { getCaller }, history: { ...fake.history, watchAuthorizations } });
  await rows();
  const [lists, before] = [fake.asked.length, callers];
  changed.resolve();
  await waitFor(() => expect([fake.asked.length > lists, callers > before]).toEqual([true, true]));
  expect(await rows()).toHaveLength(2);
});

it("says that there are more than 10,000 changes, because the service counts no further", async () => {
  const fake = service([assigned(1), assigned(3)], [directed(2)]);
  const listAuthorizationEvents = (request: ListAuthorizationEventsRequest) => {
    const answer = fake.history.listAuthorizationEvents(request);
    return { ...answer, pagination: { ...answer.pagination, totalResult: 10_001 } };
  };
  openConsole("/history", { ...fake, history: { listAuthorizationEvents } });
  await rows();
  expect(screen.getByText("1–3 of more than 10,000 changes")).toBeTruthy();
});

it("asks for each history once, until a page needs more", async () => {
  const fake = service([assigned(1)], [directed(2)]);
  openConsole("/history", fake);
  await rows();
  expect([fake.asked.length, fake.askedDirectory.length]).toEqual([1, 1]);
});

it("a request with several changes is one line with its reason, which opens", async () => {
  const batch = { requestId: "batch", reason: "On leave", time: at(5) };
  const deactivated = [6, 7, 8, 9].map((sequence) => assigned(sequence, { ...batch, type: "user.grant.deactivated" }));
  const assignments = [...deactivated.toReversed(), assigned(1)];
  const moved = directed(2, {
    ...batch,
    before: { thing: { case: "user", value: { ...bob, organizationId: "acme" } } },
    after: { thing: { case: "user", value: bob } },
  });
  openConsole("/history", service(assignments, [moved]));
  await waitFor(async () => expect((await rows())[0]).toContain("Globex"));
  const [line, other, ...none] = await rows();
  expect(none).toEqual([]);
  expect(line).toMatch(/^Moved Bob from Acme to GlobexDeactivated 4Reason: On leaveShow the 5 changesCCarol/);
  expect(other).toMatch(/Roles changed/);
  const button = screen.getByRole("button", { name: "Show the 5 changes" });
  expect(button.getAttribute("aria-expanded")).toBe("false");
  fireEvent.click(button);
  expect(await rows()).toHaveLength(7);
  expect((await rows())[5]).toBe("Moved Bob from Acme to Globex");
  fireEvent.click(screen.getByRole("button", { name: "Hide the 5 changes" }));
  expect(await rows()).toHaveLength(2);
});

it("a request with few changes of a kind tells each of them in a line, without being opened", async () => {
  const batch = { requestId: "batch", time: at(5) };
  const events = [
    assigned(7, { ...batch, roles: roles.filter(({ key }) => key === "auditor"), roleKeysBefore: ["seller"] }),
    assigned(6, { ...batch, type: "user.grant.added", roles: roles.filter(({ key }) => key === "seller") }),
  ];
  const made = directed(2, {
    ...batch,
    after: {
      thing: {
        case: "administrator",
        value: { userId: "bob", scope: { case: "organizationId", value: "globex" }, roles: ["ORG_OWNER"] },
      },
    },
  });
  openConsole("/history", service(events, [made]));
  await waitFor(async () => expect((await rows())[0]).toMatch(/^Made Bob Owner of Globex/));
  expect([...document.querySelectorAll(".change li")].map(({ textContent }) => textContent)).toEqual([
    "Made Bob Owner of Globex",
    "Assigned: Bob, Shop in Globex (with Seller)",
    "Roles changed: Bob, Shop in Globex (added Auditor; removed Seller)",
  ]);
});

it("opens a large request a hundred changes at a time", async () => {
  const many = Array.from({ length: 250 }, (_, index) => assigned(index + 1, { requestId: "batch", time: at(5) }));
  openConsole("/history", service(many));
  await rows();
  fireEvent.click(screen.getByRole("button", { name: "Show the 250 changes" }));
  expect(await rows()).toHaveLength(101);
  fireEvent.click(screen.getByRole("button", { name: "Show more (150)" }));
  fireEvent.click(screen.getByRole("button", { name: "Show more (50)" }));
  expect(await rows()).toHaveLength(251);
});

it("names roles that were taken, and of a long list only what differs", async () => {
  const grant = (roleKeys: string[]) => ({
    thing: { case: "projectGrant" as const, value: { id: "g", projectId: "shop", organizationId: "globex", roleKeys } },
  });
  const many = Array.from({ length: 30 }, (_, index) => `r${index}`);
  const changed = directed(2, { before: grant([...many, "seller"]), after: grant([...many, "auditor"]) });
  openConsole("/history", service([assigned(1, { roleKeysBefore: ["seller"] })], [changed]));
  await waitFor(async () =>
    expect((await rows())[0]).toContain("Changed the grant of Shop to Globex: added Auditor; removed Seller"),
  );
  expect((await rows())[1]).toContain("Roles changed: Bob, Shop in Globex (removed Seller)");
});

it("what the reader may not know has no name, and ids are behind buttons", async () => {
  const hidden = { id: "hidden-1", displayName: "hidden-1" };
  const event = assigned(1, {
    actor: hidden,
    user: { id: "hidden-2", displayName: "hidden-2" },
    project: { id: "hidden-3", name: "hidden-3" },
    organization: { id: "hidden-4", name: "hidden-4" },
  });
  const moved = directed(2, {
    before: { thing: { case: "user", value: { ...bob, organizationId: "hidden-5" } } },
    after: { thing: { case: "user", value: bob } },
  });
  openConsole("/history", service([event], [moved]));
  await waitFor(async () => expect((await rows())[0]).toContain("Moved Bob from another organization to Globex"));
  expect((await rows())[1]).toMatch(
    /^Roles changed: someone, another project in another organization.*A removed person/,
  );
  expect(document.body.textContent).not.toContain("hidden");
});

it("the next page begins behind the last change", async () => {
  const fake = service(
    Array.from({ length: 150 }, (_, index) => assigned(index + 1)),
    Array.from({ length: 30 }, (_, index) => directed(index + 1)),
  );
  const { router } = openConsole("/history", fake);
  await rows();
  expect(screen.getByText("1–100 of 180 changes")).toBeDefined();
  fireEvent.click(screen.getByRole("link", { name: "Next" }));
  await screen.findByText("101–180 of 180 changes");
  expect(await rows()).toHaveLength(80);
  expect(router.state.location.search).toMatchObject({ page: expect.stringMatching(/^\d+a51$/), skipped: 100 });
});

it("says who did what, whose roles they are, and where", async () => {
  openConsole(
    "/history",
    service([assigned(2, { type: "user.grant.removed" }), assigned(1, { type: "user.grant.added" })]),
  );
  const [last] = await rows();
  expect(last).toMatch(/^Deleted: Bob, Shop in Globex.*Carol/);
  const [person] = screen.getAllByRole("link", { name: "Bob" });
  expect(person?.getAttribute("href")).toBe("/person?id=bob");
  const actors = screen.getAllByRole("link", { name: "Carol" });
  expect(actors.map((actor) => actor.getAttribute("href"))).toEqual(["/person?id=carol", "/person?id=carol"]);
  expect(screen.getByRole("link", { name: "Deleted" }).getAttribute("href")).toBe("/assignments?id=a-1");
});

it("keeps names apart from what is around them, whichever way they are written", async () => {
  const odd = { ...shop, name: "\u202epohS" };
  openConsole(
    "/history",
    service([assigned(1, { project: odd, user: { ...bob, id: "eve", displayName: "\u202eevE" } })]),
  );
  await rows();
  for (const name of [odd.name, "\u202eevE", "Carol", "Globex"]) {
    const [shown] = screen.getAllByText(name).filter((element) => element.closest(".changes"));
    expect(shown?.localName).toBe("bdi");
  }
});

it("shows another list from its beginning, and stays in its middle when it asks again", async () => {
  const fake = service([assigned(2), assigned(1)]);
  const { router } = openConsole("/history", fake);
  await rows();
  const scroller = document.getElementById("view") as HTMLElement;
  scroller.scrollTop = 500;
  fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await waitFor(() => expect(fake.asked).toHaveLength(2));
  await rows();
  expect(scroller.scrollTop).toBe(500);

  await act(() => router.navigate({ to: "/history", search: { types: ["changed"] } }));
  await waitFor(() => expect(scroller.scrollTop).toBe(0));
});

it("a change by no one came from the command line", async () => {
  const { actor: _, ...byNobody } = assigned(1);
  openConsole("/history", service([create(AuthorizationEventSchema, byNobody)]));
  expect((await rows())[0]).toContain("Command line");
});

it("the filters of the address are asked for and shown, and each is removed by its chip", async () => {
  const fake = service([assigned(1)]);
  const { router } = openConsole(
    '/history?user=bob&actor=""&types=["changed"]&organization=acme&from="2026-01-01T00:00:00Z"',
    fake,
  );
  await rows();
  expect(fake.asked[0] && typesAsked(fake.asked[0])).toEqual(["userId", "actorId", "organizationId", "time", "types"]);
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>("combobox", { name: "About" }).value).toBe("Bob"));
  await screen.findByRole("button", { name: "Organization: Acme" });
  expect(chips()).toEqual([
    "What happened: Roles changed",
    "Who did it: Command line",
    "Organization: Acme",
    expect.stringMatching(/^When: from .*2026.* on$/),
  ]);

  fireEvent.click(screen.getByRole("button", { name: "Remove Who did it: Command line" }));
  const left = { user: "bob", types: ["changed"], organization: "acme", from: "2026-01-01T00:00:00.000Z" };
  await waitFor(() => expect(router.state.location.search).toEqual(left));
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Remove Organization: Acme" })),
  );
  fireEvent.click(screen.getByRole("button", { name: "Remove all" }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
});

it("each kind of filter is added in the same dialog, and starts at the first page", async () => {
  const { router } = openConsole("/history?page=9999999999999999a1&skipped=100", service([assigned(1)]));
  await rows();
  const when = await add("When");
  await apply(when);
  await within(when).findByText("Enter a start, an end, or both.");
  fireEvent.click(within(when).getByRole("button", { name: "Last 7 days" }));
  await apply(when);
  const days = { from: expect.any(String), to: expect.any(String) };
  await waitFor(() => expect(router.state.location.search).toEqual(days));

  const what = await add("What happened");
  fireEvent.change(within(what).getByRole("combobox", { name: "Kind" }), { target: { value: "directory" } });
  expect(within(what).queryByRole("group", { name: "Assignments" })).toBeNull();
  fireEvent.click(within(what).getByRole("checkbox", { name: "People" }));
  await apply(what);
  const search = { ...days, kind: "directory", kinds: ["user"] };
  await waitFor(() => expect(router.state.location.search).toEqual(search));

  const who = await add("Who did it");
  await apply(who);
  await within(who).findByText("Pick a person.");
  fireEvent.click(within(who).getByRole("checkbox", { name: "Command line" }));
  await apply(who);
  await waitFor(() => expect(router.state.location.search).toEqual({ ...search, actor: "" }));

  fireEvent.click(screen.getByRole("button", { name: "More filters" }));
  const dialog = await screen.findByRole("dialog", { name: "Add filter" });
  const offered = within(dialog).getAllByRole("listitem");
  expect(offered.map(({ textContent }) => textContent)).toEqual(["Project", "Organization", "Assignment"]);
});

it("a usual time is one choice", async () => {
  const { router } = openConsole("/history?actor=carol", service([assigned(1)]));
  await rows();
  fireEvent.change(screen.getByRole("combobox", { name: "When" }), { target: { value: "week" } });
  await screen.findByRole("button", { name: /^When: from / });
  expect(router.state.location.search).toEqual({ actor: "carol", from: expect.any(String), to: expect.any(String) });
});

it.each([
  ["assignments", { project: "shop", role: "seller" }, "Projects", { kinds: ["project"] }],
  ["directory", { assignment: "a-1" }, "Roles changed", { types: ["changed"] }],
])("“%s”, chosen on the way to everything, takes no filter away", async (detour, search, name, added) => {
  const { router } = openConsole(`/history?${new URLSearchParams(search)}`, service([assigned(1)], [directed(2)]));
  await rows();
  const what = await add("What happened");
  fireEvent.click(within(what).getByRole("checkbox", { name }));
  const choose = (kind: string) =>
    fireEvent.change(within(what).getByRole("combobox", { name: "Kind" }), { target: { value: kind } });
  choose(detour);
  choose("");
  await apply(what);
  await waitFor(() => expect(router.state.location.search).toEqual({ ...search, ...added }));
});

it("of a chosen history, the filters that are only about the other one go", async () => {
  const { router } = openConsole("/history?project=shop&role=seller", service([], [directed(2)]));
  await rows();
  const what = await add("What happened");
  fireEvent.click(within(what).getByRole("checkbox", { name: "Projects" }));
  fireEvent.change(within(what).getByRole("combobox", { name: "Kind" }), { target: { value: "assignments" } });
  await apply(what);
  await waitFor(() => expect(router.state.location.search).toEqual({ kind: "assignments", project: "shop" }));
});

it("a range isn't asked for if it ends before it begins", async () => {
  const given = new Date("2026-01-01T00:00").toISOString();
  const { router } = openConsole(`/history?from="${given}"`, service([assigned(1)]));
  await rows();
  fireEvent.click(await screen.findByRole("button", { name: /^When: from / }));
  const dialog = await screen.findByRole("dialog", { name: "Edit filter: When" });
  const [from, to] = [within(dialog).getByLabelText("From"), within(dialog).getByLabelText("Until before")];
  expect(from).toHaveProperty("value", "2026-01-01T00:00");
  fireEvent.change(from, { target: { value: "2026-02-01T10:00" } });
  fireEvent.change(to, { target: { value: "2026-01-01T10:00" } });
  await apply(dialog);
  await within(dialog).findByText("The start is after the end.");
  expect(router.state.location.search).toEqual({ from: given });

  fireEvent.change(to, { target: { value: "" } });
  await apply(dialog);
  const start = new Date("2026-02-01T10:00").toISOString();
  await waitFor(() => expect(router.state.location.search).toEqual({ from: start }));
});

it("nothing found says so, and leads back to everything", async () => {
  const { router } = openConsole("/history?user=bob", service([]));
  const notice = (await screen.findByText("Nothing matches this search")).parentElement as HTMLElement;
  fireEvent.click(within(notice).getByRole("link", { name: "Show all" }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  expect(await screen.findByText("Nothing has changed yet")).toBeDefined();
});

it.each([
  ["when", "user=bob&when=last-week"],
  ["kind", "kind=constructor"],
  ["types", "types=added"],
  ["from", "from=soon"],
])("filters of a link that cannot be read are told of, and nothing is listed: %s in %s", async (name, search) => {
  const told = service([assigned(1)]);
  openConsole(`/history?${search}`, told);
  expect(await screen.findByText(`Not readable: ${name}.`)).toBeDefined();
  expect(told.asked).toEqual([]);
  fireEvent.click(screen.getByRole("link", { name: "Show all" }));
  expect(await screen.findByRole("list", { name: "Changes" })).toBeDefined();
});

it.each([
  "project=shop&role=seller&assignment=a-1",
  "kinds=%5B%22user%22%5D&assignment=a-1",
  "types=%5B%22added%22%5D&project=shop&role=seller",
  "kind=directory&assignment=a-1",
])("says that filters exclude each other, and asks nothing: %s", async (filters) => {
  const fake = service([assigned(1)], [directed(2)]);
  openConsole(`/history?${filters}`, fake);
  expect(
    await screen.findByText(/only match changes of assignments, and others only changes of the directory/),
  ).toBeDefined();
  expect(screen.getByRole("link", { name: "Show all" }).getAttribute("href")).toBe("/history");
  expect([...fake.asked, ...fake.askedDirectory]).toEqual([]);
});

it("names the role that the changes are of, and its key only if its name isn't known", async () => {
  const { router } = openConsole("/history?project=shop&role=auditor", service([]));
  await screen.findByRole("button", { name: /^Project: Shop ?, Role: Auditor$/ });
  await act(() => router.navigate({ href: "/history?project=shop&role=ghost" }));
  await screen.findByRole("button", { name: /^Project: Shop ?, Role: ghost$/ });
  fireEvent.click(screen.getByRole("button", { name: /^Remove Project: Shop ?, Role: ghost$/ }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
});

it("a chip shows no id while its name is asked for", async () => {
  const fake = service([]);
  let answer = () => {};
  const listOrganizations = () =>
    new Promise<object>((resolve) => {
      answer = () => resolve(fake.directory.listOrganizations());
    });
  openConsole("/history?organization=acme", { ...fake, directory: { ...fake.directory, listOrganizations } });
  await screen.findByRole("button", { name: "Organization: …" });
  answer();
  await screen.findByRole("button", { name: "Organization: Acme" });
});

function chips() {
  return [...document.querySelectorAll(".filter-chip-words")].map(({ textContent }) => textContent);
}

async function add(name: string) {
  fireEvent.click(screen.getByRole("button", { name: "More filters" }));
  const list = await screen.findByRole("dialog", { name: "Add filter" });
  fireEvent.click(within(list).getByRole("button", { name }));
  return await screen.findByRole("dialog", { name: `Add filter: ${name}` });
}

async function apply(dialog: HTMLElement) {
  fireEvent.click(within(dialog).getByRole("button", { name: "Apply" }));
}
