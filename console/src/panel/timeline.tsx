import "./panel.css";
import { AuthorizationHistoryService } from "@authorization-service/client";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { useInfiniteQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { growingBy } from "../directory/requests.ts";
import { EventList } from "../history/event-list.tsx";
import { historyWords } from "../words/history.ts";
import { panelWords as words } from "../words/panel.ts";

/** The events of an assignment, newest first, page by page. */
export function useEvents(id: string, limit = 20) {
  const pagination = { limit, pageToken: "" };
  return useInfiniteQuery(
    AuthorizationHistoryService.method.listAuthorizationEvents,
    { filters: [{ filter: { case: "authorizationId", value: { id } } }], pagination },
    growingBy(pagination),
  );
}

/** The history of an assignment. Reloads if the change date differs, because each change adds an event. */
export function Timeline({ id, asOf }: { id: string; asOf: Timestamp | undefined }) {
  const query = useEvents(id);
  useRefetchOn(asOf && timestampMs(asOf), query.refetch);
  return (
    <>
      <EventList className="timeline" query={query} none={<p className="muted">{words.nothing}</p>} />
      {Boolean(query.data?.pages[0]?.events.length) && (
        <Link to="/history" search={{ assignment: id }}>
          {historyWords.links.all}
        </Link>
      )}
    </>
  );
}

function useRefetchOn(date: number | undefined, refetch: () => unknown) {
  const last = useRef(date);
  useEffect(() => {
    if (last.current !== date) refetch();
    last.current = date;
  }, [date, refetch]);
}
