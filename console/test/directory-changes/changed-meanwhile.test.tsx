import { type ApplyChangesRequest, ChangeOutcome_Effect as Effect } from "@authorization-service/client/directory";
import { Code } from "@connectrpc/connect";
import { fireEvent, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { refusal } from "../changes/assignment.ts";
import { askedBy } from "../directory/callers.ts";
import { openConsole } from "../support/console.tsx";
import { changingWorld } from "./changes.ts";
// Loaded before, so that no test waits for it.
import "../../src/project/project-page.tsx";

const changed = () => refusal("DIRECTORY_CHANGED", Code.Aborted);
const role = (displayName: string) => ({
  change: {
    case: "projectRole" as const,
    value: { projectId: "p-shop", key: "seller", displayName, group: "" },
  },
});
const outcome = (before: string, after: string) => ({
  effect: Effect.CHANGED,
  before: role(before),
  after: role(after),
});

async function edit() {
  fireEvent.click(await screen.findByRole("button", { name: "Edit the role Seller" }));
  const box = await screen.findByRole("dialog", { name: "Edit the role Seller" });
  const save = () => fireEvent.click(within(box).getByRole("button", { name: "Save" }));
  fireEvent.change(within(box).getByLabelText("Name (optional)"), { target: { value: "Salesperson" } });
  return { box, save };
}

it("sends the version that was current when the dialog was opened", async () => {
  const { service, applied, counted } = changingWorld(() => ({ version: "v1" }));
  openConsole("/project?id=p-shop", askedBy(service, "shop", "PROJECT_OWNER"));
  const { save } = await edit();
  save();
  await screen.findByText("The role Salesperson is changed.");
  expect(applied()).toMatchObject([{ ifVersion: "v1" }]);
  const projectRole = { projectId: "p-shop", key: "seller", displayName: "Seller" };
  expect(counted()).toMatchObject([{ changes: [{ projectRole }], dryRun: true }]);
});

it("shows what someone else has made of it, and saves only when told again", async () => {
  const answer = ({ dryRun, ifVersion, changes }: ApplyChangesRequest) => {
    if (!dryRun && ifVersion === "v1") throw changed();
    const [one] = changes;
    const wanted = one?.change.case === "projectRole" ? one.change.value.displayName : "";
    if (wanted === "Seller") return { version: "v1" };
    return { version: "v2", outcomes: dryRun ? [outcome("Vendor", wanted)] : [] };
  };
  const { service, applied } = changingWorld(answer);
  openConsole("/project?id=p-shop", askedBy(service, "shop", "PROJECT_OWNER"));
  const { box, save } = await edit();
  save();
  const notice = await within(box).findByRole("alert");
  expect(notice.textContent).toContain("Someone else has changed this in the meantime. Nothing was overwritten.");
  expect(within(notice).getByText("Vendor")).toBeDefined();
  expect(within(notice).getByText("Salesperson")).toBeDefined();
  expect(applied()).toHaveLength(1);
  save();
  await screen.findByText("The role Salesperson is changed.");
  expect(applied()).toMatchObject([{ ifVersion: "v1" }, { ifVersion: "v2" }]);
});

it("says at once that the page was out of date when the dialog was opened", async () => {
  const { service, applied } = changingWorld(({ dryRun }) => ({
    version: "v1",
    outcomes: dryRun ? [outcome("Vendor", "Seller")] : [],
  }));
  openConsole("/project?id=p-shop", askedBy(service, "shop", "PROJECT_OWNER"));
  const { box, save } = await edit();
  const notice = await within(box).findByRole("alert");
  expect(within(notice).getByText("Vendor")).toBeDefined();
  expect(applied()).toEqual([]);
  save();
  await screen.findByText("The role Salesperson is changed.");
});

it("saving before that is known sends nothing", async () => {
  const answered = Promise.withResolvers<void>();
  const { service, applied } = changingWorld(() => ({ version: "v1", outcomes: [outcome("Vendor", "Seller")] }));
  const applyChanges = service.directory?.applyChanges;
  const slow = {
    ...service,
    directory: {
      ...service.directory,
      applyChanges: async (...call: Parameters<NonNullable<typeof applyChanges>>) => {
        await answered.promise;
        return applyChanges?.(...call) ?? {};
      },
    },
  };
  openConsole("/project?id=p-shop", askedBy(slow, "shop", "PROJECT_OWNER"));
  const { box, save } = await edit();
  save();
  answered.resolve();
  await within(box).findByRole("alert");
  await within(box).findByRole("button", { name: "Save" });
  expect(applied()).toEqual([]);
});

it("a change that is made already, because its first answer was lost, is done", async () => {
  const { service, applied } = changingWorld(({ dryRun }) => {
    if (!dryRun) throw changed();
    return { version: "v1", outcomes: [{ effect: Effect.NONE }] };
  });
  openConsole("/project?id=p-shop", askedBy(service, "shop", "PROJECT_OWNER"));
  const { save } = await edit();
  save();
  await screen.findByText("The role Salesperson is changed.");
  expect(applied()).toHaveLength(1);
});
