import type { User } from "@authorization-service/client/directory";
import { Link } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { mayChange, mayMoveOrRemovePeople, maySomewhere } from "../directory/rights.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { EditPersonDialog, MovePersonDialog } from "../directory-changes/person-dialogs.tsx";
import { RemoveButton } from "../directory-changes/remove-button.tsx";
import { personName } from "../parts/links.tsx";
import { changeWords, personChangeWords as words } from "../words/directory-changes.ts";
import { offboardWords } from "../words/offboard.ts";

/** Edits, moves or removes a person, for those who may. */
export function PersonActions({ user }: { user: User }) {
  const caller = useCaller();
  const where = { organizationId: user.organizationId };
  const isRemovable = mayMoveOrRemovePeople(caller, where);
  return (
    <>
      {mayChange(caller, "user.write", where) && (
        <DialogButton label={changeWords.edit}>
          {(close) => <EditPersonDialog user={user} onClose={close} />}
        </DialogButton>
      )}
      {(isRemovable || maySomewhere(caller, "user.grant.write")) && (
        <Link className="button" to="/offboard" search={{ id: user.id }}>
          {offboardWords.open}
        </Link>
      )}
      {isRemovable && (
        <>
          <DialogButton label={words.move}>{(close) => <MovePersonDialog user={user} onClose={close} />}</DialogButton>
          <RemoveButton
            title={words.removeTitle(personName(user))}
            done={words.removed(personName(user))}
            consequences={words.removeAdvice}
            remove={{ case: "userId", value: user.id }}
            after="/people"
          />
        </>
      )}
    </>
  );
}
