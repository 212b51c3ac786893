import { DirectoryService, type User } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { type ComponentProps, useId, useState } from "react";
import { useCaller } from "../caller.ts";
import { mayGive, rolesToGive } from "../directory/rights.ts";
import { type Levels, levelsOf } from "../directory/role-levels.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { personName } from "../parts/links.tsx";
import { UserPicker } from "../pickers/things.tsx";
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

const noRoles: ReadonlySet<string> = new Set();

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
  const offered = rolesToGive(caller, place.level, place.where);
  const known = caller?.administratorRoles.filter(({ role }) => offered.includes(role)) ?? [];
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
        <RoleChoices key={user?.id} levels={levelsOf(known)} held={held} chosen={chosen} onChange={setTicked} />
      )}
    </ChangeDialog>
  );
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
  levels: Levels;
  /** The roles that the person has there. */
  held: readonly string[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
};

/** Administrator roles by level, each with what it allows. Roles that are held in another combination can stay so. */
function RoleChoices({ levels: { nested, parts }, held, chosen, onChange }: ChoicesProps) {
  const group = useId();
  const isLevel = held.length === 1 && nested.includes(held[0] as string);
  const isKept = !isLevel && !held.every((role) => parts.includes(role));
  const staysSo = isKept && held.length === chosen.size && held.every((role) => chosen.has(role));
  const picked = staysSo ? noRoles : chosen;
  const toggled = (role: string) => new Set(parts.filter((one) => picked.has(one) !== (one === role)));
  const radio = { type: "radio", name: group } as const;
  return (
    <fieldset className="role-choices">
      <legend>{words.roles}</legend>
      {isKept && (
        <label title={held.join(", ")}>
          <input {...radio} checked={staysSo} onChange={() => onChange(new Set(held))} />
          <strong>{words.asNow}</strong> <span className="muted">{held.map(administratorRole).join(", ")}</span>
        </label>
      )}
      {nested.map((role) => (
        <Choice
          key={role}
          role={role}
          {...radio}
          checked={picked.has(role)}
          onChange={() => onChange(new Set([role]))}
        />
      ))}
      {parts.length > 0 && (
        <fieldset>
          <legend>{words.parts}</legend>
          {parts.map((role) => (
            <Choice
              key={role}
              role={role}
              type="checkbox"
              checked={picked.has(role)}
              onChange={() => onChange(toggled(role))}
            />
          ))}
        </fieldset>
      )}
    </fieldset>
  );
}

/** The constant that programs use is in the tooltip. */
function Choice({ role, ...input }: { role: string } & ComponentProps<"input">) {
  return (
    <label title={role}>
      <input {...input} />
      <strong>{administratorRole(role)}</strong> <span className="muted">{administratorRoleWords[role]?.allows}</span>
    </label>
  );
}
