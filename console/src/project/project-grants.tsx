import type { ListedProject, ListedProjectGrant, ListedRole } from "@authorization-service/client/directory";
import { None, Nothing } from "../directory/answered.tsx";
import { Section } from "../directory/page.tsx";
import { OrganizationLink, RoleLink } from "../parts/links.tsx";
import { locale } from "../words/language/language.ts";
import { pageWords } from "../words/pages.ts";
import { projectWords } from "../words/projects.ts";
import { AddGrant, GrantActions } from "./grant-actions.tsx";

const words = projectWords.grants;

/** To whom a project is granted, with which roles. */
export function ProjectGrants({ project }: { project: ListedProject }) {
  const { grants, totalGrants } = project;
  return (
    <Section title={words.title} count={totalGrants} actions={<AddGrant project={project} />}>
      {grants.length === 0 ? (
        <None>{words.none}</None>
      ) : (
        <ul className="plain-list">
          {byName(grants).map((grant) => (
            <li key={grant.id}>
              <OrganizationLink organization={grant.organization} />
              <GrantedRoles project={project} grant={grant} />
              <GrantActions project={project} grant={grant} />
            </li>
          ))}
        </ul>
      )}
      {totalGrants > grants.length && <Nothing>{words.notListed(totalGrants - grants.length)}</Nothing>}
    </Section>
  );
}

function GrantedRoles({ project, grant }: { project: ListedProject; grant: ListedProjectGrant }) {
  if (grant.roleKeys.length === 0) return <span className="muted">{pageWords.noRoles}</span>;
  return (
    <ul className="chips">
      {grant.roleKeys.map((key) => (
        <li key={key} className="chip">
          <RoleLink projectId={project.id} role={roleOf(project.roles, key)} />
        </li>
      ))}
    </ul>
  );
}

function roleOf(roles: readonly ListedRole[], key: string): Pick<ListedRole, "key" | "displayName"> {
  return roles.find((role) => role.key === key) ?? { key, displayName: "" };
}

function byName(grants: readonly ListedProjectGrant[]): ListedProjectGrant[] {
  return grants.toSorted((a, b) => (a.organization?.name ?? "").localeCompare(b.organization?.name ?? "", locale));
}
