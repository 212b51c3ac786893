/**
 * Stores the uses of tokens whose stored use is not recent. Waits for no lock, and resolves to the ids of the tokens that
 * others had locked.
 */
export type RecordTokenUses = (uses: readonly TokenUse[], signal: AbortSignal) => Promise<string[]>;

export type TokenUse = {
  readonly tokenId: string;
  /** How long ago, in milliseconds. The database turns it into a time, so the clocks of servers don't matter. */
  readonly agoMs: number;
};

export type TokenUses = ReturnType<typeof openTokenUses>;

/** The uses of tokens that are not stored yet. They are kept in memory, so that requests write nothing. */
export function openTokenUses(record: RecordTokenUses) {
  let lastUses = new Map<string, number>();
  return {
    /** Notes that a request uses a token now. */
    note: (tokenId: string) => void lastUses.set(tokenId, performance.now()),
    /** Stores the noted uses. What can't be stored is kept for the next time. Rejects if the database fails. */
    async flush(signal: AbortSignal): Promise<void> {
      const noted = lastUses;
      if (noted.size === 0) return;
      lastUses = new Map();
      const now = performance.now();
      const keep = (tokenId: string) => {
        // A later use may have been noted in the meantime.
        if (!lastUses.has(tokenId)) lastUses.set(tokenId, noted.get(tokenId) ?? now);
      };
      try {
        const left = await record(
          [...noted].map(([tokenId, at]) => ({ tokenId, agoMs: now - at })),
          signal,
        );
        for (const tokenId of left) keep(tokenId);
      } catch (error) {
        for (const tokenId of noted.keys()) keep(tokenId);
        throw error;
      }
    },
  };
}
