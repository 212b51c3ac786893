import { andThen, type Counting, countHere } from "../rpc/door/counting.ts";
import { giveUp, type Raw } from "./hang-up.ts";

/** How many bytes of large answers may wait for their clients, of all connections together. */
const mostBytes = 64 * 1_024 * 1_024;

/** Smaller ones are not counted: MAX_REQUESTS_IN_FLIGHT bounds them, because a request is in flight until it is read. */
const largeBytes = 64 * 1_024;

/**
 * Bounds the memory that answers take until their clients have read them. If there are too many, those that have waited
 * longest are given up. Clients that read soon are never among them.
 *
 * @returns a function that counts an answer until its connection is done with it
 */
export function boundUnread(most = mostBytes, counting: Counting = countHere): (raw: Raw, bytes: number) => void {
  const unread = counting.allowance("unread bytes", most, (bytes) => {
    for (let freed = 0; freed < bytes; ) {
      const [oldest] = waiting.keys();
      if (oldest === undefined) return;
      freed += waiting.get(oldest) ?? 0;
      forget(oldest);
      giveUp(oldest);
    }
  });
  // In the order of their beginning, with the bytes that are counted.
  const waiting = new Map<Raw, number>();

  function forget(raw: Raw): void {
    unread.give("", waiting.get(raw) ?? 0);
    waiting.delete(raw);
  }

  function count(raw: Raw, bytes: number): void | Promise<void> {
    return andThen(unread.take("", bytes), (isTaken) => {
      if (!waiting.has(raw)) return isTaken ? unread.give("", bytes) : undefined;
      if (isTaken) return void waiting.set(raw, bytes);
      const [oldest] = waiting.keys();
      if (oldest === undefined || oldest === raw) return;
      forget(oldest);
      giveUp(oldest);
      return count(raw, bytes);
    });
  }

  return (raw, bytes) => {
    if (bytes < largeBytes) return;
    waiting.set(raw, 0);
    raw.once("close", () => forget(raw));
    void count(raw, bytes);
  };
}
