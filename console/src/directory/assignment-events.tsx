import "./events.css";
import { type AuthorizationEvent, AuthorizationHistoryService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { EventBy } from "../history/event-by.tsx";
import { EventChange } from "../history/event-change.tsx";
import { useNames } from "../history/names.ts";
import { filtersOf } from "../history/request.ts";
import type { HistorySearch } from "../history/search.ts";
import { OrganizationLink, PersonLink, ProjectLink } from "../parts/links.tsx";
import { historyWords as words } from "../words/history.ts";
import { Answered, None } from "./answered.tsx";

const most = 10;

type Props = {
  /** Which changes. */
  search: HistorySearch;
  none: string;
};

/** The latest changes of assignments. */
export function AssignmentEvents({ search, none }: Props) {
  const query = useQuery(AuthorizationHistoryService.method.listAuthorizationEvents, {
    filters: filtersOf(search, new Date()).assignments ?? [],
    pagination: { limit: most, skipTotal: true },
  });
  return (
    <Answered query={query}>
      {({ events }) => (events.length === 0 ? <None>{none}</None> : <Events events={events} />)}
    </Answered>
  );
}

function Events({ events }: { events: readonly AuthorizationEvent[] }) {
  const { roleOf } = useNames([], events);
  return (
    <ol className="latest-events">
      {events.map((event) => (
        <li key={String(event.sequence)}>
          <EventChange event={event} nameRole={roleOf} />
          <span className="line">
            {event.user && <PersonLink user={event.user} />}
            <span className="muted">{words.for}</span>
            <ProjectLink project={event.project} />
            <span className="muted">{words.in}</span>
            <OrganizationLink organization={event.organization} />
          </span>
          <EventBy event={event} />
        </li>
      ))}
    </ol>
  );
}
