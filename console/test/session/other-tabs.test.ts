import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { joinOtherTabs } from "../../src/session/other-tabs.ts";
import {
  beginSession,
  currentSession,
  type Ending,
  endSession,
  learnUser,
  renewSession,
} from "../../src/session/session.ts";
import { newSession, type SignedIn } from "../../src/session/stored-session.ts";

/** What stands for all other tabs: what they hear, and what they say. */
let others: BroadcastChannel;
let heard: object[];
let leave: () => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 1_000_000 });
  endSession("new");
  others = new BroadcastChannel("authorization-console.session");
  heard = [];
  others.onmessage = ({ data }) => heard.push(data);
  leave = () => {};
});
afterEach(() => {
  leave();
  others.close();
  endSession("left");
  vi.useRealTimers();
  history.replaceState(null, "", "/");
});

const session = (token: string, more: Partial<SignedIn> = {}): SignedIn => ({
  ...newSession(token),
  id: `session of ${token}`,
  hasWorked: true,
  ...more,
});
const have = (its: SignedIn, usedAt: unknown = 0) => ({ kind: "have", session: its, usedAt });
const began = (its: SignedIn) => ({ kind: "began", session: its });
const over = (its: SignedIn, ending: Ending) => ({ kind: "over", session: its, ending });

/** Until everything that was said has been heard, here and there. */
async function delivered(): Promise<void> {
  const marks = ["to", "from"].map((name) => new BroadcastChannel(`mark ${name} ${Math.random()}`));
  for (const mark of marks) {
    const echo = new BroadcastChannel(mark.name);
    await new Promise((resolve) => {
      echo.onmessage = resolve;
      mark.postMessage("");
    });
    echo.close();
    mark.close();
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

async function say(...messages: object[]): Promise<void> {
  for (const message of messages) others.postMessage(message);
  await delivered();
}

async function join(): Promise<void> {
  leave = joinOtherTabs();
  await delivered();
}

/** Signed in with a token that works, which the other tabs know. */
async function joinWith(its: SignedIn, user = "ann"): Promise<void> {
  beginSession(its);
  await join();
  learnUser(its.token, user);
  await delivered();
  heard = [];
}

const time = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

describe("A tab that is opened without a session", () => {
  it("asks the others, and takes the session of the one that was used last", async () => {
    await join();
    expect(heard).toEqual([{ kind: "ask" }]);
    expect(currentSession()).toMatchObject({ ending: "asking" });
    await say(have(session("old"), 1), have(session("latest"), 3), have(session("older"), 2));
    expect(currentSession().token).toBeUndefined();
    await time(150);
    expect(currentSession()).toMatchObject({ token: "latest", hasWorked: true });
    // What it has from another tab is no news to the others.
    learnUser("latest", "ann");
    await delivered();
    expect(heard).toEqual([{ kind: "ask" }]);
  });

  it("asks to sign in when none answers in time, and takes an answer that comes late", async () => {
    await join();
    await time(150);
    expect(currentSession()).toMatchObject({ ending: "new" });
    await say(have(session("late")));
    expect(currentSession()).toMatchObject({ token: "late" });
  });

  it("asks also when its token has ended since it was stored, and says so when none answers", async () => {
    endSession("expired");
    await join();
    expect(heard).toEqual([{ kind: "ask" }]);
    await time(150);
    expect(currentSession()).toMatchObject({ ending: "expired" });
  });

  it("asks to sign in where the browser forbids to ask others", async () => {
    vi.stubGlobal(
      "BroadcastChannel",
      class {
        constructor() {
          throw new DOMException("forbidden", "SecurityError");
        }
      },
    );
    leave = joinOtherTabs();
    vi.unstubAllGlobals();
    await time(150);
    expect(currentSession()).toMatchObject({ ending: "new" });
    beginSession(newSession("own"));
    learnUser("own", "ann");
    expect(currentSession()).toMatchObject({ token: "own" });
  });

  it.each(["left", "ended"] as const)(
    "takes no session that has ended meanwhile, which a third tab still offers: %s",
    async (ending) => {
      await join();
      const its = session(`first, ${ending}`);
      // Signing out ends it with every token it has had; another end is about one token.
      const offered = ending === "left" ? { ...its, token: `before, ${ending}` } : its;
      await say(have(its, 2), over(its, ending), have(offered, 3));
      await time(150);
      expect(currentSession()).toMatchObject({ ending: "new" });
      await say(have(offered));
      expect(currentSession()).toMatchObject({ ending: "new" });
      // The person has signed in again with the same token.
      await say(began({ ...its, id: "another" }));
      expect(currentSession()).toMatchObject({ token: its.token });
    },
  );

  it("takes a session that was renewed since it ended with an older token", async () => {
    await join();
    const its = session("first", { id: "renewed since" });
    await say(over(its, "expired"), have({ ...its, token: "second", renewals: 1 }));
    await time(150);
    expect(currentSession()).toMatchObject({ token: "second" });
  });

  it("stays as it is when a person has signed in before the answer", async () => {
    await join();
    beginSession(newSession("own"));
    await say(have(session("other")));
    await time(150);
    expect(currentSession()).toMatchObject({ token: "own" });
  });

  it("asks for none where people go to sign in", async () => {
    history.replaceState(null, "", "/sign-in");
    await join();
    await say(have(session("other")));
    await time(150);
    expect(heard).toEqual([]);
    expect(currentSession()).toMatchObject({ ending: "new" });
  });
});

describe("A tab that is asked", () => {
  it("answers with its session, but not with the user, whom each page asks for", async () => {
    const its = session("token", { issued: { expiresAt: 2_000_000, refreshToken: "refresh" } });
    await joinWith(its);
    await time(5_000);
    window.dispatchEvent(new Event("focus"));
    await say({ kind: "ask" });
    expect(heard).toEqual([have(its, 1_005_000)]);
  });

  it.each<[string, SignedIn | undefined]>([
    ["it has none", undefined],
    ["no call with its token has been answered yet", session("token", { hasWorked: false })],
    ["its token has ended and cannot be renewed", session("token", { issued: { expiresAt: 999_999 } })],
  ])("says nothing when %s", async (_, its) => {
    if (its) beginSession(its);
    await join();
    heard = [];
    await say({ kind: "ask" });
    expect(heard).toEqual([]);
  });
});

describe("A session that begins", () => {
  it("is told to the others once the service has accepted it, and only once", async () => {
    await join();
    await time(150);
    const its = newSession("token");
    beginSession(its);
    await delivered();
    expect(heard).toEqual([{ kind: "ask" }]);
    learnUser("token", "ann");
    await delivered();
    expect(heard.slice(1)).toEqual([began({ ...its, hasWorked: true })]);
  });

  it("is taken over by a tab where none is, whatever became of the one before", async () => {
    for (const ending of ["new", "left", "refused", "failed"] as const) {
      endSession(ending);
      await join();
      await time(150);
      endSession(ending);
      await say(began(session(`after ${ending}`)));
      expect(currentSession()).toMatchObject({ token: `after ${ending}` });
      leave();
    }
  });

  it("is not taken over where a person is signing in, or is signed in", async () => {
    await join();
    await time(150);
    for (const ending of ["returning", "checking"] as const) {
      endSession(ending);
      await say(began(session("other")));
      expect(currentSession()).toMatchObject({ ending });
    }
    beginSession(session("own"));
    await say(began(session("other")));
    expect(currentSession()).toMatchObject({ token: "own" });
  });

  it("in another tab is all that a tab takes over whose session has ended", async () => {
    await joinWith(session("token"));
    endSession("left");
    await say(have(session("other")));
    expect(currentSession()).toMatchObject({ ending: "left" });
  });
});

describe("A token that is renewed", () => {
  const first = session("first", { id: "one", issued: { refreshToken: "a" } });
  const second = { ...first, token: "second", renewals: 1, issued: { refreshToken: "b" } };

  it("is told to the others", async () => {
    await joinWith(first);
    renewSession("second", { refreshToken: "b" }, 1);
    await delivered();
    expect(heard).toEqual([have(second, expect.any(Number))]);
  });

  it("is the token of all tabs of the session, and told on by none", async () => {
    await joinWith(first);
    await say(have(second));
    expect(currentSession()).toMatchObject({
      token: "second",
      renewals: 1,
      issued: { refreshToken: "b" },
      user: "ann",
    });
    expect(heard).toEqual([]);
  });

  it("changes nothing in other sessions, nor where it was renewed again since", async () => {
    await joinWith({ ...second, token: "third", renewals: 2 });
    await say(have(second), have({ ...second, id: "another", renewals: 9 }));
    expect(currentSession()).toMatchObject({ token: "third" });
  });

  it("is asked for by a tab that is loaded again with an older one", async () => {
    beginSession(first);
    await join();
    expect(heard).toEqual([{ kind: "ask" }]);
  });
});

describe("A session that ends", () => {
  const its = session("token", { id: "one" });

  it.each(["left", "ended", "expired"] as const)(
    "ends in all of its tabs, and is told on by none: %s",
    async (ending) => {
      await joinWith(its);
      await say(over(its, ending));
      expect(currentSession()).toMatchObject({ token: undefined, ending });
      expect(heard).toEqual([]);
    },
  );

  it.each(["left", "ended", "expired"] as const)("is told to the others: %s", async (ending) => {
    await joinWith(its);
    endSession(ending);
    await delivered();
    expect(heard).toEqual([over({ id: "one", token: "token", renewals: 0 } as SignedIn, ending)]);
  });

  it("ends where the same token was pasted, too", async () => {
    await joinWith(its);
    await say(over({ ...its, id: "two" }, "left"));
    expect(currentSession()).toMatchObject({ ending: "left" });
  });

  it("ends also where it was about to be taken over, and drops what was kept there", async () => {
    const answer = Promise.withResolvers<Response>();
    vi.stubGlobal("fetch", () => answer.promise);
    await joinWith(its);
    endSession("ended");
    const next = session("next");
    await say(began(next));
    expect(currentSession()).toMatchObject({ ending: "checking", keptFor: "ann" });
    await say(over(next, "left"));
    answer.resolve(Response.json({ user: { id: "ann" } }));
    await delivered();
    vi.unstubAllGlobals();
    expect(currentSession()).toMatchObject({ token: undefined, ending: "left" });
    expect(currentSession()).not.toHaveProperty("keptFor");
  });

  it("ends no other session", async () => {
    await joinWith(its);
    await say(over(session("other"), "left"));
    expect(currentSession()).toMatchObject({ token: "token" });
  });

  it("because of an old token does not end where that was renewed: the others are told of the new one", async () => {
    const renewed = { ...its, renewals: 2 };
    await joinWith(renewed);
    await say(over({ ...its, token: "older", renewals: 1 }, "expired"));
    expect(currentSession()).toMatchObject({ token: "token" });
    expect(heard).toEqual([have(renewed, expect.any(Number))]);
    await say(over({ ...its, token: "older", renewals: 1 }, "left"));
    expect(currentSession()).toMatchObject({ ending: "left" });
  });

  it("because the token was mistyped is of no concern to others", async () => {
    await join();
    await time(150);
    heard = [];
    beginSession(newSession("mistyped"));
    endSession("refused");
    await delivered();
    expect(heard).toEqual([]);
  });
});
