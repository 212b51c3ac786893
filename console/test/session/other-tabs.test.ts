import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { joinOtherTabs } from "../../src/session/other-tabs.ts";
import {
  beginSession,
  currentSession,
  endSession,
  learnUser,
  newSession,
  renewSession,
  type SignedIn,
} from "../../src/session/session.ts";

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
});

const session = (token: string, more: Partial<SignedIn> = {}): SignedIn => ({
  ...newSession(token),
  id: `session of ${token}`,
  hasWorked: true,
  ...more,
});
const have = (its: SignedIn) => ({ kind: "have", session: its });
const began = (its: SignedIn) => ({ kind: "began", session: its });
const left = ({ id, token }: SignedIn) => ({ kind: "left", session: { id, token } });

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
  it("asks the others, and takes the session of the first one that answers", async () => {
    await join();
    expect(heard).toEqual([{ kind: "ask" }]);
    expect(currentSession()).toMatchObject({ ending: "new" });
    await say(have(session("first")), have(session("second")));
    expect(currentSession()).toMatchObject({ token: "first", hasWorked: true });
    // What it has from another tab is no news to the others.
    learnUser("first", "ann");
    await delivered();
    expect(heard).toEqual([{ kind: "ask" }]);
  });

  it("takes an answer that comes late", async () => {
    await join();
    await time(10_000);
    await say(have(session("late")));
    expect(currentSession()).toMatchObject({ token: "late" });
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
    expect(currentSession()).toMatchObject({ ending: "new" });
    beginSession(newSession("own"));
    learnUser("own", "ann");
    expect(currentSession()).toMatchObject({ token: "own" });
  });

  it("has no session any more that a person leaves meanwhile", async () => {
    await join();
    const its = session("token");
    await say(have(its), left(its));
    expect(currentSession()).toMatchObject({ token: undefined, ending: "left" });
  });

  it("stays as it is when a person has signed in before the answer", async () => {
    await join();
    beginSession(newSession("own"));
    await say(have(session("other")));
    expect(currentSession()).toMatchObject({ token: "own" });
  });
});

describe("A tab that is loaded again", () => {
  it("asks for a newer token of its session, and says nothing else", async () => {
    const its = session("first", { id: "one", issued: { expiresAt: 2_000_000, refreshToken: "a" } });
    beginSession(its);
    await join();
    expect(heard).toEqual([{ kind: "ask" }]);
    await say(have({ ...its, token: "second", issued: { expiresAt: 3_000_000, refreshToken: "b" } }));
    expect(currentSession()).toMatchObject({ token: "second" });
  });
});

describe("A tab that is asked", () => {
  it("answers with its session, but not with the user, whom each page asks for", async () => {
    const its = session("token", { issued: { expiresAt: 2_000_000, refreshToken: "refresh" } });
    await joinWith(its);
    await say({ kind: "ask" });
    expect(heard).toEqual([have(its)]);
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
      endSession(ending);
      await say(began(session(`after ${ending}`)));
      expect(currentSession()).toMatchObject({ token: `after ${ending}` });
      leave();
    }
  });

  it("is not taken over where a person is signing in, or is signed in", async () => {
    await join();
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
  const first = session("first", { id: "one", issued: { expiresAt: 2_000_000, refreshToken: "a" } });
  const second = { ...first, token: "second", issued: { expiresAt: 3_000_000, refreshToken: "b" } };

  it("is told to the others", async () => {
    await joinWith(first);
    renewSession("second", second.issued);
    await delivered();
    expect(heard).toEqual([have(second)]);
  });

  it("is the token of all tabs of the session", async () => {
    await joinWith(first);
    await say(have(second));
    expect(currentSession()).toMatchObject({ token: "second", issued: second.issued, user: "ann" });
  });

  it("changes nothing in other sessions, nor where it was renewed again since", async () => {
    await joinWith({ ...second, token: "third", issued: { expiresAt: 4_000_000 } });
    await say(have(second), have({ ...second, id: "another", issued: { expiresAt: 9_000_000 } }));
    expect(currentSession()).toMatchObject({ token: "third" });
  });
});

describe("Signing out", () => {
  const its = session("token", { id: "one" });

  it("ends the session in all of its tabs", async () => {
    await joinWith(its);
    await say(left(its));
    expect(currentSession()).toMatchObject({ token: undefined, ending: "left" });
  });

  it("is told to the others", async () => {
    await joinWith(its);
    endSession("left");
    await delivered();
    expect(heard).toEqual([left(its)]);
  });

  it.each(["ended", "expired", "refused"] as const)("is all that is told of an end: %s", async (ending) => {
    await joinWith(its);
    endSession(ending);
    await delivered();
    expect(heard).toEqual([]);
  });

  it("ends it where the same token was pasted, too", async () => {
    await joinWith(its);
    await say(left({ ...its, id: "two" }));
    expect(currentSession()).toMatchObject({ ending: "left" });
  });

  it("ends it where its token is another by now", async () => {
    await joinWith(its);
    await say(left({ ...its, token: "older" }));
    expect(currentSession()).toMatchObject({ ending: "left" });
  });

  it("drops the view that an expired tab keeps", async () => {
    await joinWith({ ...its, user: "ann" });
    endSession("expired");
    expect(currentSession()).toMatchObject({ keptFor: "ann" });
    const { view } = currentSession();
    await say(left(session("other")));
    expect(currentSession()).toMatchObject({ keptFor: "ann", view });
    await say(left(its));
    expect(currentSession()).toMatchObject({ ending: "left", view: view + 1 });
    expect(currentSession()).not.toHaveProperty("keptFor");
  });

  it("ends no other session", async () => {
    await joinWith(its);
    await say(left(session("other")));
    expect(currentSession()).toMatchObject({ token: "token" });
  });
});
