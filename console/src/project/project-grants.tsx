import type { ListedProject, ListedProjectGrant, ListedRole } from "@authorization-service/client/directory";
import { useCaller } from "../caller.ts";
import { None, Nothing } from "../directory/answered.tsx";
import { Section } from "../directory/page.tsx";
import { mayChange } from "../directory/rights.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { GrantDialog } from "../directory-changes/grant-dialog.tsx";
import { RemoveButton } from "../directory-changes/remove-button.tsx";
import { OrganizationLink, RoleLink } from "../parts/links.tsx";
import { changeWords, grantChangeWords } from "../words/directory-changes.ts";
import { locale } from "../words/language/language.ts";
import { pageWords } from "../words/pages.ts";
import { projectWords } from "../words/projects.ts";

const words = projectWords.grants;

/** To whom a project is granted, with which roles. */
export function ProjectGrants({ project }: { project: ListedProject }) {
  const { id, grants, totalGrants, organizationId } = project;
  const mayGrant = mayChange(useCaller(), "project.grant.write", { organizationId, projectId: id });
  return (
    <Section
      title={words.title}
      count={totalGrants}
      actions={
        mayGrant && (
          <DialogButton label={grantChangeWords.add}>
            {(close) => <GrantDialog project={project} grant={undefined} onClose={close} />}
          </DialogButton>
        )
      }
    >
      {grants.length === 0 ? (
        <None>{words.none}</None>
      ) : (
        <ul className="plain-list">
          {byName(grants).map((grant) => (
            <li key={grant.id}>
              <OrganizationLink organization={grant.organization} />
              <GrantedRoles project={project} grant={grant} />
              {mayGrant && <GrantActions project={project} grant={grant} />}
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

function GrantActions({ project, grant }: { project: ListedProject; grant: ListedProjectGrant }) {
  const name = grant.organization?.name || pageWords.anotherOrganization;
  return (
    <span className="page-actions">
      <DialogButton label={changeWords.edit} of={grantChangeWords.editOf(name)}>
        {(close) => <GrantDialog project={project} grant={grant} onClose={close} />}
      </DialogButton>
      <RemoveButton
        of={grantChangeWords.removeOf(name)}
        title={grantChangeWords.removeTitle(name)}
        done={grantChangeWords.removed(name)}
        consequences={grantChangeWords.removeAdvice}
        remove={{ case: "projectGrantId", value: grant.id }}
      />
    </span>
  );
}

function roleOf(roles: readonly ListedRole[], key: string): Pick<ListedRole, "key" | "displayName"> {
  return roles.find((role) => role.key === key) ?? { key, displayName: "" };
}

function byName(grants: readonly ListedProjectGrant[]): ListedProjectGrant[] {
  return grants.toSorted((a, b) => (a.organization?.name ?? "").localeCompare(b.organization?.name ?? "", locale));
}
