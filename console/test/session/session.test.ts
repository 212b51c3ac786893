import { beforeEach, expect, it, vi } from "vitest";
import {
  beginSession,
  currentSession,
  endRefusedSession,
  endSession,
  onSessionChange,
} from "../../src/session/session.ts";

beforeEach(() => {
  endSession("new");
});

it("keeps a token in session storage alone, and nothing when it ends", () => {
  beginSession("token", { expiresAt: 1, refreshToken: "refresh" });
  expect({ ...sessionStorage }).toEqual({
    "authorization-console.token": "token",
    "authorization-console.issued": '{"expiresAt":1,"refreshToken":"refresh"}',
  });
  expect(localStorage).toHaveLength(0);
  endSession("left");
  expect(sessionStorage).toHaveLength(0);
});

it("a pasted token takes nothing over from an issuer's", () => {
  beginSession("issued", { expiresAt: 1, refreshToken: "refresh" });
  beginSession("pasted");
  expect({ ...sessionStorage }).toEqual({ "authorization-console.token": "pasted" });
  expect(currentSession()).toEqual({ token: "pasted" });
});

it("a refusal of an earlier token ends nothing", () => {
  beginSession("later");
  endRefusedSession("earlier");
  expect(currentSession().token).toBe("later");
});

it.each([
  ["pasted", undefined, "refused"],
  ["an issuer's that has ended", { expiresAt: Date.now() - 1 }, "expired"],
  ["an issuer's that is still valid", { expiresAt: Date.now() + 60_000 }, "unaccepted"],
])("a refused token, %s, says why the session has ended", (_, issued, ending) => {
  beginSession("token", issued);
  endRefusedSession("token");
  expect(currentSession()).toEqual({ token: undefined, ending });
});

it("tells listeners until they leave", () => {
  const listener = vi.fn();
  const leave = onSessionChange(listener);
  beginSession("token");
  leave();
  endSession("left");
  expect(listener).toHaveBeenCalledTimes(1);
});
