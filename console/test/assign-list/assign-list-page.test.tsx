import { type Authorization, State, TextFilterMethod } from "@authorization-service/client";
import type { ListUsersRequest, UsersSearchFilter } from "@authorization-service/client/directory";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { callerWith } from "../directory/callers.ts";
import { acme, ann, assignment, globex, shop } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/assign-list/assign-list-page.tsx";

const person = (id: string, displayName: string, organizationId = "acme") => ({
  ...{ id, displayName, organizationId, preferredLoginName: `${id}@${organizationId}.example` },
});
const people = [
  ann,
  person("bob", "Bob"),
  person("chris", "Chris"),
  person("cris", "chris"),
  person("far", "Far", "globex"),
  ...Array.from({ length: 10 }, (_, at) => person(`like-${at}`, "eve@acme.example")),
  person("eve", "Eve"),
];

/** Those whom an owner of Acme does not see are found by their whole login name or id alone. */
function matches(filter: UsersSearchFilter["filter"], user: typeof ann): boolean {
  const isSeen = user.organizationId === "acme";
  switch (filter.case) {
    case "ids":
      return filter.value.ids.includes(user.id) && (isSeen || filter.value.ids.length === 1);
    case "name": {
      expect(filter.value.method).toBe(TextFilterMethod.EQUALS_IGNORE_CASE);
      const text = filter.value.text.toLowerCase();
      return isSeen && [user.displayName.toLowerCase(), user.preferredLoginName].includes(text);
    }
    case "preferredLoginName":
      if (filter.value.method === TextFilterMethod.EQUALS) return filter.value.text === user.preferredLoginName;
      expect(filter.value.method).toBe(TextFilterMethod.EQUALS_IGNORE_CASE);
      return isSeen && filter.value.text.toLowerCase() === user.preferredLoginName;
    default:
      throw new Error(`asked by ${filter.case}`);
  }
}

type Named = { readonly id: string; readonly name: string };
type Asked = { readonly filter: { readonly case?: string | undefined; readonly value?: unknown } };

/** By ids, or by the whole name. */
function named<Thing extends Named>(things: readonly Thing[], filters: readonly Asked[]): Thing[] {
  const asked = filters[0]?.filter.value as { readonly ids?: readonly string[]; readonly text?: string };
  return things.filter(({ id, name }) => asked.ids?.includes(id) ?? asked.text?.toLowerCase() === name.toLowerCase());
}

/** A service with one assignment, that keeps what it was asked, and refuses to assign anything to those in `refused`. */
function service(refused = new Set<string>()) {
  const there = assignment({ user: ann, changeDate: timestampFromMs(1_000) });
  const sent: { readonly [key: string]: unknown }[] = [];
  const listed = { count: 0 };
  return {
    sent,
    listed,
    caller: { getCaller: () => callerWith("acme", "ORG_OWNER") },
    directory: {
      listUsers: ({ filters, pagination }: ListUsersRequest) => {
        listed.count += 1;
        const users = people.filter((user) => filters.every(({ filter }) => matches(filter, user)));
        return { users: users.slice(0, pagination?.limit) };
      },
      listOrganizations: ({ filters }: { filters: readonly Asked[] }) => ({
        organizations: named([acme, globex, { id: "twin-1", name: "Twin" }, { id: "twin-2", name: "Twin" }], filters),
      }),
      listProjects: ({ filters, assignable }: { filters: readonly Asked[]; assignable: boolean }) => {
        const chiefs = ["Chief", "chief"].map((displayName, at) => ({ key: `chief-${at}`, displayName, group: "" }));
        const projects = named([{ ...shop, roles: [...shop.roles, ...chiefs] }], filters);
        if (!assignable) return { projects };
        const organization = filters.find(({ filter }) => filter.case === "inOrganizationId")?.filter.value as Named;
        return { projects: organization.id === "acme" ? projects : [] };
      },
    },
    authorizations: {
      listAuthorizations: ({ filters }: { filters: readonly Asked[] }) => {
        const ids = filters.flatMap(({ filter }) =>
          filter.case === "inUserIds" ? (filter.value as { ids: string[] }).ids : [],
        );
        return { authorizations: ids.includes(ann.id) ? [there] : ([] as Authorization[]), pagination: {} };
      },
      batchCreateAuthorizations: ({ items, reason }: { items: readonly { userId: string }[]; reason: string }) => {
        sent.push({ created: items, reason });
        const results = items.map(({ userId }) =>
          refused.has(userId)
            ? { result: { case: "error" as const, value: { reason: "ROLE_NOT_ASSIGNABLE", code: "x", message: "x" } } }
            : {
                result: {
                  case: "success" as const,
                  value: { id: `new-${userId}`, creationDate: timestampFromMs(2_000) },
                },
              },
        );
        return { results };
      },
      batchUpdateAuthorizations: ({ items }: { items: readonly object[] }) => {
        sent.push({ updated: items });
        const value = { changeDate: timestampFromMs(3_000) };
        return { results: items.map(() => ({ result: { case: "success" as const, value } })) };
      },
    },
    history: { listAuthorizationEvents: () => ({ pagination: {} }) },
    there,
  };
}

const field = () => screen.findByLabelText<HTMLTextAreaElement>(/^Person, project, organization, and roles/);

async function paste(...lines: string[]) {
  fireEvent.change(await field(), { target: { value: lines.join("\n") } });
}

/** The results by line, in the order of the table. */
async function results(): Promise<[string | null | undefined, string | null | undefined][]> {
  const table = await screen.findByRole("table", { name: "Preview" });
  await waitFor(() => expect(screen.queryByText("Checking…")).toBeNull());
  return [...table.querySelectorAll("tbody tr")].map((row) => [
    row.firstElementChild?.textContent,
    row.lastElementChild?.textContent,
  ]);
}

const save = (count: number) =>
  screen.findByRole("button", { name: `Save ${count} ${count === 1 ? "assignment" : "assignments"}` });

it("says of each line what it would do before anything is written, lines with problems first", async () => {
  const told = service();
  openConsole("/assign-list", told);
  await paste(
    "bob@acme.example, Shop, Acme, Seller, auditor",
    "Ann Keller, p-shop, acme, Auditor",
    "u-ann, shop, ACME, Seller",
    "far@globex.example, Shop, Acme, Seller",
    "far, Shop, Acme",
    "bob, Shop, Acme, seller",
    "Chris, Shop, Acme, Seller",
    "Dora, Shop, Acme, Seller",
    "bob, Stop, Acme, Seller",
    "bob, Shop, Twin, Seller",
    "bob, Shop, Acme, Boss",
    "bob, Shop, Globex, Seller",
    "bob, Shop, Acme, Chief",
  );
  expect(await results()).toEqual([
    ["7", "“Chris” can be more than one person: Chris (chris@acme.example), chris (cris@acme.example)"],
    ["8", "No person “Dora” that you can see"],
    ["9", "No project “Stop” that you can see"],
    ["10", "“Twin” can be more than one organization: Twin (twin-1), Twin (twin-2)"],
    ["11", "“Boss” can't be assigned for Shop in Acme"],
    ["12", "“Seller” can't be assigned for Shop in Globex"],
    ["13", "“Chief” can be more than one role: chief-0, chief-1"],
    ["1", "new: adds Auditor, Seller"],
    ["2", "adds Auditor"],
    ["3", "Nothing to do: it has these roles already"],
    ["4", "new: adds Seller"],
    ["5", "Nothing to do: line 4 says the same"],
    ["6", "Nothing to do: line 1 says the same"],
  ]);
  expect(screen.getByText(/^13 lines found, 7 lines have problems/)).toBeDefined();
  expect(await save(3)).toBeDefined();
  expect(told.sent).toEqual([]);
});

it("saves what can be saved, keeps the other lines, and continues with them", async () => {
  const refused = new Set(["bob"]);
  const told = service(refused);
  const { router } = openConsole("/assign-list", told);
  await paste("bob, Shop, Acme, Seller", "Dora, Shop, Acme, Seller", "u-ann, Shop, Acme, Auditor", "far, Shop, Acme");
  fireEvent.click(await save(3));
  await screen.findByRole("dialog", { name: "2 assignments saved, 1 failed" });
  fireEvent.click(await screen.findByRole("button", { name: "Close" }));
  await waitFor(async () => expect((await field()).value).toBe("bob,Shop,Acme,Seller\nDora,Shop,Acme,Seller"));
  expect(screen.getByText(/^2 assignments are saved\. 2 lines are left in the list\.$/)).toBeDefined();
  const since = told.there.changeDate;
  expect(told.sent).toMatchObject([
    {
      created: [
        { userId: "bob", projectId: "p-shop", organizationId: "acme", roleKeys: ["seller"] },
        { userId: "far", projectId: "p-shop", organizationId: "acme", roleKeys: [] },
      ],
    },
    { updated: [{ id: "a-1", roleKeys: ["auditor", "seller"], ifUnchangedSince: since }] },
  ]);

  refused.clear();
  await paste("bob,Shop,Acme,Seller");
  fireEvent.click(await save(1));
  await waitFor(() => expect(router.state.location.pathname).toBe("/assignments"));
  expect(told.sent).toHaveLength(3);
});

it("says that an assignment it changes stays inactive", async () => {
  const told = service();
  told.there.state = State.INACTIVE;
  openConsole("/assign-list", told);
  await paste("u-ann, Shop, Acme, Auditor", "u-ann, Shop, Acme, Seller");
  expect(await results()).toEqual([
    ["1", "adds Auditor (it stays inactive)"],
    ["2", "Nothing to do: it has these roles already (it stays inactive)"],
  ]);
});

it("finds a login name that is also the name of many others", async () => {
  openConsole("/assign-list", service());
  await paste("Eve@acme.example, Shop, Acme, Seller");
  expect(await results()).toEqual([["1", "new: adds Seller"]]);
});

it("does not ask about names again while the list is edited", async () => {
  const told = service();
  openConsole("/assign-list", told);
  await paste("bob@acme.example, Shop, Acme, Seller");
  await save(1);
  const asked = told.listed.count;
  await paste("bob@acme.example, Shop, Acme, Auditor");
  await screen.findByText("new: adds Auditor");
  expect(told.listed.count).toBe(asked);
});

it.each([
  ["UTF-8", new TextEncoder().encode("Ännchen, Shop, Acme, Seller")],
  [
    "the old encoding of Windows",
    Uint8Array.from([..."\xc4nnchen, Shop, Acme, Seller"].map((one) => one.charCodeAt(0))),
  ],
])("reads a file in %s", async (_, bytes) => {
  openConsole("/assign-list", service());
  const file = new File([bytes], "list.csv", { type: "text/csv" });
  fireEvent.change(await screen.findByLabelText(/^Or from a file/), { target: { files: [file] } });
  await waitFor(async () => expect((await field()).value).toBe("Ännchen, Shop, Acme, Seller"));
});

it("is not for those who may not assign anything", async () => {
  openConsole("/assign-list", { ...service(), caller: { getCaller: () => callerWith("acme", "ORG_OWNER_VIEWER") } });
  expect(await screen.findByRole("heading", { name: "You may not assign roles" })).toBeDefined();
});

it("is reached from the dialog for a new assignment, and by the search", async () => {
  const { router } = openConsole("/assignments?create={}", service());
  fireEvent.click(await screen.findByRole("link", { name: "Assign roles to many people from a list" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/assign-list"));
  expect(await screen.findByRole("heading", { level: 1, name: "Assign roles from a list" })).toBeDefined();
  fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
  fireEvent.change(await screen.findByRole("combobox", { name: /^Search people/ }), {
    target: { value: "roles list" },
  });
  expect(await screen.findByRole("option", { name: /Assign roles from a list/ })).toBeDefined();
});
