import type { AuthorizationEvent } from "@authorization-service/client";
import { useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useCaller } from "../caller.ts";
import { repeatConcerned, wasChangedHere } from "../changes/changed-queries.ts";
import type { EventFilter } from "../history/request.ts";
import { followWhileVisible } from "./follow.ts";

/** How many events are kept. A button that says so many doesn't need to be exact. */
const most = 1_000;

type Followed = {
  /** What is shown, as a text. Another text begins another stream. */
  readonly list: string;
  /** Undefined if nothing that is shown can change. */
  readonly filters: (() => EventFilter[]) | undefined;
  readonly query: { readonly data: unknown; readonly isFetching: boolean; readonly dataUpdatedAt: number };
  /** Whether the answer doesn't have an event already. */
  readonly isNew: (event: AuthorizationEvent) => boolean;
};

/**
 * How many assignments others have changed since the answer that is shown. Begins once there is one. What is shown is
 * loaded again if the person's rights change, or events may be missing.
 */
export function useNews({ list, filters, query, isNew }: Followed): number {
  const transport = useTransport();
  const queries = useQueryClient();
  const userId = useCaller()?.user?.id;
  const [events, setEvents] = useState<readonly AuthorizationEvent[]>([]);
  const latest = useRef({ filters, userId, events });
  latest.current = { filters, userId, events };
  const isFollowed = filters !== undefined && query.data !== undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has other filters.
  useEffect(() => {
    if (!isFollowed) return;
    setEvents([]);
    return followWhileVisible(
      transport,
      () => latest.current.filters?.() ?? [],
      (heard, mustRepeat) => {
        if (mustRepeat) repeatConcerned(queries);
        const others = heard.filter(({ actor }) => !wasChangedHere() || actor?.id !== latest.current.userId);
        setEvents((all) => [...all, ...others].slice(-most));
      },
    );
  }, [transport, queries, list, isFollowed]);

  // What came before a request was sent is in its answer.
  const answered = useRef<readonly AuthorizationEvent[]>([]);
  useEffect(() => {
    if (query.isFetching) answered.current = latest.current.events;
  }, [query.isFetching]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each answer.
  useEffect(() => {
    const known = new Set(answered.current);
    setEvents((all) => all.filter((event) => !known.has(event)));
  }, [query.dataUpdatedAt]);

  if (query.isFetching) return 0;
  return new Set(events.filter(isNew).map(({ authorizationId }) => authorizationId)).size;
}
