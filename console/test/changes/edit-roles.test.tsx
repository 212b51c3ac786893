import { RoleSchema, State } from "@authorization-service/client";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { assignment, away, refusal } from "./assignment.ts";
import { Editing, held, show } from "./show.tsx";
import { roles, type World, worldOf } from "./world.ts";

const one = assignment("1");

async function open(world: World, shown = one) {
  const onClose = vi.fn();
  const page = show(world, <Editing shown={shown} onClose={onClose} />);
  await screen.findByRole("checkbox", { name: /Seller/ });
  return { ...page, onClose };
}

const tick = (name: RegExp) => fireEvent.click(screen.getByRole("checkbox", { name }));
const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));
const save = () => fireEvent.click(screen.getByRole("button", { name: "Save" }));

it("offers what can be assigned there, by group, with what is held ticked", async () => {
  const world = worldOf(one);
  await open(world);
  const staff = screen.getByRole("group", { name: "staff" });
  const boxes = within(staff).getAllByRole<HTMLInputElement>("checkbox");
  expect(boxes.map(({ checked }) => checked)).toEqual([false, true]);
  const control = within(screen.getByRole("group", { name: "control" }));
  expect(control.getByText("auditor")).toBeDefined();
  expect(control.getByText("Does auditor.")).toBeDefined();
  expect(world.asked("listProjects")).toMatchObject([
    {
      assignable: true,
      filters: [
        { filter: { case: "ids", value: { ids: ["shop"] } } },
        { filter: { case: "inOrganizationId", value: { id: "acme" } } },
      ],
    },
  ]);
});

it("shows the difference before it is saved, and saves it unless it was changed", async () => {
  const world = worldOf(one);
  const { onClose } = await open(world);
  expect(screen.getByText("Nothing is changed yet.")).toBeDefined();
  tick(/Auditor/);
  tick(/Seller/);
  expect(screen.getByText("Saving adds Auditor; removes Seller.")).toBeDefined();
  expect(world.asked("batchUpdate")).toEqual([]);
  save();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(world.asked("batchUpdate")).toMatchObject([
    { items: [{ id: "1", roleKeys: ["auditor"], ifUnchangedSince: one.changeDate }] },
  ]);
  expect(screen.getByText("Person 1’s assignment for Shop in Acme saved.")).toBeDefined();
});

it("without a difference nothing is sent, and two clicks send once", async () => {
  const world = worldOf(one);
  const { onClose } = await open(world);
  save();
  tick(/Auditor/);
  const answer = held();
  world.before = ({ rpc }) => (rpc === "batchUpdate" ? answer.promise : undefined);
  save();
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
  answer.resolve();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(world.asked("batchUpdate")).toHaveLength(1);
});

it("a key that is pressed before the roles are there does nothing: the dialog itself has the focus", async () => {
  const world = worldOf(one);
  const answer = held();
  world.before = ({ rpc }) => (rpc === "listProjects" ? answer.promise : undefined);
  show(world, <Editing shown={one} />);
  await screen.findByText("Looking up the roles that can be assigned here…");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("dialog")));
  answer.resolve();
});

it("what is held and not offered any more is shown as such", async () => {
  const retired = { key: "clerk", displayName: "Clerk", group: "old" };
  const row = assignment("1", { roles: [retired] });
  await open(worldOf(row), row);
  const box = screen.getByRole<HTMLInputElement>("checkbox", { name: /Clerk clerk \(cannot be assigned any more\)/ });
  expect(box.checked).toBe(true);
});

it("a change by someone else is shown with who made it, and is then decided on again", async () => {
  const world = worldOf(one);
  const { onClose } = await open(world);
  tick(/Auditor/);
  world.change("1", (row) => {
    row.roles = roles.filter(({ key }) => key === "buyer");
  });
  save();
  const dialog = await screen.findByRole("dialog", { name: "Someone else changed it first" });
  expect(await within(dialog).findByText("Ann")).toBeDefined();
  expect(within(dialog).getByText(/It is now active: Buyer\.$/)).toBeDefined();
  expect(world.rows.get("1")?.roles.map(({ key }) => key)).toEqual(["buyer"]);

  await press("Review 1 assignment");
  expect(await screen.findByText("adds Auditor")).toBeDefined();
  await press("Save 1 assignment");
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(world.asked("batchUpdate")).toMatchObject([
    { items: [{ ifUnchangedSince: { seconds: 1n } }] },
    { items: [{ roleKeys: ["auditor", "buyer"], ifUnchangedSince: { seconds: 2n, nanos: 1_000_000 } }] },
  ]);
});

it("an end that passed first is not said to be somebody's change", async () => {
  const world = worldOf(one);
  world.latest = { type: "user.grant.expired" };
  await open(world);
  tick(/Auditor/);
  world.change("1", (row) => {
    row.state = State.INACTIVE;
  });
  save();
  const dialog = within(await screen.findByRole("dialog", { name: "Someone else changed it first" }));
  await dialog.findByText("Expired");
  expect(dialog.queryByText("The command line")).toBeNull();
});

it("roles that both have changed in the same way are not left to save", async () => {
  const world = worldOf(one);
  await open(world);
  tick(/Auditor/);
  world.change("1", (row) => {
    row.roles.push(...roles.filter(({ key }) => key === "auditor"));
  });
  save();
  const dialog = await screen.findByRole("dialog", { name: "Someone else changed it first" });
  await within(dialog).findByText(/It is now active: Seller, Auditor\.$/);
  await press("Review 1 assignment");
  expect(await screen.findByText("Nothing to change")).toBeDefined();
});

it("what is gone cannot be edited, and the dialog that says so has the focus", async () => {
  const { onClose } = await open(worldOf());
  tick(/Auditor/);
  screen.getByRole("button", { name: "Save" }).focus();
  save();
  const dialog = await screen.findByRole("dialog", { name: "The assignment is gone" });
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  fireEvent.click(within(dialog).getByRole("button", { name: "Close" }));
  expect(onClose).toHaveBeenCalled();
});

it("what is offered stays while the person decides, so a role that is withdrawn meanwhile can be unticked", async () => {
  const world = worldOf(one);
  const { client } = await open(world);
  tick(/Auditor/);
  tick(/Buyer/);
  world.before = ({ rpc }) => {
    if (rpc !== "batchUpdate") return;
    world.offered = { acme: { shop: roles.filter(({ key }) => key !== "auditor") } };
    throw refusal("ROLE_NOT_FOUND", Code.FailedPrecondition);
  };
  save();
  await screen.findByText("A role can no longer be assigned there");
  await press("Close");
  await act(() => client.refetchQueries());
  fireEvent.click(await screen.findByRole("checkbox", { name: /Auditor/ }));
  expect(screen.getByText("Saving adds Buyer.")).toBeDefined();
});

it("when the person was signed out, it is said, and what was picked stays", async () => {
  const world = worldOf(one);
  await open(world);
  tick(/Auditor/);
  world.before = ({ rpc }) => {
    if (rpc === "batchUpdate") throw new ConnectError("refused", Code.Unauthenticated);
  };
  save();
  await screen.findByText(/You were signed out in the meantime/);
  expect(await screen.findByText("Saving adds Auditor.")).toBeDefined();
  expect(world.asked("batchUpdate")).toHaveLength(1);
});

it("whoever has left before the answer is told what failed", async () => {
  const world = worldOf(one);
  const answer = held();
  const { reshow } = await open(world);
  tick(/Auditor/);
  world.before = async ({ rpc }) => {
    if (rpc !== "batchUpdate") return;
    await answer.promise;
    throw refusal("AUTHORIZATION_CHANGED", Code.Aborted);
  };
  save();
  reshow(null);
  answer.resolve();
  expect(await screen.findByText(/^Save Person 1’s assignment for Shop in Acme: .*Someone else/)).toBeDefined();
});

it("a refusal is said, and what was picked stays", async () => {
  const world = worldOf(one);
  world.before = ({ rpc }) => {
    if (rpc === "batchUpdate") throw refusal("ROLE_NOT_FOUND", Code.FailedPrecondition);
  };
  await open(world);
  tick(/Auditor/);
  save();
  expect(await screen.findByText("A role can no longer be assigned there")).toBeDefined();
  await press("Close");
  expect(await screen.findByText("Saving adds Auditor.")).toBeDefined();
});

it.each([
  ["was not made", false],
  ["was made", true],
])("without an answer it offers to look, and finds that the change %s", async (_name, isMade) => {
  const world = worldOf(one);
  world.before = ({ rpc }) => {
    if (rpc !== "batchUpdate") return;
    if (isMade) world.change("1", (row) => row.roles.push(...roles.filter(({ key }) => key === "auditor")));
    throw away();
  };
  const { onClose } = await open(world);
  tick(/Auditor/);
  save();
  await press("Check what they are now");
  if (isMade) await waitFor(() => expect(onClose).toHaveBeenCalled());
  else expect(await screen.findByText("Not done")).toBeDefined();
  expect(world.asked("batchUpdate")).toHaveLength(1);
});

it("says how many roles are not listed, and takes none of them for one that cannot be assigned", async () => {
  const world = worldOf(one);
  world.unlisted = 2_000;
  const clerk = assignment("1", { roles: [{ key: "clerk", displayName: "Clerk" }, ...one.roles] });
  await open(world, clerk);
  expect(screen.getByText(/^2,000 more roles/)).toBeDefined();
  expect(screen.queryByText(/cannot be assigned any more/)).toBeNull();
});

it("of many roles one can be searched by name, key or group", async () => {
  const world = worldOf(one);
  const many = Array.from({ length: 40 }, (_, index) =>
    create(RoleSchema, { key: `role-${index}`, displayName: `Role ${index}` }),
  );
  world.offered = { acme: { shop: many } };
  await open(world);
  fireEvent.change(screen.getByRole("searchbox", { name: "Find a role" }), { target: { value: "ROLE-27" } });
  expect(screen.getAllByRole("checkbox")).toHaveLength(1);
  expect(screen.getByText("1 of 41")).toBeDefined();
});

it("of a thousand roles the first are drawn, with what is held among them, and the others found", async () => {
  const world = worldOf();
  const many = Array.from({ length: 1_000 }, (_, index) =>
    create(RoleSchema, { key: `role-${index}`, displayName: `Role ${1_000 + index}` }),
  );
  world.offered = { acme: { shop: many } };
  const row = assignment("1", { roles: many.slice(-1) });
  show(world, <Editing shown={row} />);
  await screen.findByRole("checkbox", { name: /Role 1999/ });
  const boxes = () => screen.getAllByRole<HTMLInputElement>("checkbox");
  expect(boxes()).toHaveLength(100);
  expect(boxes().at(-1)?.checked).toBe(true);
  expect(screen.getByText("The first 100 are shown. Search for the others.")).toBeDefined();
  fireEvent.change(screen.getByRole("searchbox", { name: "Find a role" }), { target: { value: "role-998" } });
  expect(boxes()).toHaveLength(1);
});
