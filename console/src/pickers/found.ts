import { useEffect, useEffectEvent, useState } from "react";

/** The result of a search for things of one kind. */
export type Found<Item> = {
  readonly items: readonly Item[];
  /** There is more than `items`: a longer text narrows it down. */
  readonly isMore: boolean;
  readonly isAsking: boolean;
  readonly error: unknown;
  /** Asks again what failed. */
  readonly retry: () => void;
};

/** What the queries of a search are doing together. */
export function askingOf(
  queries: readonly { isFetching: boolean; error: unknown; refetch: () => unknown }[],
): Pick<Found<never>, "isAsking" | "error" | "retry"> {
  const failed = queries.filter(({ error }) => error !== null);
  return {
    isAsking: queries.some(({ isFetching }) => isFetching),
    error: failed[0]?.error ?? null,
    retry: () => failed.forEach(({ refetch }) => void refetch()),
  };
}

/** How many are offered at a time. */
export const mostOffered = 20;

/** The maximum length of ids and of texts in look-ups. */
export const longestText = 200;

/** The text at the person's last pause, so not every letter causes a request. */
export function useSettled(text: string, pause = 200): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text, pause]);
  return settled;
}

/** Enter that comes before the answer. Once the answer is there, it chooses the best match. */
export function useEarlyEnter(isAsking: boolean, chooseBest: () => void) {
  const [isAwaited, setAwaited] = useState(false);
  const choose = useEffectEvent(chooseBest);
  useEffect(() => {
    if (!isAwaited || isAsking) return;
    setAwaited(false);
    choose();
  }, [isAwaited, isAsking]);
  return { isAwaited, setAwaited };
}
