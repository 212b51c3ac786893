import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settleRegularly } from "../../src/commands/settle-ends.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("ends are written every second, one look at a time, until the server stops", async () => {
  const begun: (() => void)[] = [];
  const stop = settleRegularly(
    () => new Promise((resolve) => void begun.push(resolve)),
    () => {},
  );
  await vi.advanceTimersByTimeAsync(3_000);
  expect(begun).toHaveLength(1);
  begun[0]?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toHaveLength(2);
  begun[1]?.();
  await stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(begun).toHaveLength(2);
});

test("only the first failure in a row is reported", async () => {
  let fails = true;
  const failures: unknown[] = [];
  const stop = settleRegularly(
    async () => {
      if (fails) throw new Error("no Postgres");
    },
    (error) => void failures.push(error),
  );
  await vi.advanceTimersByTimeAsync(3_000);
  expect(failures).toHaveLength(1);
  fails = false;
  await vi.advanceTimersByTimeAsync(1_000);
  fails = true;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(failures).toHaveLength(2);
  await stop();
});
