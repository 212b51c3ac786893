import { type AuthorizationEvent, type Role, State } from "@authorization-service/client";
import { type EventType, eventNames } from "./search.ts";

/** The change of an event, in words and roles. */
export type Change = {
  readonly title: string;
  readonly roles: readonly { readonly label: string; readonly roles: readonly Role[] }[];
  /** Additional sentences. */
  readonly notes: readonly string[];
};

/**
 * Describes the change of an event. The event has the roles after it, so the difference needs the previous event of the
 * same assignment. Without that one, it lists the roles after the change.
 */
export function changeOf(event: AuthorizationEvent, before: AuthorizationEvent | undefined): Change {
  const type = typeOf(event);
  return {
    title: type === undefined ? event.type : eventNames[type],
    roles: rolesOf(event, type, before).filter(({ roles }) => roles.length > 0),
    notes: notesOf(event, type, before),
  };
}

/** Whether the previous event adds information. */
export function needsEventBefore(event: AuthorizationEvent): boolean {
  return isChange(typeOf(event)) || isRemoval(typeOf(event));
}

/** The previous event of the same assignment for each event, by sequence, as far as the list has it. */
export function eventsBefore(newestFirst: readonly AuthorizationEvent[]): Map<bigint, AuthorizationEvent> {
  const later = new Map<string, AuthorizationEvent>();
  const before = new Map<bigint, AuthorizationEvent>();
  for (const event of newestFirst) {
    const next = later.get(event.authorizationId);
    if (next !== undefined) before.set(next.sequence, event);
    later.set(event.authorizationId, event);
  }
  return before;
}

function rolesOf(event: AuthorizationEvent, type: EventType | undefined, before: AuthorizationEvent | undefined) {
  if (type === "added") return [{ label: "with", roles: event.roles }];
  if (isRemoval(type)) return [{ label: "held", roles: before?.roles ?? [] }];
  if (!isChange(type)) return [];
  if (before === undefined) return [{ label: "since then", roles: event.roles }];
  return [
    { label: "added", roles: without(event.roles, before.roles) },
    { label: "removed", roles: without(before.roles, event.roles) },
  ];
}

function notesOf(event: AuthorizationEvent, type: EventType | undefined, before: AuthorizationEvent | undefined) {
  const notes: string[] = [];
  if (type === "added" && event.roles.length === 0) notes.push("Without roles.");
  if (type === "added" && event.state === State.INACTIVE) notes.push("Inactive from the beginning.");
  if (isChange(type)) {
    if (event.roles.length === 0) notes.push("No roles are left.");
    if (before && before.state !== event.state)
      notes.push(event.state === State.ACTIVE ? "Activated as well." : "Deactivated as well.");
    if (before && isSame(before, event)) notes.push("The roles stayed the same.");
  }
  if (type === "cascade.changed") notes.push("The project or its grant no longer has them.");
  if (type === "cascade.removed") notes.push("The user, the project, its grant or the organization was removed.");
  return notes;
}

function isSame(before: AuthorizationEvent, { roles, state }: AuthorizationEvent): boolean {
  const isSameRoles = without(before.roles, roles).length === 0 && without(roles, before.roles).length === 0;
  return isSameRoles && before.state === state;
}

function without(roles: readonly Role[], others: readonly Role[]): Role[] {
  const keys = new Set(others.map(({ key }) => key));
  return roles.filter(({ key }) => !keys.has(key));
}

/** Undefined for a type that this console doesn't know. */
function typeOf({ type }: AuthorizationEvent): EventType | undefined {
  const name = type.replace(/^user\.grant\./, "");
  return Object.hasOwn(eventNames, name) ? (name as EventType) : undefined;
}

function isChange(type: EventType | undefined): boolean {
  return type === "changed" || type === "cascade.changed";
}

function isRemoval(type: EventType | undefined): boolean {
  return type === "removed" || type === "cascade.removed";
}
