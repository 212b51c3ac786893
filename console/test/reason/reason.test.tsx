import { AuthorizationFieldName, State } from "@authorization-service/client";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, onTestFinished } from "vitest";
import { AssignmentActions } from "../../src/changes/assignment-actions.tsx";
import { CreateDialog } from "../../src/changes/create-dialog.tsx";
import { SelectionBar } from "../../src/changes/selection-bar.tsx";
import { settings } from "../../src/settings.ts";
import { undoWords } from "../../src/words/undo.ts";
import { assignment } from "../changes/assignment.ts";
import { Editing, show } from "../changes/show.tsx";
import { type World, worldOf } from "../changes/world.ts";

const one = assignment("1");
const list = { filters: [], sortingColumn: AuthorizationFieldName.CREATED_DATE, asc: false };
const preset = { user: "user-1", project: "shop", organization: "acme" };
const button = (name: string) => screen.findByRole("button", { name });
const press = async (name: string) => fireEvent.click(await button(name));

async function give(reason: string) {
  if (!settings.isReasonRequired) await press("Add a reason");
  fireEvent.change(await screen.findByLabelText(/^Reason/), { target: { value: reason } });
}

function requireReasons() {
  Object.assign(settings, { isReasonRequired: true });
  onTestFinished(() => void Object.assign(settings, { isReasonRequired: false }));
}

async function expectOff(name: string) {
  expect((await button(name)).getAttribute("aria-disabled")).toBe("true");
  await press(name);
}

function editRoles(world: World) {
  show(world, <Editing shown={one} />);
}

describe.each([false, true])("where reasons are required: %s", (isRequired) => {
  it("saved roles carry a reason, and undoing them says so", async () => {
    if (isRequired) requireReasons();
    const world = worldOf(one);
    editRoles(world);
    fireEvent.click(await screen.findByRole("checkbox", { name: /Auditor/ }));
    if (isRequired) await expectOff("Save");
    await give("The audit starts");
    await press("Save");
    await waitFor(() => expect(world.asked("batchUpdate")).toMatchObject([{ reason: "The audit starts" }]));
    await press("Undo");
    await waitFor(() => expect(world.asked("batchUpdate")[1]).toMatchObject({ reason: "Undo: The audit starts" }));
  });

  it("a new assignment carries a reason", async () => {
    if (isRequired) requireReasons();
    const world = worldOf();
    show(world, <CreateDialog preset={preset} onOpen={() => {}} onClose={() => {}} />);
    if (isRequired) await expectOff("Create");
    await button("Create");
    await give("A new colleague");
    await waitFor(async () => expect((await button("Create")).getAttribute("aria-disabled")).toBe("false"));
    await press("Create");
    await waitFor(() => expect(world.asked("batchCreate")).toMatchObject([{ reason: "A new colleague" }]));
    await press("Undo");
    await waitFor(() => expect(world.asked("batchDelete")).toMatchObject([{ reason: "Undo: A new colleague" }]));
  });

  it("a deletion carries a reason, and so does its undoing", async () => {
    if (isRequired) requireReasons();
    const world = worldOf(one);
    show(world, <AssignmentActions authorization={one} onGone={() => {}} />);
    await press("Delete");
    if (isRequired) await expectOff("Delete 1 assignment");
    await button("Delete 1 assignment");
    await give("Left the company");
    await press("Delete 1 assignment");
    await waitFor(() => expect(world.asked("batchDelete")).toMatchObject([{ reason: "Left the company" }]));
    await press("Undo");
    await waitFor(() => expect(world.asked("batchCreate")).toMatchObject([{ reason: "Undo: Left the company" }]));
  });

  it("a batch carries a reason with every request, and so does its undoing", async () => {
    if (isRequired) requireReasons();
    const rows = Array.from({ length: 101 }, (_, index) => assignment(String(index)));
    const world = worldOf(...rows);
    show(world, <SelectionBar selected={rows} list={list} total={rows.length} onSelect={() => {}} />);
    await press("Deactivate");
    if (isRequired) await expectOff("Deactivate 101 assignments");
    await give("On leave");
    await press("Deactivate 101 assignments");
    await button("Undo");
    expect(world.asked("batchSetState")).toMatchObject([{ reason: "On leave" }, { reason: "On leave" }]);
    await press("Undo");
    await waitFor(() => expect(world.asked("batchSetState").slice(2)).toMatchObject([{}, {}]));
    expect(world.asked("batchSetState")[2]).toMatchObject({ state: State.ACTIVE, reason: "Undo: On leave" });
  });
});

it("without a reason, an assignment is deactivated at once, and the history says what was undone", async () => {
  const world = worldOf(one);
  show(world, <AssignmentActions authorization={one} onGone={() => {}} />);
  await press("Deactivate");
  await waitFor(() => expect(world.asked("batchSetState")).toMatchObject([{ reason: "" }]));
  await press("Undo");
  await waitFor(() => expect(world.asked("batchSetState")).toMatchObject([{}, { reason: "Undo" }]));
});

it("where reasons are required, deactivating asks for one", async () => {
  requireReasons();
  const world = worldOf(one);
  show(world, <AssignmentActions authorization={one} onGone={() => {}} />);
  await press("Deactivate");
  await expectOff("Deactivate 1 assignment");
  expect(world.asked("batchSetState")).toEqual([]);
  await give("On leave");
  await press("Deactivate 1 assignment");
  await waitFor(() => expect(world.asked("batchSetState")).toMatchObject([{ reason: "On leave" }]));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("the reason of an undone change is cut where the service takes no more", () => {
  expect([...undoWords.reason("🙂".repeat(500))]).toHaveLength(500);
});
