import { UserSchema } from "@authorization-service/client";
import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { NewAssignment } from "../../src/assignments/assignments-page.tsx";
import { CreateDialog } from "../../src/changes/create-dialog.tsx";
import { assignment, away, callerWith, everything, refusal } from "./assignment.ts";
import { held, show } from "./show.tsx";
import { roles, type World, worldOf } from "./world.ts";

const preset = { user: "user-1", project: "shop", organization: "acme" };

function open(world: World, picked: Parameters<typeof CreateDialog>[0]["preset"] = preset) {
  const [onOpen, onClose] = [vi.fn(), vi.fn()];
  const page = show(world, <CreateDialog preset={picked} onOpen={onOpen} onClose={onClose} />);
  return { ...page, onOpen, onClose };
}

const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));
/** The button, once it is known whether there is an assignment already. */
async function ready(name = "Create") {
  const button = await screen.findByRole("button", { name });
  await waitFor(() => expect(button.getAttribute("aria-disabled")).toBe("false"));
  return button;
}
const createIt = async () => fireEvent.click(await ready());
const tick = async (name: RegExp) => fireEvent.click(await screen.findByRole("checkbox", { name }));

it.each([
  [["user.grant.read"], 0],
  [["user.grant.write"], 1],
])("to a caller with %j somewhere, a new assignment is offered %i times", async (permissions, times) => {
  const world = worldOf();
  world.caller = callerWith({ case: "organization", value: { id: "acme" } }, permissions);
  const { client } = show(world, <NewAssignment search={{}} onSearch={() => {}} />);
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(screen.queryAllByRole("button", { name: "New assignment" })).toHaveLength(times);
});

it("the address opens the dialog, and closing it leaves the rest of the address", async () => {
  const onSearch = vi.fn();
  show(worldOf(), <NewAssignment search={{ sort: "changed", create: {} }} onSearch={onSearch} />);
  const dialog = await screen.findByRole("dialog", { name: "New assignment" });
  fireEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
  expect(onSearch).toHaveBeenCalledWith({ sort: "changed" });
});

it("offers the places where the caller may assign, a project once for each organization", async () => {
  const world = worldOf();
  open(world, {});
  const names = async () =>
    (await screen.findAllByRole("radio")).map(({ parentElement }) => parentElement?.textContent);
  expect(await names()).toEqual(["Shop in Acme", "Shop in Globexgranted"]);
  for (const request of world.asked("listProjects")) expect(request).toMatchObject({ assignable: true });
  fireEvent.click(screen.getByRole("radio", { name: /Globex/ }));
  const chosen = screen.getAllByRole<HTMLInputElement>("radio").map(({ checked }) => checked);
  expect(chosen).toEqual([false, true]);
});

it("of many projects one can be searched, and the one that is chosen stays", async () => {
  const world = worldOf();
  world.caller = callerOfAcme();
  const many = Array.from({ length: 20 }, (_, index) => [`p-${10 + index}`, roles] as const);
  world.offered = { acme: Object.fromEntries(many) };
  open(world, {});
  const names = () => screen.getAllByRole("radio").map(({ parentElement }) => parentElement?.textContent);
  fireEvent.click(await screen.findByRole("radio", { name: "p-10" }));
  expect(names()).toHaveLength(12);
  fireEvent.change(screen.getByRole("searchbox", { name: "Find a project" }), { target: { value: "p-29" } });
  await waitFor(() => expect(names()).toEqual(["p-10", "p-29"]));
});

it("what is written in first has the focus", async () => {
  open(worldOf(), {});
  const field = await screen.findByRole("combobox", { name: "People" });
  await waitFor(() => expect(document.activeElement).toBe(field));
});

it("sends the end that is picked, and none by default", async () => {
  const world = worldOf();
  open(world);
  const ends = await screen.findByRole("combobox", { name: "Ends" });
  fireEvent.change(ends, { target: { value: "at" } });
  fireEvent.change(screen.getByLabelText("Time of the end"), { target: { value: "2001-01-01T00:00" } });
  await press("Create");
  expect(world.asked("batchCreate")).toEqual([]);
  fireEvent.change(ends, { target: { value: "7" } });
  await createIt();
  await waitFor(() => expect(world.asked("batchCreate")).toHaveLength(1));
  const [{ items }] = world.asked("batchCreate") as unknown as [{ items: { expirationDate: Timestamp }[] }];
  const expirationDate = items[0]?.expirationDate as Timestamp;
  expect(Math.round((timestampMs(expirationDate) - Date.now()) / 86_400_000)).toBe(7);
});

const organization = async () =>
  (await screen.findByRole<HTMLInputElement>("combobox", { name: "Organization" })).value;

it("starts with the organization of the user who is picked, where the caller may assign", async () => {
  const world = worldOf();
  world.caller = { ...everything, user: create(UserSchema, { id: "carol", organizationId: "acme" }) };
  world.user.organizationId = "globex";
  open(world, { user: "user-1" });
  await waitFor(async () => expect(await organization()).toBe("Globex"));
  fireEvent.click(await screen.findByRole("radio", { name: /Shop/ }));
  await createIt();
  await waitFor(() => expect(world.asked("batchCreate")).toMatchObject([{ items: [{ organizationId: "globex" }] }]));
});

it("keeps the organization of the link, and the caller's own where nothing can be assigned in the user's", async () => {
  const world = worldOf();
  world.caller = callerWith({ case: "organization", value: { id: "acme" } }, ["user.grant.write"]);
  world.caller.user = create(UserSchema, { id: "carol", organizationId: "acme" });
  world.user.organizationId = "globex";
  const { unmount } = open(world, { user: "user-1" });
  await screen.findByRole("radio", { name: /Shop/ });
  expect(await organization()).toBe("Acme");
  unmount();
  world.caller = everything;
  open(world, { user: "user-1", organization: "acme" });
  await screen.findByRole("radio", { name: /Shop/ });
  expect(await organization()).toBe("Acme");
});

it("creates with what is picked, tells of it and opens it", async () => {
  const world = worldOf();
  const { onOpen } = open(world);
  await tick(/Seller/);
  await tick(/Auditor/);
  await createIt();
  await waitFor(() => expect(onOpen).toHaveBeenCalledWith("made-user-1"));
  expect(world.asked("batchCreate")).toMatchObject([
    { items: [{ userId: "user-1", projectId: "shop", organizationId: "acme", roleKeys: ["auditor", "seller"] }] },
  ]);
  expect(screen.getByText("Person 1’s assignment for Shop in Acme saved.")).toBeDefined();
});

it("closes once it is made where there is nothing to open it", async () => {
  const onClose = vi.fn();
  show(worldOf(), <CreateDialog preset={preset} onClose={onClose} />);
  await createIt();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});

it("whoever has left before the answer is told of it, and can undo it", async () => {
  const world = worldOf();
  const answer = held();
  world.before = ({ rpc }) => (rpc === "batchCreate" ? answer.promise : undefined);
  const { onOpen, reshow } = open(world);
  await createIt();
  reshow(null);
  answer.resolve();
  expect(await screen.findByText("Person 1’s assignment for Shop in Acme saved.")).toBeDefined();
  expect(onOpen).not.toHaveBeenCalled();
  await press("Undo");
  await waitFor(() => expect(world.asked("batchDelete")).toMatchObject([{ items: [{ id: "made-user-1" }] }]));
});

it.each([
  [refusal("PROJECT_NOT_GRANTED", Code.FailedPrecondition), /^Save Person 1’s assignment .*can no longer use/],
  [away(), /^Save Person 1’s assignment for Shop in Acme: .*did not answer/],
])("whoever has left is told of the failure %s", async (error, text) => {
  const world = worldOf();
  const answer = held();
  world.before = async ({ rpc }) => {
    if (rpc !== "batchCreate") return;
    await answer.promise;
    throw error;
  };
  const { reshow } = open(world);
  await createIt();
  reshow(null);
  answer.resolve();
  expect(await screen.findByText(text)).toBeDefined();
});

it("what is picked stays when asking again fails", async () => {
  const world = worldOf();
  const { client } = open(world);
  await tick(/Seller/);
  world.before = ({ rpc }) => {
    if (rpc === "listProjects") throw refusal("", Code.Internal);
  };
  await act(() => client.refetchQueries());
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: /Seller/ }).checked).toBe(true);
  expect(screen.getByRole("button", { name: "Remove Person 1" })).toBeDefined();
});

it("of a granted project only the roles in the grant are offered", async () => {
  open(worldOf(), { ...preset, organization: "globex" });
  await screen.findByRole("checkbox", { name: /Auditor/ });
  expect(screen.getAllByRole("checkbox")).toHaveLength(1);
});

it("two clicks create once", async () => {
  const world = worldOf();
  const answer = held();
  world.before = ({ rpc }) => (rpc === "batchCreate" ? answer.promise : undefined);
  const { onOpen } = open(world);
  const button = await ready();
  fireEvent.click(button);
  fireEvent.click(button);
  answer.resolve();
  await waitFor(() => expect(onOpen).toHaveBeenCalled());
  expect(world.asked("batchCreate")).toHaveLength(1);
});

it("nothing is created before a user and a project are picked", async () => {
  const world = worldOf();
  open(world, {});
  await press("Create");
  expect(screen.getByText("Pick people and a project.")).toBeDefined();
  expect(world.asked("batchCreate")).toEqual([]);
});

it("an assignment that is there is told of before, and opened instead", async () => {
  const world = worldOf(assignment("1"));
  const { onOpen } = open(world);
  await press("Open it");
  expect(onOpen).toHaveBeenCalledWith("1");
  expect(screen.queryByRole("button", { name: "Create" })).toBeNull();
  expect(world.asked("batchCreate")).toEqual([]);
});

/** A caller who belongs to Acme. */
function callerOfAcme() {
  return { ...everything, user: create(UserSchema, { id: "carol", organizationId: "acme" }) };
}

async function pickPerson() {
  const field = await screen.findByRole("combobox", { name: "People" });
  fireEvent.input(field, { target: { value: "person" }, inputType: "insertText" });
  fireEvent.click(await screen.findByRole("option", { name: /Person 1/ }));
}

it("starts with the reader's own organization and its projects, and picks nothing else", async () => {
  const world = worldOf();
  world.caller = callerOfAcme();
  open(world, {});
  await waitFor(async () => expect(await organization()).toBe("Acme"));
  expect(screen.queryByRole("button", { name: /^Remove/ })).toBeNull();
  const places = await screen.findAllByRole<HTMLInputElement>("radio");
  expect(places.map(({ checked }) => checked)).toEqual([false]);
  expect(screen.queryByRole("checkbox")).toBeNull();
});

it("a link can tick a role, if it is offered", async () => {
  const { unmount } = open(worldOf(), { ...preset, role: "auditor" });
  const box = (name: RegExp) => screen.findByRole<HTMLInputElement>("checkbox", { name });
  expect([(await box(/Auditor/)).checked, (await box(/Seller/)).checked]).toEqual([true, false]);
  unmount();
  open(worldOf(), { ...preset, organization: "globex", role: "seller" });
  expect((await box(/Auditor/)).checked).toBe(false);
});

it("several people get the roles at once, those with an assignment as well, after a look at what is there", async () => {
  const world = worldOf(assignment("2", { user: { id: "user-2", displayName: "Person 2" } }));
  open(world);
  await tick(/Auditor/);
  world.user = { ...world.user, id: "user-2", displayName: "Person 2" };
  const field = await screen.findByRole("combobox", { name: "People" });
  fireEvent.input(field, { target: { value: "person" }, inputType: "insertText" });
  fireEvent.click(await screen.findByRole("option", { name: /Person 2/ }));
  fireEvent.click(await ready("Review 2 assignments"));
  expect(await screen.findByText("new: adds Auditor")).toBeDefined();
  expect(screen.getByText("adds Auditor")).toBeDefined();
  await press("Save 2 assignments");
  await screen.findByText("2 assignments saved.");
  expect(world.asked("batchCreate")).toMatchObject([{ items: [{ userId: "user-1", roleKeys: ["auditor"] }] }]);
  expect(world.asked("batchUpdate")).toMatchObject([{ items: [{ id: "2", roleKeys: ["auditor", "seller"] }] }]);
  await press("Undo");
  await waitFor(() => expect(world.asked("batchDelete")).toMatchObject([{ items: [{ id: "made-user-1" }] }]));
});

it("who has got an assignment after the review is shown with it, and decided on again", async () => {
  const world = worldOf();
  open(world);
  await tick(/Auditor/);
  world.user = { ...world.user, id: "user-2", displayName: "Person 2" };
  const field = await screen.findByRole("combobox", { name: "People" });
  fireEvent.input(field, { target: { value: "person" }, inputType: "insertText" });
  fireEvent.click(await screen.findByRole("option", { name: /Person 2/ }));
  fireEvent.click(await ready("Review 2 assignments"));
  await screen.findByRole("button", { name: "Save 2 assignments" });
  world.rows.set("2", assignment("2"));
  await press("Save 2 assignments");
  await screen.findByText(/It is now active: Seller/);
  await press("Review 1 assignment");
  await press("Save 1 assignment");
  await waitFor(() => expect(world.rows.get("2")?.roles.map(({ key }) => key)).toEqual(["auditor", "seller"]));
});

it("an organization where nothing can be assigned is said to be one", async () => {
  const world = worldOf();
  world.caller = callerOfAcme();
  world.offered = { globex: { shop: roles } };
  open(world, {});
  expect(await screen.findByText("You can't assign anything in Acme. Pick another organization.")).toBeDefined();
});

it("to give a role in the reader's own organization takes six steps, also where an assignment is edited in place", async () => {
  const world = worldOf(assignment("1"));
  world.caller = callerOfAcme();
  const { onOpen } = open(world, {}); // 1: the button or its key
  await pickPerson(); // 2 and 3: the field, and the person
  fireEvent.click(await screen.findByRole("radio", { name: "Shop" })); // 4
  await screen.findByText(/The person has an assignment there already/);
  expect(screen.getByRole("checkbox", { name: /Seller seller \(assigned already\)/ })).toBeDefined();
  expect(screen.queryByRole("button", { name: "Create" })).toBeNull();
  await tick(/Auditor/); // 5
  await press("Save roles"); // 6
  await waitFor(() => expect(onOpen).toHaveBeenCalledWith("1"));
  expect(world.asked("batchUpdate")).toMatchObject([
    { items: [{ id: "1", roleKeys: ["auditor", "seller"], ifUnchangedSince: { seconds: 1n } }] },
  ]);
  expect(world.asked("batchCreate")).toEqual([]);
  await press("Undo"); // taken back by one
  await waitFor(() => expect(world.rows.get("1")?.roles.map(({ key }) => key)).toEqual(["seller"]));
});

it("an assignment that is edited in place is not overwritten if someone else was faster", async () => {
  const world = worldOf(assignment("1"));
  open(world);
  await screen.findByText(/The person has an assignment there already/);
  await tick(/Auditor/);
  world.change("1", (row) => (row.roles = roles.filter(({ key }) => key === "buyer")));
  await press("Save roles");
  await screen.findByText(/It is now active: Buyer/);
  expect(world.rows.get("1")?.roles.map(({ key }) => key)).toEqual(["buyer"]);
  await press("Review 1 assignment");
  await press("Save 1 assignment");
  await waitFor(() => expect(world.rows.get("1")?.roles.map(({ key }) => key)).toEqual(["auditor", "buyer"]));
});

it("an assignment that was made meanwhile is told of when creating", async () => {
  const world = worldOf();
  world.before = ({ rpc }) => {
    if (rpc === "batchCreate") world.rows.set("theirs", { ...assignment("1"), id: "theirs" });
  };
  const { onOpen } = open(world);
  await createIt();
  await screen.findByRole("dialog", { name: "Someone else changed it first" });
  await press("Close");
  await press("Open it");
  expect(onOpen).toHaveBeenCalledWith("theirs");
});

it("a refusal is said with what to do", async () => {
  const world = worldOf();
  world.before = ({ rpc }) => {
    if (rpc === "batchCreate") throw refusal("PROJECT_NOT_GRANTED", Code.FailedPrecondition);
  };
  open(world);
  await createIt();
  expect(await screen.findByText("The organization can no longer use this project")).toBeDefined();
});

it("a ticked role that is withdrawn meanwhile keeps its box, to be unticked", async () => {
  const world = worldOf();
  world.before = ({ rpc }) => {
    const isFirst = world.asked("batchCreate").length === 1;
    if (rpc !== "batchCreate" || !isFirst) return;
    world.offered = { acme: { shop: roles.filter(({ key }) => key !== "seller") } };
    throw refusal("ROLE_NOT_FOUND", Code.FailedPrecondition);
  };
  const { onOpen } = open(world);
  await tick(/Seller/);
  await tick(/Auditor/);
  await createIt();
  expect(await screen.findByText("A role can no longer be assigned there")).toBeDefined();
  await press("Close");
  await tick(/Seller/);
  await createIt();
  await waitFor(() => expect(onOpen).toHaveBeenCalledWith("made-user-1"));
  expect(world.asked("batchCreate")).toMatchObject([
    { items: [{ roleKeys: ["auditor", "seller"] }] },
    { items: [{ roleKeys: ["auditor"] }] },
  ]);
});

it("without an answer it offers to look, and does not create again on its own", async () => {
  const world = worldOf();
  world.before = ({ rpc }) => {
    if (rpc === "batchCreate") throw away();
  };
  const { onOpen } = open(world);
  await createIt();
  await screen.findByText(/It is unknown whether/);
  await press("Check what they are now");
  await screen.findByText("Not done");
  expect(onOpen).not.toHaveBeenCalled();
  expect(world.asked("batchCreate")).toHaveLength(1);
});

it("what was made without an answer is found, and opened", async () => {
  const world = worldOf();
  world.before = ({ rpc }) => {
    if (rpc !== "batchCreate") return;
    world.rows.set("1", assignment("1"));
    throw away();
  };
  const { onOpen } = open(world);
  await createIt();
  await press("Check what they are now");
  await waitFor(() => expect(onOpen).toHaveBeenCalledWith("1"));
  expect(world.asked("batchCreate")).toHaveLength(1);
});
