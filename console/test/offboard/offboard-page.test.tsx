import { State } from "@authorization-service/client";
import {
  type ApplyChangesRequest,
  ChangeOutcome_Effect as Effect,
  OffboardUserRequest_Mode as Mode,
  type OffboardUserRequest,
} from "@authorization-service/client/directory";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { callerWith } from "../directory/callers.ts";
import { acme, ann, assignment, globex, shop, world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/offboard/offboard-page.tsx";

const project = { id: shop.id, name: shop.name, organizationId: "acme" };
const ofAcme = { scope: { case: "organization" as const, value: acme } };
const ofShop = { scope: { case: "project" as const, value: project } };

/** A service with Ann, who has two active assignments and one that isn't, and that keeps what it was asked. */
function service(refuse: (request: OffboardUserRequest | ApplyChangesRequest) => void = () => {}) {
  const at = (ms: number) => timestampFromMs(ms);
  const rows = [
    assignment({ id: "a-1", changeDate: at(1) }),
    assignment({ id: "a-2", changeDate: at(1), organization: globex }),
    assignment({ id: "a-3", changeDate: at(1), organization: { id: "x", name: "X" }, state: State.INACTIVE }),
  ];
  const asked: OffboardUserRequest[] = [];
  const restored: ApplyChangesRequest[] = [];
  const states: object[] = [];
  const told = world();
  return {
    ...told,
    ...{ rows, asked, restored, states },
    caller: { getCaller: () => callerWith("instance", "IAM_OWNER") },
    directory: {
      ...told.directory,
      offboardUser: (request: OffboardUserRequest) => {
        asked.push(request);
        refuse(request);
        if (!request.dryRun) {
          for (const row of rows) Object.assign(row, { state: State.INACTIVE, changeDate: at(2) });
        }
        return {
          places: [
            { project, organization: acme, taken: 1, kept: 0 },
            { project, organization: globex, taken: 0, kept: 1 },
            { taken: 7, kept: 0 },
          ],
          administrators: [{ user: ann, scope: ofAcme, roles: ["ORG_OWNER"] }],
          keptAdministrators: [{ user: ann, scope: ofShop, roles: ["PROJECT_OWNER"] }],
          tokens: 2,
          leftWithoutOwner: [acme],
          unlisted: { authorizations: 3, administrators: 0, tokens: 0 },
          tokensForOthers: 1,
        };
      },
      applyChanges: (request: ApplyChangesRequest) => {
        restored.push(request);
        refuse(request);
        return { version: "v1", outcomes: request.changes.map(() => ({ effect: Effect.CREATED as Effect })) };
      },
    },
    authorizations: {
      listAuthorizations: () => ({ authorizations: rows, pagination: {} }),
      batchSetState: (request: { items: readonly object[] }) => {
        states.push(request);
        const value = { changeDate: at(3) };
        return { results: request.items.map(() => ({ result: { case: "success" as const, value } })) };
      },
    },
  };
}

async function rowsOf(title: string): Promise<(string | null)[][]> {
  const rows = await within(await screen.findByRole("region", { name: title })).findAllByRole("listitem");
  return rows.map((row) => [...row.children].map((cell) => cell.textContent));
}

const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));

it("shows by place what goes and what stays, before anything is done", async () => {
  const told = service();
  openConsole("/offboard?id=u-ann", told);
  expect(await screen.findByRole("heading", { level: 1, name: "Off-board Ann Keller" })).toBeDefined();
  await waitFor(async () => expect((await rowsOf("What goes"))[0]?.[2]).toBe("Seller"));
  expect(await rowsOf("What goes")).toEqual([
    ["Shop in Acme", "Assignment", "Seller", "deactivated"],
    ["7 assignments in more places", "Assignment", "", "deactivated"],
    ["Acme", "Administrator roles", "Owner", "removed"],
    ["2 tokens of the person", "Tokens", "", "revoked for good"],
  ]);
  expect(await rowsOf("What stays")).toEqual([
    ["Shop in Globex", "Assignment", "Seller", "stays: you may not change it"],
    ["Shop", "Administrator roles", "Owner", "stays: you may not change it"],
    [
      "1 token that the person created for others",
      "Tokens",
      "",
      "stays, unless it was created with a token of the person",
    ],
    ["3 assignments", "Beyond what you see", "", "stays: someone with more rights has to change it"],
  ]);
  expect(within(screen.getByRole("alert")).getByRole("link", { name: "Acme" })).toBeDefined();
  expect(told.asked.map(({ dryRun, mode }) => [dryRun, mode])).toEqual([[true, Mode.SUSPEND]]);

  fireEvent.click(screen.getByRole("radio", { name: /^Remove everything/ }));
  await screen.findByRole("button", { name: "Remove Ann Keller" });
  await waitFor(async () => expect((await rowsOf("What goes")).at(-1)?.[3]).toBe("removed"));
  expect(told.asked.at(-1)).toMatchObject({ dryRun: true, mode: Mode.REMOVE });
});

it("suspends, and undoing that activates exactly what was deactivated, and gives the administrator roles back", async () => {
  const told = service();
  const { router } = openConsole("/offboard?id=u-ann", told);
  await rowsOf("What goes");
  await press("Suspend Ann Keller");
  await waitFor(() => expect(router.state.location.href).toBe("/person?id=u-ann"));
  expect(told.asked.at(-1)).toMatchObject({ userId: "u-ann", dryRun: false, mode: Mode.SUSPEND });
  expect(screen.getByText("Ann Keller is suspended.")).toBeDefined();

  await press("Undo: Ann Keller is suspended.");
  await screen.findByText(/^Undone: Ann Keller has the assignments and administrator roles again\./);
  const ifUnchangedSince = timestampFromMs(2);
  expect(told.states).toMatchObject([
    {
      state: State.ACTIVE,
      reason: "Undo",
      items: [
        { id: "a-1", ifUnchangedSince },
        { id: "a-2", ifUnchangedSince },
      ],
    },
  ]);
  const value = { userId: "u-ann", roles: ["ORG_OWNER"], scope: { case: "organizationId", value: "acme" } };
  const changes = [{ change: { case: "administrator", value } }];
  expect(told.restored).toMatchObject([
    { changes, dryRun: true },
    { changes, dryRun: false, ifVersion: "v1", reason: "Undo" },
  ]);
});

it("says when administrator roles could not be given back", async () => {
  const told = service((request) => {
    if ("changes" in request && !request.dryRun) throw new ConnectError("denied", Code.PermissionDenied);
  });
  openConsole("/offboard?id=u-ann", told);
  await rowsOf("What goes");
  await press("Suspend Ann Keller");
  await press("Undo: Ann Keller is suspended.");
  expect(await screen.findByText(/^The administrator roles could not be given back\./)).toBeDefined();
  expect(screen.queryByText(/^Undone/)).toBeNull();
});

it("leaves administrator roles alone that someone has given since", async () => {
  const told = service();
  told.directory.applyChanges = (request) => {
    told.restored.push(request);
    return { version: "v1", outcomes: [{ effect: Effect.CHANGED }] };
  };
  openConsole("/offboard?id=u-ann", told);
  await rowsOf("What goes");
  await press("Suspend Ann Keller");
  await press("Undo: Ann Keller is suspended.");
  await screen.findByText(/^Undone/);
  expect(told.restored.map(({ dryRun }) => dryRun)).toEqual([true]);
});

it("removes the person, which can't be undone, and is later than what can", async () => {
  const told = service();
  const { router } = openConsole("/offboard?id=u-ann", told);
  await rowsOf("What goes");
  await press("Suspend Ann Keller");
  await screen.findByRole("button", { name: "Undo: Ann Keller is suspended." });
  void router.navigate({ to: "/offboard", search: { id: "u-ann" } });
  fireEvent.click(await screen.findByRole("radio", { name: /^Remove everything/ }));
  await rowsOf("What goes");
  await press("Remove Ann Keller");
  await waitFor(() => expect(router.state.location.pathname).toBe("/people"));
  expect(told.asked.at(-1)).toMatchObject({ dryRun: false, mode: Mode.REMOVE });
  expect(screen.getByText("Ann Keller is removed.")).toBeDefined();
  const undo = screen.getByRole("button", { name: /^Undo/ });
  expect(undo.getAttribute("aria-label")).toBe("Undo an earlier change: Ann Keller is suspended.");
});

it("says why the dry run is refused, and does nothing", async () => {
  const told = service(() => {
    throw new ConnectError("last", Code.FailedPrecondition);
  });
  openConsole("/offboard?id=u-ann", told);
  await screen.findByRole("alert");
  const suspend = await screen.findByRole("button", { name: "Suspend Ann Keller" });
  expect(suspend.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(suspend);
  expect(suspend.textContent).toBe("Suspend Ann Keller");
  expect(told.asked.every(({ dryRun }) => dryRun)).toBe(true);
});

it("has nothing to suspend where nothing would go, but a person to remove", async () => {
  const told = service();
  const nothing = { places: [], administrators: [], tokens: 0, leftWithoutOwner: [], unlisted: undefined };
  const offboardUser = (request: OffboardUserRequest) => ({ ...told.directory.offboardUser(request), ...nothing });
  openConsole("/offboard?id=u-ann", { ...told, directory: { ...told.directory, offboardUser } });
  await screen.findAllByText("Nothing.");
  const isDisabled = (name: string) => screen.getByRole("button", { name }).getAttribute("aria-disabled");
  expect(isDisabled("Suspend Ann Keller")).toBe("true");
  fireEvent.click(screen.getByRole("radio", { name: /^Remove everything/ }));
  await waitFor(() => expect(isDisabled("Remove Ann Keller")).toBe("false"));
});

it.each([
  ["acme", "ORG_OWNER", ["Suspend", "Remove everything, and then the person"]],
  ["globex", "ORG_OWNER", ["Suspend"]],
  ["acme", "ORG_OWNER_VIEWER", undefined],
] as const)("offers to someone of %s with %s what they may do", async (scope, role, labels) => {
  openConsole("/offboard?id=u-ann", { ...service(), caller: { getCaller: () => callerWith(scope, role) } });
  if (labels === undefined) {
    expect(await screen.findByRole("heading", { name: "This person can't be off-boarded" })).toBeDefined();
    return;
  }
  const radios = await screen.findAllByRole("radio");
  expect(radios.map((radio) => radio.parentElement?.querySelector("strong")?.textContent)).toEqual(labels);
});

it("is reached from the person's page, and by a sentence in the search", async () => {
  const { router } = openConsole("/person?id=u-ann", service());
  fireEvent.click(await screen.findByRole("link", { name: "Off-board" }));
  await waitFor(() => expect(router.state.location.href).toBe("/offboard?id=u-ann"));
  fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
  const field = await screen.findByRole("combobox", { name: /^Search people/ });
  fireEvent.change(field, { target: { value: "off-board Ann" } });
  expect(await screen.findByRole("option", { name: /Off-board Ann Keller/ })).toBeDefined();
});

it("says what can't be read, and exports nothing until it is", async () => {
  const told = service();
  const refuse = (): never => {
    throw new ConnectError("no", Code.Internal);
  };
  openConsole("/offboard?id=u-ann", { ...told, directory: { ...told.directory, listUsers: refuse } });
  expect(await screen.findByRole("button", { name: "Try again" })).toBeDefined();
  cleanup();

  let isRefused = true;
  const listAuthorizations = () => (isRefused ? refuse() : told.authorizations.listAuthorizations());
  openConsole("/offboard?id=u-ann", { ...told, authorizations: { ...told.authorizations, listAuthorizations } });
  const again = await screen.findByRole("button", { name: "Try again" });
  await rowsOf("What goes");
  expect(screen.queryByRole("button", { name: "Export CSV" })).toBeNull();
  isRefused = false;
  fireEvent.click(again);
  expect(await screen.findByRole("button", { name: "Export CSV" })).toBeDefined();
});

it("offers no undo if what was deactivated can't be read", async () => {
  const told = service();
  let refused = 0;
  const listAuthorizations = () => {
    if (told.asked.every(({ dryRun }) => dryRun)) return told.authorizations.listAuthorizations();
    refused += 1;
    throw new ConnectError("no", Code.Internal);
  };
  openConsole("/offboard?id=u-ann", { ...told, authorizations: { ...told.authorizations, listAuthorizations } });
  await rowsOf("What goes");
  await press("Suspend Ann Keller");
  expect(await screen.findByText(/^Ann Keller is suspended\. You can't undo this here/)).toBeDefined();
  expect(refused).toBeGreaterThan(0);
  expect(screen.queryByRole("button", { name: "Undo: Ann Keller is suspended." })).toBeNull();
});
