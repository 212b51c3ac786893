import type { AuthorizationEvent } from "@authorization-service/client";
import { Link } from "@tanstack/react-router";
import { useMemo, useRef } from "react";
import { SkeletonRows } from "../assignments/skeleton-rows.tsx";
import { Moment } from "../parts/moment.tsx";
import { useScrollToTop } from "../parts/use-scroll-to-top.ts";
import { Actor } from "./actor.tsx";
import { eventsBefore } from "./change.ts";
import { ComparedChange } from "./compared-change.tsx";

type Props = {
  /** Undefined while the first page is loading. */
  events: AuthorizationEvent[] | undefined;
  /** Identifies the list. */
  list: string;
  /** Whether the rows belong to the previous page, while the next one is loading. */
  isOutdated: boolean;
  /** Whether the list has no gaps between two events of the same assignment. */
  isGapless: boolean;
};

const heads = ["When", "Who", "What", "Whose roles", "Project", "Organization"];

/** A page of events, with links to their assignments and to the histories of these. */
export function EventsTable({ events, list, isOutdated, isGapless }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  useScrollToTop(scroller, list, isOutdated);
  const before = useMemo(() => (isGapless && events ? eventsBefore(events) : undefined), [events, isGapless]);
  return (
    <div ref={scroller} className="scroller" data-outdated={isOutdated || undefined}>
      <table className="events" aria-label="Changes" aria-busy={events === undefined || isOutdated}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">More</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {events === undefined && <SkeletonRows columns={heads.length + 1} />}
          {events?.map((event) => (
            <EventRow key={String(event.sequence)} event={event} before={before?.get(event.sequence)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EventRow({ event, before }: { event: AuthorizationEvent; before: AuthorizationEvent | undefined }) {
  const { authorizationId, time, user, project, organization } = event;
  return (
    <tr>
      <td data-column="when">
        <Moment at={time} />
      </td>
      <td data-column="who">
        <Actor of={event} />
      </td>
      <td data-column="what">
        <ComparedChange event={event} known={before} />
      </td>
      <td data-column="whose">
        <Link to="/" search={{ id: authorizationId }} title="Open the assignment">
          <bdi>{user?.displayName || user?.id}</bdi>
        </Link>
        <bdi className="muted">{user?.preferredLoginName}</bdi>
      </td>
      <td data-column="project">
        <bdi>{project?.name || project?.id}</bdi>
      </td>
      <td data-column="organization">
        <bdi>{organization?.name || organization?.id}</bdi>
      </td>
      <td data-column="more">
        <Link to="/history" search={{ assignment: authorizationId }} title="History of this assignment">
          All changes<span className="visually-hidden"> of this assignment</span>
        </Link>
      </td>
    </tr>
  );
}
