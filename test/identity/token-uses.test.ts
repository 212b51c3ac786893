import { afterEach, describe, expect, test, vi } from "vitest";
import { openTokenUses, type TokenUse } from "../../src/identity/token-uses.ts";

const forever = new AbortController().signal;

afterEach(() => void vi.restoreAllMocks());

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
    const now = vi.spyOn(performance, "now").mockReturnValue(0);
    const uses = openTokenUses(store.record);
    uses.note("a");
    store.how.fails = new Error("down");
    await expect(uses.flush(forever)).rejects.toThrow("down");
    delete store.how.fails;
    store.how.left = ["a"];
    now.mockReturnValue(60_000);
    await uses.flush(forever);
    store.how.left = [];
    now.mockReturnValue(120_000);
    await uses.flush(forever);
    expect(store.calls).toEqual([[{ tokenId: "a", agoMs: 60_000 }], [{ tokenId: "a", agoMs: 120_000 }]]);
    await uses.flush(forever);
    expect(store.calls).toHaveLength(2);
  });

  test("that come while others are stored are stored the next time", async () => {
    const calls: string[] = [];
    const uses = openTokenUses(async (given) => {
      calls.push(...given.map(({ tokenId }) => tokenId));
      if (calls.length === 1) uses.note("a");
      return [];
    });
    uses.note("a");
    await uses.flush(forever);
    await uses.flush(forever);
    await uses.flush(forever);
    expect(calls).toEqual(["a", "a"]);
  });
});
