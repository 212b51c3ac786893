import { DirectoryService, type ListUsersRequest, type User } from "@authorization-service/client/directory";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { UserPicker, UsersPicker } from "../../src/pickers/user-picker.tsx";
import { queryClient } from "../../src/session/queries.ts";

afterEach(cleanup);

const ann = { id: "ann", displayName: "Ann Keller", preferredLoginName: "ann@acme.example" };
const anna = { id: "anna", displayName: "Anna Ruiz", preferredLoginName: "anna@acme.example" };
/** Nobody sees this one, but finds it by the whole login name or the id. */
const bob = { id: "u-17", displayName: "", preferredLoginName: "bob@globex.example" };

/** The service: of `name`, what contains it; exactly one id or login name also of whom nobody sees. */
function found({ filters }: ListUsersRequest) {
  const filter = filters[0]?.filter;
  if (filter?.case === "ids") return [ann, anna, bob].filter(({ id }) => filter.value.ids.includes(id));
  if (filter?.case === "preferredLoginName") {
    return [ann, anna, bob].filter((user) => user.preferredLoginName === filter.value.text);
  }
  const text = filter?.case === "name" ? filter.value.text.toLowerCase() : "";
  return [ann, anna].filter((user) => user.displayName.toLowerCase().includes(text));
}

function One({ onChange }: { onChange: (user: User | undefined) => void }) {
  const [user, setUser] = useState<User>();
  return (
    <UserPicker
      label="User"
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
      label="Users"
      value={users}
      onChange={(picked) => {
        setUsers(picked);
        onChange(picked);
      }}
    />
  );
}

function show(picker: React.ReactNode, listUsers: (request: ListUsersRequest) => object = answer) {
  const transport = createRouterTransport(({ service }) => service(DirectoryService, { listUsers }));
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

it("whoever is meant exactly comes first, and once", async () => {
  const field = show(<One onChange={() => undefined} />);
  type(field, "anna");
  await waitFor(() => expect(names()).toEqual([expect.stringContaining("Anna Ruiz")]));
});

it("where there are more, the list says how to find them", async () => {
  const more = (request: ListUsersRequest) => ({ users: found(request), pagination: { nextPageToken: "next" } });
  type(show(<One onChange={() => undefined} />, more), "an");
  expect(await screen.findByText("There are more users. Type more of the name to find others.")).toBeTruthy();
});

it("where no one is found, the list says so", async () => {
  type(show(<One onChange={() => undefined} />), "zoe");
  expect(await screen.findByText("No users match “zoe”.")).toBeTruthy();
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
