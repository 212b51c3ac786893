import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { regularly } from "../../src/commands/regularly.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("work is done regularly, one at a time, until the server stops, which waits for what is under way", async () => {
  const begun: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  const stop = regularly(
    1_000,
    (signal) => {
      signals.push(signal);
      return new Promise((resolve) => void begun.push(resolve));
    },
    () => {},
  );
  await vi.advanceTimersByTimeAsync(3_000);
  expect(begun).toHaveLength(1);
  begun[0]?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toHaveLength(2);
  let stopped = false;
  const stopping = stop().then(() => {
    stopped = true;
  });
  await vi.advanceTimersByTimeAsync(5_000);
  expect([stopped, signals[1]?.aborted]).toEqual([false, true]);
  begun[1]?.();
  await stopping;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(begun).toHaveLength(2);
});

test("only the first failure in a row is reported", async () => {
  let fails = true;
  const failures: unknown[] = [];
  const work = async () => {
    if (fails) throw new Error("no Postgres");
  };
  const stop = regularly(1_000, work, (error) => void failures.push(error));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(failures).toHaveLength(1);
  fails = false;
  await vi.advanceTimersByTimeAsync(1_000);
  fails = true;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(failures).toHaveLength(2);
  await stop();
});
