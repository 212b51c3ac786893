import "./events.css";
import { type AuthorizationEvent, AuthorizationHistoryService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { Actor } from "../history/actor.tsx";
import { ComparedChange } from "../history/compared-change.tsx";
import { requestOf } from "../history/request.ts";
import type { HistorySearch } from "../history/search.ts";
import { OrganizationLink, PersonLink, ProjectLink } from "../parts/links.tsx";
import { Moment } from "../parts/moment.tsx";
import { historyWords as words } from "../words/history.ts";
import { Answered, Nothing } from "./answered.tsx";

const most = 10;

type Props = {
  /** Which changes. The link to all of them has the same filters. */
  search: HistorySearch;
  none: string;
  all: string;
};

/** The latest changes of assignments, with a link to all of them. */
export function AssignmentEvents({ search, none, all }: Props) {
  const query = useQuery(AuthorizationHistoryService.method.listAuthorizationEvents, {
    filters: requestOf(search, new Date()).filters ?? [],
    pagination: { limit: most, skipTotal: true },
  });
  return (
    <Answered query={query}>
      {({ events, pagination }) => (
        <>
          {events.length === 0 ? <Nothing>{none}</Nothing> : <Events events={events} />}
          {pagination?.nextPageToken && (
            <Link to="/history" search={search}>
              {all}
            </Link>
          )}
        </>
      )}
    </Answered>
  );
}

function Events({ events }: { events: readonly AuthorizationEvent[] }) {
  return (
    <ol className="latest-events">
      {events.map((event) => (
        <li key={String(event.sequence)}>
          <ComparedChange event={event} known={undefined} />
          <span className="latest-event-place">
            {event.user && <PersonLink user={event.user} />}
            <span className="muted">{words.for}</span>
            <ProjectLink project={event.project} />
            <span className="muted">{words.in}</span>
            <OrganizationLink organization={event.organization} />
          </span>
          <span className="latest-event-by">
            <Actor of={event} />
            <span className="muted">
              <Moment at={event.time} />
            </span>
          </span>
          {event.reason && <q className="muted">{event.reason}</q>}
        </li>
      ))}
    </ol>
  );
}
