import type { ListedProject, ListedProjectGrant } from "@authorization-service/client/directory";
import { useState } from "react";
import { useCaller } from "../caller.ts";
import { unlistedOf } from "../changes/offered-roles.ts";
import { RoleBoxes } from "../changes/role-boxes.tsx";
import { None, Nothing } from "../directory/answered.tsx";
import { Section } from "../directory/page.tsx";
import { mayChange } from "../directory/rights.ts";
import { ChangeDialog } from "../directory-changes/change-dialog.tsx";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { Consequences, RemoveButton } from "../directory-changes/remove-button.tsx";
import { useFields } from "../directory-changes/text-field.tsx";
import { OrganizationLink } from "../parts/links.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
import { OrganizationPicker } from "../pickers/things.tsx";
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

type DialogProps = {
  project: ListedProject;
  /** Undefined for a new one. */
  grant: ListedProjectGrant | undefined;
  onClose: () => void;
};

/** Grants a project to an organization, or changes which roles the organization may assign. */
function GrantDialog({ project, grant: given, onClose }: DialogProps) {
  const [grant] = useState(given);
  const [id] = useState(() => grant?.id ?? crypto.randomUUID());
  const held: ReadonlySet<string> = new Set(grant?.roleKeys);
  const { values, field } = useFields({ organization: grant?.organization, chosen: held });
  const { organization, chosen } = values;
  const name = organization?.name || pageWords.anotherOrganization;
  const upsert = (roleKeys: Iterable<string>) => {
    if (organization === undefined) return [];
    const value = { id, projectId: project.id, organizationId: organization.id, roleKeys: [...roleKeys].sort() };
    return [{ change: { case: "projectGrant" as const, value } }];
  };
  const changes = chosen.size > 0 ? upsert(chosen) : [];
  return (
    <ChangeDialog
      title={grant ? grantChangeWords.editTitle(name) : grantChangeWords.addTitle(project.name)}
      verb={grant ? changeWords.save : grantChangeWords.submit}
      changes={changes}
      {...(grant && { shown: upsert(held) })}
      done={(grant ? grantChangeWords.changed : grantChangeWords.added)(name)}
      onClose={onClose}
    >
      {grant === undefined && <OrganizationPicker label={grantChangeWords.organization} {...field("organization")} />}
      <RoleBoxes
        legend={grantChangeWords.roles}
        choices={project.roles}
        chosen={chosen}
        onChange={field("chosen").onChange}
        unlisted={unlistedOf(project)}
        hasAll
      />
      {chosen.size === 0 && (
        <p className="hint" role="status">
          {grantChangeWords.noRoles}
        </p>
      )}
      {[...held].some((key) => !chosen.has(key)) && changes.length > 0 && (
        <>
          <p>{grantChangeWords.lost}</p>
          <Consequences changes={changes} />
          <p>{changeWords.noUndo}</p>
        </>
      )}
    </ChangeDialog>
  );
}
