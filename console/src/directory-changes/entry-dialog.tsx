import { DirectoryService, type User } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { useId, useState } from "react";
import { useCaller } from "../caller.ts";
import { type Levels, levelsOf } from "../directory/administrator-roles.ts";
import { mayGive, rolesToGive } from "../directory/rights.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { personName } from "../parts/links.tsx";
import { UserPicker } from "../pickers/things.tsx";
import { administratorRole, administratorRoleWords } from "../words/administrator-roles.ts";
import { changeWords, entryChangeWords as words } from "../words/directory-changes.ts";
import { pageWords } from "../words/pages.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import type { EntryPlace } from "./entry-place.ts";
import { usePlace } from "./use-place.tsx";

type Props = {
  /** Undefined to pick one. */
  place: EntryPlace | undefined;
  /** Whose roles; undefined to pick someone. */
  person: Pick<User, "id" | "displayName" | "preferredLoginName"> | undefined;
  onClose: () => void;
};

/** Gives a person administrator roles in one place, or changes those that the person has there. */
export function EntryDialog({ place: given, person, onClose }: Props) {
  const caller = useCaller();
  const picking = usePlace();
  const place = given ?? picking.place;
  const [picked, setPicked] = useState<User>();
  const user = person ?? picked;
  const entry = place && user && { userId: user.id, scope: place.scope };
  const offered = place ? rolesToGive(caller, place.level, place.where) : [];
  const known = caller?.administratorRoles.filter(({ role }) => offered.includes(role)) ?? [];
  // An upsert replaces all of the roles that the person has there.
  const existing = useQuery(
    DirectoryService.method.listAdministrators,
    entry && offered.length > 0 ? { ...entry, pagination: { limit: 1, skipTotal: true } } : skipToken,
    { select: ({ entries }) => entries[0]?.roles ?? [] },
  );
  const held = existing.data ?? [];
  const isTheirs = place !== undefined && held.length > 0 && !mayGive(caller, held, place.where);
  const about = JSON.stringify(entry);
  const [ticked, setTicked] = useState<{ about: string; roles: ReadonlySet<string> }>();
  const chosen = ticked && ticked.about === about ? ticked.roles : undefined;
  const upsert = (roles: Iterable<string>) =>
    entry && existing.data && !isTheirs
      ? [{ change: { case: "administrator" as const, value: { ...entry, roles: [...roles].sort() } } }]
      : [];
  return (
    <ChangeDialog
      title={titleOf(given, person)}
      verb={changeWords.save}
      changes={(chosen?.size ?? held.length) > 0 ? upsert(chosen ?? held) : undefined}
      shown={upsert(held)}
      done={words.given(user ? personName(user) : "", place?.name ?? "")}
      onClose={onClose}
    >
      {!given && picking.fields}
      {place && offered.length === 0 && <p role="status">{words.notThere}</p>}
      {!person && <UserPicker label={words.person} value={picked} onChange={setPicked} />}
      {existing.error && <FailureNotice error={existing.error} onRetry={() => void existing.refetch()} />}
      {existing.isLoading && <p role="status">{pageWords.loading}</p>}
      {isTheirs && <p role="status">{words.notYours}</p>}
      {!(given && person) && held.length > 0 && !isTheirs && <p role="status">{words.existing}</p>}
      {existing.data && !isTheirs && (
        <RoleChoices
          key={about}
          levels={levelsOf(known)}
          held={held}
          ticked={chosen}
          onChange={(roles) => setTicked({ about: about as string, roles })}
        />
      )}
    </ChangeDialog>
  );
}

function titleOf(place: EntryPlace | undefined, person: Props["person"]): string {
  if (place) return person ? words.editTitle(personName(person), place.name) : words.giveTitle(place.name);
  return person ? words.giveToTitle(personName(person)) : words.give;
}

type ChoicesProps = {
  levels: Levels;
  /** The roles that the person has there. */
  held: readonly string[];
  /** Undefined until something is chosen. */
  ticked: ReadonlySet<string> | undefined;
  onChange: (ticked: ReadonlySet<string>) => void;
};

/** Administrator roles by level, each with what it allows. Roles that are held in another combination stay until one is chosen. */
function RoleChoices({ levels: { nested, parts }, held, ticked, onChange }: ChoicesProps) {
  const group = useId();
  const isLevel = held.length === 1 && held.every((role) => nested.includes(role));
  const isOffered = isLevel || held.every((role) => parts.includes(role));
  const picked = ticked ?? new Set(isOffered ? held : []);
  const toggled = (role: string) => new Set(parts.filter((one) => picked.has(one) !== (one === role)));
  return (
    <fieldset className="stack">
      <legend>{words.roles}</legend>
      {!isOffered && !ticked && <p>{words.asNow(held.map(administratorRole))}</p>}
      {[...nested, ...parts].map((role) => (
        // The constant that programs use is in the tooltip.
        <label key={role} title={role}>
          <input
            type={nested.includes(role) ? "radio" : "checkbox"}
            name={group}
            checked={picked.has(role)}
            onChange={() => onChange(nested.includes(role) ? new Set([role]) : toggled(role))}
          />
          <span>
            <strong>{administratorRole(role)}</strong>{" "}
            <span className="muted">{administratorRoleWords[role]?.allows}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
