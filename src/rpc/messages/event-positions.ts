import type { EventPosition } from "../../authorization/history.ts";
import { type Positions, readInstant } from "./page.ts";

/** Where a page of events ends: a time and a sequence. */
export const eventPositions: Positions<EventPosition> = {
  count: 2,
  write: ({ time, sequence }) => [time.toString(), sequence],
  read([text, sequence]) {
    const time = readInstant(text);
    // Postgres can store any number of eighteen digits, and there will never be more events.
    return time !== undefined && /^\d{1,18}$/.test(sequence) ? { time, sequence } : undefined;
  },
};
