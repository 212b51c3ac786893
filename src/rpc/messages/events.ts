import type { AuthorizationEvent } from "../../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import { State } from "../../../gen/service/authorization/v2/authorization_pb.ts";
import { eventTypes, type NamedEvent } from "../../authorization/event.ts";
import type { EventFilter } from "../../authorization/history.ts";
import { fromOrganization, fromProject, fromRole, fromState, fromUser } from "./authorizations.ts";
import { historyFilters } from "./histories.ts";
import { fromInstant } from "./timestamps.ts";

/** Converts events and their filters between the domain and messages. Nothing else belongs here. */

/** Creates complete messages, so the library copies nothing into them. */
export function fromEvent(event: NamedEvent): AuthorizationEvent {
  const { sequence, time, type, actor, authorizationId, user, project, organization, projectGrantId, roles } = event;
  return {
    $typeName: "service.authorization.v2.AuthorizationEvent",
    sequence: BigInt(sequence),
    time: fromInstant(time),
    type,
    ...(actor === null ? {} : { actor: fromUser(actor) }),
    authorizationId,
    user: fromUser(user),
    project: fromProject(project),
    organization: fromOrganization(organization),
    projectGrantId,
    roles: roles.map(fromRole),
    state: fromStateOrNone(event.state),
    roleKeysBefore: [...event.roleKeysBefore],
    stateBefore: fromStateOrNone(event.stateBefore),
    requestId: event.requestId,
    reason: event.reason,
    ...(event.expirationDate !== null && { expirationDate: fromInstant(event.expirationDate) }),
    ...(event.expirationDateBefore !== null && { expirationDateBefore: fromInstant(event.expirationDateBefore) }),
  };
}

function fromStateOrNone(state: NamedEvent["state"]): State {
  return state === null ? State.UNSPECIFIED : fromState(state);
}

export const toEventFilter = historyFilters<EventFilter>(eventTypes);
