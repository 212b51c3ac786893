import type { ListedProject, ListedProjectGrant, Organization } from "@authorization-service/client/directory";
import { useState } from "react";
import { unlistedOf } from "../changes/offered-roles.ts";
import { RoleBoxes } from "../changes/role-boxes.tsx";
import { OrganizationPicker } from "../pickers/things.tsx";
import { changeWords, grantChangeWords as words } from "../words/directory-changes.ts";
import { pageWords } from "../words/pages.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { Consequences } from "./consequences.tsx";
import type { Change } from "./use-change.ts";

type Props = {
  project: ListedProject;
  /** Undefined for a new one. */
  grant: ListedProjectGrant | undefined;
  onClose: () => void;
};

/** Grants a project to an organization, or changes which roles the organization may assign. */
export function GrantDialog({ project, grant, onClose }: Props) {
  const [id] = useState(() => grant?.id ?? crypto.randomUUID());
  const [organization, setOrganization] = useState<Organization | undefined>(grant?.organization);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(grant?.roleKeys));
  const name = organization?.name || pageWords.anotherOrganization;
  const upsert = (organizationId: string, roleKeys: Iterable<string>): Change => ({
    change: {
      case: "projectGrant",
      value: { id, projectId: project.id, organizationId, roleKeys: [...roleKeys].sort() },
    },
  });
  const changes = organization && chosen.size > 0 ? [upsert(organization.id, chosen)] : undefined;
  const isTaking = grant?.roleKeys.some((key) => !chosen.has(key)) ?? false;
  return (
    <ChangeDialog
      title={grant ? words.editTitle(name) : words.addTitle(project.name)}
      verb={grant ? changeWords.save : words.submit}
      changes={changes}
      {...(grant?.organization && { shown: [upsert(grant.organization.id, grant.roleKeys)] })}
      done={(grant ? words.changed : words.added)(name)}
      onClose={onClose}
    >
      {grant === undefined && (
        <OrganizationPicker label={words.organization} value={organization} onChange={setOrganization} />
      )}
      <RoleBoxes
        legend={words.roles}
        choices={project.roles}
        chosen={chosen}
        onChange={setChosen}
        unlisted={unlistedOf(project)}
        hasAll
      />
      {chosen.size === 0 && (
        <p className="hint" role="status">
          {words.noRoles}
        </p>
      )}
      {isTaking && changes && (
        <>
          <p>{words.lost}</p>
          <Consequences changes={changes} />
          <p>{changeWords.noUndo}</p>
        </>
      )}
    </ChangeDialog>
  );
}
