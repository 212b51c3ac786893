import { readFileSync } from "node:fs";
import path from "node:path";
import {
  AuthorizationFieldName,
  AuthorizationSchema,
  type ListAuthorizationsRequest,
  State,
} from "@authorization-service/client";
import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, onTestFinished } from "vitest";
import { openConsole } from "../support/console.tsx";

/** A way of the pager that can be gone, once its page is there. */
const way = (name: string) =>
  waitFor(() => {
    const link = screen.getByRole("link", { name });
    expect(link.getAttribute("aria-disabled")).toBeNull();
    return link;
  });
const isOpen = (name: string) => screen.getByRole("link", { name }).getAttribute("aria-disabled") === null;

const noon = timestampFromDate(new Date("2026-01-31T12:00:00Z"));

function assignment(id: string, owner = "acme") {
  return create(AuthorizationSchema, {
    id,
    creationDate: noon,
    changeDate: noon,
    user: { id: `user-${id}`, displayName: `Person ${id}`, preferredLoginName: `${id}@acme.example` },
    organization: { id: "acme", name: "Acme" },
    project: { id: "shop", name: "Shop", organizationId: owner },
    state: State.ACTIVE,
    roles: ["a", "b", "c", "d", "e"].map((key) => ({ key, displayName: `Role ${key}` })),
  });
}

/** Answers pages of two out of six, and keeps what it was asked. */
function sixAssignments() {
  const asked: ListAuthorizationsRequest[] = [];
  const all = ["1", "2", "3", "4", "5", "6"].map((id) => assignment(id));
  const listAuthorizations = (request: ListAuthorizationsRequest) => {
    asked.push(request);
    const start = Number(request.pagination?.pageToken || 0);
    return {
      pagination: { totalResult: 6, appliedLimit: 2, nextPageToken: start + 2 < 6 ? String(start + 2) : "" },
      authorizations: all.slice(start, start + 2),
    };
  };
  return { asked, authorizations: { listAuthorizations } };
}

it("shows who holds what, with the first roles and how many more there are", async () => {
  openConsole("/assignments", sixAssignments());
  const row = (await screen.findByText("Person 1")).closest("tr") as HTMLElement;
  expect(within(row).getByText("1@acme.example")).toBeDefined();
  expect(within(row).getByText("Active")).toBeDefined();
  expect(within(row).getByText("2 more").title).toBe("Role d, Role e");
});

it("a second box, clicked with Shift, selects all rows from the first one up to it", async () => {
  const authorizations = Array.from({ length: 30 }, (_, index) => assignment(String(index)));
  openConsole("/assignments", {
    authorizations: { listAuthorizations: () => ({ pagination: { totalResult: 30 }, authorizations }) },
  });
  const box = (id: number) => screen.findByRole("checkbox", { name: `Select Person ${id}, Shop` });
  fireEvent.click(await box(0));
  fireEvent.click(await box(7), { shiftKey: true });
  expect(await screen.findByText("8 selected")).toBeDefined();
  fireEvent.click(await box(4), { shiftKey: true });
  expect(await screen.findByText("4 selected")).toBeDefined();
});

it("keeps names apart from what is around them, whichever way they are written", async () => {
  openConsole("/assignments", sixAssignments());
  const row = (await screen.findByText("Person 1")).closest("tr") as HTMLElement;
  for (const name of ["Person 1", "1@acme.example", "Acme", "Shop", "Role a"]) {
    expect(within(row).getByText(name).localName).toBe("bdi");
  }
});

it("a tooltip names the roles that are not shown", async () => {
  const roles = Array.from({ length: 1_003 }, (_, index) => ({ key: `role-${index}` }));
  const listAuthorizations = () => ({
    pagination: { totalResult: 1 },
    authorizations: [create(AuthorizationSchema, { id: "1", roles })],
  });
  openConsole("/assignments", { authorizations: { listAuthorizations } });
  const { title } = await screen.findByText("1,000 more");
  expect(title).toMatch(/^role-3, role-4, .*, role-1002$/);
});

it("goes forward by page tokens, and back the way it came", async () => {
  const service = sixAssignments();
  const { router } = openConsole("/assignments", service);
  for (const person of ["Person 3", "Person 5"]) {
    fireEvent.click(await way("Next"));
    await screen.findByText(person);
  }
  expect(service.asked.map(({ pagination }) => pagination?.pageToken)).toEqual(["", "2", "4"]);
  expect(isOpen("Next")).toBe(false);

  fireEvent.click(await way("Previous"));
  await screen.findByText("Person 3");
  expect(router.state.location.search).toEqual({ page: "2", skipped: 2 });
  fireEvent.click(await way("Previous"));
  await screen.findByText("Person 1");
  expect(router.state.location.search).toEqual({});
});

it("a link to a later page leads to the first one, not to one it cannot know", async () => {
  openConsole("/assignments?page=4&skipped=4", sixAssignments());
  await screen.findByText("Person 5");
  expect(screen.getByText("5–6 of 6 assignments")).toBeDefined();
  expect(isOpen("Previous")).toBe(false);
  expect(isOpen("First")).toBe(true);
});

it("buttons to pages that are not there are not the current page", async () => {
  openConsole("/assignments", sixAssignments());
  await screen.findByText("Person 1");
  const disabled = ["First", "Previous"].map((name) => screen.getByRole("link", { name }));
  await way("Next");
  for (const link of disabled) {
    expect(link.getAttribute("aria-disabled")).toBe("true");
    expect(link.hasAttribute("aria-current")).toBe(false);
    expect(link.hasAttribute("href")).toBe(false);
  }
});

it("a head sorts by its column, and the other way round the second time", async () => {
  const { router } = openConsole("/assignments?page=2&skipped=2", sixAssignments());
  await screen.findByText("Person 3");
  const searches: unknown[] = [];
  for (const name of ["Changed", "Changed", "Project", "Project", "Created"]) {
    fireEvent.click(screen.getByRole("button", { name }));
    await waitFor(() => expect(router.state.location.search).not.toEqual(searches.at(-1)));
    searches.push(router.state.location.search);
  }
  expect(searches).toEqual([
    { sort: "changed" },
    { sort: "changed", asc: true },
    { sort: "project", asc: true },
    { sort: "project" },
    {},
  ]);
});

it.each([
  ["Person", AuthorizationFieldName.USER_DISPLAY_NAME],
  ["Organization", AuthorizationFieldName.ORGANIZATION_NAME],
  ["Project", AuthorizationFieldName.PROJECT_NAME],
])("the head %s sorts by the name it shows, from A to Z first", async (name, sortingColumn) => {
  const service = sixAssignments();
  openConsole("/assignments", service);
  const head = await screen.findByRole("button", { name });
  fireEvent.click(head);
  await waitFor(() => expect(service.asked.at(-1)).toMatchObject({ sortingColumn, pagination: { asc: true } }));
});

/** The scrolled table. */
async function scrolledTable() {
  await screen.findByText("Person 1");
  const scroller = document.querySelector(".scroller") as HTMLElement;
  scroller.scrollTop = 500;
  return scroller;
}

it.each([
  { role: "link", name: "Next" },
  { role: "button", name: "Changed" },
])("another page or order begins at the top: $name", async ({ role, name }) => {
  const service = sixAssignments();
  openConsole("/assignments", service);
  const scroller = await scrolledTable();
  fireEvent.click(screen.getByRole(role, { name }));
  await waitFor(() => expect(service.asked).toHaveLength(2));
  await waitFor(() => expect(scroller.scrollTop).toBe(0));
});

it("the table stays where it is while a panel opens, columns change and rows are asked for again", async () => {
  const service = sixAssignments();
  const { router } = openConsole("/assignments", service);
  const scroller = await scrolledTable();
  await act(() => router.navigate({ to: "/assignments", search: { hidden: ["state"] } }));
  await act(() => router.navigate({ to: "/assignments", search: { hidden: ["state"], id: "1" } }));
  fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await waitFor(() => expect(service.asked).toHaveLength(2));
  await waitFor(() => expect(screen.getByRole("table").getAttribute("aria-busy")).toBe("false"));
  expect(scroller.scrollTop).toBe(500);
});

it("the row with the focus stays in the document when it is scrolled away, and so do its neighbours", async () => {
  const authorizations = Array.from({ length: 200 }, (_, index) => assignment(String(index)));
  const listAuthorizations = () => ({ pagination: { totalResult: 200 }, authorizations });
  openConsole("/assignments", { authorizations: { listAuthorizations } });
  const opener = (await screen.findByText("Person 4")).closest("button") as HTMLElement;
  opener.focus();
  const scroller = document.querySelector(".scroller") as HTMLElement;
  scroller.scrollTop = 53 * 120;
  fireEvent.scroll(scroller);
  await screen.findByText("Person 120");
  expect(screen.queryByText("Person 2")).toBeNull();
  expect(document.activeElement).toBe(opener);
  const heights = [...document.querySelectorAll<HTMLElement>(".spacer td")].map(({ style }) => style.height);
  expect(heights.length).toBe(3);

  fireEvent.keyDown(opener, { key: "ArrowDown" });
  expect(document.activeElement?.textContent).toContain("Person 5");
});

it("Enter on the box of a row, where the arrow keys lead, opens the row", async () => {
  const { router } = openConsole("/assignments", sixAssignments());
  const box = await screen.findByRole("checkbox", { name: "Select Person 1, Shop" });
  box.focus();
  fireEvent.keyDown(box, { key: "Enter" });
  await waitFor(() => expect(router.state.location.search).toEqual({ id: "1" }));
});

it("all rows of a page are selected and left by one box", async () => {
  openConsole("/assignments", sixAssignments());
  await screen.findByText("Person 1");
  const box = screen.getByRole<HTMLInputElement>("checkbox", { name: "Select all rows of this page" });
  fireEvent.click(box);
  expect(await screen.findByText("2 selected")).toBeDefined();
  expect(box.checked).toBe(true);
  fireEvent.click(box);
  await waitFor(() => expect(screen.queryByText(/ selected/)).toBeNull());
});

it("the view has the focus when the bar of a selection takes itself away", async () => {
  openConsole("/assignments", sixAssignments());
  fireEvent.click(await screen.findByRole("checkbox", { name: "Select Person 1, Shop" }));
  const clear = await screen.findByRole("button", { name: "Clear" });
  clear.focus();
  fireEvent.click(clear);
  await waitFor(() => expect(document.activeElement?.id).toBe("view"));
});

/** Dresses the page. Nothing has a size in happy-dom, so a container is as wide as the window: 1,024 pixels. */
function dress() {
  const sheet = document.createElement("style");
  const written = readFileSync(path.join(import.meta.dirname, "../../src/assignments/assignments.css"), "utf8");
  sheet.textContent = written.replaceAll("@container", "@media");
  document.head.append(sheet);
  onTestFinished(() => sheet.remove());
}

it("the bar of a selection is at the bottom, also of a list that is empty now", async () => {
  dress();
  openConsole("/assignments", sixAssignments());
  fireEvent.click(await screen.findByRole("checkbox", { name: "Select Person 1, Shop" }));
  const bar = await screen.findByRole("region", { name: "Selection" });
  const foot = bar.nextElementSibling as Element;
  expect([bar, foot].map((element) => getComputedStyle(element).marginTop)).toEqual(["auto", "0px"]);
});

it.each([
  ["sort=ends", true],
  ["sort=changed", false],
  ["sort=changed", true, noon],
])("a list by or with ends has room for their column: %s, %s", async (search, hasEnds, expirationDate?: Timestamp) => {
  dress();
  const ending = { ...assignment("1"), ...(expirationDate && { expirationDate }) };
  openConsole(`/assignments?${search}`, {
    authorizations: { listAuthorizations: () => ({ authorizations: [ending, assignment("2")] }) },
  });
  await screen.findByText("Person 1");
  const isShown = (name: string) => screen.queryByRole("columnheader", { name }) !== null;
  expect([isShown("Ends"), isShown("Changed")]).toEqual([hasEnds, !hasEnds]);
});

it("the heading of the page is not in the list, which a panel hides where it is narrow", async () => {
  openConsole("/assignments", sixAssignments());
  const heading = await screen.findByRole("heading", { level: 1, name: "Assignments" });
  expect(heading.closest(".assignments-list")).toBeNull();
});

it("selected rows stay selected on other pages, and not under other filters", async () => {
  const { router } = openConsole("/assignments", sixAssignments());
  fireEvent.click(await screen.findByRole("checkbox", { name: "Select Person 1, Shop" }));
  fireEvent.click(await way("Next"));
  fireEvent.click(await screen.findByRole("checkbox", { name: "Select Person 3, Shop" }));
  expect(await screen.findByText(/^2 selected/)).toBeDefined();

  await act(() => router.navigate({ to: "/assignments", search: { filters: [{ userId: { id: "ann" } }] } }));
  await waitFor(() => expect(screen.queryByText(/ selected/)).toBeNull());
});

it("filters of a link that cannot be read are told of, and nothing is listed", async () => {
  const service = sixAssignments();
  openConsole(`/assignments?filters=${encodeURIComponent('[{"no":"filter"}]')}`, service);
  expect(await screen.findByText("The filters in this link can't be read")).toBeDefined();
  expect(service.asked).toEqual([]);
});

it("an empty list says why it may be empty", async () => {
  const listAuthorizations = () => ({ pagination: { totalResult: 0 } });
  const { router } = openConsole(`/assignments?filters=${encodeURIComponent('[{"userId":{"id":"ann"}}]')}`, {
    authorizations: { listAuthorizations },
  });
  fireEvent.click(await screen.findByRole("link", { name: "Show all" }));
  expect(await screen.findByText("You see no assignments yet")).toBeDefined();
  expect(router.state.location.search).toEqual({});
});

it("a refusal is said in words, with what to do", async () => {
  const listAuthorizations = () => {
    throw new ConnectError("limit: must be at most 1000", Code.InvalidArgument);
  };
  openConsole("/assignments", { authorizations: { listAuthorizations } });
  const notice = await screen.findByRole("alert");
  expect(within(notice).getByText("The service can't read this request")).toBeDefined();
  expect(within(notice).getByText("limit: must be at most 1000")).toBeDefined();
});

it("what an address cannot ask for is not asked for, and not shown", async () => {
  const service = sixAssignments();
  openConsole("/assignments?skipped=abc&limit=7&sort=constructor&asc=no&hidden=5", service);
  expect(await screen.findByText("1–2 of 6 assignments")).toBeDefined();
  expect(service.asked[0]?.pagination).toMatchObject({ limit: 100, asc: false, pageToken: "" });
  expect(service.asked[0]?.sortingColumn).toBe(AuthorizationFieldName.CREATED_DATE);
});

it("while a page is on its way, neither its rows are told nor the page behind it offered", async () => {
  const { authorizations } = sixAssignments();
  const held = Promise.withResolvers<void>();
  const listAuthorizations = async (request: ListAuthorizationsRequest) => {
    if (request.pagination?.pageToken !== "") await held.promise;
    return authorizations.listAuthorizations(request);
  };
  openConsole("/assignments", { authorizations: { listAuthorizations } });
  fireEvent.click(await way("Next"));
  await waitFor(() => expect(isOpen("Next")).toBe(false));
  expect(screen.getByText("Person 1")).toBeDefined();
  expect(screen.queryByText(/ of 6 assignments/)).toBeNull();
  const box = screen.getByRole("checkbox", { name: "Select Person 1, Shop" });
  fireEvent.click(box);
  expect(box).toHaveProperty("checked", false);
  held.resolve();
  expect(await screen.findByText("Person 3")).toBeDefined();
  expect(screen.getByText("3–4 of 6 assignments")).toBeDefined();
});

it("a failure stays while it is asked again, and the list before is not shown for the one that failed", async () => {
  const { authorizations } = sixAssignments();
  let times = 0;
  const again = Promise.withResolvers<void>();
  const listAuthorizations = async (request: ListAuthorizationsRequest) => {
    if (request.filters.length === 0) return authorizations.listAuthorizations(request);
    times += 1;
    if (times > 1) await again.promise;
    throw new ConnectError("away", Code.Unavailable);
  };
  const { router } = openConsole("/assignments", { authorizations: { listAuthorizations } });
  await screen.findByText("Person 1");
  await act(() => router.navigate({ to: "/assignments", search: { filters: [{ userId: { id: "ann" } }] } }));
  const notice = await screen.findByRole("alert");
  fireEvent.click(within(notice).getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(times).toBe(2));
  expect(screen.getByRole("alert")).toBe(notice);
  expect(screen.queryByText("Person 1")).toBeNull();
  again.resolve();
});

it("opening a row keeps the stream of changes", async () => {
  let streams = 0;
  const { router } = openConsole("/assignments", {
    ...sixAssignments(),
    history: {
      async *watchAuthorizations(_, { signal }) {
        streams += 1;
        yield { resumeToken: "1" };
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    },
  });
  await screen.findByText("Person 1");
  await waitFor(() => expect(streams).toBe(1));
  await act(() => router.navigate({ to: "/assignments", search: { id: "1" } }));
  await screen.findByRole("complementary", { name: /Assignment/ });
  // Another list does have another stream.
  await act(() => router.navigate({ to: "/assignments", search: { sort: "user" } }));
  await waitFor(() => expect(streams).toBeGreaterThan(1));
  expect(streams).toBe(2);
});

it("what others have changed counts until the rows are asked for again", async () => {
  const later = timestampFromDate(new Date("2026-02-01T12:00:00Z"));
  const { asked, authorizations } = sixAssignments();
  const held = Promise.withResolvers<void>();
  openConsole("/assignments", {
    authorizations: {
      async listAuthorizations(request) {
        const answer = authorizations.listAuthorizations(request);
        if (asked.length > 1) await held.promise;
        return answer;
      },
    },
    history: {
      async *watchAuthorizations(_, { signal }) {
        const event = { authorizationId: "1", type: "user.grant.changed", time: later, actor: { id: "bob" } };
        yield { resumeToken: "1", events: [event] };
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    },
  });
  fireEvent.click(await screen.findByRole("button", { name: "1 changed" }));
  await screen.findByRole("button", { name: "Refreshing…" });
  held.resolve();
  await screen.findByRole("button", { name: "Refresh" });
  expect(asked).toHaveLength(2);
});
