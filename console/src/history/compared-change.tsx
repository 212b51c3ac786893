import { type AuthorizationEvent, AuthorizationHistoryService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { useRef } from "react";
import { needsEventBefore } from "./change.ts";
import { EventChange } from "./event-change.tsx";
import { requestOfEventBefore } from "./request.ts";
import { useSeen } from "./use-seen.ts";

/** What an event did, compared with the one before it, which is asked for where it is not known, once it is in sight. */
export function ComparedChange(props: { event: AuthorizationEvent; known: AuthorizationEvent | undefined }) {
  const { event, known } = props;
  const place = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(place);
  const { data } = useQuery(AuthorizationHistoryService.method.listAuthorizationEvents, requestOfEventBefore(event), {
    enabled: isSeen && known === undefined && needsEventBefore(event),
    // The past stays as it was.
    staleTime: Number.POSITIVE_INFINITY,
    // There may be a hundred of these; without the event before, the change is told by what was after it.
    refetchInterval: false,
  });
  return (
    <div ref={place}>
      <EventChange event={event} before={known ?? data?.events[0]} />
    </div>
  );
}
