import type { Entry } from "./entry.ts";

/** Identifies an event among those of both histories. */
export function keyOf({ of, event }: Entry): string {
  return `${of} ${event.sequence}`;
}
