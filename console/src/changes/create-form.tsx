import type { ListedProject, Organization, User } from "@authorization-service/client/directory";
import { useMemo, useState } from "react";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { OrganizationPicker } from "../pickers/organization-picker.tsx";
import { UserPicker } from "../pickers/user-picker.tsx";
import { DialogFrame } from "./dialog-frame.tsx";
import { ExistingNotice } from "./existing-notice.tsx";
import { choicesOf, unlistedOf, useOfferedRoles } from "./offered-roles.ts";
import { PlacePicker } from "./place-picker.tsx";
import { RoleBoxes } from "./role-boxes.tsx";
import { useCreating } from "./use-creating.ts";

type Props = {
  picked: { user: User | undefined; place: ListedProject | undefined };
  onOpen: (id: string) => void;
  onClose: () => void;
};

/** The names by key. They are remembered, because a role that was removed in the meantime no longer has one. */
type Ticked = ReadonlyMap<string, string>;

const noRoles: Ticked = new Map();

/** The form to pick the user, the place and the roles. It offers only what the caller may assign. */
export function CreateForm({ picked, onOpen, onClose }: Props) {
  const [user, setUser] = useState(picked.user);
  const [organization, setOrganization] = useState<Organization>();
  const [place, setPlace] = useState(picked.place);
  const [ticked, setTicked] = useState(noRoles);
  // Asks again, because the list it was picked from may be out of date.
  const offered = useOfferedRoles(place && { projectId: place.id, organizationId: place.assignableIn?.id ?? "" });
  const project = offered.data ? offered.data.project : place;
  const choices = useMemo(() => choicesOf(project, []), [project]);
  const keys = new Set(choices.map(({ key }) => key).filter((key) => ticked.has(key)));
  const { existing, failure, isUncertain, isRunning, create, look } = useCreating(user, place, {
    onOpen,
    onRefused: () => void offered.refetch(),
  });
  const isReady = user !== undefined && place !== undefined && existing === undefined && !isUncertain;

  function pickPlace(next: ListedProject | undefined) {
    setPlace(next);
    setTicked(noRoles);
  }

  function tick(next: ReadonlySet<string>) {
    setTicked(new Map(choices.filter(({ key }) => next.has(key)).map((role) => [role.key, nameOf(role)])));
  }

  function pickOrganization(next: Organization | undefined) {
    setOrganization(next);
    if (next !== undefined && next.id !== place?.assignableIn?.id) pickPlace(undefined);
  }

  return (
    <DialogFrame
      title="New assignment"
      isBusy={isRunning}
      onClose={onClose}
      actions={
        <button
          type="button"
          className="primary"
          aria-disabled={isRunning || !isReady}
          onClick={() => isReady && void create([...keys].toSorted())}
        >
          {isRunning ? "Creating…" : "Create"}
        </button>
      }
    >
      <div className="create-form">
        <UserPicker label="User" value={user} onChange={setUser} />
        <OrganizationPicker
          label="Only projects in this organization (optional)"
          value={organization}
          onChange={pickOrganization}
        />
        <PlacePicker label="Project" organizationId={organization?.id} value={place} onChange={pickPlace} />
        {existing !== undefined && <ExistingNotice id={existing} onOpen={() => onOpen(existing)} />}
        {existing === undefined && place && (
          <>
            {offered.error && <FailureNotice error={offered.error} onRetry={() => void offered.refetch()} />}
            <RoleBoxes legend="Roles" choices={choices} chosen={keys} onChange={tick} unlisted={unlistedOf(project)} />
            <Withdrawn names={[...ticked].filter(([key]) => !keys.has(key)).map(([, name]) => name)} />
          </>
        )}
        {existing === undefined && !place && <p className="muted">Its roles are offered when a project is picked.</p>}
        {failure !== undefined && <FailureNotice error={failure} />}
        {isUncertain && (
          <section className="notice-failure" role="alert">
            <p>The server did not answer: it is uncertain whether the assignment was created.</p>
            <button type="button" onClick={() => void look()}>
              Look whether it is there
            </button>
          </section>
        )}
        <p className="hint" aria-live="polite">
          {missingText(user, place) ??
            (existing === undefined && keys.size === 0 && "Without roles it gives no rights; they can be added later.")}
        </p>
      </div>
    </DialogFrame>
  );
}

/** Selected roles that can no longer be assigned. */
function Withdrawn({ names }: { names: readonly string[] }) {
  return (
    <p role="status">
      {names.length > 0 && `Not assigned, because it is not offered here any more: ${names.join(", ")}.`}
    </p>
  );
}

function missingText(user: User | undefined, place: ListedProject | undefined): string | undefined {
  if (user === undefined) return place === undefined ? "Pick a user and a project." : "Pick a user.";
  return place === undefined ? "Pick a project." : undefined;
}
