import type { AuthorizationEvent } from "@authorization-service/client";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { EventBy } from "../history/event-by.tsx";
import { EventChange } from "../history/event-change.tsx";
import { useNames } from "../history/names.ts";
import { totalOfEvents } from "../history/total-of-events.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { historyWords } from "../words/history.ts";
import { pageWords } from "../words/pages.ts";
import { panelWords as words } from "../words/panel.ts";
import { useEvents } from "./use-events.ts";

/**
 * The history of an assignment, newest first, with the people who made the changes. Reloads if the change date differs.
 */
export function Timeline({ id, asOf }: { id: string; asOf: Timestamp | undefined }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useEvents(id);
  useRefetchOn(asOf && timestampMs(asOf), refetch);

  if (error && data === undefined) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="muted">{words.loading}</p>;
  const events = data.pages.flatMap((page) => page.events);
  if (events.length === 0) return <p className="muted">{words.nothing}</p>;
  const total = totalOfEvents(data.pages[0]?.pagination);
  return (
    <>
      <Events events={events} />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Link to="/history" search={{ assignment: id }}>
        {historyWords.links.all}
      </Link>
      {hasNextPage && (
        <button type="button" aria-disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? words.loading : pageWords.showEarlier(total - events.length)}
        </button>
      )}
    </>
  );
}

function Events({ events }: { events: readonly AuthorizationEvent[] }) {
  const { roleOf } = useNames([], events);
  return (
    <ol className="timeline">
      {events.map((event) => (
        <li key={String(event.sequence)}>
          <EventChange event={event} nameRole={roleOf} />
          <EventBy event={event} />
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
