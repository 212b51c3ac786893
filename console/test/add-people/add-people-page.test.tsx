import { ErrorInfoSchema } from "@authorization-service/client";
import { type ApplyChangesRequest, ChangeOutcome_Effect as Effect } from "@authorization-service/client/directory";
import { Code, ConnectError } from "@connectrpc/connect";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { reasonWords } from "../../src/words/reason.ts";
import { callerWith } from "../directory/callers.ts";
import { acme, ann, idsIn, world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/add-people/add-people-page.tsx";

const anyone = { case: "user" as const, value: ann };

/** A service that creates everyone, except what `refuse` says about a request. */
function service(refuse: (request: ApplyChangesRequest) => void = () => {}) {
  const told = world();
  const asked: ApplyChangesRequest[] = [];
  return {
    ...told,
    asked,
    caller: { getCaller: () => callerWith("acme", "ORG_OWNER") },
    directory: {
      ...told.directory,
      applyChanges: (request: ApplyChangesRequest) => {
        asked.push(request);
        refuse(request);
        const outcomes = request.changes.map(({ change }) =>
          change.case === "user" && change.value.id === "taken"
            ? { effect: Effect.CHANGED, before: { change: anyone } }
            : { effect: Effect.CREATED },
        );
        return { applied: outcomes.length, outcomes, version: `v${asked.length}` };
      },
    },
  };
}

async function paste(text: string) {
  fireEvent.change(await screen.findByLabelText("People, one in each line"), { target: { value: text } });
}

async function results(): Promise<(string | null | undefined)[]> {
  const table = await screen.findByRole("table", { name: "Preview" });
  await waitFor(() => expect(screen.queryByText("Checking…")).toBeNull());
  return [...table.querySelectorAll("tbody tr")].map((row) => row.lastElementChild?.textContent);
}

const add = (count: number) =>
  screen.findByRole("button", { name: count === 1 ? "Add 1 person" : `Add ${count.toLocaleString("en-US")} people` });

it("shows what each line becomes, adds those who can be added, and shows the people", async () => {
  const told = service();
  const { router } = openConsole("/add-people?organization=acme", told);
  expect(await screen.findByRole("heading", { level: 1, name: "Add people to Acme" })).toBeDefined();
  await paste(
    "Name\tLogin name\tId\nEve\teve@acme.example\t\nBob\t\t\nX\tx@acme.example\ttaken\nAnn 2\tANN@acme.example\t",
  );
  expect(await results()).toEqual([
    "The login name is missing.",
    "This id already belongs to Ann Keller.",
    "Ann Keller has this login name already.",
    "Can be added",
  ]);
  expect(screen.getByText(/^4 people found, 3 lines can't be added/)).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: reasonWords.add }));
  fireEvent.change(screen.getByLabelText(reasonWords.optional), { target: { value: "New office" } });
  fireEvent.click(await add(1));
  await waitFor(() => expect(router.state.location.href).toBe("/people?organization=acme"));

  const sent = told.asked.filter(({ dryRun }) => !dryRun);
  const users = sent.flatMap(({ changes }) => changes.map(({ change }) => change.value));
  expect(users).toMatchObject([
    { displayName: "Eve", preferredLoginName: "eve@acme.example", organizationId: "acme", avatarUrl: "" },
  ]);
  expect(sent[0]).toMatchObject({ reason: "New office", ifVersion: expect.stringMatching(/^v\d$/) });
  expect(screen.getByText("1 person is added to Acme.")).toBeDefined();
});

it("asks before the list is lost to another page, and not without a list", async () => {
  const { router } = openConsole("/add-people?organization=acme", service());
  await paste("Eve, eve@acme.example");
  const confirm = vi.fn(() => false);
  vi.stubGlobal("confirm", confirm);
  onTestFinished(() => void vi.unstubAllGlobals());
  const leave = () => fireEvent.click(screen.getByRole("link", { name: "Projects" }));
  leave();
  const question = "Leave without adding these people? The list will be lost.";
  await waitFor(() => expect(confirm).toHaveBeenCalledWith(question));
  expect(router.state.location.pathname).toBe("/add-people");
  expect(await screen.findByDisplayValue("Eve, eve@acme.example")).toBeDefined();
  confirm.mockReturnValue(true);
  leave();
  await waitFor(() => expect(router.state.location.pathname).toBe("/projects"));
  await screen.findByRole("heading", { level: 1, name: "Projects" });

  void router.navigate({ to: "/add-people", search: { organization: "acme" } });
  await paste("Eve, eve@acme.example");
  await paste(" ");
  fireEvent.click(screen.getByRole("link", { name: "People" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/people"));
  expect(confirm).toHaveBeenCalledTimes(2);
});

it("keeps the ids of people, so that trying again after a lost answer adds no one twice", async () => {
  let isLost = true;
  const told = service(({ dryRun }) => {
    if (!dryRun && isLost) throw new ConnectError("lost", Code.Unavailable);
  });
  openConsole("/add-people?organization=acme", told);
  await paste("Eve,eve@acme.example");
  fireEvent.click(await add(1));
  await screen.findByText(/^The server did not answer/);
  isLost = false;
  await paste("Eve,eve@acme.example\nFay,fay@acme.example");
  fireEvent.click(await add(2));
  await waitFor(() => expect(told.asked.filter(({ dryRun }) => !dryRun)).toHaveLength(2));
  const ids = told.asked.map(({ changes: [first] }) => first?.change.case === "user" && first.change.value.id);
  expect(new Set(ids).size).toBe(1);
});

it("sends a thousand people a request", async () => {
  const told = service();
  openConsole("/add-people?organization=acme", told);
  await paste(Array.from({ length: 2_500 }, (_, index) => `P ${index},p${index}@acme.example`).join("\n"));
  fireEvent.click(await add(2_500));
  await waitFor(() => expect(told.asked.filter(({ dryRun }) => !dryRun)).toHaveLength(3));
  expect(told.asked.map(({ changes, dryRun }) => [changes.length, dryRun])).toEqual([
    [1_000, true],
    [1_000, true],
    [500, true],
    [1_000, false],
    [1_000, false],
    [500, false],
  ]);
});

it("leaves out a line that the service refuses, and checks the others again", async () => {
  const told = service(({ changes }) => {
    const at = changes.findIndex(({ change }) => change.case === "user" && change.value.id === "theirs");
    if (at === -1) return;
    const metadata = { index: String(at) };
    const value = { reason: "PERMISSION_DENIED", domain: "authorization.service", metadata };
    throw new ConnectError("denied", Code.PermissionDenied, undefined, [{ desc: ErrorInfoSchema, value }]);
  });
  openConsole("/add-people?organization=acme", told);
  await paste("Name,Login,Id\nEve,eve@acme.example,\nOther,other@acme.example,theirs");
  expect(await results()).toEqual(["You don't have the permission for this here", "Can be added"]);
  expect(await add(1)).toBeDefined();
});

it("lets the reader say what a column has", async () => {
  const told = service();
  openConsole("/add-people?organization=acme", told);
  await paste("eve,Eve\nbob,Bob");
  const first = await screen.findByLabelText("Column 1");
  expect(first).toHaveProperty("value", "displayName");
  fireEvent.change(first, { target: { value: "loginName" } });
  fireEvent.change(screen.getByLabelText("Column 2"), { target: { value: "displayName" } });
  await results();
  const table = screen.getByRole("table", { name: "Preview" });
  expect(within(table).getByRole("row", { name: /^1 Eve eve / })).toBeDefined();
});

it("says a failure of the check, and tries again", async () => {
  let isBroken = true;
  const told = service(() => {
    if (isBroken) throw new ConnectError("broken", Code.Internal);
  });
  openConsole("/add-people?organization=acme", told);
  await paste("Eve,eve@acme.example");
  const retry = await screen.findByRole("button", { name: "Try again" });
  isBroken = false;
  fireEvent.click(retry);
  expect(await add(1)).toBeDefined();
});

it.each(["/add-people", "/add-people?organization=x"])(
  "is not for those who may not add people at %s",
  async (address) => {
    const told = world();
    const listOrganizations: NonNullable<typeof told.directory>["listOrganizations"] = (request) => ({
      organizations: idsIn(request)?.includes("acme") ? [acme] : [],
    });
    openConsole(address, { ...told, directory: { ...told.directory, listOrganizations } });
    expect(await screen.findByRole("heading", { name: "You may not add people here" })).toBeDefined();
  },
);

it("begins in the list of people", async () => {
  openConsole("/add-people?organization=acme", service());
  const list = await screen.findByLabelText("People, one in each line");
  await waitFor(() => expect(document.activeElement).toBe(list));
});

it("the page of people leads to it without an organization, and it starts with the reader's own", async () => {
  const { router } = openConsole("/people", service());
  fireEvent.click(await screen.findByRole("link", { name: "Add people from a list" }));
  expect(await screen.findByRole("heading", { level: 1, name: "Add people to Acme" })).toBeDefined();
  expect(router.state.location.href).toBe("/add-people");
  expect(screen.getByRole("combobox", { name: "Organization" })).toHaveProperty("value", "Acme");
});

it("asks for an organization if the reader may add no one to their own", async () => {
  const { router } = openConsole("/add-people", {
    ...service(),
    caller: { getCaller: () => callerWith("globex", "ORG_OWNER") },
  });
  expect(await screen.findByRole("heading", { level: 1, name: "Add people" })).toBeDefined();
  const field = screen.getByRole("combobox", { name: "Organization" });
  fireEvent.input(field, { target: { value: "glo" }, inputType: "insertText" });
  fireEvent.click(await screen.findByRole("option", { name: /Globex/ }));
  expect(await screen.findByRole("heading", { level: 1, name: "Add people to Globex" })).toBeDefined();
  expect(router.state.location.search).toEqual({ organization: "globex" });
});

it("keeps the list, and what its columns have, when another organization is picked", async () => {
  const caller = { getCaller: () => callerWith("instance", "IAM_OWNER") };
  const { router } = openConsole("/add-people", { ...service(), caller });
  await paste("eve,Eve");
  fireEvent.change(await screen.findByLabelText("Column 1"), { target: { value: "loginName" } });
  fireEvent.change(screen.getByLabelText("Column 2"), { target: { value: "displayName" } });
  const field = screen.getByRole("combobox", { name: "Organization" });
  fireEvent.input(field, { target: { value: "glo" }, inputType: "insertText" });
  fireEvent.click(await screen.findByRole("option", { name: /Globex/ }));
  await waitFor(() => expect(router.state.location.search).toEqual({ organization: "globex" }));
  await results();
  expect(screen.getByRole("row", { name: /^1 Eve eve / })).toBeDefined();
});
