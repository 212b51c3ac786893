import { locks } from "node:worker_threads";
import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorResponse } from "oidc-client-ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { beginSession, currentSession, endSession, newSession, renewSession } from "../../src/session/session.ts";
import { endExpiredSessions, tokenToCallWith } from "../../src/session/token-to-call-with.ts";

const { tokenForRefreshToken, revokeToken, askOtherTabs } = vi.hoisted(() => ({
  tokenForRefreshToken: vi.fn(),
  revokeToken: vi.fn(async () => {}),
  askOtherTabs: vi.fn(),
}));
vi.mock("../../src/session/openid.ts", () => ({ tokenForRefreshToken, clientOf: () => ({ revokeToken }) }));
vi.mock("../../src/session/other-tabs.ts", () => ({ askOtherTabs }));
vi.mock("../../src/settings.ts", () => ({
  settings: { oidc: { issuer: "https://id.example", clientId: "console", scopes: "openid", audience: "us" } },
}));

// happy-dom has none; these work alike.
Object.defineProperty(navigator, "locks", { value: locks, configurable: true });

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  for (const asked of [tokenForRefreshToken, revokeToken, askOtherTabs]) asked.mockReset();
});
afterEach(() => {
  endSession("new");
  vi.useRealTimers();
});

const renewable = (expiresAt: number) => beginSession(newSession("first", { expiresAt, refreshToken: "refresh" }));

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
  expect(currentSession()).toMatchObject({ token: undefined, ending: "expired" });
});

it("no one is signed in again by a renewal that was under way when they signed out", async () => {
  renewable(Date.now() - 1);
  tokenForRefreshToken.mockImplementation(async () => {
    endSession("left");
    return { token: "second", refreshToken: "next" };
  });
  await expect(tokenToCallWith()).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(currentSession()).toMatchObject({ token: undefined, ending: "left" });
  expect(revokeToken).toHaveBeenCalledWith("next", "refresh_token");
});

it("a session that cannot be renewed ends when its token does, and one that can does not", () => {
  endExpiredSessions();
  renewable(Date.now() + 60_000);
  vi.advanceTimersByTime(61_000);
  expect(currentSession().token).toBe("first");
  beginSession(newSession("another", { expiresAt: Date.now() + 3_600_000 }));
  vi.advanceTimersByTime(3_599_000);
  expect(currentSession().token).toBe("another");
  vi.advanceTimersByTime(2_000);
  expect(currentSession()).toMatchObject({ token: undefined, ending: "expired" });
});

it("a session that cannot be renewed ends with the next call when its token has ended", async () => {
  beginSession(newSession("another", { expiresAt: Date.now() + 10_000 }));
  expect(await tokenToCallWith()).toBe("another");
  vi.advanceTimersByTime(10_000);
  await expect(tokenToCallWith()).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(currentSession()).toMatchObject({ token: undefined, ending: "expired" });
});

describe("beside other tabs", () => {
  const renewed = { expiresAt: 2_000_000, refreshToken: "next" };

  /** Takes the turn of another tab, until that is over. */
  function takeTurn(): Promise<PromiseWithResolvers<void>> {
    const isOver = Promise.withResolvers<void>();
    const { id } = currentSession() as ReturnType<typeof newSession>;
    return new Promise((resolve) => {
      void navigator.locks.request(`authorization-console.renew.${id}`, () => {
        resolve(isOver);
        return isOver.promise;
      });
    });
  }

  it("a refresh token that one of them is using is not used here, and what it got for it is", async () => {
    renewable(Date.now() + 10_000);
    const other = await takeTurn();
    const token = tokenToCallWith();
    renewSession("second", renewed);
    other.resolve();
    expect(await token).toBe("second");
    expect(tokenForRefreshToken).not.toHaveBeenCalled();
  });

  it("a refresh token that one of them could not use is used here", async () => {
    renewable(Date.now() + 10_000);
    tokenForRefreshToken.mockResolvedValue({ token: "second", ...renewed });
    const other = await takeTurn();
    const token = tokenToCallWith();
    await navigator.locks.query();
    expect(tokenForRefreshToken).not.toHaveBeenCalled();
    other.resolve();
    expect(await token).toBe("second");
    expect(tokenForRefreshToken).toHaveBeenCalledTimes(1);
  });

  it("they are asked first, and a refresh token that one of them has used is not used again", async () => {
    renewable(Date.now() - 1);
    askOtherTabs.mockImplementation(async () => renewSession("second", renewed));
    expect(await tokenToCallWith()).toBe("second");
    expect(tokenForRefreshToken).not.toHaveBeenCalled();
  });
});
