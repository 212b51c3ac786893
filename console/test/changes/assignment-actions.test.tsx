import { type Authorization, State } from "@authorization-service/client";
import { type Timestamp, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
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
  await press("Set the end of 1 assignment");
  await screen.findByText(/^End of Person 1’s .* set\.$/);
  const [{ items }] = world.asked("batchUpdate") as unknown as [{ items: { expirationDate: Timestamp }[] }];
  expect(items).toMatchObject([{ roleKeys: ["seller"], ifUnchangedSince: ended.changeDate }]);
  expect(timestampMs(items[0]?.expirationDate as Timestamp)).toBeGreaterThan(Date.now() + 89 * 86_400_000);
});

it("what is inactive can be activated", async () => {
  const inactive = assignment("1", { state: State.INACTIVE });
  const world = worldOf(inactive);
  open(world, inactive);
  await press("Activate");
  expect(await screen.findByText("Person 1’s assignment for Shop in Acme activated.")).toBeDefined();
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
  const dialog = await screen.findByRole("alertdialog", { name: "Delete 1 assignment" });
  expect(within(dialog).getByRole("listitem").textContent).toBe("Person 1 Shop in AcmeSeller");
  expect(world.asked("batchDelete")).toEqual([]);

  await press("Delete 1 assignment");
  await waitFor(() => expect(onGone).toHaveBeenCalled());
  expect(world.asked("batchDelete")).toMatchObject([{ items: [{ id: "1", ifUnchangedSince: one.changeDate }] }]);
  expect(screen.getByText(/^Person 1’s .* deleted\.$/)).toBeDefined();
});

it("what has to be scrolled is reached by the keyboard", async () => {
  open(worldOf(one));
  await press("Delete");
  const dialog = within(await screen.findByRole("alertdialog"));
  expect(dialog.getByRole("region", { name: "What the dialog is about" }).tabIndex).toBe(0);
});

it("the second of two clicks on a deletion sends nothing", async () => {
  const world = worldOf(one);
  const answer = held();
  world.before = ({ rpc }) => (rpc === "batchDelete" ? answer.promise : undefined);
  const { onGone } = open(world);
  await press("Delete");
  const confirm = await button("Delete 1 assignment");
  fireEvent.click(confirm);
  fireEvent.click(confirm);
  await screen.findByText("0 of 1");
  answer.resolve();
  await waitFor(() => expect(onGone).toHaveBeenCalled());
  expect(world.asked("batchDelete")).toHaveLength(1);
});

it("a change by someone else is shown before it is decided again, and sent with the new date", async () => {
  const world = worldOf(one);
  const { onGone } = open(world);
  await press("Delete");
  await button("Delete 1 assignment");
  world.change("1", (row) => {
    row.state = State.INACTIVE;
  });
  await press("Delete 1 assignment");

  const conflict = await screen.findByRole("dialog", { name: "Someone else changed it first" });
  expect(await within(conflict).findByText("Ann")).toBeDefined();
  expect(within(conflict).getByText(/It is now inactive: Seller\.$/)).toBeDefined();
  expect(world.rows.has("1")).toBe(true);

  await press("Review 1 assignment");
  await press("Delete 1 assignment");
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
  expect((await screen.findByText(/^Deactivate Person 1’s assignment for Shop in Acme: /)).textContent).toContain(
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
  await press("Review 1 assignment");
  expect(await screen.findByText("Already inactive")).toBeDefined();
  expect(world.asked("batchSetState")).toHaveLength(1);
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
  await screen.findByText("You don't have the permission for this here");
  await press("Close");
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
    await press("Check what they are now");
    await screen.findByText("Not done");
    expect(world.asked("batchSetState")).toHaveLength(1);
  },
);

it("when the person was signed out, the question is still there to be decided", async () => {
  const world = worldOf(one);
  const { onGone } = open(world);
  await press("Delete");
  world.before = ({ rpc }) => {
    if (rpc === "batchDelete") throw new ConnectError("refused", Code.Unauthenticated);
  };
  await press("Delete 1 assignment");
  await screen.findByText("You were signed out in the meantime");
  world.before = () => {};
  await press("Delete 1 assignment");
  await waitFor(() => expect(onGone).toHaveBeenCalled());
});

it("when the person was signed out, a change without a question is said not to be made, and not sent again", async () => {
  const world = worldOf(one);
  world.before = ({ rpc }) => {
    if (rpc === "batchSetState") throw new ConnectError("refused", Code.Unauthenticated);
  };
  open(world);
  await press("Deactivate");
  await screen.findByText(/^Deactivate Person 1’s .*You were signed out in the meantime/);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(world.asked("batchSetState")).toHaveLength(1);
});
