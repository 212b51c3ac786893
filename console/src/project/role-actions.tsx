import type { ListedProject, ListedRole } from "@authorization-service/client/directory";
import { useCaller } from "../caller.ts";
import { mayChange } from "../directory/rights.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { RemoveDialog } from "../directory-changes/remove-dialog.tsx";
import { RoleDialog } from "../directory-changes/role-dialog.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { changeWords, roleChangeWords as words } from "../words/directory-changes.ts";

function useMayChangeRoles({ id, organizationId }: ListedProject): boolean {
  return mayChange(useCaller(), "project.role.write", { organizationId, projectId: id });
}

/** Adds a role, for those who may. */
export function AddRole({ project }: { project: ListedProject }) {
  if (!useMayChangeRoles(project)) return null;
  return <DialogButton label={words.add}>{(close) => <RoleDialog project={project} onClose={close} />}</DialogButton>;
}

/** Edits or removes a role, for those who may. */
export function RoleActions({ project, role }: { project: ListedProject; role: ListedRole }) {
  if (!useMayChangeRoles(project)) return null;
  const name = nameOf(role);
  return (
    <span className="page-actions">
      <DialogButton label={changeWords.edit} of={words.editOf(name)}>
        {(close) => <RoleDialog project={project} role={role} onClose={close} />}
      </DialogButton>
      <DialogButton label={changeWords.remove} of={words.removeOf(name)}>
        {(close) => (
          <RemoveDialog
            title={words.removeTitle(name)}
            verb={changeWords.remove}
            done={words.removed(name)}
            consequences={words.removeAdvice}
            remove={{ case: "projectRole", value: { projectId: project.id, key: role.key } }}
            onClose={close}
          />
        )}
      </DialogButton>
    </span>
  );
}
