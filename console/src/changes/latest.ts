import {
  type Authorization,
  type AuthorizationEvent,
  AuthorizationHistoryService,
  AuthorizationService,
} from "@authorization-service/client";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { createClient, type Transport } from "@connectrpc/connect";

/** What an assignment is at the moment, and what made it so. */
export type Latest = {
  /** Undefined when it is gone, or not to be seen any more. */
  readonly now: Authorization | undefined;
  /** Undefined when the caller may not know. */
  readonly event: AuthorizationEvent | undefined;
};

/** Asks the service, whatever the page has. */
export async function latestOf(transport: Transport, id: string): Promise<Latest> {
  const [now, event] = await Promise.all([assignmentNow(transport, id), lastEvent(transport, id)]);
  return { now, event };
}

/** The assignments that are there of these, up to a thousand, by id. */
export async function assignmentsNow(
  transport: Transport,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Authorization>> {
  const { authorizations } = await createClient(AuthorizationService, transport).listAuthorizations({
    filters: [{ filter: { case: "authorizationIds", value: { ids: [...ids] } } }],
    pagination: { limit: ids.length, skipTotal: true },
  });
  return new Map(authorizations.map((authorization) => [authorization.id, authorization]));
}

async function assignmentNow(transport: Transport, id: string): Promise<Authorization | undefined> {
  return (await assignmentsNow(transport, [id])).get(id);
}

async function lastEvent(transport: Transport, id: string): Promise<AuthorizationEvent | undefined> {
  try {
    const { events } = await createClient(AuthorizationHistoryService, transport).listAuthorizationEvents({
      filters: [{ filter: { case: "authorizationId", value: { id } } }],
      pagination: { limit: 1, skipTotal: true },
    });
    return events[0];
  } catch {
    // Who it was is good to know, and not needed to decide.
    return undefined;
  }
}

/** To the nanosecond: a JavaScript date would take changes of the same millisecond for one. */
export function isSameMoment(one: Timestamp | undefined, other: Timestamp | undefined): boolean {
  return one?.seconds === other?.seconds && one?.nanos === other?.nanos;
}
