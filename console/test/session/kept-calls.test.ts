import { AuthorizationService, CallerService } from "@authorization-service/client";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { beforeEach, expect, it } from "vitest";
import {
  beginSession,
  currentSession,
  endRefusedSession,
  endSession,
  learnUser,
  newSession,
} from "../../src/session/session.ts";
import { withKeptCalls } from "../../src/session/transport.ts";

/** The service accepts this token alone. */
let accepted = "";
let calls: string[] = [];
let answer: Promise<void> | undefined;

const inner = createRouterTransport(
  ({ service }) => {
    service(AuthorizationService, { listAuthorizations: () => ({}), deleteAuthorization: () => ({}) });
    service(CallerService, { getCaller: () => ({}), explainAccess: () => ({}) });
  },
  {
    transport: {
      interceptors: [
        (next) => async (request) => {
          const { token } = currentSession();
          calls.push(`${request.method.name} ${token}`);
          await answer;
          if (token === accepted) return next(request);
          if (token) endRefusedSession(token);
          throw new ConnectError("refused", Code.Unauthenticated);
        },
      ],
    },
  },
);
const transport = withKeptCalls(inner);
const others = createClient(
  CallerService,
  createRouterTransport(({ service }) => service(CallerService, { getCaller: () => ({}) })),
);
const assignments = createClient(AuthorizationService, transport);
const caller = createClient(CallerService, transport);

beforeEach(() => {
  endSession("left");
  calls = [];
  answer = undefined;
  accepted = "second";
  beginSession(newSession("first"));
  learnUser("first", "ann");
});

const comeBack = (user = "ann") => beginSession({ ...newSession("second"), hasWorked: true, user });

/** Whether a call has been answered by the time that several later ones have been. */
async function isSettled(call: Promise<unknown>): Promise<boolean> {
  let isIt = false;
  const settled = () => {
    isIt = true;
  };
  call.then(settled, settled);
  for (let later = 0; later < 5; later += 1) await others.getCaller({});
  return isIt;
}

it("what only asks waits until the person is back, and asks again with the new token", async () => {
  const asked = [assignments.listAuthorizations({}), caller.getCaller({}), caller.explainAccess({})];
  expect(await Promise.all(asked.map(isSettled))).toEqual([false, false, false]);
  comeBack();
  await Promise.all(asked);
  expect(calls.filter((call) => call.endsWith("second"))).toHaveLength(3);
});

it("a change is not sent again: it fails, and the person decides", async () => {
  const change = assignments.deleteAuthorization({ id: "1" });
  await expect(change).rejects.toMatchObject({ code: Code.Unauthenticated });
  comeBack();
  expect(calls).toEqual(["DeleteAuthorization first"]);
});

it("what only asks waits again when the next token is refused as well", async () => {
  const asked = assignments.listAuthorizations({});
  accepted = "third";
  comeBack();
  expect(await isSettled(asked)).toBe(false);
  beginSession({ ...newSession("third"), hasWorked: true, user: "ann" });
  await asked;
});

it("a call that is not wanted any more is not sent again", async () => {
  const stop = new AbortController();
  const asked = assignments.listAuthorizations({}, { signal: stop.signal });
  expect(await isSettled(asked)).toBe(false);
  stop.abort();
  comeBack();
  await expect(asked).rejects.toThrow();
  expect(calls).toEqual(["ListAuthorizations first"]);
});

it.each([
  ["another person has signed in", () => comeBack("bob")],
  ["the person has signed out", () => endSession("left")],
])("no answer and no failure reaches a view once %s", async (_, leave) => {
  const held = Promise.withResolvers<void>();
  answer = held.promise;
  const call = () => [assignments.listAuthorizations({}), assignments.deleteAuthorization({ id: "1" })];
  accepted = "first";
  const answered = call();
  endSession("ended");
  leave();
  held.resolve();
  expect(await Promise.all(answered.map(isSettled))).toEqual([false, false]);

  beginSession(newSession("ended"));
  learnUser("ended", "ann");
  const refused = call();
  endSession("ended");
  leave();
  expect(await Promise.all(refused.map(isSettled))).toEqual([false, false]);
});

it("another failure is passed on", async () => {
  const away = withKeptCalls(createRouterTransport(() => {}));
  await expect(createClient(AuthorizationService, away).listAuthorizations({})).rejects.toMatchObject({
    code: Code.Unimplemented,
  });
});
