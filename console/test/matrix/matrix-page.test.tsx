import { State } from "@authorization-service/client";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { acme, assignment, globex, shop, world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/matrix/matrix-page.tsx";

it("a role that was chosen while it was granted can be taken back when it isn't any more", async () => {
  let roleKeys = ["auditor", "seller", "guest"];
  const held = assignment({ organization: globex, roles: [{ key: "auditor", displayName: "Auditor" }] });
  const told = world();
  const { client } = openConsole("/matrix?project=p-shop", {
    authorizations: { listAuthorizations: () => ({ authorizations: [held], pagination: { totalResult: 1 } }) },
    directory: {
      ...told.directory,
      listProjects: () => ({ projects: [{ ...shop, grants: [{ id: "g-1", organization: globex, roleKeys }] }] }),
    },
  });
  const cell = () => screen.findByRole("gridcell", { name: /Seller/ });
  fireEvent.click(await cell());
  await screen.findByRole("region", { name: "Changes" });
  roleKeys = ["auditor"];
  await act(() => client.refetchQueries());
  await screen.findByRole("gridcell", { name: /guest is not granted/ });
  expect((await cell()).textContent).toBe("✓");
  fireEvent.click(await cell());
  expect(screen.queryByRole("region", { name: "Changes" })).toBeNull();
  expect((await cell()).textContent).toBe("–");
});

const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));

it("asks before changes that are not saved are lost, but not before sorting", async () => {
  const { router } = openConsole("/matrix?project=p-shop", world());
  fireEvent.click(await screen.findByRole("gridcell", { name: /Auditor/ }));
  await screen.findByRole("region", { name: "Changes" });
  await act(() => router.navigate({ to: "/matrix", search: { project: "p-shop", sort: "organization" } }));
  expect(router.state.location.href).toContain("sort=organization");
  await screen.findByRole("region", { name: "Changes" });

  const confirm = vi.fn(() => false);
  vi.stubGlobal("confirm", confirm);
  onTestFinished(() => void vi.unstubAllGlobals());
  act(() => void router.navigate({ to: "/matrix", search: { organization: "acme" } }));
  const question = "Leave without saving the changes? The changed cells will be lost.";
  await waitFor(() => expect(confirm).toHaveBeenCalledWith(question));
  expect(router.state.location.search).toMatchObject({ project: "p-shop" });
  confirm.mockReturnValue(true);
  act(() => void router.navigate({ to: "/people" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/people"));
});

it.each(["project=p-shop", "organization=acme"])("gives roles to someone who has none there: %s", async (search) => {
  openConsole(`/matrix?${search}`, world());
  await press("New assignment");
  const shop = await screen.findByRole("radio", { name: "Shop" });
  expect(shop).toHaveProperty("checked", search.startsWith("project"));
  await waitFor(() => expect(screen.getByRole("combobox", { name: "Organization" })).toHaveProperty("value", "Acme"));
});

it("leaves arrow keys with Alt to the browser", async () => {
  openConsole("/matrix?project=p-shop", world());
  const cell = await screen.findByRole("gridcell", { name: /Auditor/ });
  expect(fireEvent.keyDown(cell, { key: "ArrowLeft", altKey: true })).toBe(true);
  expect(fireEvent.keyDown(cell, { key: "ArrowLeft", metaKey: true })).toBe(true);
  expect(fireEvent.keyDown(cell, { key: "ArrowLeft" })).toBe(false);
});

function withAssignment(told: Parameters<typeof assignment>[0]) {
  const authorizations = [assignment(told)];
  return {
    ...world(),
    authorizations: { listAuthorizations: () => ({ authorizations, pagination: { totalResult: 1 } }) },
  };
}

it.each([
  ["Inactive", { expired: false }],
  ["Ended", { expired: true }],
] as const)("says that an assignment is %s, in the cells of both matrices", async (lack, { expired }) => {
  const told = withAssignment({ state: State.INACTIVE, expired });
  const { router } = openConsole("/matrix?project=p-shop", told);
  const seller = await screen.findByRole("gridcell", { name: `Ann Keller, Seller: yes, ${lack}` });
  expect(seller.textContent).toBe(lack);
  expect(screen.getByRole("gridcell", { name: "Ann Keller, Auditor: no" }).textContent).toBe("");
  await act(() => router.navigate({ to: "/matrix", search: { organization: acme.id } }));
  const ofShop = await screen.findByRole("gridcell", { name: `Ann Keller, Shop: Seller (${lack})` });
  expect(ofShop.textContent).toBe(`Seller (${lack})`);
});

it("tells what is added from what is removed, and calls the dialog of both a change", async () => {
  openConsole("/matrix?project=p-shop", withAssignment({}));
  const cell = (name: string) => screen.findByRole("gridcell", { name });
  fireEvent.click(await cell("Ann Keller, Auditor: no"));
  expect((await cell("Ann Keller, Auditor: yes (changed)")).dataset.edited).toBe("+");
  fireEvent.click(await cell("Ann Keller, Seller: yes"));
  const removed = await cell("Ann Keller, Seller: no (changed)");
  expect([removed.dataset.edited, removed.textContent]).toEqual(["−", "✓"]);
  await press("Review…");
  await screen.findByRole("dialog", { name: "Save 1 assignment" });
  await screen.findByRole("button", { name: "Save 1 assignment" });
});
