import { type Authorization, AuthorizationService } from "@authorization-service/client";
import type { ListedProject, Organization, User } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useCaller } from "../caller.ts";
import { mayChange } from "../directory/rights.ts";
import { useOrganization } from "../history/removals.ts";
import { StateBadge } from "../parts/state-badge.tsx";
import { OrganizationPicker } from "../pickers/organization-picker.tsx";
import { UsersPicker } from "../pickers/user-picker.tsx";
import { assignListWords } from "../words/assign-list.ts";
import { createWords } from "../words/create.ts";
import { RolesConflict } from "./conflict-dialog.tsx";
import { DialogFrame } from "./dialog-frame.tsx";
import { EditedRolesForm } from "./edited-roles-form.tsx";
import { GiveDialog, toAll } from "./give-dialog.tsx";
import { newRow, whereOf } from "./new-row.ts";
import { PlaceChoice } from "./place-choice.tsx";
import { useEditedRoles } from "./use-edited-roles.ts";
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

const nobody = { id: "", displayName: "", preferredLoginName: "" };
const unknown = { id: "", name: "" };
const nowhere = { project: { ...unknown, organizationId: "" }, organization: unknown };

/**
 * The form to pick the user, the place and the roles. It offers only what the caller may assign. If the user has an
 * assignment there, it edits that.
 */
export function CreateForm({ picked, onOpen, onClose }: Props) {
  const [users, setUsers] = useState(picked.users);
  const [isReviewed, setReviewed] = useState(false);
  const { organization, isFollowing, choose } = useChosenOrganization(picked, users[0]);
  const [place, setPlace] = useState(picked.place);
  const [user] = users;
  const isOfMany = users.length > 1;
  const end = useEnd("never");
  const fresh = useMemo(() => newRow(user ?? nobody, place ? whereOf(place) : nowhere), [user, place]);
  const existing = useExisting(user && place && !isOfMany ? fresh : undefined);
  const edited = useEditedRoles(existing ?? fresh, {
    first: picked.place?.roles.filter(({ key }) => key === picked.role) ?? [],
    end: end.end,
    onSaved: onOpen,
  });
  const { problem, isRunning } = edited;
  const isComplete = users.length > 0 && place !== undefined && !end.isMissing;
  const isReady = isComplete && (isOfMany || edited.isReady);

  function pickPlace(next: ListedProject | undefined) {
    if (next !== undefined) choose(organization);
    setPlace(next);
  }

  function pickOrganization(next: Organization | undefined) {
    choose(next);
    if (next !== undefined && next.id !== place?.assignableIn?.id) setPlace(undefined);
  }

  if (isReviewed && place) {
    const rows = users.map((user) => newRow(user, whereOf(place)));
    return (
      <GiveDialog
        rows={rows}
        gift={{ wishes: toAll(rows, [...edited.wanted]), end: end.end }}
        onClose={(left, undoable) => (undoable || left.length < rows.length ? onClose() : setReviewed(false))}
      />
    );
  }
  if (existing && problem?.case === "changed") {
    return <RolesConflict edited={edited} now={problem.now} onGone={onClose} onClose={onClose} />;
  }
  const verb = isOfMany ? createWords.review(users.length) : createWords.create;
  return (
    <DialogFrame
      title={existing ? createWords.existing.title : createWords.title}
      isBusy={isRunning}
      onClose={onClose}
      send={{
        label: existing ? (isRunning ? createWords.saving : createWords.save) : isRunning ? createWords.creating : verb,
        isReady,
        run: () => (isOfMany ? setReviewed(true) : void edited.save()),
      }}
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
        {existing && (
          <section className="note" role="alert">
            <p>
              <strong>{createWords.existing.there}</strong> {createWords.existing.edit} <StateBadge of={existing} />
            </p>
            <button type="button" onClick={() => onOpen(existing.id)}>
              {createWords.existing.open}
            </button>
          </section>
        )}
        {place ? (
          <EditedRolesForm edited={isOfMany ? { ...edited, reasonField: null } : edited}>
            {!existing && end.field}
          </EditedRolesForm>
        ) : (
          <p className="muted">{createWords.projectHint}</p>
        )}
        <p className="hint" aria-live="polite">
          {missingText(users, place)}
        </p>
      </div>
    </DialogFrame>
  );
}

/** The assignment that the user has in the place. */
function useExisting(row: Authorization | undefined): Authorization | undefined {
  const { data } = useQuery(
    AuthorizationService.method.listAuthorizations,
    row
      ? {
          filters: [
            { filter: { case: "userId", value: { id: row.user?.id ?? "" } } },
            { filter: { case: "projectId", value: { id: row.project?.id ?? "" } } },
            { filter: { case: "organizationId", value: { id: row.organization?.id ?? "" } } },
          ],
        }
      : skipToken,
  );
  return data?.authorizations[0];
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

function missingText(users: readonly User[], place: ListedProject | undefined): string | undefined {
  if (users.length === 0) return place === undefined ? createWords.missing.both : createWords.missing.user;
  return place === undefined ? createWords.missing.project : undefined;
}
