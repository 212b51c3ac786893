import { DirectoryService, type User } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { useCaller } from "../caller.ts";
import { mayGive, rolesToGive } from "../directory/rights.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { personName } from "../parts/links.tsx";
import { UserPicker } from "../pickers/user-picker.tsx";
import { administratorRole, administratorRoleWords } from "../words/administrator-roles.ts";
import { changeWords, entryChangeWords as words } from "../words/directory-changes.ts";
import { pageWords } from "../words/pages.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import type { EntryPlace } from "./entry-place.ts";

type Person = Pick<User, "id" | "displayName" | "preferredLoginName">;

type Props = {
  place: EntryPlace;
  /** Whose roles; undefined to pick someone. */
  person?: Person | undefined;
  onClose: () => void;
};

/** Gives a person administrator roles in one place, or changes those that the person has there. */
export function EntryDialog({ place, person, onClose }: Props) {
  const caller = useCaller();
  const [picked, setPicked] = useState<User>();
  const [ticked, setTicked] = useState<ReadonlySet<string>>();
  const user = person ?? picked;
  const existing = useExisting(place, user?.id);
  const held = existing.data ?? [];
  const chosen = ticked ?? new Set(held);
  const isTheirs = held.length > 0 && !mayGive(caller, held, place.where);
  const isReady = user !== undefined && existing.data !== undefined && !isTheirs && chosen.size > 0;
  const name = user === undefined ? "" : personName(user);
  return (
    <ChangeDialog
      title={person ? words.editTitle(personName(person), place.name) : words.giveTitle(place.name)}
      verb={changeWords.save}
      changes={isReady ? [upsert(place, user.id, chosen)] : undefined}
      {...(user && existing.data && !isTheirs && { shown: [upsert(place, user.id, held)] })}
      done={words.given(name, place.name)}
      onClose={onClose}
    >
      {person === undefined && (
        <UserPicker
          label={words.person}
          value={picked}
          onChange={(next) => {
            setPicked(next);
            setTicked(undefined);
          }}
        />
      )}
      {existing.error && <FailureNotice error={existing.error} onRetry={() => void existing.refetch()} />}
      {user && existing.isLoading && <p role="status">{pageWords.loading}</p>}
      {isTheirs && <p role="status">{words.notYours}</p>}
      {person === undefined && held.length > 0 && !isTheirs && <p role="status">{words.existing}</p>}
      {existing.data && !isTheirs && (
        <RoleChoices
          roles={rolesToGive(caller, place.level, place.where).filter(isNoSynonym)}
          chosen={chosen}
          onChange={setTicked}
        />
      )}
    </ChangeDialog>
  );
}

/** Of roles with the same rights, one is offered. Who has the other one keeps it. */
function isNoSynonym(role: string): boolean {
  return role !== "PROJECT_OWNER_VIEWER_GLOBAL";
}

function upsert({ scope }: EntryPlace, userId: string, roles: Iterable<string>) {
  return { change: { case: "administrator" as const, value: { userId, scope, roles: [...roles].sort() } } };
}

/** The roles that a user has in a place. An upsert replaces all of them. */
function useExisting({ scope }: EntryPlace, userId: string | undefined) {
  return useQuery(
    DirectoryService.method.listAdministrators,
    userId === undefined ? skipToken : { userId, scope, pagination: { limit: 1, skipTotal: true } },
    { select: ({ entries }) => entries[0]?.roles ?? [] },
  );
}

type ChoicesProps = {
  roles: readonly string[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
};

/** Administrator roles to tick, each with what it allows. */
function RoleChoices({ roles, chosen, onChange }: ChoicesProps) {
  return (
    <fieldset className="role-choices">
      <legend>{words.roles}</legend>
      {roles.map((role) => (
        <label key={role}>
          <input
            type="checkbox"
            checked={chosen.has(role)}
            onChange={({ target }) =>
              onChange(target.checked ? new Set([...chosen, role]) : new Set([...chosen].filter((one) => one !== role)))
            }
          />
          <strong title={role}>{administratorRole(role)}</strong>{" "}
          <span className="muted">{administratorRoleWords[role]?.allows}</span>
        </label>
      ))}
    </fieldset>
  );
}
