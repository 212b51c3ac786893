import { AsyncLocalStorage } from "node:async_hooks";
import type { FoundCaller, Identified } from "./store.ts";

/**
 * A caller that a request takes over from an earlier one with the same credentials. It alone gives no rights: each
 * read of the request says in its own snapshot whether it still holds, and has no rows if it doesn't. What is
 * answered without such a statement is answered only after the caller was looked up (src/rpc/around.ts).
 */
export type RememberedCaller = {
  readonly caller: FoundCaller;
  /** Lets the next request look the caller up. */
  readonly doubt: () => void;
  /** The hash of the personal access token; undefined for a JWT. */
  readonly tokenHash: Buffer | undefined;
  /** Whether a statement has proven that it holds, or that it doesn't. Undefined until then. */
  holds?: boolean;
};

/** The request for which work is done, as far as its caller has to be proven. */
export const requestToProve = new AsyncLocalStorage<{
  remembered?: RememberedCaller | undefined;
  /** The same, or who was looked up for this request. */
  readonly identified?: Identified;
}>();

/** How many callers are remembered, and about how many bytes they may take. */
const mostCallers = 10_000;
const mostBytes = 32 * 1_024 * 1_024;

/** About how many bytes a caller takes, and each of its entries. */
const callerBytes = 1_024;
const entryBytes = 256;

type Recalled = { readonly caller: FoundCaller; readonly isDoubted: boolean };

export type CallerMemory = ReturnType<typeof rememberCallers>;

export function rememberCallers() {
  const callers = new Map<string, Recalled>();
  let bytes = 0;

  function forget(key: string): void {
    const recalled = callers.get(key);
    if (recalled === undefined) return;
    callers.delete(key);
    bytes -= bytesOf(recalled.caller);
  }

  return {
    /** What was found last for credentials, by the hash of a token, or by the user of a JWT. */
    recall(key: string): Recalled | undefined {
      const recalled = callers.get(key);
      if (recalled === undefined) return undefined;
      callers.delete(key);
      callers.set(key, recalled);
      return recalled;
    },

    /** Remembers what was found, or that nothing was. Forgets those who were not asked for longest. */
    keep(key: string, caller: FoundCaller | undefined): void {
      forget(key);
      if (caller === undefined) return;
      callers.set(key, { caller, isDoubted: false });
      bytes += bytesOf(caller);
      for (const oldest of callers.keys()) {
        if (callers.size <= mostCallers && bytes <= mostBytes) break;
        forget(oldest);
      }
    },

    /** The look-ups under way, by the same keys. */
    lookUps: new Map<string, Promise<FoundCaller | undefined>>(),

    /** Keeps a caller only to know in whose turn the next look-up waits. */
    doubt(key: string): void {
      const recalled = callers.get(key);
      if (recalled !== undefined) callers.set(key, { ...recalled, isDoubted: true });
    },
  };
}

function bytesOf({ entries }: FoundCaller): number {
  return callerBytes + entries.length * entryBytes;
}
