import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  beginSession,
  currentSession,
  endRefusedSession,
  endSession,
  type Issued,
  learnUser,
  newSession,
  onSessionChange,
  readStored,
  renewSession,
} from "../../src/session/session.ts";

beforeEach(() => {
  // Other tests of the process may have kept something.
  localStorage.clear();
  endSession("left");
});

const begin = (token: string, issued?: Issued) => beginSession(newSession(token, issued));

/** Begins a session whose token the service accepts. */
function work(token: string, user = "ann", issued?: Issued): void {
  begin(token, issued);
  learnUser(token, user);
}

it("keeps a token in session storage alone, and nothing when it ends", () => {
  begin("token", { expiresAt: 1, refreshToken: "refresh" });
  expect(sessionStorage.getItem("authorization-console.token")).toBe("token");
  expect(sessionStorage).toHaveLength(2);
  expect(localStorage).toHaveLength(0);
  endSession("left");
  expect(sessionStorage).toHaveLength(0);
});

it("is after a reload what it was, but for the user, whom the service names again", () => {
  work("first", "ann", { expiresAt: 1, refreshToken: "refresh" });
  renewSession("second", { expiresAt: 2, refreshToken: "next" });
  const { user, view: _, ...session } = currentSession() as ReturnType<typeof newSession> & { view: number };
  expect(readStored()).toEqual(session);
  expect([user, session.token, session.hasWorked]).toEqual(["ann", "second", true]);
});

it("a pasted token takes nothing over from an issuer's", () => {
  begin("issued", { expiresAt: 1, refreshToken: "refresh" });
  begin("pasted");
  expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/issued":|refresh/);
  expect(currentSession()).toMatchObject({ token: "pasted", hasWorked: false });
  expect(currentSession()).not.toHaveProperty("issued");
});

it("a refusal of an earlier token ends nothing", () => {
  begin("later");
  endRefusedSession("earlier");
  expect(currentSession().token).toBe("later");
});

const past = () => ({ expiresAt: Date.now() - 1 });
const future = () => ({ expiresAt: Date.now() + 60_000 });

it.each([
  ["pasted", undefined, "refused"],
  ["an issuer's that has ended", past, "expired"],
  ["an issuer's that is still valid", future, "unaccepted"],
])("a token that never worked, %s, says why the session has ended, and keeps no view", (_, issued, ending) => {
  begin("token", issued?.());
  endRefusedSession("token");
  expect(currentSession()).toMatchObject({ token: undefined, ending });
  expect(currentSession()).not.toHaveProperty("keptFor");
});

it.each([
  ["pasted", undefined, "ended"],
  ["an issuer's that has ended", past, "expired"],
  ["an issuer's that is still valid", future, "expired"],
])("a token that has worked, %s, is not taken for mistyped, and its view is kept", (_, issued, ending) => {
  work("token", "ann", issued?.());
  endRefusedSession("token");
  expect(currentSession()).toMatchObject({ token: undefined, ending, keptFor: "ann" });
});

it("a token that worked before the page was loaded again is not taken for mistyped", () => {
  work("token");
  const stored = readStored();
  endSession("left");
  if (stored) beginSession(stored);
  endRefusedSession("token");
  expect(currentSession()).toMatchObject({ ending: "ended" });
});

describe("a kept view", () => {
  const viewAfter = (change: () => void) => {
    work("token", "ann");
    const { view } = currentSession();
    change();
    return currentSession().view - view;
  };

  it("is the same when the same user is back, also by another way and after attempts that failed", () => {
    expect(
      viewAfter(() => {
        endSession("ended");
        endSession("checking");
        endSession("failed", "away");
        endSession("refused");
        expect(currentSession()).toMatchObject({ keptFor: "ann" });
        beginSession({ ...newSession("other"), user: "ann" });
      }),
    ).toBe(0);
  });

  it("is another one for another user, and for one who is not known", () => {
    for (const next of [{ ...newSession("other"), user: "bob" }, newSession("other")]) {
      expect(
        viewAfter(() => {
          endSession("expired");
          beginSession(next);
        }),
      ).toBeGreaterThan(0);
    }
  });

  it("is dropped by signing out", () => {
    expect(viewAfter(() => endSession("left"))).toBeGreaterThan(0);
    work("token", "ann");
    endSession("ended");
    expect(currentSession()).toMatchObject({ keptFor: "ann" });
    endSession("left");
    expect(currentSession()).not.toHaveProperty("keptFor");
  });

  it("stays the same when the token is renewed", () => {
    expect(viewAfter(() => renewSession("second", { refreshToken: "next" }))).toBe(0);
    expect(currentSession()).toMatchObject({ token: "second", user: "ann", hasWorked: true });
  });
});

it("tells listeners until they leave", () => {
  const listener = vi.fn();
  const leave = onSessionChange(listener);
  begin("token");
  leave();
  endSession("left");
  expect(listener).toHaveBeenCalledTimes(1);
});
