import type { ListedProject, ListedProjectGrant } from "@authorization-service/client/directory";
import { useState } from "react";
import { unlistedOf } from "../changes/offered-roles.ts";
import { RoleBoxes } from "../changes/role-boxes.tsx";
import { OrganizationPicker } from "../pickers/things.tsx";
import { changeWords, grantChangeWords as words } from "../words/directory-changes.ts";
import { pageWords } from "../words/pages.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { Consequences } from "./remove-button.tsx";
import { useFields } from "./text-field.tsx";

type Props = {
  project: ListedProject;
  /** Undefined for a new one. */
  grant: ListedProjectGrant | undefined;
  onClose: () => void;
};

/** Grants a project to an organization, or changes which roles the organization may assign. */
export function GrantDialog({ project, grant: given, onClose }: Props) {
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
      title={grant ? words.editTitle(name) : words.addTitle(project.name)}
      verb={grant ? changeWords.save : words.submit}
      changes={changes}
      {...(grant && { shown: upsert(held) })}
      done={(grant ? words.changed : words.added)(name)}
      onClose={onClose}
    >
      {grant === undefined && <OrganizationPicker label={words.organization} {...field("organization")} />}
      <RoleBoxes
        legend={words.roles}
        choices={project.roles}
        chosen={chosen}
        onChange={field("chosen").onChange}
        unlisted={unlistedOf(project)}
        hasAll
      />
      {chosen.size === 0 && (
        <p className="hint" role="status">
          {words.noRoles}
        </p>
      )}
      {[...held].some((key) => !chosen.has(key)) && changes.length > 0 && (
        <>
          <p>{words.lost}</p>
          <Consequences changes={changes} />
          <p>{changeWords.noUndo}</p>
        </>
      )}
    </ChangeDialog>
  );
}
