import type { AuthorizationEvent } from "@authorization-service/client";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { useEffect, useRef } from "react";
import { Actor } from "../history/actor.tsx";
import { eventsBefore } from "../history/change.ts";
import { EventChange } from "../history/event-change.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Moment } from "../parts/moment.tsx";
import { useEvents } from "./use-events.ts";

/**
 * The history of an assignment, newest first, with the people who made the changes. Reloads if the change date differs.
 */
export function Timeline({ id, asOf }: { id: string; asOf: Timestamp | undefined }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useEvents(id);
  useRefetchOn(asOf && timestampMs(asOf), refetch);

  if (error && data === undefined) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="muted">Loading…</p>;
  const events = data.pages.flatMap((page) => page.events);
  if (events.length === 0) return <p className="muted">There is nothing you may know of.</p>;
  const shown = hasNextPage ? events.slice(0, -1) : events;
  const total = data.pages[0]?.pagination?.totalResult ?? 0;
  return (
    <>
      <Events shown={shown} before={eventsBefore(events)} />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {hasNextPage && (
        <button type="button" aria-disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? "Loading…" : `Show earlier (${total - shown.length})`}
        </button>
      )}
    </>
  );
}

function Events({ shown, before }: { shown: AuthorizationEvent[]; before: Map<bigint, AuthorizationEvent> }) {
  return (
    <ol className="timeline">
      {shown.map((event) => (
        <li key={String(event.sequence)}>
          <EventChange event={event} before={before.get(event.sequence)} />
          <div className="timeline-by">
            <Actor of={event} />
            <span className="muted">
              <Moment at={event.time} />
            </span>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The key of the history, with the change date, because each change adds an event. */
function useRefetchOn(date: number | undefined, refetch: () => unknown) {
  const last = useRef(date);
  useEffect(() => {
    if (last.current !== date) refetch();
    last.current = date;
  }, [date, refetch]);
}
