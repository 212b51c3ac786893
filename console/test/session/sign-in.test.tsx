import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, onTestFinished } from "vitest";
import { currentSession, endSession } from "../../src/session/session.ts";
import { SignIn, tokenIn } from "../../src/session/sign-in.tsx";

it.each(["authz_x-1", " authz_x-1\n", "TOKEN=authz_x-1", "Bearer authz_x-1", "Authorization: Bearer authz_x-1"])(
  "finds the token in what was pasted: %j",
  (pasted) => {
    expect(tokenIn(pasted)).toBe("authz_x-1");
  },
);

it.each(["", "two words", "tökén", "a\nb", "=", "x=y"])("finds none in %j", (pasted) => {
  expect(tokenIn(pasted)).toBeUndefined();
});

it("takes no token for one that could not be sent, and says so", () => {
  endSession("new");
  const { unmount } = render(<SignIn ending="new" />);
  onTestFinished(unmount);
  const field = screen.getByLabelText("Token");
  const signIn = screen.getByRole("button", { name: "Sign in" });

  fireEvent.change(field, { target: { value: "not a token" } });
  fireEvent.click(signIn);
  expect(screen.getByRole("alert").textContent).toContain("This doesn't look like a token");
  expect(currentSession().token).toBeUndefined();

  fireEvent.change(field, { target: { value: "TOKEN=authz_1" } });
  fireEvent.click(signIn);
  expect(currentSession().token).toBe("authz_1");
});

it("says how to get a first token, and another one", () => {
  endSession("new");
  const { unmount } = render(<SignIn ending="new" />);
  onTestFinished(unmount);
  const described = screen.getByLabelText("Token").getAttribute("aria-describedby") ?? "";
  const commands = [...(document.getElementById(described)?.querySelectorAll("code") ?? [])];
  expect(commands.map(({ textContent }) => textContent)).toEqual([
    "npm run --silent cli -- init --organization Acme --login ann@acme.example",
    "npm run --silent cli -- token create --user USER_ID",
  ]);
});

it("names the product, and has one clear action", () => {
  endSession("new");
  const { unmount, container } = render(<SignIn ending="new" />);
  onTestFinished(unmount);
  expect(screen.getByRole("heading", { level: 1, name: "Authorizations" })).toBeDefined();
  expect(container.querySelector("img")).not.toBeNull();
  expect([...container.querySelectorAll("button.primary")].map(({ textContent }) => textContent)).toEqual(["Sign in"]);
});
