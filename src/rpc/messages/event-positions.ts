import type { EventPosition } from "../../authorization/history.ts";
import { isInstant } from "../../authorization/instant.ts";
import type { Positions } from "./page.ts";

/** Where a page of events ends: a time and a sequence. */
export const eventPositions: Positions<EventPosition> = {
  write: ({ time, sequence }) => [time.toString(), sequence],
  read([time, sequence, ...more]) {
    if (time === undefined || sequence === undefined || more.length > 0) return undefined;
    // Postgres can store any number of eighteen digits, and there will never be more events.
    if (!/^-?\d{1,18}$/.test(time) || !/^\d{1,18}$/.test(sequence)) return undefined;
    const instant = BigInt(time);
    return isInstant(instant) ? { time: instant, sequence } : undefined;
  },
};
