import { useEffect, useState } from "react";

/** What a search among things of one kind has found. */
export type Found<Item> = {
  readonly items: readonly Item[];
  /** There is more than `items`: a longer text narrows it down. */
  readonly isMore: boolean;
  readonly isAsking: boolean;
  readonly error: unknown;
};

/** How many are offered at a time. */
export const mostOffered = 20;

/** Texts of look-ups and ids have up to so many characters. */
export const longestText = 200;

/** Both without repetition, the exact matches first. */
export function exactFirst<Item extends { id: string }>(
  exact: readonly (readonly Item[] | undefined)[],
  others: readonly Item[] = [],
): readonly Item[] {
  const all = [...exact.flatMap((items) => items ?? []), ...others];
  return [...new Map(all.map((item) => [item.id, item])).values()];
}

/** The text as it was when the person last paused, so that not every letter asks the service. */
export function useSettled(text: string, pause = 200): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text, pause]);
  return settled;
}
