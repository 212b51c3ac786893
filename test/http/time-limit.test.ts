import { Code } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chunksUntil, openTimeLimit } from "../../src/http/time-limit.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("A call whose time is over ends with an error, and is cut off if the client doesn't read that", () => {
  const hangUp = vi.fn();
  const timeLimit = openTimeLimit(hangUp);
  timeLimit.wait(10_000);
  vi.advanceTimersByTime(9_999);
  expect(timeLimit.over.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(timeLimit.over.reason).toMatchObject({
    code: Code.DeadlineExceeded,
    rawMessage: expect.stringContaining("10 s"),
  });
  expect(hangUp).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2_000);
  expect(hangUp).toHaveBeenCalledOnce();
});

test("The time begins again with everything the client sends", () => {
  const timeLimit = openTimeLimit(() => {});
  for (let sent = 0; sent < 5; sent += 1) {
    timeLimit.wait(10_000);
    vi.advanceTimersByTime(9_999);
  }
  expect(timeLimit.over.aborted).toBe(false);
});

test.each([
  ["has no limit", (timeLimit: ReturnType<typeof openTimeLimit>) => timeLimit.wait()],
  ["has ended", (timeLimit: ReturnType<typeof openTimeLimit>) => timeLimit.end()],
])("A call that %s is not cut off", (_what, then) => {
  const hangUp = vi.fn();
  const timeLimit = openTimeLimit(hangUp);
  timeLimit.wait(10_000);
  then(timeLimit);
  vi.advanceTimersByTime(3_600_000);
  expect([timeLimit.over.aborted, hangUp.mock.calls.length]).toEqual([false, 0]);
});

test("Reading a body ends when the time is over, even if nothing arrives any more", async () => {
  const over = new AbortController();
  async function* body() {
    yield new Uint8Array([1]);
    await new Promise(() => {});
  }
  const chunks = chunksUntil(body(), over.signal);
  expect(await chunks.next()).toEqual({ done: false, value: new Uint8Array([1]) });
  const second = chunks.next();
  over.abort(new Error("over"));
  await expect(second).rejects.toThrow("over");
});
