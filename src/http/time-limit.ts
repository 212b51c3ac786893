import { Code, ConnectError } from "@connectrpc/connect";
import { lingerMs } from "./hang-up.ts";

export type TimeLimit = ReturnType<typeof openTimeLimit>;

/**
 * The time of a call that may have none of its own.
 *
 * @param hangUp ends the call if the client doesn't even read that its time is over
 */
export function openTimeLimit(hangUp: () => void) {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Aborts when the time is over, with the error for the client. */
    over: over.signal,

    /** Waits this much longer, in milliseconds. Without a number, however long it takes. */
    wait(ms?: number): void {
      clearTimeout(timer);
      if (ms === undefined || over.signal.aborted) return;
      timer = setTimeout(() => {
        timer = setTimeout(hangUp, lingerMs);
        over.abort(new ConnectError(`nothing was sent or read for ${ms / 1_000} s`, Code.DeadlineExceeded));
      }, ms);
    },

    /** Stops waiting, because the call has ended. */
    end: () => clearTimeout(timer),
  };
}

/** The chunks of a stream. Throws the reason of a signal as soon as it aborts, even if no chunk arrives any more. */
export async function* chunksUntil(stream: AsyncIterable<Uint8Array>, over: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]();
  while (true) {
    const chunk = await unlessOver(chunks.next(), over);
    if (chunk.done) return;
    yield chunk.value;
  }
}

function unlessOver<T>(promise: Promise<T>, over: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(over.reason);
    if (over.aborted) giveUp();
    over.addEventListener("abort", giveUp, { once: true });
    promise.then(resolve, reject).finally(() => over.removeEventListener("abort", giveUp));
  });
}
