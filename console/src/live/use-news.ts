import { type AuthorizationEvent, AuthorizationHistoryService } from "@authorization-service/client";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { useCaller } from "../caller.ts";
import { repeatConcerned, wasChangedHere } from "../changes/changed-queries.ts";
import type { EventFilter } from "../history/search.ts";
import { waitAfter } from "../session/queries.ts";

/** How many events are kept. A button that says so many doesn't need to be exact. */
const most = 1_000;

type Followed = {
  /** What is shown, as a text. Another text begins another stream. */
  readonly list: string;
  /** Undefined if nothing that is shown can change. */
  readonly filters: (() => EventFilter[]) | undefined;
  readonly query: { readonly data: unknown; readonly isFetching: boolean };
  /** Whether the answer doesn't have an event already. */
  readonly isNew: (event: AuthorizationEvent) => boolean;
};

/**
 * How many assignments others have changed since the answer that is shown. Begins once there is one, and pauses while
 * the page is hidden. What is shown is loaded again if the person's rights change, or events may be missing.
 */
export function useNews({ list, filters, query, isNew }: Followed): number {
  const transport = useTransport();
  const queries = useQueryClient();
  const userId = useCaller()?.user?.id;
  const [events, setEvents] = useState<readonly AuthorizationEvent[]>([]);
  const isVisible = useSyncExternalStore(onVisibility, () => document.visibilityState !== "hidden");
  const isFollowed = filters !== undefined && query.data !== undefined && isVisible;
  const hear = useEffectEvent<Hear>((heard, mustRepeat) => {
    if (mustRepeat) repeatConcerned(queries);
    const others = heard.filter(({ actor }) => !wasChangedHere() || actor?.id !== userId);
    setEvents((all) => [...all, ...others].slice(-most));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has other filters.
  useEffect(() => {
    if (!isFollowed) return;
    setEvents([]);
    return follow(transport, filters?.() ?? [], (...heard) => hear(...heard));
  }, [transport, list, isFollowed]);
  // What came before a request is sent will be in its answer.
  useEffect(() => {
    if (query.isFetching) setEvents([]);
  }, [query.isFetching]);

  if (query.isFetching) return 0;
  return new Set(events.filter(isNew).map(({ authorizationId }) => authorizationId)).size;
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

/**
 * @param mustRepeat whether lists must be loaded again, because no events tell what is different: the person's rights have
 *   changed, or a stream could not be continued
 */
type Hear = (events: readonly AuthorizationEvent[], mustRepeat: boolean) => void;

/** A server that refuses streams so often is left alone until the page is opened or shown again. */
const mostFailures = 5;

/** Nothing can be followed with these: the next call tells the person why. */
const final = new Set([Code.Unauthenticated, Code.PermissionDenied, Code.Unimplemented, Code.NotFound]);

/**
 * Follows changes of assignments by one stream. Without one, because the server is busy or a proxy in between lets none
 * through, nothing is told.
 *
 * @returns a function to stop
 */
export function follow(transport: Transport, filters: EventFilter[], hear: Hear): () => void {
  const stopping = new AbortController();
  void keepFollowing(transport, filters, hear, stopping.signal);
  return () => stopping.abort();
}

async function keepFollowing(transport: Transport, filters: EventFilter[], hear: Hear, signal: AbortSignal) {
  const client = createClient(AuthorizationHistoryService, transport);
  let resumeToken = "";
  let isBehind = false;
  for (let failures = 0; failures < mostFailures && !signal.aborted; ) {
    let wait = 1_000;
    try {
      const start = resumeToken === "" ? {} : { start: { case: "resumeToken" as const, value: resumeToken } };
      // A stream has no end. Heartbeats and the server's own limits tell when it does.
      for await (const message of client.watchAuthorizations({ filters, ...start }, { signal, timeoutMs: 0 })) {
        failures = 0;
        resumeToken = message.resumeToken;
        const mustRepeat = isBehind || message.rightsChanged;
        isBehind = false;
        if (message.events.length > 0 || mustRepeat) hear(message.events, mustRepeat);
      }
    } catch (error) {
      const failure = ConnectError.from(error);
      if (final.has(failure.code)) return;
      if (failure.code === Code.FailedPrecondition || failure.code === Code.InvalidArgument) {
        resumeToken = "";
        isBehind = true;
      }
      failures += 1;
      wait = waitAfter(failure);
    }
    await new Promise<void>((resolve) => {
      setTimeout(resolve, wait);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}
