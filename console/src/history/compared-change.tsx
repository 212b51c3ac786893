import { type AuthorizationEvent, AuthorizationHistoryService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { useRef } from "react";
import { needsEventBefore } from "./change.ts";
import { EventChange } from "./event-change.tsx";
import { requestOfEventBefore } from "./request.ts";
import { useSeen } from "./use-seen.ts";

/**
 * The change of an event, compared with the previous one. If that is not known, it is loaded once the event is visible.
 */
export function ComparedChange(props: { event: AuthorizationEvent; known: AuthorizationEvent | undefined }) {
  const { event, known } = props;
  const place = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(place);
  const { data } = useQuery(AuthorizationHistoryService.method.listAuthorizationEvents, requestOfEventBefore(event), {
    enabled: isSeen && known === undefined && needsEventBefore(event),
    // Past events never change.
    staleTime: Number.POSITIVE_INFINITY,
    // There may be a hundred of these. Without the previous event, the roles after the change are shown.
    refetchInterval: false,
  });
  return (
    <div ref={place}>
      <EventChange event={event} before={known ?? data?.events[0]} />
    </div>
  );
}
