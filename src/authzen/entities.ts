import type { RoleHolder } from "../authorization/role-check.ts";
import { isStorable } from "../authorization/storable.ts";
import { isObject, type JsonObject, malformed } from "./json-endpoint.ts";

/** The entities that a request can look for. */
export type Sought = "subject" | "action" | "resource";

/** What a question is about. Members that aren't known are ignored. */
export type Question = {
  readonly subject: { readonly type: string; readonly id: string };
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string; readonly organizationId: string | undefined };
};

/** In place of what a search looks for, whatever it is. */
const anything = "anything";

/** Roles depend neither on the context nor on most properties, so only their types matter. */
export function questionOf(request: JsonObject, sought?: Sought): Question {
  member(request, "context", "object");
  return {
    subject: subjectOf(request, sought === "subject"),
    action: sought === "action" ? anything : actionOf(request),
    resource: resourceOf(request, sought === "resource"),
  };
}

export function subjectOf(request: JsonObject, isSought = false): Question["subject"] {
  const subject = entityOf(request, "subject");
  return {
    type: required(subject, "type", "string", "subject"),
    id: isSought ? anything : required(subject, "id", "string", "subject"),
  };
}

export function actionOf(request: JsonObject): string {
  return required(entityOf(request, "action"), "name", "string", "action");
}

/** The organization of a resource that is sought says where to search. */
export function resourceOf(request: JsonObject, isSought = false): Question["resource"] {
  const resource = entityOf(request, "resource");
  const properties = member(resource, "properties", "object", "resource") ?? {};
  return {
    type: required(resource, "type", "string", "resource"),
    id: isSought ? anything : required(resource, "id", "string", "resource"),
    organizationId: member(properties, "organization_id", "string", "resource.properties"),
  };
}

function entityOf(request: JsonObject, name: Sought): JsonObject {
  const entity = required(request, name, "object");
  member(entity, "properties", "object", name);
  return entity;
}

type Types = { object: JsonObject; array: readonly unknown[]; string: string };

const is: { readonly [Type in keyof Types]: (value: unknown) => value is Types[Type] } = {
  object: isObject,
  array: (value) => Array.isArray(value),
  string: (value) => typeof value === "string",
};

/** A member that may be absent. Throws if it has another type. */
export function member<Type extends keyof Types>(
  of: JsonObject,
  name: string,
  type: Type,
  where?: string,
): Types[Type] | undefined {
  const value = Object.hasOwn(of, name) ? of[name] : undefined;
  if (value === undefined || is[type](value)) return value;
  throw malformed(`${pathOf(name, where)}: must be ${type === "string" ? "a" : "an"} ${type}`);
}

function required<Type extends keyof Types>(of: JsonObject, name: string, type: Type, where?: string): Types[Type] {
  const value = member(of, name, type, where);
  if (value === undefined) throw malformed(`${pathOf(name, where)}: is missing`);
  return value;
}

function pathOf(name: string, where: string | undefined): string {
  return where === undefined ? name : `${where}.${name}`;
}

export const userType = "user";
/** The most UTF-16 units of an id of 200 characters. */
const longestId = 400;

/**
 * Whose roles a question is about. Undefined if something in it can't exist: another type, or an id that can't be stored.
 *
 * @param resourceType the type of projects
 */
export function holderOf({ subject, action, resource }: Question, resourceType: string): RoleHolder | undefined {
  const { id: projectId, organizationId } = resource;
  if (subject.type !== userType || resource.type !== resourceType) return undefined;
  const ids = [subject.id, action, projectId, ...(organizationId === undefined ? [] : [organizationId])];
  const canExist = (id: string) => id !== "" && id.length <= longestId && isStorable(id);
  return ids.every(canExist) ? { userId: subject.id, projectId, organizationId } : undefined;
}
