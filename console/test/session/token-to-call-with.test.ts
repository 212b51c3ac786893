import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorResponse } from "oidc-client-ts";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { beginSession, currentSession, endSession } from "../../src/session/session.ts";
import { endExpiredSessions, tokenToCallWith } from "../../src/session/token-to-call-with.ts";

const { tokenForRefreshToken } = vi.hoisted(() => ({ tokenForRefreshToken: vi.fn() }));
vi.mock("../../src/session/openid.ts", () => ({ tokenForRefreshToken }));
vi.mock("../../src/settings.ts", () => ({
  settings: { oidc: { issuer: "https://id.example", clientId: "console", scopes: "openid", audience: "us" } },
}));

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  tokenForRefreshToken.mockReset();
});
afterEach(() => {
  endSession("new");
  vi.useRealTimers();
});

const renewable = (expiresAt: number) => beginSession("first", { expiresAt, refreshToken: "refresh" });

it("a token that lasts is used as it is", async () => {
  renewable(Date.now() + 60_000);
  expect(await tokenToCallWith()).toBe("first");
  expect(tokenForRefreshToken).not.toHaveBeenCalled();
});

it("one that ends soon is renewed first, once for all that call", async () => {
  renewable(Date.now() + 10_000);
  tokenForRefreshToken.mockResolvedValue({ token: "second", expiresAt: Date.now() + 60_000, refreshToken: "next" });
  expect(await Promise.all([tokenToCallWith(), tokenToCallWith()])).toEqual(["second", "second"]);
  expect(tokenForRefreshToken).toHaveBeenCalledTimes(1);
  expect(currentSession()).toMatchObject({ issued: { refreshToken: "next" } });
});

it("while it lasts, an issuer that is away does not matter", async () => {
  renewable(Date.now() + 10_000);
  tokenForRefreshToken.mockRejectedValue(new TypeError("Failed to fetch"));
  expect(await tokenToCallWith()).toBe("first");
});

it("when it has ended, an issuer that is away keeps the session and fails the call as unavailable", async () => {
  renewable(Date.now() - 1);
  tokenForRefreshToken.mockRejectedValue(new TypeError("Failed to fetch"));
  await expect(tokenToCallWith()).rejects.toMatchObject({ code: Code.Unavailable });
  expect(currentSession().token).toBe("first");
});

it("when it has ended and the issuer refuses another, the session ends", async () => {
  renewable(Date.now() - 1);
  tokenForRefreshToken.mockRejectedValue(new ErrorResponse({ error: "invalid_grant" }));
  await expect(tokenToCallWith()).rejects.toBeInstanceOf(ConnectError);
  expect(currentSession()).toEqual({ token: undefined, ending: "expired" });
});

it("nobody is signed in again by a renewal that was under way when they signed out", async () => {
  renewable(Date.now() - 1);
  tokenForRefreshToken.mockImplementation(async () => {
    endSession("left");
    return { token: "second" };
  });
  await expect(tokenToCallWith()).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(currentSession()).toEqual({ token: undefined, ending: "left" });
});

it("a session that cannot be renewed ends when its token does, and one that can does not", () => {
  endExpiredSessions();
  renewable(Date.now() + 60_000);
  vi.advanceTimersByTime(61_000);
  expect(currentSession().token).toBe("first");
  beginSession("another", { expiresAt: Date.now() + 3_600_000 });
  vi.advanceTimersByTime(3_599_000);
  expect(currentSession().token).toBe("another");
  vi.advanceTimersByTime(2_000);
  expect(currentSession()).toEqual({ token: undefined, ending: "expired" });
});
