import type { AuthorizationService } from "@authorization-service/client";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { keepAnswers } from "../src/session/queries.ts";
import { beginSession, endSession, learnUser, newSession } from "../src/session/session.ts";
import { assignment } from "./changes/assignment.ts";
import { openConsole } from "./support/console.tsx";

type Update = ServiceImpl<typeof AuthorizationService>["batchUpdateAuthorizations"];

const roles = ["seller", "auditor"].map((key) => ({ key, displayName: key.toUpperCase(), group: "" }));
const row = assignment("1", { roles: roles.slice(0, 1) });

const updated: Update = () => ({ results: [{ result: { case: "success", value: {} } }] });

/** The dialog in which ann has ticked a role. */
async function edit(batchUpdateAuthorizations: Update = updated) {
  const page = openConsole("/assignments?id=1", {
    authorizations: {
      listAuthorizations: () => ({ pagination: { totalResult: 1 }, authorizations: [row] }),
      batchUpdateAuthorizations,
    },
    history: { listAuthorizationEvents: () => ({ pagination: {} }) },
    directory: { listProjects: () => ({ projects: [{ id: "shop", name: "Shop", roles, totalRoles: 2 }] }) },
  });
  onTestFinished(keepAnswers(page.client));
  act(() => learnUser("token", "ann"));
  fireEvent.click(await screen.findByRole("button", { name: "Edit roles" }));
  fireEvent.click(await screen.findByRole("checkbox", { name: /AUDITOR/ }));
  return page;
}

const end = () => act(() => endSession("ended"));
const comeBack = (user: string) => act(() => beginSession({ ...newSession("second"), hasWorked: true, user }));
const isTicked = () => screen.getByRole<HTMLInputElement>("checkbox", { name: /AUDITOR/ }).checked;

describe("When the session ends on its own while a dialog is open", () => {
  it("the document has nothing of it, and only signing in is left", async () => {
    await edit();
    end();
    expect(await screen.findByText(/^Your work is kept/)).toBeDefined();
    expect(screen.getByText(/^Your token has expired or has been revoked/)).toBeDefined();
    expect(document.documentElement.textContent).not.toMatch(/Person 1|Shop|AUDITOR/);
    expect(document.querySelector("[inert], [aria-hidden=true]")).toBeNull();
  });

  it("the same person finds it as it was", async () => {
    await edit();
    end();
    await screen.findByLabelText("Token");
    comeBack("ann");
    expect(isTicked()).toBe(true);
    expect(screen.getByText("Saving adds AUDITOR.")).toBeDefined();
    expect(screen.queryByLabelText("Token")).toBeNull();
  });

  it("the same person finds it also when it took them longer than answers are kept", async () => {
    const { client } = await edit();
    await waitFor(() => expect(client.isFetching()).toBe(0));
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    end();
    await act(() => vi.advanceTimersByTimeAsync(3_600_000));
    comeBack("ann");
    expect(isTicked()).toBe(true);
  });

  it("another person finds nothing of it, and no answer of before", async () => {
    const { client } = await edit();
    const before = client.getQueryCache().getAll();
    end();
    comeBack("bob");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.documentElement.textContent).not.toMatch(/Person 1/);
    const after = client.getQueryCache().getAll();
    expect(after.filter((query) => before.includes(query))).toEqual([]);
    await screen.findByRole("button", { name: "Edit roles" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("a person who signs out leaves nothing, not even for themselves", async () => {
    await edit();
    act(() => endSession("left"));
    comeBack("ann");
    await screen.findByRole("button", { name: "Edit roles" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("What comes of a change while its view is kept", () => {
  async function save(update: Update) {
    const answer = Promise.withResolvers<void>();
    const page = await edit(async (...call) => {
      await answer.promise;
      return update(...call);
    });
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText("0 of 1");
    end();
    answer.resolve();
    return page;
  }

  it("is told when the person is back", async () => {
    await save(updated);
    await screen.findByLabelText("Token");
    comeBack("ann");
    expect(await screen.findByText(/^Person 1’s assignment .* saved\.$/)).toBeDefined();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("is told in the dialog when it failed, and the edit is there to be saved again", async () => {
    await save(() => {
      throw new ConnectError("refused", Code.Unauthenticated);
    });
    await screen.findByLabelText("Token");
    comeBack("ann");
    expect(await screen.findByText(/You were signed out in the meantime/)).toBeDefined();
    expect(isTicked()).toBe(true);
    expect(screen.getByRole("button", { name: "Save" }).getAttribute("aria-disabled")).toBe("false");
  });

  it("while a conflict is reviewed, nothing is sent again on its own", async () => {
    let sent = 0;
    const value = { reason: "AUTHORIZATION_CHANGED", code: "aborted", message: "changed" };
    await edit(() => {
      sent += 1;
      return { results: [{ result: { case: "error", value } }] };
    });
    const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));
    await press("Save");
    await press("Review 1 assignment");
    await screen.findByText("adds AUDITOR");
    end();
    await screen.findByLabelText("Token");
    comeBack("ann");
    await screen.findByText("adds AUDITOR");
    expect(sent).toBe(1);
  });

  it("is not told to another person", async () => {
    const { client } = await save(updated);
    await screen.findByLabelText("Token");
    comeBack("bob");
    await screen.findByRole("button", { name: "Edit roles" });
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(document.body.textContent).not.toMatch(/saved\./);
  });
});
