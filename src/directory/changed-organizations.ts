import type { Scope } from "../authorization/permissions.ts";
import type { Change, PlacedChange, Removal, Upsert } from "./change.ts";
import type { Facts, Inheritable } from "./facts.ts";
import { givenBy } from "./places.ts";

/**
 * The organizations that a request changes something in, before or after it. Undefined if it could change something in any
 * organization, so that it must be applied alone. Only requests of callers with permissions on the instance are: they change
 * entries on the instance or assignments, or they name something that is nowhere, which could appear anywhere in the meantime.
 *
 * Callers who may change nothing in an organization never get as far as changing things there, but for the grants that end
 * because the organization they were given to is removed.
 */
export function changedOrganizations(changes: readonly PlacedChange[], facts: Facts): ReadonlySet<string> | undefined {
  const given = givenBy(changes);
  const found = new Set<string>();
  for (const { change } of changes) {
    const its = change.kind === "removal" ? ofRemoved(change.thing, facts, given) : ofPut(change, facts, given);
    if (its === undefined) return undefined;
    for (const id of its) if (id !== undefined) found.add(id);
  }
  return found;
}

/** The organizations that a request removes, and those that it grants projects to. Neither depends on what is stored. */
export function removedAndGranted(changes: readonly PlacedChange[]): {
  readonly removed: ReadonlySet<string>;
  readonly granted: ReadonlySet<string>;
} {
  const removed = new Set<string>();
  const granted = new Set<string>();
  for (const { change } of changes) {
    if (change.kind === "projectGrant") granted.add(change.organizationId);
    if (change.kind === "removal" && change.thing.kind === "organization") removed.add(change.thing.id);
  }
  return { removed, granted };
}

/** A user, project or grant that a request adds, with the organization that the last one with this id was in. */
export type NewThing = { readonly kind: Inheritable; readonly id: string; readonly formerly: string | undefined };

export function newThings(changes: readonly PlacedChange[], facts: Facts): NewThing[] {
  const stored = { user: facts.users, project: facts.projects, projectGrant: facts.projectGrants };
  return changes.flatMap(({ change: { kind, ...thing } }) =>
    isInheritable(kind) && "id" in thing && !stored[kind].has(thing.id)
      ? [{ kind, id: thing.id, formerly: facts.formerly[kind].get(thing.id) }]
      : [],
  );
}

function isInheritable(kind: Change["kind"]): kind is Inheritable {
  return kind === "user" || kind === "project" || kind === "projectGrant";
}

/** Undefined if it could be any organization. */
type Organizations = readonly (string | undefined)[] | undefined;

type Given = ReturnType<typeof givenBy>;

function ofPut(thing: Upsert, facts: Facts, given: Given): Organizations {
  switch (thing.kind) {
    case "organization":
      return [thing.id];
    case "user":
      return [facts.users.get(thing.id)?.organizationId, thing.organizationId, facts.formerly.user.get(thing.id)];
    case "project":
      return [facts.projects.get(thing.id)?.ownerId, thing.organizationId, facts.formerly.project.get(thing.id)];
    case "projectRole":
      return ofProject(thing.projectId, facts, given);
    case "projectGrant": {
      const owners = ofProject(thing.projectId, facts, given);
      const stored = facts.projectGrants.get(thing.id)?.ownerId;
      return owners && [...owners, stored, facts.formerly.projectGrant.get(thing.id)];
    }
    case "administrator":
      return ofScope(thing.scope, facts, given);
    case "authorization":
      return undefined;
  }
}

/** Removing what doesn't exist changes nothing, wherever it is added in the meantime. */
function ofRemoved(thing: Removal, facts: Facts, given: Given): Organizations {
  switch (thing.kind) {
    case "organization": {
      const stored = facts.organizations.get(thing.id);
      // One of its users could be the last IAM_OWNER.
      return stored?.onInstance ? undefined : [thing.id, ...(stored?.grantedBy ?? [])];
    }
    case "user": {
      const stored = facts.users.get(thing.id);
      // It could be the last IAM_OWNER.
      return stored?.onInstance ? undefined : [stored?.organizationId];
    }
    case "project":
      return [facts.projects.get(thing.id)?.ownerId];
    case "projectRole":
      return ofProject(thing.projectId, facts, given);
    case "projectGrant":
      return [facts.projectGrants.get(thing.id)?.ownerId];
    case "administrator":
      return ofScope(thing.scope, facts, given);
    case "authorization":
      return undefined;
  }
}

function ofScope(scope: Scope, facts: Facts, given: Given): Organizations {
  switch (scope.kind) {
    case "instance":
      return undefined;
    case "organization":
      return [scope.organizationId];
    case "project":
      return ofProject(scope.projectId, facts, given);
    case "projectGrant": {
      const { projectGrantId: id } = scope;
      return orAny([facts.projectGrants.get(id)?.organizationId, given.projectGrants.get(id)?.organizationId]);
    }
  }
}

function ofProject(id: string, facts: Facts, given: Given): Organizations {
  return orAny([facts.projects.get(id)?.ownerId, given.projects.get(id)?.organizationId]);
}

function orAny(found: readonly (string | undefined)[]): Organizations {
  return found.some((id) => id !== undefined) ? found : undefined;
}
