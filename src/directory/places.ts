import type { Place } from "../authorization/authorization.ts";
import { everywhere, organizationPlace, projectPlace, type Scope } from "../authorization/permissions.ts";
import type { PlacedChange, Upsert } from "./change.ts";
import type { Facts, Inheritable } from "./facts.ts";

/**
 * Where things are, which decides who may change them: where they are stored and, if they don't exist yet, where the
 * request puts them. A request can remove a thing together with its organization and add it elsewhere; then both places
 * count. Something that is nowhere can only be changed by those who may change everything.
 *
 * @param mayReuse false if the caller may not give the id of a removed thing to another one. A new thing with that id is
 *   nowhere, so only those who may change everything can add it.
 */
export function placesOf(
  changes: readonly PlacedChange[],
  facts: Facts,
  mayReuse: (kind: Inheritable, id: string) => boolean,
) {
  const { projects, projectGrants } = givenBy(changes);

  function ofProject(id: string): Place[] {
    const ownerId = facts.projects.get(id)?.ownerId;
    const given = projects.get(id)?.organizationId;
    if (ownerId === undefined && !mayReuse("project", id)) return [everywhere];
    return orNowhere([
      ...(ownerId === undefined ? [] : [projectPlace(id, ownerId)]),
      ...(given === undefined || given === ownerId ? [] : [organizationPlace(given)]),
    ]);
  }

  /** Belongs to the organization that the project is granted to, not to the owner. */
  function ofGrant(id: string): Place[] {
    const stored = facts.projectGrants.get(id);
    const given = projectGrants.get(id);
    const isSame = given?.projectId === stored?.projectId && given?.organizationId === stored?.organizationId;
    if (stored === undefined && !mayReuse("projectGrant", id)) return [everywhere];
    return orNowhere([
      ...(stored ? [{ projectId: stored.projectId, organizationId: stored.organizationId, projectGrantId: id }] : []),
      ...(given === undefined || isSame ? [] : [organizationPlace(given.organizationId)]),
    ]);
  }

  return {
    ofProject,
    /** Of an entry in the scope. */
    ofScope({ kind, id }: Scope): readonly Place[] {
      switch (kind) {
        case "instance":
          return [everywhere];
        case "organization":
          return [organizationPlace(id)];
        case "project":
          return ofProject(id);
        case "projectGrant":
          return ofGrant(id);
      }
    },
  };
}

function orNowhere(places: Place[]): Place[] {
  return places.length > 0 ? places : [everywhere];
}

/** Where the request puts what doesn't exist yet. */
function givenBy(changes: readonly PlacedChange[]) {
  const projects = new Map<string, Upsert & { readonly kind: "project" }>();
  const projectGrants = new Map<string, Upsert & { readonly kind: "projectGrant" }>();
  for (const { change } of changes) {
    if (change.kind === "project") projects.set(change.id, change);
    if (change.kind === "projectGrant") projectGrants.set(change.id, change);
  }
  return { projects, projectGrants };
}
