import { type Authorization, AuthorizationFieldName, State } from "@authorization-service/client";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { AssignmentActions } from "../../src/changes/assignment-actions.tsx";
import { CreateDialog } from "../../src/changes/create-dialog.tsx";
import { SelectionBar } from "../../src/changes/selection-bar.tsx";
import { passOver } from "../../src/undo/undoables.ts";
import { assignment, away, callerWith } from "../changes/assignment.ts";
import { Editing, show } from "../changes/show.tsx";
import { type World, worldOf } from "../changes/world.ts";

const one = assignment("1");
const list = { filters: [], sortingColumn: AuthorizationFieldName.CREATED_DATE, asc: false };
const twenty = Array.from({ length: 20 }, (_, index) => assignment(String(index)));

const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole("button", { name }));
const rolesOf = (world: World, id: string) => world.rows.get(id)?.roles.map(({ key }) => key);
const notUndone = async () => {
  const dialog = within(await screen.findByRole("dialog", { name: "Not everything could be undone" }));
  return (await dialog.findAllByRole("listitem")).map(({ textContent }) => textContent);
};

function select(world: World, rows: readonly Authorization[]) {
  return show(world, <SelectionBar selected={rows} list={list} total={rows.length} onSelect={() => {}} />);
}

it("saved roles are taken back, if no one has changed them since", async () => {
  const world = worldOf(one);
  show(world, <Editing shown={one} />);
  fireEvent.click(await screen.findByRole("checkbox", { name: /Auditor/ }));
  await press("Save");
  await waitFor(() => expect(rolesOf(world, "1")).toEqual(["auditor", "seller"]));
  await press("Undo");
  await screen.findByText("Undone: Person 1’s assignment for Shop in Acme saved.");
  expect(rolesOf(world, "1")).toEqual(["seller"]);
  expect(world.asked("batchUpdate")).toMatchObject([
    { items: [{ id: "1", roleKeys: ["auditor", "seller"], ifUnchangedSince: one.changeDate }] },
    { items: [{ id: "1", roleKeys: ["seller"], ifUnchangedSince: { seconds: 2n, nanos: 1_000_000 } }] },
  ]);
});

it("an end is taken back, with the roles as they were", async () => {
  const world = worldOf(one);
  select(world, [one]);
  await press("Set the end");
  fireEvent.change(await screen.findByRole("combobox", { name: "Ends" }), { target: { value: "1" } });
  await press("Set the end of 1 assignment");
  await press("Undo");
  await waitFor(() => expect(world.asked("batchUpdate")).toHaveLength(2));
  expect(world.asked("batchUpdate")[1]).toMatchObject({
    items: [{ id: "1", roleKeys: ["seller"], removeExpiration: true }],
  });
});

it("a deletion says first that undoing it gives a new id, and creates the same again, inactive if it was", async () => {
  const inactive = assignment("1", { state: State.INACTIVE });
  const world = worldOf(inactive);
  show(world, <AssignmentActions authorization={inactive} onGone={() => {}} />);
  await press("Delete");
  const dialog = await screen.findByRole("alertdialog");
  expect(dialog.textContent).toContain("The assignments then get new ids");
  await press("Delete 1 assignment");
  await waitFor(() => expect(world.rows.size).toBe(0));
  await press("Undo");
  await screen.findByText(/^Undone: Person 1’s .* deleted\.$/);
  const [again] = [...world.rows.values()];
  expect(again).toMatchObject({ id: "made-user-1", state: State.INACTIVE, roles: one.roles });
});

it("to callers who may delete but not create, a deletion is final, and says so", async () => {
  const world = worldOf(one);
  world.caller = callerWith({ case: "instance", value: true }, ["user.grant.read", "user.grant.delete"]);
  show(world, <AssignmentActions authorization={one} onGone={() => {}} />);
  await press("Delete");
  const dialog = await screen.findByRole("alertdialog");
  expect(dialog.textContent).toContain("You can't undo this");
  await press("Delete 1 assignment");
  await screen.findByText(/^Person 1’s .* deleted\.$/);
  expect(screen.queryByRole("button", { name: /^Undo/ })).toBeNull();
});

it.each([
  [["user.grant.write"], 0],
  [["user.grant.write", "user.grant.delete"], 1],
])("to a caller with %j, undoing a new assignment is offered %i times", async (permissions, times) => {
  const world = worldOf();
  world.caller = callerWith({ case: "instance", value: true }, permissions);
  const preset = { user: "user-1", project: "shop", organization: "acme" };
  show(world, <CreateDialog preset={preset} onOpen={() => {}} onClose={() => {}} />);
  const create = await screen.findByRole("button", { name: "Create" });
  await waitFor(() => expect(create.getAttribute("aria-disabled")).toBe("false"));
  fireEvent.click(create);
  await screen.findByText("Person 1’s assignment for Shop in Acme saved.");
  expect(screen.queryAllByRole("button", { name: "Undo" })).toHaveLength(times);
  if (times === 0) return;
  await press("Undo");
  await waitFor(() => expect(world.asked("batchDelete")).toMatchObject([{ items: [{ id: "made-user-1" }] }]));
});

it("a batch of twenty is undone by one click, each unless someone else has changed it; those are listed", async () => {
  const world = worldOf(...twenty);
  select(world, twenty);
  await press("Deactivate");
  await press("Deactivate 20 assignments");
  await screen.findByRole("button", { name: "Undo" });
  world.change("7", (row) => (row.roles = []));
  await press("Undo");
  expect(await notUndone()).toEqual([expect.stringMatching(/^Person 7.*Someone else has changed it in the meantime/)]);
  expect(world.asked("batchSetState")).toHaveLength(2);
  const active = [...world.rows.values()].filter(({ state }) => state === State.ACTIVE);
  expect(active.map(({ id }) => id)).toEqual(twenty.map(({ id }) => id).filter((id) => id !== "7"));
});

it("a deleted batch comes back with new ids, but for what someone else has created there since", async () => {
  const world = worldOf(...twenty.slice(0, 3));
  select(world, twenty.slice(0, 3));
  await press("Delete");
  expect(await screen.findByText(/The assignments then get new ids/)).toBeDefined();
  await press("Delete 3 assignments");
  await screen.findByRole("button", { name: "Undo" });
  world.rows.set("theirs", assignment("theirs", { user: { id: "user-1" } }));
  await press("Undo");
  expect(await notUndone()).toEqual([expect.stringMatching(/^Person 1.*has an assignment there already/)]);
  expect([...world.rows.keys()].toSorted()).toEqual(["made-user-0", "made-user-2", "theirs"]);
});

it("without an answer it is uncertain, what comes after is not sent, and nothing is sent again", async () => {
  const many = Array.from({ length: 150 }, (_, index) => assignment(String(index)));
  const world = worldOf(...many);
  select(world, many);
  await press("Deactivate");
  await press("Deactivate 150 assignments");
  await screen.findByRole("button", { name: "Undo" });
  world.before = () => {
    throw away();
  };
  await press("Undo");
  const texts = await notUndone();
  expect(texts[0]).toContain("Unknown: the server did not answer");
  expect(screen.getByText("150 of 150 assignments could not be undone.", { selector: "p" })).toBeDefined();
  expect(world.asked("batchSetState")).toHaveLength(3);
});

it("Ctrl Z undoes the last change, then the one before, until there is none", async () => {
  const world = worldOf(one);
  const undone = () => fireEvent.keyDown(document.body, { key: "z", ctrlKey: true });
  const { reshow } = show(world, <AssignmentActions authorization={one} onGone={() => {}} />);
  await press("Deactivate");
  await screen.findByText(/^Person 1’s .* deactivated\.$/);
  reshow(<Editing shown={world.rows.get("1") as Authorization} />);
  fireEvent.click(await screen.findByRole("checkbox", { name: /Auditor/ }));
  await press("Save");
  await screen.findByText(/^Person 1’s .* saved\.$/);
  reshow(null);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  undone();
  await waitFor(() => expect(rolesOf(world, "1")).toEqual(["seller"]));
  await screen.findByText(/^Undone: Person 1’s .* saved\.$/);
  expect(screen.getByTitle(/^Undo: Person 1’s .* deactivated$/)).toBeDefined();
  undone();
  await screen.findByText(/^Undone: Person 1’s .* deactivated\.$/);
  expect(world.rows.get("1")?.state).toBe(State.ACTIVE);
  expect(screen.queryByRole("button", { name: /^Undo/ })).toBeNull();
});

it("the changes of a person who has left are not kept for the next one", async () => {
  const world = worldOf(one);
  const page = show(world, <AssignmentActions authorization={one} onGone={() => {}} />);
  await press("Deactivate");
  await screen.findByText(/^Person 1’s .* deactivated\.$/);
  // React complains of updates while it commits.
  const complained = vi.spyOn(console, "error");
  page.unmount();
  expect(complained).not.toHaveBeenCalled();
  complained.mockRestore();
  show(world, null);
  expect(screen.queryByRole("button", { name: /^Undo/ })).toBeNull();
});

it("after a change without undo, what can be undone is said to be an earlier one, and its key undoes nothing", async () => {
  const world = worldOf(one);
  show(world, <AssignmentActions authorization={one} onGone={() => {}} />);
  await press("Deactivate");
  await screen.findByRole("button", { name: /^Undo: / });
  act(() => passOver());
  await screen.findByRole("button", { name: /^Undo an earlier change: / });
  fireEvent.keyDown(document.body, { key: "z", ctrlKey: true });
  await screen.findByText(/^Your last change can't be undone/);
  expect(world.rows.get("1")?.state).toBe(State.INACTIVE);
  await press(/^Undo an earlier change/);
  await waitFor(() => expect(world.rows.get("1")?.state).toBe(State.ACTIVE));
});
