import type { Organization } from "@authorization-service/client/directory";
import { useNavigate } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { mayChange } from "../directory/rights.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { OrganizationDialog } from "../directory-changes/named-dialogs.tsx";
import { RemoveDialog } from "../directory-changes/remove-dialog.tsx";
import { changeWords, namedChangeWords as words } from "../words/directory-changes.ts";

/** Renames or removes an organization, for those who may. */
export function OrganizationActions({ organization }: { organization: Organization }) {
  const caller = useCaller();
  const navigate = useNavigate();
  const { id, name } = organization;
  if (!mayChange(caller, "org.write", { organizationId: id })) return null;
  return (
    <>
      <DialogButton label={changeWords.rename}>
        {(close) => <OrganizationDialog organization={organization} onClose={close} />}
      </DialogButton>
      <DialogButton label={changeWords.remove} isDangerous>
        {(close) => (
          <RemoveDialog
            title={words.removeTitle(name)}
            verb={changeWords.remove}
            done={words.removed(name)}
            consequences={words.removeOrganizationAdvice}
            remove={{ case: "organizationId", value: id }}
            onDone={() => void navigate({ to: "/organizations", replace: true })}
            onClose={close}
          />
        )}
      </DialogButton>
    </>
  );
}
