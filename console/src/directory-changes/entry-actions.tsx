import type { AdministratorEntry } from "@authorization-service/client/directory";
import { useCaller } from "../caller.ts";
import { mayGive, rolesToGive } from "../directory/rights.ts";
import { personName } from "../parts/links.tsx";
import { changeWords, entryChangeWords as words } from "../words/directory-changes.ts";
import { DialogButton } from "./dialog-button.tsx";
import { EntryDialog } from "./entry-dialog.tsx";
import { type EntryPlace, placeOf } from "./entry-place.ts";
import { RemoveButton } from "./remove-button.tsx";

/** Changes or takes an administrator entry, for those who hold everything that it gives. */
export function EntryActions({ entry: { user, scope, roles } }: { entry: AdministratorEntry }) {
  const place = placeOf(scope);
  const caller = useCaller();
  if (!user || !place || !mayGive(caller, roles, place.where)) return null;
  const name = personName(user);
  return (
    <span className="page-actions">
      <DialogButton label={changeWords.edit} of={words.editOf(name, place.name)}>
        {(close) => <EntryDialog place={place} person={user} onClose={close} />}
      </DialogButton>
      <RemoveButton
        of={words.takeOf(name, place.name)}
        title={words.takeTitle(name, place.name)}
        done={words.taken(name, place.name)}
        consequences={words.takeAdvice}
        remove={{ case: "administrator", value: { userId: user.id, scope: place.scope } }}
        isCounted={false}
      />
    </span>
  );
}

/** Makes someone an administrator of a place, for those who may give any role there. */
export function GiveEntry({ place }: { place: EntryPlace }) {
  const caller = useCaller();
  if (rolesToGive(caller, place.level, place.where).length === 0) return null;
  return <DialogButton label={words.give}>{(close) => <EntryDialog place={place} onClose={close} />}</DialogButton>;
}
