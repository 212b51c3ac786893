import type { ListedProject, ListedProjectGrant } from "@authorization-service/client/directory";
import { useCaller } from "../caller.ts";
import { mayChange } from "../directory/rights.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { GrantDialog } from "../directory-changes/grant-dialog.tsx";
import { RemoveDialog } from "../directory-changes/remove-dialog.tsx";
import { changeWords, grantChangeWords as words } from "../words/directory-changes.ts";
import { pageWords } from "../words/pages.ts";

function useMayGrant({ id, organizationId }: ListedProject): boolean {
  return mayChange(useCaller(), "project.grant.write", { organizationId, projectId: id });
}

/** Grants the project to another organization, for those who may. */
export function AddGrant({ project }: { project: ListedProject }) {
  if (!useMayGrant(project)) return null;
  return (
    <DialogButton label={words.add}>
      {(close) => <GrantDialog project={project} grant={undefined} onClose={close} />}
    </DialogButton>
  );
}

/** Changes the roles of a grant, or ends it, for those who may. */
export function GrantActions({ project, grant }: { project: ListedProject; grant: ListedProjectGrant }) {
  if (!useMayGrant(project)) return null;
  const name = grant.organization?.name || pageWords.anotherOrganization;
  return (
    <span className="page-actions">
      <DialogButton label={changeWords.edit} of={words.editOf(name)}>
        {(close) => <GrantDialog project={project} grant={grant} onClose={close} />}
      </DialogButton>
      <DialogButton label={changeWords.remove} of={words.removeOf(name)}>
        {(close) => (
          <RemoveDialog
            title={words.removeTitle(name)}
            verb={changeWords.remove}
            done={words.removed(name)}
            consequences={words.removeAdvice}
            remove={{ case: "projectGrantId", value: grant.id }}
            onClose={close}
          />
        )}
      </DialogButton>
    </span>
  );
}
