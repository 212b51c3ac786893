import {
  DirectoryHistoryService,
  DirectoryService,
  type ListDirectoryEventsRequest,
  type ListUsersRequest,
  type User,
} from "@authorization-service/client/directory";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { EverUserPicker, UserPicker, UsersPicker } from "../../src/pickers/things.tsx";
import { queryClient } from "../../src/session/queries.ts";

afterEach(cleanup);

const ann = { id: "ann", displayName: "Ann Keller", preferredLoginName: "ann@acme.example" };
const anna = { id: "anna", displayName: "Anna Ruiz", preferredLoginName: "anna@acme.example" };
/** Nobody sees this one, but finds it by the whole login name or the id. */
const bob = { id: "u-17", displayName: "", preferredLoginName: "bob@globex.example" };

/** The service: of `search`, what contains it; exactly one id or login name also of whom nobody sees. */
function found({ filters }: ListUsersRequest) {
  const filter = filters[0]?.filter;
  if (filter?.case === "ids") return [ann, anna, bob].filter(({ id }) => filter.value.ids.includes(id));
  if (filter?.case === "preferredLoginName") {
    return [ann, anna, bob].filter((user) => user.preferredLoginName === filter.value.text);
  }
  const text = filter?.case === "search" ? filter.value.text.toLowerCase() : "";
  return [ann, anna].filter((user) => user.displayName.toLowerCase().includes(text));
}

function One({ onChange }: { onChange: (user: User | undefined) => void }) {
  const [user, setUser] = useState<User>();
  return (
    <UserPicker
      label="Person"
      value={user}
      onChange={(picked) => {
        setUser(picked);
        onChange(picked);
      }}
    />
  );
}

function Several({ onChange }: { onChange: (users: readonly User[]) => void }) {
  const [users, setUsers] = useState<readonly User[]>([]);
  return (
    <UsersPicker
      label="People"
      value={users}
      onChange={(picked) => {
        setUsers(picked);
        onChange(picked);
      }}
    />
  );
}

function show(picker: React.ReactNode, listUsers: (request: ListUsersRequest) => object = answer) {
  const listOrganizations = () => ({
    organizations: [
      { id: "acme", name: "Acme" },
      { id: "globex", name: "Globex" },
    ],
  });
  const transport = createRouterTransport(({ service }) => {
    service(DirectoryService, { listUsers, listOrganizations });
    service(DirectoryHistoryService, { listDirectoryEvents: (request) => ({ events: eventsFor(request) }) });
  });
  render(
    <TransportProvider transport={transport}>
      <QueryClientProvider client={queryClient()}>{picker}</QueryClientProvider>
    </TransportProvider>,
  );
  return screen.getByRole<HTMLInputElement>("combobox");
}

function answer(request: ListUsersRequest) {
  return { users: found(request), pagination: {} };
}

const type = (field: HTMLElement, text: string) =>
  fireEvent.input(field, { target: { value: text }, inputType: "insertText" });

/** Latest first: Zoë and Annabel were removed, Ann was added again. */
function eventsFor({ filters }: ListDirectoryEventsRequest) {
  const of = (value: object) => ({ thing: { case: "user" as const, value } });
  const zoe = { id: "zoe", displayName: "Zoë Anders", preferredLoginName: "zoe", organizationId: "acme" };
  const annabel = { id: "u-18", displayName: "Annabel", preferredLoginName: "a.bel", organizationId: "globex" };
  const events = [
    { before: of(zoe) },
    { after: of({ ...ann, organizationId: "acme" }) },
    { before: of(annabel) },
    { before: of(ann) },
    { after: of(annabel) },
  ];
  const [id] = filters.flatMap(({ filter }) => (filter.case === "id" ? [filter.value.id] : []));
  return events.filter(({ before, after }) => id === undefined || JSON.stringify(before ?? after).includes(`"${id}"`));
}

const names = () => screen.getAllByRole("option").map((option) => option.textContent);

it("nothing is asked before someone searches", () => {
  const listUsers = vi.fn(answer);
  show(<One onChange={() => undefined} />, listUsers);
  expect(listUsers).not.toHaveBeenCalled();
});

it("a user that is not seen is found by the whole login name and by the id, shown by what is known", async () => {
  const onChange = vi.fn();
  const field = show(<One onChange={onChange} />);
  type(field, "u-17");
  fireEvent.click(await screen.findByRole("option", { name: /bob@globex.example/ }));
  expect(onChange.mock.lastCall?.[0]).toMatchObject({ id: "u-17" });
  expect(field.value).toBe("bob@globex.example");
});

it("people with the same login name are told apart by organization and id, also once one is picked", async () => {
  const same = { displayName: "Ann Keller", preferredLoginName: "ann" };
  const users = ["acme", "globex", "hidden"].map((organizationId) => ({
    ...same,
    organizationId,
    id: `u-${organizationId}`,
  }));
  const field = show(<One onChange={() => undefined} />, () => ({ users, pagination: {} }));
  type(field, "ann");
  const facts = ["ann · Acme · u-acme", "ann · Globex · u-globex", "ann · another organization · u-hidden"];
  await waitFor(() => expect(names().map((name) => name?.replace(/.*Keller/, ""))).toEqual(facts));
  fireEvent.click(screen.getByRole("option", { name: /u-globex/ }));
  await waitFor(() => expect(screen.queryByRole("option")).toBeNull());
  expect(document.querySelector(".hint")?.textContent).toBe("ann · Globex · u-globex");
});

it("whoever is meant exactly comes first, and once", async () => {
  const field = show(<One onChange={() => undefined} />);
  type(field, "anna");
  await waitFor(() => expect(names()).toEqual([expect.stringContaining("Anna Ruiz")]));
});

it("in the history, those who were removed come last, marked, found by the beginnings of words or by the id", async () => {
  const field = show(<EverUserPicker label="Person" value={undefined} onChange={() => undefined} />);
  const marked = [expect.stringMatching(/Ann Keller.*ann$/), expect.stringMatching(/Anna Ruiz.*anna$/)];
  type(field, "an");
  const gone = [/Zoë Anders.*zoe · Acme · zoe · removed$/, /Annabel.*a.bel · Globex · u-18 · removed$/];
  await waitFor(() => expect(names()).toEqual([...marked, ...gone.map((one) => expect.stringMatching(one))]));
  type(field, "anders zoe");
  await waitFor(() => expect(names()).toEqual([expect.stringMatching(/^.*Zoë Anders.*removed$/)]));
  type(field, "u-18");
  await waitFor(() => expect(names()).toEqual([expect.stringMatching(/Annabel.*removed$/)]));
});

it("where there are more, the list says how to find them", async () => {
  const more = (request: ListUsersRequest) => ({ users: found(request), pagination: { nextPageToken: "next" } });
  type(show(<One onChange={() => undefined} />, more), "an");
  expect(await screen.findByText("There are more people. Type more of the name to find others.")).toBeTruthy();
});

it("where no one is found, the list says so", async () => {
  type(show(<One onChange={() => undefined} />), "zoe");
  expect(await screen.findByText("No people match “zoe”.")).toBeTruthy();
});

it("where the search fails, the list says what to do", async () => {
  const fail = () => {
    throw new ConnectError("down", Code.Internal);
  };
  type(show(<One onChange={() => undefined} />, fail), "ann");
  expect(await screen.findByText(/^Something went wrong in the service\. Try again/)).toBeTruthy();
});

it("Escape closes the list and, once it is closed, leaves what is picked alone", async () => {
  const onChange = vi.fn();
  const field = show(<Several onChange={onChange} />);
  type(field, "ann");
  fireEvent.click(await screen.findByRole("option", { name: /Ann Keller/ }));
  fireEvent.keyDown(field, { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("option")).toBeNull());
  fireEvent.keyDown(field, { key: "Escape" });
  expect(onChange.mock.calls.map(([users]) => users.length)).toEqual([1]);
});

it("several are picked one after another, and removed one by one", async () => {
  const onChange = vi.fn();
  const field = show(<Several onChange={onChange} />);
  type(field, "keller");
  fireEvent.click(await screen.findByRole("option", { name: /Ann Keller/ }));
  type(field, "ruiz");
  fireEvent.click(await screen.findByRole("option", { name: /Anna Ruiz/ }));
  fireEvent.click(screen.getByRole("button", { name: "Remove Ann Keller", hidden: true }));
  expect(onChange.mock.calls.map(([users]) => users.map(({ id }: User) => id))).toEqual([
    ["ann"],
    ["ann", "anna"],
    ["anna"],
  ]);
});

/** A service whose answers wait until they are let go. */
function held() {
  const isLetGo = Promise.withResolvers<void>();
  const listUsers = async (request: ListUsersRequest) => {
    await isLetGo.promise;
    return answer(request);
  };
  return { listUsers, letGo: () => isLetGo.resolve() };
}

function Form({ onSubmit, children }: { onSubmit: () => void; children: React.ReactNode }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

/** Presses Enter as a browser does: unless something prevents it, it submits the form. */
function enter(field: HTMLInputElement) {
  if (fireEvent.keyDown(field, { key: "Enter" })) field.form?.requestSubmit();
}

it.each([
  ["in a field for one", One, "Anna Ruiz"],
  ["in a field for several", Several, ""],
])("Enter %s, before the answer, picks the best match when it comes, and doesn't submit", async (_, Field, text) => {
  const [onChange, onSubmit, service] = [vi.fn(), vi.fn(), held()];
  const field = show(
    <Form onSubmit={onSubmit}>
      <Field onChange={onChange} />
    </Form>,
    service.listUsers,
  );
  type(field, "anna");
  enter(field);
  // Leaving the field doesn't lose it.
  field.focus();
  field.blur();
  enter(field);
  expect(field.value).toBe("anna");
  expect(onChange).not.toHaveBeenCalled();
  service.letGo();
  await waitFor(() => expect(onChange).toHaveBeenCalledOnce());
  expect([onChange.mock.lastCall?.[0]].flat()).toMatchObject([{ id: "anna" }]);
  await waitFor(() => expect(field.value).toBe(text));
  expect(onSubmit).not.toHaveBeenCalled();
});

it("Enter doesn't pick what an earlier text has found", async () => {
  const onChange = vi.fn();
  const field = show(<One onChange={onChange} />);
  type(field, "a");
  await waitFor(() => expect(names()).toHaveLength(2));
  type(field, "anna");
  enter(field);
  await waitFor(() => expect(onChange).toHaveBeenCalledOnce());
  expect(onChange.mock.lastCall?.[0]).toMatchObject({ id: "anna" });
});

it("Enter where nothing is found keeps the text, and doesn't submit", async () => {
  const [onChange, onSubmit] = [vi.fn(), vi.fn()];
  const field = show(
    <Form onSubmit={onSubmit}>
      <One onChange={onChange} />
    </Form>,
  );
  type(field, "zoe");
  enter(field);
  await screen.findByText("No people match “zoe”.");
  enter(field);
  expect(field.value).toBe("zoe");
  expect([onChange, onSubmit].flatMap(({ mock }) => mock.calls)).toEqual([]);
});

it("Enter after something was picked submits", async () => {
  const onSubmit = vi.fn();
  const field = show(
    <Form onSubmit={onSubmit}>
      <One onChange={() => undefined} />
    </Form>,
  );
  type(field, "keller");
  fireEvent.click(await screen.findByRole("option", { name: /Ann Keller/ }));
  enter(field);
  expect(onSubmit).toHaveBeenCalledOnce();
});

it("text that was not picked stays when the field is left, and the field says so until Escape", async () => {
  const field = show(<One onChange={() => undefined} />);
  field.focus();
  type(field, "ann");
  await screen.findByRole("option", { name: /Ann Keller/ });
  fireEvent.pointerDown(document.body);
  fireEvent.click(document.body);
  await waitFor(() => expect(screen.queryByRole("option")).toBeNull());
  expect(field.value).toBe("ann");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText(/^Nothing is picked yet/)).toBeDefined();
  enter(field);
  await screen.findByRole("option", { name: /Ann Keller/ });
  fireEvent.keyDown(field, { key: "Escape" });
  await waitFor(() => expect(field.value).toBe(""));
  expect(screen.queryByText(/^Nothing is picked yet/)).toBeNull();
});

it("who has exactly this name comes first", async () => {
  const listUsers = () => ({ users: [anna, ann, { ...bob, displayName: "Ann" }], pagination: {} });
  const field = show(<One onChange={() => undefined} />, listUsers);
  type(field, "ann");
  await waitFor(() => expect(names().map((name) => name?.includes("globex"))).toEqual([true, false, false]));
});

it("Enter after a search that failed asks again, and picks what it finds", async () => {
  const onChange = vi.fn();
  const listUsers = vi.fn(answer);
  const field = show(<One onChange={onChange} />, listUsers);
  listUsers.mockImplementation(() => {
    throw new ConnectError("down", Code.Internal);
  });
  type(field, "anna");
  enter(field);
  await screen.findByText(/^Something went wrong in the service/);
  expect(field.value).toBe("anna");
  listUsers.mockImplementation(answer);
  enter(field);
  await waitFor(() => expect(onChange).toHaveBeenCalledOnce());
  expect(onChange.mock.lastCall?.[0]).toMatchObject({ id: "anna" });
});
