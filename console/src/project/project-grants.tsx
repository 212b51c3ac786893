import type { ListedProject } from "@authorization-service/client/directory";
import { useCaller } from "../caller.ts";
import { None, Nothing } from "../directory/answered.tsx";
import { Section } from "../directory/page.tsx";
import { mayChange } from "../directory/rights.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { GrantDialog } from "../directory-changes/grant-dialog.tsx";
import { RemoveButton } from "../directory-changes/remove-button.tsx";
import { OrganizationLink } from "../parts/links.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
import { changeWords, grantChangeWords } from "../words/directory-changes.ts";
import { locale } from "../words/language/language.ts";
import { pageWords } from "../words/pages.ts";
import { projectWords } from "../words/projects.ts";

const words = projectWords.grants;

/** To whom a project is granted, with which roles. */
export function ProjectGrants({ project }: { project: ListedProject }) {
  const { id, grants, totalGrants, organizationId } = project;
  const mayGrant = mayChange(useCaller(), "project.grant.write", { organizationId, projectId: id });
  const roleOf = new Map(project.roles.map((role) => [role.key, role]));
  const named = grants
    .map((grant) => ({ grant, name: grant.organization?.name || pageWords.anotherOrganization }))
    .sort((a, b) => a.name.localeCompare(b.name, locale));
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
      {grants.length === 0 && <None>{words.none}</None>}
      {grants.length > 0 && (
        <ul className="plain-list">
          {named.map(({ grant, name }) => (
            <li key={grant.id}>
              <OrganizationLink organization={grant.organization} />
              <RoleChips roles={grant.roleKeys.map((key) => roleOf.get(key) ?? { key, displayName: "" })} />
              {mayGrant && (
                <span className="page-actions">
                  <DialogButton label={changeWords.edit} of={grantChangeWords.editTitle(name)}>
                    {(close) => <GrantDialog project={project} grant={grant} onClose={close} />}
                  </DialogButton>
                  <RemoveButton
                    names={[name]}
                    words={grantChangeWords}
                    remove={{ case: "projectGrantId", value: grant.id }}
                  />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {totalGrants > grants.length && <Nothing>{words.notListed(totalGrants - grants.length)}</Nothing>}
    </Section>
  );
}
