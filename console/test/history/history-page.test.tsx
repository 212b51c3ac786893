import {
  type AuthorizationEvent,
  AuthorizationEventSchema,
  type ListAuthorizationEventsRequest,
} from "@authorization-service/client";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { type FakeService, openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/history/history-page.tsx";

const bob = { id: "bob", displayName: "Bob" };
const carol = { id: "carol", displayName: "Carol" };

type Told = Exclude<MessageInitShape<typeof AuthorizationEventSchema>, AuthorizationEvent>;

function event(sequence: number, told: Told = {}) {
  return create(AuthorizationEventSchema, {
    sequence: BigInt(sequence),
    time: timestampFromDate(new Date(Date.UTC(2026, 0, sequence))),
    type: "user.grant.changed",
    authorizationId: "a-1",
    user: bob,
    actor: carol,
    project: { id: "shop", name: "Shop" },
    organization: { id: "globex", name: "Globex" },
    ...told,
  });
}

/** Answers one list of events, and one event to whoever asks what was before another. */
function service(events: AuthorizationEvent[], before?: AuthorizationEvent) {
  const asked: ListAuthorizationEventsRequest[] = [];
  const told: FakeService = {
    history: {
      listAuthorizationEvents: (request) => {
        asked.push(request);
        if (request.pagination?.limit === 1) return { events: before ? [before] : [] };
        return { pagination: { totalResult: events.length, nextPageToken: "" }, events };
      },
    },
    directory: {
      listUsers: () => ({ users: [bob] }),
      listProjects: () => ({}),
      listOrganizations: () => ({}),
    },
  };
  return { ...told, asked };
}

function typesAsked({ filters }: ListAuthorizationEventsRequest): unknown[] {
  return filters.map(({ filter }) => filter.case);
}

async function rows(): Promise<string[]> {
  const table = await screen.findByRole("table", { name: "Changes" });
  await waitFor(() => expect(table.getAttribute("aria-busy")).toBe("false"));
  return [...table.querySelectorAll("tbody tr")].map((row) => row.textContent ?? "");
}

/** Everything is in sight. */
class EverythingSeen implements Pick<IntersectionObserver, "observe" | "disconnect"> {
  readonly tell: IntersectionObserverCallback;
  constructor(tell: IntersectionObserverCallback) {
    this.tell = tell;
  }
  observe() {
    this.tell([{ isIntersecting: true } as IntersectionObserverEntry], this as unknown as IntersectionObserver);
  }
  disconnect() {}
}

beforeEach(() => {
  vi.stubGlobal("IntersectionObserver", EverythingSeen);
  return () => vi.unstubAllGlobals();
});

it("says who did what, whose roles they are, and where", async () => {
  openConsole("/history", service([event(2, { type: "user.grant.removed" }), event(1, { type: "user.grant.added" })]));
  const [last] = await rows();
  expect(last).toMatch(/CarolRemovedBobShopGlobex/);
  const [assignment] = screen.getAllByRole("link", { name: "Bob" });
  expect(assignment?.getAttribute("href")).toBe("/?id=a-1");
  const [history] = screen.getAllByRole("link", { name: "All changes of this assignment" });
  expect(history?.getAttribute("href")).toBe("/history?assignment=a-1");
});

it("keeps names apart from what is around them, whichever way they are written", async () => {
  const shop = { id: "shop", name: "\u202epohS" };
  openConsole("/history", service([event(1, { project: shop, user: { id: "eve", displayName: "\u202eevE" } })]));
  await rows();
  for (const name of [shop.name, "\u202eevE", "Carol", "Globex"]) {
    const [shown] = screen.getAllByText(name).filter((element) => element.closest("table"));
    expect(shown?.localName).toBe("bdi");
  }
});

it("shows another list from its beginning, and stays in its middle when it asks again", async () => {
  const fake = service([event(2), event(1)]);
  const { router } = openConsole("/history", fake);
  await rows();
  const scroller = document.querySelector(".scroller") as HTMLElement;
  scroller.scrollTop = 500;
  fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await waitFor(() => expect(fake.asked.filter(({ pagination }) => pagination?.limit !== 1)).toHaveLength(2));
  await rows();
  expect(scroller.scrollTop).toBe(500);

  await act(() => router.navigate({ to: "/history", search: { types: ["changed"] } }));
  await waitFor(() => expect(scroller.scrollTop).toBe(0));
});

it("a change by no one came from the command line", async () => {
  const { actor: _, ...byNobody } = event(1);
  openConsole("/history", service([create(AuthorizationEventSchema, byNobody)]));
  expect((await rows())[0]).toContain("Command line");
});

it("names the difference from an event of the same page, and asks only for what it does not have", async () => {
  const roles = [{ key: "seller" }];
  const fake = service([
    event(3, { roles }),
    event(2, { type: "user.grant.added" }),
    event(1, { authorizationId: "b" }),
  ]);
  openConsole("/history", fake);
  expect((await rows())[0]).toContain("addedseller");
  await waitFor(() => expect(fake.asked).toHaveLength(2));
  expect(fake.asked[1]?.filters[0]?.filter.value).toMatchObject({ id: "b" });
});

it("asks for the event before where the page does not have it", async () => {
  const before = event(3, { roles: [{ key: "auditor" }] });
  const fake = service([event(5, { roles: [{ key: "seller" }] })], before);
  openConsole("/history?user=bob", fake);
  await waitFor(async () => expect((await rows())[0]).toContain("addedsellerremovedauditor"));
  const [, second] = fake.asked;
  expect(second && typesAsked(second)).toEqual(["authorizationId", "time"]);
});

it("under a filter that leaves events out, the one before on the page is not taken for the one before", async () => {
  const between = event(4, { roles: [{ key: "auditor" }] });
  const listed = [event(5, { roles: [{ key: "seller" }] }), event(3, { roles: [{ key: "owner" }] })];
  openConsole('/history?actor="carol"', service(listed, between));
  await waitFor(async () => expect((await rows())[0]).toContain("addedsellerremovedauditor"));
});

it("the filters of the address are asked for and shown", async () => {
  const fake = service([event(1)]);
  openConsole('/history?user=bob&actor=""&types=["changed"]&when=last-week', fake);
  await rows();
  expect(fake.asked[0] && typesAsked(fake.asked[0])).toEqual(["userId", "actorId", "types", "time"]);
  await waitFor(() =>
    expect(screen.getByRole<HTMLInputElement>("combobox", { name: "Whose roles" }).value).toBe("Bob"),
  );
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Command line" }).checked).toBe(true);
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "When" }).value).toBe("last-week");
  expect(screen.getByRole("button", { name: "What happened: Roles changed" })).toBeDefined();
});

it("choosing days puts them into the address, at the first page", async () => {
  const { router } = openConsole("/history?page=token&skipped=100", service([event(1)]));
  await rows();
  fireEvent.change(screen.getByRole("combobox", { name: "When" }), { target: { value: "yesterday" } });
  await waitFor(() => expect(router.state.location.search).toEqual({ when: "yesterday" }));
});

it("a range of one's own that ends before it begins is not asked for", async () => {
  const { router } = openConsole("/history", service([event(1)]));
  await rows();
  fireEvent.change(screen.getByRole("combobox", { name: "When" }), { target: { value: "custom" } });
  fireEvent.change(await screen.findByLabelText("From"), { target: { value: "2026-02-01T10:00" } });
  fireEvent.change(screen.getByLabelText("Before"), { target: { value: "2026-01-01T10:00" } });
  fireEvent.submit(screen.getByLabelText("From").closest("form") as HTMLFormElement);
  expect(await screen.findByText("The end is before the beginning.")).toBeDefined();
  expect(router.state.location.search).toEqual({});

  fireEvent.change(screen.getByLabelText("Before"), { target: { value: "" } });
  fireEvent.submit(screen.getByLabelText("From").closest("form") as HTMLFormElement);
  const from = new Date("2026-02-01T10:00").toISOString();
  await waitFor(() => expect(router.state.location.search).toEqual({ from }));
});

it("nothing found says so, and leads back to everything", async () => {
  const { router } = openConsole("/history?user=bob", service([]));
  const notice = (await screen.findByText("No change matches these filters")).parentElement as HTMLElement;
  fireEvent.click(within(notice).getByRole("link", { name: "Remove all filters" }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  expect(await screen.findByText("Nothing has changed yet")).toBeDefined();
});

it.each([
  ["when", "user=bob&when=soon"],
  ["when", "when=constructor"],
  ["types", "types=added"],
  ["from", "from=soon"],
])("filters of a link that cannot be read are told of, and nothing is listed: %s in %s", async (name, search) => {
  const told = service([event(1)]);
  openConsole(`/history?${search}`, told);
  expect(await screen.findByText(`Not readable: ${name}.`)).toBeDefined();
  expect(told.asked).toEqual([]);
  fireEvent.click(screen.getByRole("link", { name: "Show all changes" }));
  expect(await screen.findByRole("table", { name: "Changes" })).toBeDefined();
});

it("a range of one's own begins as the days chosen before", async () => {
  const { router } = openConsole("/history?when=yesterday", service([event(1)]));
  await screen.findByRole("table", { name: "Changes" });
  fireEvent.change(screen.getByLabelText("When"), { target: { value: "custom" } });
  expect(await screen.findByLabelText("From")).toHaveProperty("value", expect.stringMatching(/T00:00$/));
  expect(router.state.location.search).toEqual({ from: expect.any(String), to: expect.any(String) });
});
