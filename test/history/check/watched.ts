import { isDeepStrictEqual } from "node:util";
import type { Combination, StoredEvent, Violation, Watched } from "../operation.ts";
import { rightsOf } from "../world.ts";
import { describeEvent } from "./describe.ts";

/**
 * A watcher is told every event that it may see and that matches, once, those of one authorization in their order, and as
 * they are stored. Where it had to start again, that is so for what it was told since then.
 */
export function checkWatched(
  watched: Watched,
  events: readonly StoredEvent[],
  combinations: readonly Combination[],
): Violation[] {
  const { client, filter, lives, told, wrong } = watched;
  const who = `${client} ${JSON.stringify(filter)}`;
  const expected = eventsFor(watched, events, combinations);
  const found: Violation[] = wrong.map((what) => ({ what: "a stream that is wrong", details: [who, what] }));
  const violation = (what: string, event: StoredEvent | undefined) => {
    found.push({ what, details: [who, ...(event === undefined ? [] : [describeEvent(event)])] });
  };
  for (const [sequence, event] of told) {
    const stored = expected.get(sequence);
    if (stored === undefined) violation("a watcher was told what it must not, or what is not so", event);
    else if (!isDeepStrictEqual(stored, event))
      violation("a watcher was told something else than what is stored", event);
  }
  for (const life of lives) {
    const last = new Map<string, number>();
    const seen = new Set<number>();
    for (const sequence of life) {
      const event = told.get(sequence);
      const id = event?.id ?? "";
      if (seen.has(sequence)) violation("a watcher was told an event twice", event);
      else if (sequence < (last.get(id) ?? 0)) violation("a watcher was told events in another order", event);
      seen.add(sequence);
      last.set(id, sequence);
    }
  }
  const current = new Set(lives.at(-1));
  for (const [sequence, event] of expected) {
    if (!current.has(sequence)) violation("an event that a watcher was never told", event);
  }
  return found;
}

/** What it has to be told in the end, by sequence. */
export function eventsFor(
  { client, filter }: Watched,
  events: readonly StoredEvent[],
  combinations: readonly Combination[],
): Map<number, StoredEvent> {
  const seen = new Map(combinations.filter((on) => rightsOf(client, on).see).map((on) => [on.key, on]));
  const isFor = ({ key, type }: StoredEvent) => {
    const on = seen.get(key);
    if (on === undefined || (filter.projectId !== undefined && filter.projectId !== on.projectId)) return false;
    return filter.types === undefined || filter.types.includes(type);
  };
  return new Map(events.filter(isFor).map((event) => [event.sequence, event]));
}
