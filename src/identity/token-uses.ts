/** Stores when tokens were last used. */
export type TokenUseStore = {
  /**
   * Stores the uses of tokens whose stored use is not recent. Waits for no lock, and resolves to the ids of the tokens
   * that others had locked.
   */
  record(uses: readonly TokenUse[], signal: AbortSignal): Promise<string[]>;
};

export type TokenUse = {
  readonly tokenId: string;
  /** How long ago, in milliseconds. The database turns it into a time, so the clocks of servers don't matter. */
  readonly agoMs: number;
};

/** The uses of tokens that are not stored yet. They are kept in memory, so that requests write nothing. */
export type TokenUses = {
  /** Notes that a request uses a token now. */
  note(tokenId: string): void;
  /** Stores the noted uses. What can't be stored is kept for the next time. Rejects if the database fails. */
  flush(signal: AbortSignal): Promise<void>;
};

/** How often uses are stored. The rest of the promised five minutes is for uses that are skipped as recent. */
const flushEveryMs = 60_000;

/** How long storing them may take, and how long it may keep a server from stopping. */
const flushMs = 10_000;
const lastFlushMs = 2_000;

/** The most uses in one statement. */
const mostAtOnce = 1_000;

/** @param now a clock that never jumps, in milliseconds */
export function openTokenUses(store: TokenUseStore, now = () => performance.now()): TokenUses {
  const lastUses = new Map<string, number>();

  async function storeSome(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const noted = ids.map((tokenId) => ({ tokenId, at: lastUses.get(tokenId) ?? now() }));
    const uses = noted.map(({ tokenId, at }) => ({ tokenId, agoMs: now() - at }));
    const left = new Set(await store.record(uses, signal));
    for (const { tokenId, at } of noted) {
      // A later use may have been noted in the meantime.
      if (!left.has(tokenId) && lastUses.get(tokenId) === at) lastUses.delete(tokenId);
    }
  }

  return {
    note: (tokenId) => void lastUses.set(tokenId, now()),
    async flush(signal) {
      const ids = [...lastUses.keys()];
      for (let from = 0; from < ids.length; from += mostAtOnce) {
        await storeSome(ids.slice(from, from + mostAtOnce), signal);
      }
    },
  };
}

/**
 * Stores the uses every minute, and once more when it is stopped.
 *
 * @param failed called for each failure; the uses are stored the next time
 */
export function storeRegularly(uses: Pick<TokenUses, "flush">, failed: (error: unknown) => void): () => Promise<void> {
  const stopping = new AbortController();
  let flushing: Promise<void> | undefined;
  const timer = setInterval(() => {
    const signal = AbortSignal.any([AbortSignal.timeout(flushMs), stopping.signal]);
    flushing ??= uses
      .flush(signal)
      .catch((error: unknown) => stopping.signal.aborted || failed(error))
      .then(() => {
        flushing = undefined;
      });
  }, flushEveryMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await flushing;
    await uses.flush(AbortSignal.timeout(lastFlushMs)).catch(failed);
  };
}
