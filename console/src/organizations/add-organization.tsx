import { useNavigate } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { everywhere, mayChange } from "../directory/rights.ts";
import type { dialogIn } from "../directory/search.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { AddOrganizationDialog } from "../directory-changes/named-dialogs.tsx";
import { namedChangeWords as words } from "../words/directory-changes.ts";

/** Adds an organization. Then it shows the organization. */
export function AddOrganization({ address }: { address: ReturnType<typeof dialogIn> }) {
  const caller = useCaller();
  const navigate = useNavigate();
  if (!mayChange(caller, "org.write", everywhere)) return null;
  return (
    <DialogButton label={words.addOrganization} isPrimary address={address}>
      {(close) => (
        <AddOrganizationDialog
          onDone={(id) => void navigate({ to: "/organization", search: { id } })}
          onClose={close}
        />
      )}
    </DialogButton>
  );
}
