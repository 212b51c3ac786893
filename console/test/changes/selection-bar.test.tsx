import { type Authorization, AuthorizationFieldName, State } from "@authorization-service/client";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { SelectionBar } from "../../src/changes/selection-bar.tsx";
import { assignment, away, callerWith, refusal } from "./assignment.ts";
import { held, show } from "./show.tsx";
import { type World, worldOf } from "./world.ts";

const list = { filters: [], sortingColumn: AuthorizationFieldName.CREATED_DATE, asc: false };
const [one, two, three] = ["1", "2", "3"].map((id) => assignment(id)) as [Authorization, Authorization, Authorization];
const many = Array.from({ length: 250 }, (_, index) => assignment(String(index)));

function open(world: World, selected: readonly Authorization[], total = selected.length) {
  const onSelect = vi.fn<(rows: readonly Authorization[]) => void>();
  const page = show(world, <SelectionBar selected={selected} list={list} total={total} onSelect={onSelect} />);
  return { ...page, onSelect, left: () => onSelect.mock.lastCall?.[0].map(({ id }) => id) };
}

const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole("button", { name }));
const done = () => screen.findByRole("button", { name: "Undo" });
const results = async () => within(await screen.findByRole("region", { name: "Results" }));

it("offers what may be done with any of the selected", async () => {
  const world = worldOf(one);
  world.caller = callerWith({ case: "organization", value: { id: "acme" } }, ["user.grant.delete"]);
  open(world, [one]);
  await screen.findByRole("button", { name: "Delete" });
  expect(screen.queryByRole("button", { name: "Deactivate" })).toBeNull();
});

it("says what will be done and left out, does it, and says what came of each", async () => {
  const inactive = assignment("4", { state: State.INACTIVE });
  const world = worldOf(one, two, inactive);
  const { left } = open(world, [one, two, inactive]);
  await press("Deactivate");
  expect(await screen.findByText("2 assignments will be changed. 1 assignment will be left out.")).toBeDefined();
  expect(screen.getByText("Already inactive")).toBeDefined();
  expect(world.asked("batchSetState")).toEqual([]);

  await press("Deactivate 2 assignments");
  await screen.findByText("2 assignments deactivated.");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(left()).toEqual([]);
});

it("sends to each its own new roles, and tells where a role is not offered", async () => {
  const granted = assignment("4", { organization: { id: "globex", name: "Globex" } });
  const world = worldOf(one, granted);
  open(world, [one, granted]);
  await press("Add roles");
  fireEvent.click(await screen.findByRole("checkbox", { name: /Buyer buyer \(offered for 1 of 2\)/ }));
  expect(screen.getByText("Not offered for Shop in Globex: Buyer")).toBeDefined();
  await press("Add roles to 1 assignment");
  await done();
  expect(world.asked("batchUpdate")).toMatchObject([
    { items: [{ id: "1", roleKeys: ["buyer", "seller"], ifUnchangedSince: one.changeDate }] },
  ]);
});

it("gives all of them the same end, and leaves out those that have it", async () => {
  const world = worldOf(one, two);
  open(world, [one, two]);
  await press("Set the end");
  const choice = await screen.findByRole("combobox", { name: "Ends" });
  fireEvent.change(choice, { target: { value: "never" } });
  expect(await screen.findByText("There is nothing to do here. 2 assignments will be left out.")).toBeDefined();
  fireEvent.change(choice, { target: { value: "at" } });
  expect(screen.getByRole("button", { name: "Set the end" }).getAttribute("aria-disabled")).toBe("true");
  fireEvent.change(screen.getByLabelText("Time of the end"), { target: { value: "2001-01-01T00:00" } });
  expect(screen.getByText("Enter a time in the future.")).toBeDefined();
  fireEvent.change(screen.getByLabelText("Time of the end"), { target: { value: "2101-01-01T00:00" } });
  await press("Set the end of 2 assignments");
  await done();
  const expirationDate = timestampFromDate(new Date("2101-01-01T00:00"));
  expect(world.asked("batchUpdate")).toMatchObject([{ items: [{ expirationDate }, { expirationDate }] }]);
});

it.each([
  ["one", ["2101-01-01T00:00"], "Jan 1, 2101, 12:00 AM"],
  ["many at the same time", ["2101-01-01T00:00", "2101-01-01T00:00"], "Jan 1, 2101, 12:00 AM"],
  [
    "many at different times",
    ["2102-03-04T05:00", undefined, "2101-01-01T00:00"],
    "Jan 1, 2101, 12:00 AM – Mar 4, 2102, 5:00 AM, or never",
  ],
  ["none", [undefined], "Never"],
])("before another end is chosen, tells the current one of %s, and takes none away", async (_, ends, told) => {
  const rows = ends.map((end, index) =>
    assignment(String(index), end ? { expirationDate: timestampFromDate(new Date(end)) } : {}),
  );
  open(worldOf(...rows), rows);
  await press("Set the end");
  const current = await screen.findByText(/^Current end: /);
  expect(current.textContent?.replaceAll(/\s/g, " ")).toBe(`Current end: ${told}`);
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Ends" }).value).toBe("");
  expect(screen.queryByText(/will be changed|nothing to do/)).toBeNull();
  const dialog = within(screen.getByRole("dialog"));
  expect(dialog.getByRole("button", { name: "Set the end" }).getAttribute("aria-disabled")).toBe("true");
});

it("removes of the roles that are held", async () => {
  const world = worldOf(one);
  open(world, [one]);
  await press("Remove roles");
  expect(await screen.findAllByRole("checkbox")).toHaveLength(1);
  fireEvent.click(screen.getByRole("checkbox", { name: /Seller seller \(held in all\)/ }));
  await press("Remove roles from 1 assignment");
  await done();
  expect(world.asked("batchUpdate")).toMatchObject([{ items: [{ roleKeys: [] }] }]);
});

it("shows how far it is, and stops between chunks; what is not done stays selected", async () => {
  const world = worldOf(...many);
  const answers = [held(), held()];
  world.before = ({ rpc }) => (rpc === "batchSetState" ? answers[world.calls.length - 1]?.promise : undefined);
  const { left } = open(world, many);
  await press("Deactivate");
  await press("Deactivate 250 assignments");
  expect(await screen.findByText("0 of 250")).toBeDefined();
  answers[0]?.resolve();
  expect(await screen.findByText("100 of 250")).toBeDefined();
  await press("Stop");
  expect(screen.getByRole("button", { name: "Stopping…" })).toBeDefined();
  answers[1]?.resolve();
  await screen.findByRole("dialog", { name: "200 assignments deactivated, 50 not done" });
  expect(world.asked("batchSetState")).toHaveLength(2);
  await press("Close");
  expect(left()).toEqual(many.slice(200).map(({ id }) => id));
});

it("with as many as can be changed at once, says how to change the others", async () => {
  open(
    worldOf(),
    Array.from({ length: 10_000 }, (_, index) => assignment(String(index))),
  );
  await press("Deactivate");
  await screen.findByText("At most 10,000 assignments are changed at once. Repeat this for the others.");
});

it("whoever leaves in between has the chunk under way done, and is told of it", async () => {
  const [, ...there] = many;
  const world = worldOf(...there);
  const answer = held();
  world.before = ({ rpc }) => (rpc === "batchSetState" ? answer.promise : undefined);
  const { reshow } = open(world, many);
  await press("Deactivate");
  await press("Deactivate 250 assignments");
  await screen.findByText("0 of 250");
  reshow(null);
  answer.resolve();
  expect(await screen.findByText("99 assignments deactivated, 1 failed, 150 not done.")).toBeDefined();
  expect(world.asked("batchSetState")).toHaveLength(1);
});

it("two clicks send once", async () => {
  const world = worldOf(one);
  const answer = held();
  world.before = ({ rpc }) => (rpc === "batchDelete" ? answer.promise : undefined);
  open(world, [one]);
  await press("Delete");
  const start = await screen.findByRole("button", { name: "Delete 1 assignment" });
  fireEvent.click(start);
  fireEvent.click(start);
  answer.resolve();
  await done();
  expect(world.asked("batchDelete")).toHaveLength(1);
});

it("what someone else has changed is shown as it is now, and decided again on that", async () => {
  const world = worldOf(one, two);
  world.change("1", (row) => {
    row.roles = [];
  });
  const { left } = open(world, [one, two]);
  await press("Deactivate");
  await press("Deactivate 2 assignments");
  const list = await results();
  expect(
    await list.findByText("Someone else has changed it in the meantime. It is now active: no roles."),
  ).toBeDefined();
  expect(world.rows.get("1")?.state).toBe(State.ACTIVE);

  await press("Review 1 assignment");
  await press("Deactivate 1 assignment");
  await done();
  expect(world.asked("batchSetState")).toMatchObject([
    { items: [{ ifUnchangedSince: { seconds: 1n } }, { ifUnchangedSince: { seconds: 1n } }] },
    { items: [{ ifUnchangedSince: { seconds: 2n, nanos: 1_000_000 } }] },
  ]);
  expect(left()).toEqual([]);
});

it("what someone else has done first is not taken for done, so undoing it would not undo theirs", async () => {
  const world = worldOf(one);
  world.change("1", (row) => {
    row.state = State.INACTIVE;
  });
  open(world, [one]);
  await press("Deactivate");
  await press("Deactivate 1 assignment");
  const dialog = within(await screen.findByRole("dialog", { name: "Someone else changed it first" }));
  await dialog.findByText("Someone else has changed it in the meantime. It is now inactive: Seller.");
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  await press("Review 1 assignment");
  expect(await screen.findByText("Already inactive")).toBeDefined();
});

it("what is gone does not stay selected", async () => {
  const world = worldOf(two);
  const { left } = open(world, [one, two]);
  await press("Deactivate");
  await press("Deactivate 2 assignments");
  await (await results()).findByText(/The assignment is gone/);
  await press("Close");
  expect(left()).toEqual([]);
});

it("without an answer it says which are uncertain, sends nothing again, and looks when asked to", async () => {
  const world = worldOf(one, two, three);
  world.before = ({ rpc }) => {
    if (rpc !== "batchSetState") return;
    world.change("1", (row) => {
      row.state = State.INACTIVE;
    });
    world.change("2", (row) => {
      row.roles = [];
    });
    throw away();
  };
  const { left } = open(world, [one, two, three]);
  await press("Deactivate");
  await press("Deactivate 3 assignments");
  expect((await results()).getAllByText("Unknown: the server did not answer")).toHaveLength(3);
  expect(screen.queryByRole("button", { name: /^Review/ })).toBeNull();

  await press("Check what they are now");
  await screen.findByRole("dialog", {
    name: "Person 1’s assignment for Shop in Acme deactivated, 1 failed, 1 not done",
  });
  expect(world.asked("batchSetState")).toHaveLength(1);
  await press("Close");
  expect(left()).toEqual(["2", "3"]);
});

it("a refusal of a request is said, and nothing of it is done", async () => {
  const world = worldOf(one);
  world.before = ({ rpc }) => {
    if (rpc === "batchDelete") throw refusal("RATE_LIMITED", Code.ResourceExhausted);
  };
  open(world, [one]);
  await press("Delete");
  await press("Delete 1 assignment");
  expect(await screen.findByText("That was too many requests")).toBeDefined();
  expect((await results()).getByText("Not done")).toBeDefined();
});

it("selects all that match, page by page", async () => {
  const world = worldOf(...Array.from({ length: 2_500 }, (_, index) => assignment(String(index))));
  const { onSelect } = open(world, [one], 2_500);
  await press("Select all 2,500 that match");
  await waitFor(() => expect(onSelect).toHaveBeenCalled());
  expect(onSelect.mock.lastCall?.[0]).toHaveLength(2_500);
  const tokens = world
    .asked("list")
    .map(({ pagination }: { pagination: { pageToken: string } }) => pagination.pageToken);
  expect(tokens).toEqual(["", "1000", "2000"]);
});

it("who clears the selection while all is being selected selects nothing else", async () => {
  const world = worldOf(...many);
  const answer = held();
  world.before = ({ rpc }) => (rpc === "list" ? answer.promise : undefined);
  const { client, onSelect, reshow } = open(world, [one], 20_000);
  await press("Select the first 10,000 that match");
  await screen.findByRole("button", { name: "Selecting…" });
  reshow(null);
  answer.resolve();
  await waitFor(() => expect(client.isMutating()).toBe(0));
  expect(onSelect).not.toHaveBeenCalled();
});

const signedOut = () => new ConnectError("refused", Code.Unauthenticated);

it("when the person was signed out before anything was done, what they picked is there to be sent again", async () => {
  const world = worldOf(one, two);
  open(world, [one, two]);
  await press("Add roles");
  fireEvent.click(await screen.findByRole("checkbox", { name: /Auditor/ }));
  world.before = ({ rpc }) => {
    if (rpc === "batchUpdate") throw signedOut();
  };
  await press("Add roles to 2 assignments");
  expect(await screen.findByText("You were signed out in the meantime")).toBeDefined();
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: /Auditor/ }).checked).toBe(true);
  world.before = () => {};
  await press("Add roles to 2 assignments");
  await screen.findByText("Roles added to 2 assignments.");
  expect(screen.queryByText("You were signed out in the meantime")).toBeNull();
});

it("when the person was signed out in between, what is done is said, and the rest stays selected", async () => {
  const world = worldOf(...many);
  const { left } = open(world, many);
  world.before = ({ rpc }) => {
    if (rpc === "batchSetState" && world.asked("batchSetState").length === 2) throw signedOut();
  };
  await press("Deactivate");
  await press("Deactivate 250 assignments");
  await screen.findByRole("dialog", { name: "100 assignments deactivated, 150 not done" });
  expect(screen.getByText("You were signed out in the meantime")).toBeDefined();
  await press("Close");
  expect(left()).toHaveLength(150);
});
