import { useNavigate } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { mayAddProject, mayAddProjectSomewhere } from "../directory/rights.ts";
import type { dialogIn } from "../directory/search.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { AddProjectDialog } from "../directory-changes/named-dialogs.tsx";
import { useOrganization } from "../history/picked.ts";
import { namedChangeWords as words } from "../words/directory-changes.ts";

/** Adds a project to the organization that is shown, or to one to pick. Then it shows the project. */
export function AddProject({
  inOrganization,
  isPrimary = true,
  address,
}: {
  inOrganization: string | undefined;
  isPrimary?: boolean;
  address?: ReturnType<typeof dialogIn>;
}) {
  const caller = useCaller();
  const own = caller?.user?.organizationId ?? "";
  // Starts with the reader's own organization, if the reader may add projects there.
  const owner = useOrganization(inOrganization ?? (mayAddProject(caller, own) ? own : undefined));
  const navigate = useNavigate();
  const isAllowed =
    inOrganization === undefined ? mayAddProjectSomewhere(caller) : mayAddProject(caller, inOrganization);
  if (!isAllowed) return null;
  return (
    <DialogButton label={words.addProject} isPrimary={isPrimary} {...(address && { address })}>
      {(close) => (
        <AddProjectDialog
          owner={owner}
          onDone={(id) => void navigate({ to: "/project", search: { id } })}
          onClose={close}
        />
      )}
    </DialogButton>
  );
}
