import { type AuthorizationEvent, type Role, State } from "@authorization-service/client";
import { momentText } from "../parts/moment.tsx";
import { historyWords } from "../words/history.ts";
import type { EventType } from "./search.ts";

const words = historyWords.change;

/** A role with its name, where the reader may know it. */
export type NamedRole = Pick<Role, "key" | "displayName">;

/** The change of an event, in words and roles. */
export type Change = {
  readonly title: string;
  readonly roles: readonly { readonly label: string; readonly roles: readonly NamedRole[] }[];
  /** Additional sentences. */
  readonly notes: readonly string[];
};

/** Names a role of a project. */
export type NameRole = (projectId: string | undefined, key: string) => NamedRole;

/** Describes the change of an event. The event has only the keys of the roles before it, so they are given names. */
export function changeOf(event: AuthorizationEvent, name: NameRole): Change {
  const type = typeOf(event);
  return {
    title: titleOfType(event),
    roles: rolesOf(event, type, name).filter(({ roles }) => roles.length > 0),
    notes: notesOf(event, type),
  };
}

/** What happened, in words. A type that this console doesn't know stays as it is. */
export function titleOfType(event: AuthorizationEvent): string {
  const type = typeOf(event);
  if (type === "changed" && hasOtherEnd(event) && hasSameRoles(event)) return words.endChanged;
  return type === undefined ? event.type : historyWords.types[type];
}

/** The keys of the roles that the event took away. The event has no names for them. */
export function keysTaken(event: AuthorizationEvent): string[] {
  const kept = new Set(event.roles.map(({ key }) => key));
  return event.roleKeysBefore.filter((key) => !kept.has(key));
}

/** The id of the project whose roles need names; empty if there are none. */
export function projectWithTaken(event: AuthorizationEvent): string {
  return keysTaken(event).length > 0 ? (event.project?.id ?? "") : "";
}

function rolesOf(event: AuthorizationEvent, type: EventType | undefined, name: NameRole) {
  const taken = keysTaken(event).map((key) => name(event.project?.id, key));
  if (type === "added") return [{ label: words.with, roles: event.roles }];
  if (isRemoval(type)) return [{ label: words.held, roles: taken }];
  if (!isChange(type)) return [];
  const before = new Set(event.roleKeysBefore);
  return [
    { label: words.added, roles: event.roles.filter(({ key }) => !before.has(key)) },
    { label: words.removed, roles: taken },
  ];
}

function notesOf(event: AuthorizationEvent, type: EventType | undefined): string[] {
  const { roles, state, stateBefore, expirationDate: end } = event;
  const notes: string[] = [];
  const hasEnd = type === "added" ? end !== undefined : isChange(type) && hasOtherEnd(event);
  if (hasEnd) notes.push(end === undefined ? words.endsNever : words.ends(momentText(end)));
  if (type === "added" && roles.length === 0) notes.push(words.withoutRoles);
  if (type === "added" && state === State.INACTIVE) notes.push(words.inactiveFirst);
  if (isChange(type)) {
    const isOtherState = stateBefore !== state && stateBefore !== State.UNSPECIFIED;
    if (roles.length === 0 && !hasSameRoles(event)) notes.push(words.noneLeft);
    if (isOtherState) notes.push(state === State.ACTIVE ? words.activatedToo : words.deactivatedToo);
    if (!isOtherState && !hasEnd && hasSameRoles(event)) notes.push(words.sameRoles);
  }
  if (type === "cascade.changed") notes.push(words.lostRoles);
  if (type === "cascade.removed") notes.push(words.lostPlace);
  return notes;
}

function hasSameRoles(event: AuthorizationEvent): boolean {
  return event.roles.length === event.roleKeysBefore.length && keysTaken(event).length === 0;
}

function hasOtherEnd({ expirationDate: after, expirationDateBefore: before }: AuthorizationEvent): boolean {
  return after?.seconds !== before?.seconds || after?.nanos !== before?.nanos;
}

/** Undefined for a type that this console doesn't know. */
function typeOf({ type }: AuthorizationEvent): EventType | undefined {
  const name = type.replace(/^user\.grant\./, "");
  return Object.hasOwn(historyWords.types, name) ? (name as EventType) : undefined;
}

function isChange(type: EventType | undefined): boolean {
  return type === "changed" || type === "cascade.changed";
}

function isRemoval(type: EventType | undefined): boolean {
  return type === "removed" || type === "cascade.removed";
}
