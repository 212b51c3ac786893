import "../directory/events.css";
import {
  type DirectoryEvent,
  type DirectoryEventsSearchFilter,
  DirectoryHistoryService,
  type ListDirectoryEventsRequestSchema,
} from "@authorization-service/client/directory";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { useInfiniteQuery } from "@connectrpc/connect-query";
import { None, Skeleton } from "../directory/answered.tsx";
import { growingBy } from "../directory/requests.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { pageWords } from "../words/pages.ts";
import { DirectoryChange } from "./directory-change.tsx";
import { EventBy } from "./event-by.tsx";
import { type Names, useNames } from "./names.ts";
import { totalOfEvents } from "./total-of-events.ts";

const pagination = { limit: 10, pageToken: "" };

type Filter = NonNullable<MessageInitShape<typeof ListDirectoryEventsRequestSchema>["filters"]>[number];

/** The changes of the directory that match a filter, newest first. Earlier ones are shown when asked for. */
export function DirectoryEvents({ filter, none }: { filter: NonNullable<Filter["filter"]>; none: string }) {
  const query = useInfiniteQuery(
    DirectoryHistoryService.method.listDirectoryEvents,
    { filters: [{ filter } as DirectoryEventsSearchFilter], pagination },
    growingBy(pagination),
  );
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const events = data?.pages.flatMap((page) => page.events) ?? [];
  const names = useNames(events);
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton />;
  if (events.length === 0) return <None>{none}</None>;
  const left = totalOfEvents(data.pages[0]?.pagination) - events.length;
  return (
    <>
      <ol className="latest-events">
        {events.map((event) => (
          <Event key={String(event.sequence)} event={event} names={names} />
        ))}
      </ol>
      {hasNextPage && (
        <button type="button" aria-disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? pageWords.loading : pageWords.showEarlier(left)}
        </button>
      )}
    </>
  );
}

function Event({ event, names }: { event: DirectoryEvent; names: Names }) {
  return (
    <li>
      <DirectoryChange event={event} names={names} hasLinks />
      <EventBy event={event} />
    </li>
  );
}
