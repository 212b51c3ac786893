import type { AuthorizationEvent, Organization, Project, User } from "@authorization-service/client";

// In an event, the id takes the place of a name that the reader may not know, or whose thing was removed. The rest of
// the fields is then empty.

export function knownUser({ user }: AuthorizationEvent): User | undefined {
  return user !== undefined && user.preferredLoginName === "" && isId(user.displayName, user) ? undefined : user;
}

export function knownProject({ project }: AuthorizationEvent): Project | undefined {
  return project !== undefined && project.organizationId === "" && isId(project.name, project) ? undefined : project;
}

export function knownOrganization({ organization }: AuthorizationEvent): Organization | undefined {
  return organization !== undefined && isId(organization.name, organization) ? undefined : organization;
}

function isId(name: string, { id }: { readonly id: string }): boolean {
  return name === "" || name === id;
}
