import {
  type Authorization,
  type AuthorizationEvent,
  AuthorizationHistoryService,
  AuthorizationService,
} from "@authorization-service/client";
import { createClient, type Transport } from "@connectrpc/connect";

/** The current state of an assignment, and the event that led to it. */
export type Latest = {
  /** Undefined if it was removed, or is no longer visible. */
  readonly now: Authorization | undefined;
  /** Undefined if the caller may not know. */
  readonly event: AuthorizationEvent | undefined;
};

/** Asks the service, even if the page has an answer. */
export async function latestOf(transport: Transport, id: string): Promise<Latest> {
  const [now, event] = await Promise.all([assignmentNow(transport, id), lastEvent(transport, id)]);
  return { now, event };
}

/** Those of these assignments that exist, up to a thousand, by id. */
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
    // It is nice to know who it was, but not needed to decide.
    return undefined;
  }
}
