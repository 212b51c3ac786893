import type { ListedProject, Organization } from "@authorization-service/client/directory";
import { useCaller } from "../caller.ts";
import { mayChange } from "../directory/rights.ts";
import { changeWords, namedChangeWords as words } from "../words/directory-changes.ts";
import { DialogButton } from "./dialog-button.tsx";
import { RenameDialog } from "./named-dialogs.tsx";
import { RemoveButton } from "./remove-button.tsx";

/** Renames or removes an organization, for those who may. */
export function OrganizationActions({ organization: { id, name } }: { organization: Organization }) {
  if (!mayChange(useCaller(), "org.write", { organizationId: id })) return null;
  return (
    <>
      <DialogButton label={changeWords.rename}>
        {(close) => (
          <RenameDialog
            name={name}
            changeTo={(name) => ({ change: { case: "organization", value: { id, name } } })}
            onClose={close}
          />
        )}
      </DialogButton>
      <RemoveButton
        title={words.removeTitle(name)}
        done={words.removed(name)}
        consequences={words.removeOrganizationAdvice}
        remove={{ case: "organizationId", value: id }}
        after="/organizations"
      />
    </>
  );
}

/** The same for a project. */
export function ProjectActions({ project: { id, name, organizationId } }: { project: ListedProject }) {
  if (!mayChange(useCaller(), "project.write", { organizationId, projectId: id })) return null;
  return (
    <>
      <DialogButton label={changeWords.rename}>
        {(close) => (
          <RenameDialog
            name={name}
            changeTo={(name) => ({ change: { case: "project", value: { id, name, organizationId } } })}
            onClose={close}
          />
        )}
      </DialogButton>
      <RemoveButton
        title={words.removeTitle(name)}
        done={words.removed(name)}
        consequences={words.removeProjectAdvice}
        remove={{ case: "projectId", value: id }}
        after="/projects"
      />
    </>
  );
}
