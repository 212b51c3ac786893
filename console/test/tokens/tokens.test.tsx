import type { CreateTokenRequest, RevokeTokenRequest } from "@authorization-service/client";
import { Code, ConnectError } from "@connectrpc/connect";
import { fireEvent, screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { askedBy, reader } from "../directory/callers.ts";
import { world } from "../directory/world.ts";
import { type FakeService, openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/account/account-page.tsx";

const dialog = (name: string) => screen.findByRole("dialog", { name });
const submit = (box: HTMLElement, name: string) => fireEvent.click(within(box).getByRole("button", { name }));

function service(tokens: FakeService["tokens"] = {}): FakeService {
  const list = { tokens: [{ id: "t-1", name: "CI", user: reader }], pagination: { totalResult: 1 } };
  return askedBy({ ...world(), tokens: { listTokens: () => list, ...tokens } }, "acme", "ORG_OWNER");
}

it("lists the reader's tokens, and when each was last used", async () => {
  openConsole("/account", service());
  const table = await screen.findByRole("table", { name: "Tokens" });
  expect(within(table).getByRole("rowheader").textContent).toBe("CI");
  expect(within(table).getAllByText("never")).toHaveLength(2);
});

it("creates a token for a number of days, and shows it once", async () => {
  const createToken = vi.fn((_: CreateTokenRequest) => ({ id: "t-2", token: "pat_secret", shortened: true }));
  openConsole("/account", service({ createToken }));
  fireEvent.click(await screen.findByRole("button", { name: "Create token" }));
  const box = await dialog("Create a token");
  fireEvent.change(within(box).getByLabelText("Name"), { target: { value: "Deploy" } });
  fireEvent.change(within(box).getByLabelText("Valid for"), { target: { value: "7" } });
  submit(box, "Create token");
  const shown = await dialog("Your new token");
  expect(within(shown).getByText("pat_secret")).toBeDefined();
  expect(within(shown).getByText(/ends earlier than you asked/)).toBeDefined();
  expect(createToken.mock.calls[0]?.[0]).toMatchObject({
    name: "Deploy",
    lifetime: { seconds: 604_800n },
    userId: reader.id,
  });
  submit(shown, "Close");
  expect(screen.queryByText("pat_secret")).toBeNull();
});

it("a refusal is shown in the dialog", async () => {
  const createToken = () => {
    throw new ConnectError("no", Code.PermissionDenied);
  };
  openConsole("/account", service({ createToken }));
  fireEvent.click(await screen.findByRole("button", { name: "Create token" }));
  const box = await dialog("Create a token");
  submit(box, "Create token");
  expect(await within(box).findByRole("alert")).toBeDefined();
});

it("revokes a token with those made with it, after saying so", async () => {
  const revokeToken = vi.fn((_: RevokeTokenRequest) => ({ revoked: 3 }));
  openConsole("/account", service({ revokeToken }));
  fireEvent.click(await screen.findByRole("button", { name: "Revoke the token CI" }));
  const box = await dialog("Revoke the token CI?");
  expect(within(box).getByText(/tokens that were made with it are revoked, too/)).toBeDefined();
  expect(revokeToken).not.toHaveBeenCalled();
  submit(box, "Revoke");
  expect(await screen.findByText("3 tokens are revoked.")).toBeDefined();
  expect(revokeToken.mock.calls[0]?.[0]).toMatchObject({ id: "t-1" });
});
