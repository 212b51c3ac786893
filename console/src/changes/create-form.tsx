import type { ListedProject, Organization, User } from "@authorization-service/client/directory";
import { useState } from "react";
import { FailureNotice } from "../parts/failure-notice.tsx";
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

const noRoles: ReadonlySet<string> = new Set();

/** Picks whose assignment it is, where, and which roles it has; only what the service lets the caller assign. */
export function CreateForm({ picked, onOpen, onClose }: Props) {
  const [user, setUser] = useState(picked.user);
  const [organization, setOrganization] = useState<Organization>();
  const [place, setPlace] = useState(picked.place);
  const [keys, setKeys] = useState(noRoles);
  const { existing, failure, isUncertain, isRunning, create, look } = useCreating(user, place, onOpen);
  const isReady = user !== undefined && place !== undefined && existing === undefined && !isUncertain;

  function pickPlace(next: ListedProject | undefined) {
    setPlace(next);
    setKeys(noRoles);
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
        {existing === undefined && place && <Roles place={place} keys={keys} onChange={setKeys} />}
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

function Roles({
  place,
  keys,
  onChange,
}: {
  place: ListedProject;
  keys: ReadonlySet<string>;
  onChange: (keys: ReadonlySet<string>) => void;
}) {
  // Asked for anew: the list it was picked from may be some time old.
  const { data, error, refetch } = useOfferedRoles({
    projectId: place.id,
    organizationId: place.assignableIn?.id ?? "",
  });
  const project = data ? data.project : place;
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return (
    <RoleBoxes
      legend="Roles"
      choices={choicesOf(project, [])}
      chosen={keys}
      onChange={onChange}
      unlisted={unlistedOf(project)}
    />
  );
}

function missingText(user: User | undefined, place: ListedProject | undefined): string | undefined {
  if (user === undefined) return place === undefined ? "Pick a user and a project." : "Pick a user.";
  return place === undefined ? "Pick a project." : undefined;
}
