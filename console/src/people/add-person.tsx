import { useNavigate } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { mayChange, maySomewhere } from "../directory/rights.ts";
import type { dialogIn } from "../directory/search.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { AddPersonDialog } from "../directory-changes/person-dialogs.tsx";
import { useOrganization } from "../history/picked.ts";
import { personChangeWords as words } from "../words/directory-changes.ts";

/** Adds a person to the organization that is shown, or to one to pick. Then it shows the person. */
export function AddPerson({
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
  const isOwnAllowed = mayChange(caller, "user.write", { organizationId: own });
  // Starts with the reader's own organization, if the reader may add people there.
  const organization = useOrganization(inOrganization ?? (isOwnAllowed ? own : undefined));
  const navigate = useNavigate();
  const isAllowed =
    inOrganization === undefined
      ? maySomewhere(caller, "user.write")
      : mayChange(caller, "user.write", { organizationId: inOrganization });
  if (!isAllowed) return null;
  return (
    <DialogButton label={words.add} isPrimary={isPrimary} {...(address && { address })}>
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
