import type { AdministratorEntry, User } from "@authorization-service/client/directory";
import { useCaller } from "../caller.ts";
import { mayGive, maySomewhere, rolesToGive } from "../directory/rights.ts";
import { personName } from "../parts/links.tsx";
import { changeWords, entryChangeWords as words } from "../words/directory-changes.ts";
import { DialogButton } from "./dialog-button.tsx";
import { EntryDialog } from "./entry-dialog.tsx";
import { type EntryScope, placeIn, placeOf } from "./entry-place.ts";
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
        names={[name, place.name]}
        words={words}
        remove={{ case: "administrator", value: { userId: user.id, scope: place.scope } }}
      />
    </span>
  );
}

type GiveProps = {
  /** Of what; undefined to pick it. */
  scope?: EntryScope;
  /** Who becomes an administrator; undefined to pick someone. */
  person?: User;
};

/** Makes someone an administrator, for those who may give any role there. */
export function GiveEntry({ scope, person }: GiveProps) {
  const caller = useCaller();
  const place = scope && placeIn(scope);
  if (!maySomewhere(caller, "administrator.write")) return null;
  if (place && rolesToGive(caller, place.level, place.where).length === 0) return null;
  return (
    <DialogButton label={person ? words.giveTo : words.give} isPrimary={!scope && !person}>
      {(close) => <EntryDialog place={place} person={person} onClose={close} />}
    </DialogButton>
  );
}
