import type { PermissionScope } from "@authorization-service/client";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { scopeWords as words } from "../words/scopes.ts";

/** Where an administrator entry applies, with links to what it names. */
export function ScopeName({ scope }: { scope: PermissionScope | undefined }) {
  switch (scope?.scope.case) {
    case "instance":
      return words.instance;
    case "organization":
      return <OrganizationLink organization={scope.scope.value} />;
    case "project":
      return <ProjectLink project={scope.scope.value} />;
    case "projectGrant": {
      const { project, organization } = scope.scope.value;
      return (
        <>
          <ProjectLink project={project} /> {words.asGrantedTo} <OrganizationLink organization={organization} />
        </>
      );
    }
    default:
      return words.elsewhere;
  }
}

/** Identifies a scope among others. */
export function keyOfScope(scope: PermissionScope | undefined): string {
  const { case: kind, value } = scope?.scope ?? {};
  return `${kind} ${typeof value === "object" ? value.id : ""}`;
}
