import { useNavigate } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { everywhere, mayAddProject, mayAddProjectSomewhere, mayChange, maySomewhere } from "../directory/rights.ts";
import { useOrganization } from "../history/removals.ts";
import { namedChangeWords, personChangeWords } from "../words/directory-changes.ts";
import { DialogButton, type DialogInAddress } from "./dialog-button.tsx";
import { AddOrganizationDialog, AddProjectDialog } from "./named-dialogs.tsx";
import { AddPersonDialog } from "./person-dialogs.tsx";

// Buttons that add to the directory, for those who may. Afterwards they show what was added.

type Props = {
  /** The organization that is shown. Without it, there is one to pick, which may be any. */
  inOrganization: string | undefined;
  isPrimary?: boolean;
  address?: DialogInAddress;
};

export function AddPerson({ inOrganization, ...button }: Props) {
  const caller = useCaller();
  const navigate = useNavigate();
  const mayAdd = (organizationId: string) => mayChange(caller, "user.write", { organizationId });
  const organization = useSuggested(inOrganization, mayAdd);
  if (!(inOrganization === undefined ? maySomewhere(caller, "user.write") : mayAdd(inOrganization))) return null;
  return (
    <DialogButton label={personChangeWords.add} {...button}>
      {(close) => (
        <AddPersonDialog
          organization={organization}
          onDone={(id) => void navigate({ to: "/person", search: { id } })}
          onClose={close}
        />
      )}
    </DialogButton>
  );
}

export function AddProject({ inOrganization, ...button }: Props) {
  const caller = useCaller();
  const navigate = useNavigate();
  const mayAdd = (organizationId: string) => mayAddProject(caller, organizationId);
  const owner = useSuggested(inOrganization, mayAdd);
  if (!(inOrganization === undefined ? mayAddProjectSomewhere(caller) : mayAdd(inOrganization))) return null;
  return (
    <DialogButton label={namedChangeWords.addProject} {...button}>
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

export function AddOrganization({ address }: { address: DialogInAddress }) {
  const caller = useCaller();
  const navigate = useNavigate();
  if (!mayChange(caller, "org.write", everywhere)) return null;
  return (
    <DialogButton label={namedChangeWords.addOrganization} isPrimary address={address}>
      {(close) => (
        <AddOrganizationDialog
          onDone={(id) => void navigate({ to: "/organization", search: { id } })}
          onClose={close}
        />
      )}
    </DialogButton>
  );
}

/** The organization that is shown, or the reader's own, if the reader may add something there. */
function useSuggested(shown: string | undefined, mayAdd: (organizationId: string) => boolean) {
  const own = useCaller()?.user?.organizationId ?? "";
  return useOrganization(shown ?? (mayAdd(own) ? own : undefined));
}
