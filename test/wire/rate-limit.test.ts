import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { expectRefusal, rateLimited } from "../support/refusals.ts";
import { serveTests } from "../support/server.ts";

const server = await serveTests({ smallWorld: true, limits: { rateLimit: { requests: 3, periodMs: 60_000 } } });
const { database } = server;
const [root, again, ann] = [await database.token("root"), await database.token("root"), await database.token("ann")];

// The limiter keeps its periods by the clock and by timers of this process.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() }));
afterEach(() => void vi.useRealTimers());

const list = (token: string) => server.call("ListAuthorizations", {}, { token });

test("A caller over its rate is RATE_LIMITED until its period is over, with whatever token; others are not", async () => {
  for (const token of [root, again, root]) expect((await list(token)).status).toBe(200);
  vi.advanceTimersByTime(20_500);
  for (const token of [root, again]) {
    const answer = await list(token);
    expectRefusal(answer, { ...rateLimited, metadata: { retryAfterSeconds: "40" } });
    expect(answer.headers.get("retry-after")).toBe("40");
  }
  expect((await list(ann)).status).toBe(200);
  vi.advanceTimersByTime(39_501);
  expect((await list(root)).status).toBe(200);
});

test("A caller without valid credentials is UNAUTHENTICATED, however often it asks", async () => {
  for (let time = 0; time < 5; time += 1) expect((await list("authz_unknown")).status).toBe(401);
});
