import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { expectRefusal, rateLimited } from "../support/refusals.ts";
import { serveTests } from "../support/server.ts";

let tokens: { root: string; again: string; ann: string };

const server = await serveTests({ smallWorld: true, limits: { rateLimit: { requests: 3, periodMs: 60_000 } } });
const [root, again, ann] = await Promise.all(["root", "root", "ann"].map((user) => server.database.token(user)));
tokens = { root: root ?? "", again: again ?? "", ann: ann ?? "" };

// The limiter keeps its periods by the clock and by timers of this process.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() }));
afterEach(() => void vi.useRealTimers());

const list = (token: string) => server.call("ListAuthorizations", {}, { token });

test("A caller over its rate is RATE_LIMITED until its period is over, with whatever token; others are not", async () => {
  for (const token of [tokens.root, tokens.again, tokens.root]) expect((await list(token)).status).toBe(200);
  vi.advanceTimersByTime(20_500);
  for (const token of [tokens.root, tokens.again]) {
    const answer = await list(token);
    expectRefusal(answer, { ...rateLimited, metadata: { retryAfterSeconds: "40" } });
    expect(answer.headers.get("retry-after")).toBe("40");
  }
  expect((await list(tokens.ann)).status).toBe(200);
  vi.advanceTimersByTime(39_501);
  expect((await list(tokens.root)).status).toBe(200);
});

test("A caller without valid credentials is UNAUTHENTICATED, however often it asks", async () => {
  for (let time = 0; time < 5; time += 1) expect((await list("authz_unknown")).status).toBe(401);
});
