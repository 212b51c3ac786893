import type { PermissionScope } from "@authorization-service/client";
import type { Level } from "../directory/administrator-roles.ts";
import { everywhere, type Where } from "../directory/rights.ts";
import { entryChangeWords as words } from "../words/directory-changes.ts";
import { pageWords } from "../words/pages.ts";

/** A place where someone can be an administrator. */
export type EntryPlace = {
  readonly level: Level;
  /** As requests name it. */
  readonly scope:
    | { readonly case: "instance"; readonly value: true }
    | { readonly case: "organizationId" | "projectId" | "projectGrantId"; readonly value: string };
  readonly name: string;
  /** Where the caller needs rights to give roles there. */
  readonly where: Where;
};

type Named = { readonly id: string; readonly name: string } | undefined;

/** What an entry is for. */
export type EntryScope =
  | { readonly case: "instance" }
  | { readonly case: "organization"; readonly value: NonNullable<Named> }
  | { readonly case: "project"; readonly value: NonNullable<Named> & { readonly organizationId: string } }
  | {
      readonly case: "projectGrant";
      readonly value: { readonly id: string; readonly project?: Named; readonly organization?: Named };
    };

export function placeIn(of: EntryScope): EntryPlace {
  if (of.case === "instance") {
    return { level: "instance", scope: { case: "instance", value: true }, name: words.everything, where: everywhere };
  }
  const { id } = of.value;
  const place = { level: of.case, scope: { case: `${of.case}Id`, value: id } } as const;
  if (of.case === "organization") return { ...place, name: organizationName(of.value), where: { organizationId: id } };
  if (of.case === "project") {
    const { organizationId } = of.value;
    return { ...place, name: projectName(of.value), where: { organizationId, projectId: id } };
  }
  const { project, organization } = of.value;
  // Entries on a grant belong to the organization that the project is granted to.
  const where = { organizationId: organization?.id, projectGrantId: id };
  return { ...place, name: words.grant(projectName(project), organizationName(organization)), where };
}

function organizationName(organization: Named): string {
  return organization?.name || pageWords.anotherOrganization;
}

function projectName(project: Named): string {
  return project?.name || pageWords.anotherProject;
}

/** The place of an entry; undefined for a kind that this console doesn't know. */
export function placeOf(scope: PermissionScope | undefined): EntryPlace | undefined {
  return scope?.scope.case && placeIn(scope.scope);
}
