import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import {
  beginSession,
  currentSession,
  endSession,
  type Issued,
  learnUser,
  newSession,
} from "../../src/session/session.ts";
import { signIn } from "../../src/session/signing-in.ts";

let view = 0;

/** The session of ann has ended, and her view is kept. */
beforeEach(() => {
  endSession("left");
  beginSession(newSession("first"));
  learnUser("first", "ann");
  endSession("ended");
  view = currentSession().view;
});

/** The service answers as told who has a token. */
function serve(answer: (token: string | null) => Response | Promise<Response>) {
  const fetch = vi.fn(async (_url: unknown, { headers }: RequestInit) =>
    answer(new Headers(headers).get("authorization")),
  );
  vi.stubGlobal("fetch", fetch);
  onTestFinished(() => void vi.unstubAllGlobals());
  return fetch;
}

const userIs = (id: string) => Response.json({ user: { id } });
const refused = () => Response.json({ code: "unauthenticated" }, { status: 401 });

it("the same user gets the view back, once the service has said who it is", async () => {
  const answer = Promise.withResolvers<Response>();
  const fetch = serve(() => answer.promise);
  const signedIn = signIn(newSession("second"));
  expect(currentSession()).toMatchObject({ token: undefined, ending: "checking", keptFor: "ann", view });
  expect(sessionStorage).toHaveLength(0);
  answer.resolve(userIs("ann"));
  await signedIn;
  expect(currentSession()).toMatchObject({ token: "second", user: "ann", hasWorked: true, view });
  expect(fetch.mock.calls.map(([, { headers }]) => new Headers(headers).get("authorization"))).toEqual([
    "Bearer second",
  ]);
});

it("for another user it is dropped", async () => {
  serve(() => userIs("bob"));
  await signIn(newSession("second"));
  expect(currentSession()).toMatchObject({ token: "second", user: "bob", view: view + 1 });
});

it.each<[string, Issued | undefined, boolean, string]>([
  ["pasted", undefined, false, "refused"],
  ["of the issuer", {}, false, "unaccepted"],
  ["of another tab", undefined, true, "ended"],
])("a token that is not accepted, %s, leaves it kept", async (_, issued, hasWorked, ending) => {
  serve(refused);
  await signIn({ ...newSession("second", issued), hasWorked });
  expect(currentSession()).toMatchObject({ token: undefined, ending, keptFor: "ann", view });
});

it("a service that is away leaves it kept, and says so", async () => {
  serve(() => Promise.reject(new TypeError("Failed to fetch")));
  await signIn(newSession("second"));
  expect(currentSession()).toMatchObject({
    ending: "failed",
    problem: "The server can't be reached. Sign in again in a moment.",
    keptFor: "ann",
  });
});

it("an answer that comes after something else has happened counts for nothing", async () => {
  const answer = Promise.withResolvers<Response>();
  serve(() => answer.promise);
  const signedIn = signIn(newSession("second"));
  endSession("left");
  answer.resolve(userIs("ann"));
  await signedIn;
  expect(currentSession()).toMatchObject({ token: undefined, ending: "left" });
});

it("without a view that is kept, nothing is asked first", async () => {
  const fetch = serve(refused);
  endSession("left");
  await signIn(newSession("second"));
  expect(currentSession()).toMatchObject({ token: "second", hasWorked: false });
  expect(fetch).not.toHaveBeenCalled();
});
