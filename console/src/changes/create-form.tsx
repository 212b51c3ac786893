import type { ListedProject, Organization, User } from "@authorization-service/client/directory";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useCaller } from "../caller.ts";
import { mayChange } from "../directory/rights.ts";
import { useOrganization } from "../history/picked.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { OrganizationPicker } from "../pickers/organization-picker.tsx";
import { UsersPicker } from "../pickers/user-picker.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { assignListWords } from "../words/assign-list.ts";
import { createWords } from "../words/create.ts";
import { DialogFrame } from "./dialog-frame.tsx";
import { EditExisting } from "./edit-existing.tsx";
import { GiveDialog, toAll } from "./give-dialog.tsx";
import { newRow, whereOf } from "./new-row.ts";
import { choicesOf, unlistedOf, useOfferedRoles } from "./offered-roles.ts";
import { PlaceChoice } from "./place-choice.tsx";
import { RoleBoxes } from "./role-boxes.tsx";
import { useCreating } from "./use-creating.ts";
import { useEnd } from "./use-end.tsx";

type Props = {
  picked: {
    users: readonly User[];
    place: ListedProject | undefined;
    /** The organization to start with. */
    organization: Organization | undefined;
    /** The key of a role that is ticked. */
    role: string | undefined;
    /** Whether the link names the organization. Otherwise it follows the user who is picked. */
    hasOrganization: boolean;
  };
  onOpen: (id: string) => void;
  onClose: () => void;
};

/** The names by key. They are remembered, because a role that was removed in the meantime no longer has one. */
type Ticked = ReadonlyMap<string, string>;

const noRoles: Ticked = new Map();

function ticksOf({ place, role }: Props["picked"]): Ticked {
  const named = place?.roles.find(({ key }) => key === role);
  return named ? new Map([[named.key, nameOf(named)]]) : noRoles;
}

/** The form to pick the user, the place and the roles. It offers only what the caller may assign. */
export function CreateForm({ picked, onOpen, onClose }: Props) {
  const [users, setUsers] = useState(picked.users);
  const [isReviewed, setReviewed] = useState(false);
  const user = users.length === 1 ? users[0] : undefined;
  const { organization, isFollowing, choose } = useChosenOrganization(picked, users[0]);
  const [actions, setActions] = useState<HTMLElement | null>(null);
  const [place, setPlace] = useState(picked.place);
  const [ticked, setTicked] = useState(() => ticksOf(picked));
  // Asks again, because the list it was picked from may be out of date.
  const offered = useOfferedRoles(place && { projectId: place.id, organizationId: place.assignableIn?.id ?? "" });
  const project = offered.data ? offered.data.project : place;
  const choices = useMemo(() => choicesOf(project, []), [project]);
  const keys = new Set(choices.map(({ key }) => key).filter((key) => ticked.has(key)));
  const { existing, failure, isUncertain, isRunning, create, look } = useCreating(user, place, {
    onOpen,
    onRefused: () => void offered.refetch(),
  });
  const reason = useReason();
  const end = useEnd("never");
  const isOfMany = users.length > 1;
  const isComplete = users.length > 0 && place !== undefined && (isOfMany || !reason.isMissing) && !end.isMissing;
  const isReady = isComplete && existing === undefined && !isUncertain;

  function pickPlace(next: ListedProject | undefined) {
    if (next !== undefined) choose(organization);
    setPlace(next);
    setTicked(noRoles);
  }

  function tick(next: ReadonlySet<string>) {
    setTicked(new Map(choices.filter(({ key }) => next.has(key)).map((role) => [role.key, nameOf(role)])));
  }

  function pickOrganization(next: Organization | undefined) {
    choose(next);
    if (next !== undefined && next.id !== place?.assignableIn?.id) pickPlace(undefined);
  }

  if (isReviewed && place) {
    const rows = users.map((user) => newRow(user, whereOf(place)));
    return (
      <GiveDialog
        rows={rows}
        gift={{ wishes: toAll(rows, [...keys]), end: end.end }}
        onClose={(left, undoable) => (undoable || left.length < rows.length ? onClose() : setReviewed(false))}
      />
    );
  }
  return (
    <DialogFrame
      title={existing === undefined ? createWords.title : createWords.existing.title}
      isBusy={isRunning}
      onClose={onClose}
      actions={existing !== undefined && <span ref={setActions} className="dialog-slot" />}
      send={
        existing === undefined
          ? {
              label: isRunning
                ? createWords.creating
                : isOfMany
                  ? createWords.review(users.length)
                  : createWords.create,
              isReady: isReady && !isRunning,
              run: () => (isOfMany ? setReviewed(true) : void create([...keys].toSorted(), end.end, reason.text)),
            }
          : undefined
      }
    >
      <div className="stack">
        <UsersPicker label={createWords.users} value={users} onChange={setUsers} />
        {users.length === 0 && <Link to="/assign-list">{assignListWords.open}</Link>}
        <OrganizationPicker label={createWords.organization} value={organization} onChange={pickOrganization} />
        {isFollowing ? (
          <p role="status">{createWords.loading}</p>
        ) : (
          <PlaceChoice organization={organization} value={place} onChange={pickPlace} />
        )}
        {existing !== undefined && (
          <EditExisting key={existing} id={existing} actions={actions} onOpen={() => onOpen(existing)} />
        )}
        {existing === undefined && place && (
          <>
            {offered.error && <FailureNotice error={offered.error} onRetry={() => void offered.refetch()} />}
            <RoleBoxes
              legend={createWords.roles}
              choices={choices}
              chosen={keys}
              onChange={tick}
              unlisted={unlistedOf(project)}
            />
            <Withdrawn names={[...ticked].filter(([key]) => !keys.has(key)).map(([, name]) => name)} />
          </>
        )}
        {existing === undefined && !place && <p className="muted">{createWords.projectHint}</p>}
        {existing === undefined && end.field}
        {existing === undefined && !isOfMany && reason.field}
        {failure !== undefined && <FailureNotice error={failure} />}
        {isUncertain && (
          <section className="notice-failure" role="alert">
            <p>{createWords.uncertain}</p>
            <button type="button" onClick={() => void look()}>
              {createWords.look}
            </button>
          </section>
        )}
        <p className="hint" aria-live="polite">
          {missingText(users, place) ?? (existing === undefined && keys.size === 0 && createWords.noRoles)}
        </p>
      </div>
    </DialogFrame>
  );
}

/**
 * The organization that was chosen last. Until then, it is the user's own, where the caller may assign, or the one to
 * start with.
 */
function useChosenOrganization(picked: Props["picked"], user: User | undefined) {
  const caller = useCaller();
  const first = { organization: picked.organization };
  const [chosen, setChosen] = useState(picked.hasOrganization || picked.place ? first : undefined);
  const theirs = user?.organizationId ?? "";
  const mayFollow = mayChange(caller, "user.grant.write", { organizationId: theirs });
  const isOther = chosen === undefined && theirs !== "" && theirs !== picked.organization?.id && mayFollow;
  const followed = useOrganization(isOther ? theirs : undefined);
  const isFollowing = isOther && !followed?.name;
  return {
    organization: chosen ? chosen.organization : isOther ? followed : picked.organization,
    isFollowing,
    choose: (organization: Organization | undefined) => setChosen({ organization }),
  };
}

/** Selected roles that can no longer be assigned. */
function Withdrawn({ names }: { names: readonly string[] }) {
  return <p role="status">{names.length > 0 && createWords.withdrawn(names.join(", "))}</p>;
}

function missingText(users: readonly User[], place: ListedProject | undefined): string | undefined {
  if (users.length === 0) return place === undefined ? createWords.missing.both : createWords.missing.user;
  return place === undefined ? createWords.missing.project : undefined;
}
