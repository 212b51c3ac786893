import { useNavigate } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { mayAdd } from "../directory/rights.ts";
import { useOrganization } from "../history/removals.ts";
import { namedChangeWords, personChangeWords } from "../words/directory-changes.ts";
import { DialogButton, type DialogInAddress } from "./dialog-button.tsx";
import { AddOrganizationDialog, AddProjectDialog } from "./named-dialogs.tsx";
import { PersonDialog } from "./person-dialog.tsx";

const kinds = {
  person: { label: personChangeWords.add, permission: "user.write", page: "/person", Dialog: PersonDialog },
  project: {
    label: namedChangeWords.addProject,
    permission: "project.write",
    page: "/project",
    Dialog: AddProjectDialog,
  },
  organization: {
    label: namedChangeWords.addOrganization,
    permission: "org.write",
    page: "/organization",
    Dialog: AddOrganizationDialog,
  },
} as const;

type Props = {
  kind: keyof typeof kinds;
  /** The organization that is shown. Without it, there is one to pick, which may be any. */
  inOrganization?: string | undefined;
  isPrimary?: boolean;
  address?: DialogInAddress;
};

/** Adds to the directory, for those who may, and then shows what was added. */
export function AddButton({ kind, inOrganization, ...button }: Props) {
  const { label, permission, page, Dialog } = kinds[kind];
  const caller = useCaller();
  const navigate = useNavigate();
  const own = caller?.user?.organizationId;
  // The one that is shown, or the reader's own, if the reader may add something there.
  const organization = useOrganization(inOrganization ?? (mayAdd(caller, permission, own) ? own : undefined));
  if (!mayAdd(caller, permission, inOrganization)) return null;
  return (
    <DialogButton label={label} {...button}>
      {(close) => (
        <Dialog
          organization={organization}
          onDone={(id) => void navigate({ to: page, search: { id } })}
          onClose={close}
        />
      )}
    </DialogButton>
  );
}
