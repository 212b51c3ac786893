import type { ListedProject } from "@authorization-service/client/directory";
import { useNavigate } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { mayChange } from "../directory/rights.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { ProjectDialog } from "../directory-changes/named-dialogs.tsx";
import { RemoveDialog } from "../directory-changes/remove-dialog.tsx";
import { changeWords, namedChangeWords as words } from "../words/directory-changes.ts";

/** Renames or removes a project, for those who may. */
export function ProjectActions({ project }: { project: ListedProject }) {
  const caller = useCaller();
  const navigate = useNavigate();
  const { id, name, organizationId } = project;
  if (!mayChange(caller, "project.write", { organizationId, projectId: id })) return null;
  return (
    <>
      <DialogButton label={changeWords.rename}>
        {(close) => <ProjectDialog project={project} onClose={close} />}
      </DialogButton>
      <DialogButton label={changeWords.remove} isDangerous>
        {(close) => (
          <RemoveDialog
            title={words.removeTitle(name)}
            verb={changeWords.remove}
            done={words.removed(name)}
            consequences={words.removeProjectAdvice}
            remove={{ case: "projectId", value: id }}
            onDone={() => void navigate({ to: "/projects", replace: true })}
            onClose={close}
          />
        )}
      </DialogButton>
    </>
  );
}
