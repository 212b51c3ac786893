import type { PermissionScope } from "@authorization-service/client";
import type { Level } from "../directory/administrator-roles.ts";
import { everywhere, type Where } from "../directory/rights.ts";
import { entryChangeWords as words } from "../words/directory-changes.ts";
import { pageWords } from "../words/pages.ts";

/** Where an administrator entry applies, as requests name it. */
export type EntryScope =
  | { readonly case: "instance"; readonly value: true }
  | { readonly case: "organizationId" | "projectId" | "projectGrantId"; readonly value: string };

/** A place where someone can be an administrator. */
export type EntryPlace = {
  readonly level: Level;
  readonly scope: EntryScope;
  readonly name: string;
  /** Where the caller needs rights to give roles there. */
  readonly where: Where;
};

type Named = { readonly id: string; readonly name: string };
type Project = Named & { readonly organizationId: string };

export const inEverything: EntryPlace = {
  level: "instance",
  scope: { case: "instance", value: true },
  name: words.everything,
  where: everywhere,
};

export function inOrganization({ id, name }: Named): EntryPlace {
  return {
    level: "organization",
    scope: { case: "organizationId", value: id },
    name: name || pageWords.anotherOrganization,
    where: { organizationId: id },
  };
}

export function inProject({ id, name, organizationId }: Project): EntryPlace {
  return {
    level: "project",
    scope: { case: "projectId", value: id },
    name: name || pageWords.anotherProject,
    where: { organizationId, projectId: id },
  };
}

/** Entries on a grant belong to the organization that the project is granted to. */
export function inGrant(id: string, project: Named | undefined, organization: Named | undefined): EntryPlace {
  return {
    level: "projectGrant",
    scope: { case: "projectGrantId", value: id },
    name: words.grant(project?.name || pageWords.anotherProject, organization?.name || pageWords.anotherOrganization),
    where: { organizationId: organization?.id, projectGrantId: id },
  };
}

/** The place of an entry; undefined for a kind that this console doesn't know. */
export function placeOf(scope: PermissionScope | undefined): EntryPlace | undefined {
  switch (scope?.scope.case) {
    case "instance":
      return inEverything;
    case "organization":
      return inOrganization(scope.scope.value);
    case "project":
      return inProject(scope.scope.value);
    case "projectGrant": {
      const { id, project, organization } = scope.scope.value;
      return inGrant(id, project, organization);
    }
    default:
      return undefined;
  }
}
