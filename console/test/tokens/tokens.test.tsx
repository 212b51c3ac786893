import type { CreateTokenRequest, RevokeTokenRequest } from "@authorization-service/client";
import { Code, ConnectError } from "@connectrpc/connect";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { settings } from "../../src/settings.ts";
import { askedBy, reader } from "../directory/callers.ts";
import { world } from "../directory/world.ts";
import { type FakeService, openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/account/account-page.tsx";

const dialog = (name: string) => screen.findByRole("dialog", { name });
const submit = (box: HTMLElement, name: string) => fireEvent.click(within(box).getByRole("button", { name }));

const name = (box: HTMLElement, value: string) =>
  fireEvent.change(within(box).getByLabelText("Name"), { target: { value } });

function service(tokens: FakeService["tokens"] = {}): FakeService {
  const list = { tokens: [{ id: "t-1", name: "CI", user: reader }], pagination: { totalResult: 1 } };
  return askedBy({ ...world(), tokens: { listTokens: () => list, ...tokens } }, "acme", "ORG_OWNER");
}

it("lists the reader's tokens, and when each was last used", async () => {
  openConsole("/account", service());
  const [token] = await within(await screen.findByRole("region", { name: "Your tokens" })).findAllByRole("listitem");
  expect(token?.textContent).toMatch(/^CICreated .*Last used neverEnds never/);
});

it("creates a token for a number of days, and shows it once", async () => {
  const createToken = vi.fn((_: CreateTokenRequest) => ({ id: "t-2", token: "pat_secret", shortened: true }));
  openConsole("/account", service({ createToken }));
  fireEvent.click(await screen.findByRole("button", { name: "Create token" }));
  const box = await dialog("Create a token");
  name(box, "Deploy");
  fireEvent.change(within(box).getByLabelText("Valid for"), { target: { value: "604800" } });
  submit(box, "Create token");
  const shown = await dialog("Your new token");
  expect(within(shown).getByText("pat_secret")).toBeDefined();
  expect(createToken.mock.calls[0]?.[0]).toMatchObject({
    name: "Deploy",
    lifetime: { seconds: 604_800n },
    userId: reader.id,
  });
  submit(shown, "Close");
  await waitFor(() => expect(screen.queryByText("pat_secret")).toBeNull());
});

it("calls a token its reader's only if it is", async () => {
  const createToken = () => ({ id: "t-2", token: "pat_secret" });
  openConsole(
    "/person?id=u-ann",
    askedBy({ ...world(), tokens: { listTokens: () => ({}), createToken } }, "instance", "IAM_OWNER"),
  );
  fireEvent.click(await screen.findByRole("button", { name: "Create token" }));
  const box = await dialog("Create a token");
  name(box, "Deploy");
  submit(box, "Create token");
  await dialog("The new token");
});

it("creates no token until it has a name", async () => {
  const createToken = vi.fn((_: CreateTokenRequest) => ({ id: "t-2", token: "pat_secret" }));
  openConsole("/account", service({ createToken }));
  fireEvent.click(await screen.findByRole("button", { name: "Create token" }));
  const box = await dialog("Create a token");
  const button = within(box).getByRole("button", { name: "Create token" });
  expect(within(box).getByRole<HTMLInputElement>("textbox", { name: "Name" }).required).toBe(true);
  expect(button.getAttribute("aria-disabled")).toBe("true");
  fireEvent.submit(box.querySelector("form") as HTMLFormElement);
  name(box, " ");
  fireEvent.submit(box.querySelector("form") as HTMLFormElement);
  expect(createToken).not.toHaveBeenCalled();
  name(box, "Deploy");
  expect(button.getAttribute("aria-disabled")).toBe("false");
  submit(box, "Create token");
  await dialog("Your new token");
  expect(createToken).toHaveBeenCalledTimes(1);
});

it("a refusal is shown in the dialog", async () => {
  const createToken = () => {
    throw new ConnectError("no", Code.PermissionDenied);
  };
  openConsole("/account", service({ createToken }));
  fireEvent.click(await screen.findByRole("button", { name: "Create token" }));
  const box = await dialog("Create a token");
  name(box, "Deploy");
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

const lifetimeOf = (box: HTMLElement) => within(box).getByLabelText<HTMLSelectElement>("Valid for");
const offeredIn = (box: HTMLElement) => [...lifetimeOf(box).options].map(({ text }) => text);
const chosenIn = (box: HTMLElement) => lifetimeOf(box).selectedOptions[0]?.text;

it.each([
  [366 * 86_400, ["1 day", "7 days", "30 days", "90 days", "365 days"], "90 days"],
  [90 * 86_400, ["1 day", "7 days", "30 days", "90 days"], "90 days"],
  [7 * 86_400, ["1 day", "7 days"], "7 days"],
  [10 * 86_400, ["1 day", "7 days", "10 days"], "10 days"],
  [12 * 3_600, ["12 hours"], "12 hours"],
  [90, ["90 seconds"], "90 seconds"],
])("where tokens last %i seconds at most, offers no longer lifetime", async (longestTokenSeconds, offered, preset) => {
  const { longestTokenSeconds: usual } = settings;
  Object.assign(settings, { longestTokenSeconds });
  onTestFinished(() => void Object.assign(settings, { longestTokenSeconds: usual }));
  openConsole("/account", service());
  fireEvent.click(await screen.findByRole("button", { name: "Create token" }));
  const box = await dialog("Create a token");
  expect([offeredIn(box), chosenIn(box)]).toEqual([offered, preset]);
});

it("offers no lifetime beyond the end of the token that the reader signed in with", async () => {
  // Some moments have passed since the dialog was opened.
  const createToken = vi.fn((_: CreateTokenRequest) => ({ id: "t-2", token: "pat_secret", shortened: true }));
  const inTwoDays = Math.floor(Date.now() / 1_000) + 2 * 86_400;
  const expirationDate = { seconds: BigInt(inTwoDays) };
  const listTokens = () => ({
    tokens: [
      { id: "t-1", name: "Other", user: reader, expirationDate: { seconds: BigInt(inTwoDays - 86_400 - 60) } },
      { id: "t-0", name: "Mine", user: reader, expirationDate, current: true },
    ],
    pagination: { totalResult: 2 },
  });
  openConsole("/account", service({ listTokens, createToken }));
  const mine = await screen.findByText("(you signed in with it)");
  // The service notes uses later, and lists for other tokens when that was.
  expect(mine.closest("li")?.textContent).toContain("Last used now");
  fireEvent.click(await screen.findByRole("button", { name: "Create token" }));
  const box = await dialog("Create a token");
  expect(offeredIn(box)).toEqual(["1 day", "Until the token you signed in with ends"]);
  expect(chosenIn(box)).toBe("Until the token you signed in with ends");
  name(box, "Deploy");
  submit(box, "Create token");
  await dialog("Your new token");
  const asked = Number(createToken.mock.calls[0]?.[0].lifetime?.seconds);
  expect(asked).toBeLessThanOrEqual(2 * 86_400);
  expect(asked).toBeGreaterThan(2 * 86_400 - 60);
});

it("says that revoking the token that the reader signed in with signs them out", async () => {
  const tokens = [{ id: "t-0", name: "Mine", user: reader, current: true }];
  openConsole("/account", service({ listTokens: () => ({ tokens, pagination: { totalResult: 1 } }) }));
  fireEvent.click(await screen.findByRole("button", { name: "Revoke the token Mine" }));
  expect(within(await dialog("Revoke the token Mine?")).getByText(/this signs you out/)).toBeDefined();
});

it("a link opens the dialog, which gives the focus to the button behind it", async () => {
  const { router } = openConsole("/account?open=new-token", service());
  const box = await dialog("Create a token");
  await waitFor(() => expect(document.activeElement).toBe(within(box).getByLabelText("Name")));
  submit(box, "Cancel");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(router.state.location.search).toEqual({});
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Create token"));
});
