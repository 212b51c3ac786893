import "./latest-events.css";
import { AuthorizationHistoryService } from "@authorization-service/client";
import { DirectoryHistoryService } from "@authorization-service/client/directory";
import { useInfiniteQuery } from "@connectrpc/connect-query";
import { None } from "../directory/answered.tsx";
import { growingBy } from "../directory/requests.ts";
import { EventList } from "./event-list.tsx";
import { filtersOf } from "./request.ts";
import type { HistorySearch } from "./search.ts";

type Props = {
  /** Which changes. */
  search: HistorySearch;
  none: string;
};

const pagination = { limit: 10, pageToken: "" };

/** The latest changes of assignments. Earlier ones are shown when asked for. */
export function AssignmentEvents({ search, none }: Props) {
  const { listAuthorizationEvents } = AuthorizationHistoryService.method;
  const filters = filtersOf(search, new Date()).assignments ?? [];
  const query = useInfiniteQuery(listAuthorizationEvents, { filters, pagination }, growingBy(pagination));
  return <EventList className="latest-events" query={query} none={<None>{none}</None>} hasLinks />;
}

/** The latest changes of the directory. */
export function DirectoryEvents({ search, none }: Props) {
  const { listDirectoryEvents } = DirectoryHistoryService.method;
  const filters = filtersOf(search, new Date()).directory ?? [];
  const query = useInfiniteQuery(listDirectoryEvents, { filters, pagination }, growingBy(pagination));
  return <EventList className="latest-events" query={query} none={<None>{none}</None>} hasLinks />;
}
