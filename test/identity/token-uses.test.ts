import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openTokenUses, storeRegularly, type TokenUse } from "../../src/identity/token-uses.ts";

const forever = new AbortController().signal;

/** A store that keeps what it is given, and fails or leaves some out when told so. */
function fakeStore() {
  const calls: TokenUse[][] = [];
  const how: { fails?: Error; left: string[] } = { left: [] };
  return {
    calls,
    how,
    async record(uses: readonly TokenUse[]) {
      if (how.fails !== undefined) throw how.fails;
      calls.push([...uses]);
      return how.left;
    },
  };
}

describe("Uses of tokens", () => {
  test("are kept while the database fails, and while a token is locked", async () => {
    const store = fakeStore();
    let now = 0;
    const uses = openTokenUses(store, () => now);
    uses.note("a");
    store.how.fails = new Error("down");
    await expect(uses.flush(forever)).rejects.toThrow("down");
    delete store.how.fails;
    store.how.left = ["a"];
    now = 60_000;
    await uses.flush(forever);
    store.how.left = [];
    now = 120_000;
    await uses.flush(forever);
    expect(store.calls).toEqual([[{ tokenId: "a", agoMs: 60_000 }], [{ tokenId: "a", agoMs: 120_000 }]]);
    await uses.flush(forever);
    expect(store.calls).toHaveLength(2);
  });

  test("that come while others are stored are stored the next time", async () => {
    const calls: string[] = [];
    let now = 0;
    const uses = openTokenUses(
      {
        async record(given) {
          calls.push(...given.map(({ tokenId }) => tokenId));
          if (calls.length === 1) {
            now = 10;
            uses.note("a");
          }
          return [];
        },
      },
      () => now,
    );
    uses.note("a");
    await uses.flush(forever);
    await uses.flush(forever);
    await uses.flush(forever);
    expect(calls).toEqual(["a", "a"]);
  });
});

describe("A server", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("stores uses every minute, and once more when it stops", async () => {
    const flush = vi.fn(async () => {});
    const stop = storeRegularly({ flush }, () => expect.unreachable());
    await vi.advanceTimersByTimeAsync(59_999);
    expect(flush).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(120_001);
    expect(flush).toHaveBeenCalledTimes(3);
    await stop();
    expect(flush).toHaveBeenCalledTimes(4);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(flush).toHaveBeenCalledTimes(4);
  });

  test("reports a failure, and tries again a minute later", async () => {
    const failures: unknown[] = [];
    const flush = vi.fn(() => Promise.reject(new Error("down")));
    const stop = storeRegularly({ flush }, (error) => failures.push(error));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(failures).toHaveLength(2);
    await stop();
    expect(failures).toHaveLength(3);
  });

  test("does not begin again while the database has not answered, and gives up what is under way when it stops", async () => {
    const signals: AbortSignal[] = [];
    const flush = (signal: AbortSignal) => {
      signals.push(signal);
      if (signals.length === 2) return Promise.resolve();
      return new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    const stop = storeRegularly({ flush }, () => expect.unreachable());
    await vi.advanceTimersByTimeAsync(60_000);
    await stop();
    expect(signals).toHaveLength(2);
    expect(signals[0]?.aborted).toBe(true);
  });
});
