import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { pageWords } from "../words/pages.ts";

// Links to the pages about people, organizations, projects and roles: the same wherever their names are shown.

type Person = { readonly id: string; readonly displayName: string; readonly preferredLoginName: string };
type Named = { readonly id: string; readonly name: string };

/** A person's name. Leads to everything about the person. */
export function PersonLink({ user }: { user: Person }) {
  return (
    <Link to="/person" search={{ id: user.id }}>
      <bdi>{personName(user)}</bdi>
    </Link>
  );
}

/** Everyone has a login name, and of a removed person the id is the display name. Only an erased person has neither. */
export function personName({ displayName, preferredLoginName }: Person): string {
  return displayName || preferredLoginName || pageWords.erasedPerson;
}

/** An organization's name. Without one, the reader may not know the organization, and nothing leads there. */
export function OrganizationLink({ organization }: { organization: Named | undefined }) {
  if (!organization?.name) return <span className="muted">{pageWords.anotherOrganization}</span>;
  return (
    <Link to="/organization" search={{ id: organization.id }}>
      <bdi>{organization.name}</bdi>
    </Link>
  );
}

export function ProjectLink({ project }: { project: Named | undefined }) {
  if (!project?.name) return <span className="muted">{pageWords.anotherProject}</span>;
  return (
    <Link to="/project" search={{ id: project.id }}>
      <bdi>{project.name}</bdi>
    </Link>
  );
}

/** Leads to everyone who holds a role. `children` replaces its name. */
export function RoleLink(props: {
  projectId: string;
  role: { readonly key: string; readonly displayName: string };
  children?: ReactNode;
}) {
  const { projectId, role, children } = props;
  return (
    <Link to="/role" search={{ project: projectId, key: role.key }}>
      {children ?? <bdi>{role.displayName || role.key}</bdi>}
    </Link>
  );
}
