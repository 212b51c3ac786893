import type { PaginationResponse } from "@authorization-service/client";
import type { ConnectError } from "@connectrpc/connect";
import type { ReactNode } from "react";
import { Skeleton } from "../directory/page.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Moment } from "../parts/moment.tsx";
import { pageWords } from "../words/pages.ts";
import { Actor } from "./actor.tsx";
import { ChangeOfEntry } from "./change-of-entry.tsx";
import { type Entry, keyOf } from "./entry.ts";
import { useNames } from "./names.ts";
import { Reason } from "./reason.tsx";
import { totalOfEvents } from "./total-of-events.ts";

type Page = {
  readonly events: readonly Entry[];
  readonly pagination?: Pick<PaginationResponse, "totalResult"> | undefined;
};

type Props = {
  className: string;
  query: {
    readonly data: { readonly pages: readonly Page[] } | undefined;
    readonly error: ConnectError | null;
    readonly refetch: () => unknown;
    readonly hasNextPage: boolean;
    readonly fetchNextPage: () => unknown;
    readonly isFetchingNextPage: boolean;
  };
  /** Takes the place of the events if there are none. */
  none: ReactNode;
  /** Whether the events are about different things, whose names lead to their pages. */
  hasLinks?: boolean;
};

/** Events, newest first, with the people who made the changes. Earlier ones are shown when asked for. */
export function EventList({ className, query, none, hasLinks = false }: Props) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const events = data?.pages.flatMap((page) => page.events) ?? [];
  const names = useNames(events);
  const failure = error && <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return failure ?? <Skeleton rows={5} columns={3} />;
  if (events.length === 0) return failure ?? none;
  const left = totalOfEvents(data.pages[0]?.pagination) - events.length;
  return (
    <>
      <ol className={className}>
        {events.map((event) => (
          <li key={keyOf(event)}>
            <ChangeOfEntry entry={event} names={names} hasLinks={hasLinks} />
            <div className="line">
              <Actor of={event} />
              <span className="muted">
                <Moment at={event.time} />
              </span>
              <Reason of={event} />
            </div>
          </li>
        ))}
      </ol>
      {failure}
      {hasNextPage && (
        <button type="button" aria-disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? pageWords.loading : pageWords.showEarlier(left)}
        </button>
      )}
    </>
  );
}
