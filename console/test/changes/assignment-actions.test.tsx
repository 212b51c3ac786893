import { type Authorization, State } from "@authorization-service/client";
import { type Timestamp, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { AssignmentActions } from "../../src/changes/assignment-actions.tsx";
import { assignment, away, callerWith, refusal } from "./assignment.ts";
import { held, show } from "./show.tsx";
import { type World, worldOf } from "./world.ts";

const one = assignment("1");

function open(world: World, authorization: Authorization = one) {
  const onGone = vi.fn();
  return { onGone, ...show(world, <AssignmentActions authorization={authorization} onGone={onGone} />) };
}

const button = (name: string) => screen.findByRole("button", { name });
const press = async (name: string) => fireEvent.click(await button(name));

it.each([
  [["user.grant.read"], []],
  [["user.grant.write"], ["Edit roles", "Set the end", "Deactivate"]],
  [["user.grant.delete"], ["Delete"]],
  [
    ["user.grant.write", "user.grant.delete"],
    ["Edit roles", "Set the end", "Deactivate", "Delete"],
  ],
])("with %j alone, what is offered is %j", async (permissions, offered) => {
  const world = worldOf(one);
  world.caller = callerWith({ case: "organization", value: { id: "acme" } }, permissions);
  const { client } = open(world);
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(screen.queryAllByRole("button").map(({ textContent }) => textContent)).toEqual(offered);
});

it("what has passed its end is shown so, and gets another one", async () => {
  const ended = assignment("1", { state: State.INACTIVE, expired: true, expirationDate: timestampFromMs(1) });
  const world = worldOf(ended);
  open(world, ended);
  await press("Set the end");
  fireEvent.change(await screen.findByRole("combobox", { name: "Ends" }), { target: { value: "90" } });
  await press("Set the end: 1 assignment");
  await screen.findByText("1 done.");
  const [{ items }] = world.asked("batchUpdate") as unknown as [{ items: { expirationDate: Timestamp }[] }];
  expect(items).toMatchObject([{ roleKeys: ["seller"], ifUnchangedSince: ended.changeDate }]);
  expect(timestampMs(items[0]?.expirationDate as Timestamp)).toBeGreaterThan(Date.now() + 89 * 86_400_000);
});

it("what is inactive can be activated", async () => {
  const inactive = assignment("1", { state: State.INACTIVE });
  const world = worldOf(inactive);
  open(world, inactive);
  await press("Activate");
  expect(await screen.findByText("Person 1’s assignment for Shop in Acme is activated.")).toBeDefined();
  expect(world.asked("batchSetState")).toMatchObject([
    { state: State.ACTIVE, items: [{ id: "1", ifUnchangedSince: one.changeDate }] },
  ]);
});

it("deactivating is told, and undone by the opposite of what was made, not of what was shown", async () => {
  const world = worldOf(one);
  open(world);
  await press("Deactivate");
  await press("Undo");
  expect(await screen.findByText(/^Undone: /)).toBeDefined();
  expect(world.asked("batchSetState")).toMatchObject([
    { state: State.INACTIVE, items: [{ ifUnchangedSince: { seconds: 1n, nanos: 0 } }] },
    { state: State.ACTIVE, items: [{ id: "1", ifUnchangedSince: { seconds: 2n, nanos: 1_000_000 } }] },
  ]);
  expect(world.rows.get("1")?.state).toBe(State.ACTIVE);
});

it("what someone else has changed since is not undone", async () => {
  const world = worldOf(one);
  open(world);
  await press("Deactivate");
  const undo = await button("Undo");
  world.change("1", (row) => {
    row.roles = [];
  });
  fireEvent.click(undo);
  const dialog = within(await screen.findByRole("dialog", { name: "Not everything could be undone" }));
  expect((await dialog.findByRole("listitem")).textContent).toMatch(
    /^Person 1.*Someone else has changed it in the meantime/,
  );
  expect(world.rows.get("1")?.state).toBe(State.INACTIVE);
});

it("two clicks send once", async () => {
  const world = worldOf(one);
  const answer = held();
  world.before = ({ rpc }) => (rpc === "batchSetState" ? answer.promise : undefined);
  open(world);
  const deactivate = await button("Deactivate");
  fireEvent.click(deactivate);
  fireEvent.click(deactivate);
  answer.resolve();
  await button("Undo");
  expect(world.asked("batchSetState")).toHaveLength(1);
});

it("deleting names what is deleted, and is not done before it is confirmed", async () => {
  const world = worldOf(one);
  const { onGone } = open(world);
  await press("Delete");
  const dialog = await screen.findByRole("alertdialog", { name: "Delete this assignment?" });
  for (const text of ["Person 1", "Shop", "Acme", "Seller"]) expect(within(dialog).getByText(text)).toBeDefined();
  expect(world.asked("batchDelete")).toEqual([]);

  fireEvent.click(within(dialog).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(onGone).toHaveBeenCalled());
  expect(world.asked("batchDelete")).toMatchObject([{ items: [{ id: "1", ifUnchangedSince: one.changeDate }] }]);
  expect(screen.getByText(/is deleted\.$/)).toBeDefined();
});

it("of very many roles the question names the first, and what has to be scrolled is reached by the keyboard", async () => {
  const spy = vi.spyOn(HTMLElement.prototype, "scrollHeight", "get").mockReturnValue(2_000);
  onTestFinished(() => spy.mockRestore());
  const roles = Array.from({ length: 1_000 }, (_, index) => ({ key: `role-${index}` }));
  const row = assignment("1", { roles });
  open(worldOf(row), row);
  await press("Delete");
  const dialog = within(await screen.findByRole("alertdialog"));
  expect(dialog.getAllByRole("listitem")).toHaveLength(21);
  expect(dialog.getByText("980 more")).toBeDefined();
  expect(dialog.getByRole("region", { name: "What the dialog is about" }).tabIndex).toBe(0);
});

it("the second of two clicks leaves the question open until the first is answered", async () => {
  const world = worldOf(one);
  const answer = held();
  world.before = ({ rpc }) => (rpc === "batchDelete" ? answer.promise : undefined);
  open(world);
  await press("Delete");
  const confirm = within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Delete" });
  fireEvent.click(confirm);
  fireEvent.click(confirm);
  await screen.findByRole("button", { name: "Deleting…" });
  expect(screen.getByRole("alertdialog")).toBeDefined();
  answer.resolve();
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(world.asked("batchDelete")).toHaveLength(1);
});

it("a change by someone else is shown before it is decided again, and sent with the new date", async () => {
  const world = worldOf(one);
  const { onGone } = open(world);
  await press("Delete");
  const dialog = await screen.findByRole("alertdialog");
  world.change("1", (row) => {
    row.state = State.INACTIVE;
  });
  fireEvent.click(within(dialog).getByRole("button", { name: "Delete" }));

  const conflict = await screen.findByRole("dialog", { name: "Someone else changed it first" });
  expect(await within(conflict).findByText(/^Ann changed its roles/)).toBeDefined();
  expect(within(conflict).getByRole("row", { name: "State Active Inactive" })).toBeDefined();
  expect(world.rows.has("1")).toBe(true);

  fireEvent.click(within(conflict).getByRole("button", { name: "Delete anyway" }));
  await waitFor(() => expect(onGone).toHaveBeenCalled());
  expect(world.asked("batchDelete")).toMatchObject([
    { items: [{ ifUnchangedSince: { seconds: 1n } }] },
    { items: [{ ifUnchangedSince: { seconds: 2n, nanos: 1_000_000 } }] },
  ]);
});

it("whoever has left before the answer is told of the conflict", async () => {
  const world = worldOf(one);
  const answer = held();
  const { reshow } = open(world);
  world.before = ({ rpc }) => (rpc === "batchSetState" ? answer.promise : undefined);
  await press("Deactivate");
  world.change("1", (row) => {
    row.roles = [];
  });
  reshow(null);
  answer.resolve();
  expect((await screen.findByText(/was not deactivated/)).textContent).toContain(
    "Someone else has changed it in the meantime",
  );
});

it("what someone else has done already is not offered again", async () => {
  const world = worldOf(one);
  open(world);
  const deactivate = await button("Deactivate");
  world.change("1", (row) => {
    row.state = State.INACTIVE;
  });
  fireEvent.click(deactivate);
  expect(await screen.findByText("It is deactivated already: there is nothing left to do.")).toBeDefined();
  expect(screen.queryByRole("button", { name: "Deactivate anyway" })).toBeNull();
});

it("what is gone is said to be gone, and the panel is left", async () => {
  const world = worldOf();
  const { onGone } = open(world);
  await press("Deactivate");
  const dialog = await screen.findByRole("dialog", { name: "The assignment is gone" });
  fireEvent.click(within(dialog).getByRole("button", { name: "Close" }));
  expect(onGone).toHaveBeenCalled();
});

it("when rights went, it is said, and the rights are asked again", async () => {
  const world = worldOf(one);
  world.before = ({ rpc }) => {
    if (rpc !== "batchSetState") return;
    world.caller = callerWith({ case: "instance", value: true }, ["user.grant.read"]);
    throw refusal("PERMISSION_DENIED", Code.PermissionDenied);
  };
  open(world);
  await press("Deactivate");
  expect((await screen.findByText(/was not deactivated/)).textContent).toContain(
    "You don't have the permission for this here",
  );
  await waitFor(() => expect(screen.queryByRole("button", { name: "Deactivate" })).toBeNull());
});

it.each([away(), refusal("DATABASE_UNAVAILABLE", Code.Unavailable)])(
  "without an answer it is uncertain, and never sent again on its own: %s",
  async (error) => {
    const world = worldOf(one);
    world.before = ({ rpc }) => {
      if (rpc === "batchSetState") throw error;
    };
    open(world);
    await press("Deactivate");
    expect(await screen.findByText(/It is unknown whether/)).toBeDefined();
    expect(world.asked("batchSetState")).toHaveLength(1);
  },
);

it.each([
  ["the question", false],
  ["the conflict", true],
])("when the person was signed out, %s is still there to be decided", async (_, isConflict) => {
  const world = worldOf(one);
  const { onGone } = open(world);
  await press("Delete");
  if (isConflict) world.change("1", (row) => (row.state = State.INACTIVE));
  const confirm = async () =>
    fireEvent.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Delete" }));
  if (isConflict) {
    await confirm();
    await button("Delete anyway");
  }
  const decide = isConflict ? () => press("Delete anyway") : confirm;
  world.before = ({ rpc }) => {
    if (rpc === "batchDelete") throw new ConnectError("refused", Code.Unauthenticated);
  };
  await decide();
  expect((await screen.findByText(/was not deleted/)).textContent).toContain("You were signed out in the meantime");
  world.before = () => {};
  await decide();
  await waitFor(() => expect(onGone).toHaveBeenCalled());
});
