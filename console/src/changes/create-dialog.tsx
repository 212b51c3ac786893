import type { Authorization } from "@authorization-service/client";
import {
  DirectoryService,
  type ListedProject,
  type Organization,
  type User,
} from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { AssignmentsSearch } from "../assignments/search.ts";
import { useCaller } from "../caller.ts";
import { withId } from "../directory/requests.ts";
import { mayChange } from "../directory/rights.ts";
import { useOrganization } from "../history/removals.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { OrganizationPicker, UsersPicker } from "../pickers/things.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { assignListWords } from "../words/assign-list.ts";
import { rolesWords } from "../words/assignment-changes.ts";
import { createWords as words } from "../words/create.ts";
import { type Gift, isDone, wishesFor } from "./batch-change.ts";
import { BatchDialog } from "./batch-dialog.tsx";
import { DialogFrame } from "./dialog-frame.tsx";
import { isNew, newRow, whereOf } from "./new-row.ts";
import { assignableIn, unlistedOf } from "./offered-roles.ts";
import { PlaceChoice } from "./place-choice.tsx";
import { RoleBoxes } from "./role-boxes.tsx";
import { keysOf } from "./role-difference.ts";
import { useRowsNow } from "./rows-now.ts";
import { useEnd } from "./use-end.tsx";

type Props = {
  /** The ids that are already picked. Invalid ones are ignored. */
  preset: NonNullable<AssignmentsSearch["create"]>;
  /** Called to open the assignment that was made, or is there. Without it, the page shows what was made. */
  onOpen?: (id: string) => void;
  onClose: () => void;
};

/** Creates an assignment. */
export function CreateDialog({ preset, ...then }: Props) {
  const user = useQuery(DirectoryService.method.listUsers, preset.user === undefined ? skipToken : withId(preset.user));
  const place = useQuery(
    DirectoryService.method.listProjects,
    preset.project === undefined || preset.organization === undefined
      ? skipToken
      : assignableIn([preset.project], preset.organization),
  );
  // Keeps what is already known even if asking again fails, because the form contains the person's input.
  const failed = [user, place].find(({ data, error }) => error && !data);
  if (failed || user.isLoading || place.isLoading) {
    return (
      <DialogFrame title={words.title} onClose={then.onClose}>
        {failed ? (
          <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />
        ) : (
          <p role="status">{words.lookingUp}</p>
        )}
      </DialogFrame>
    );
  }
  return (
    <CreateForm preset={preset} users={user.data?.users.slice(0, 1) ?? []} place={place.data?.projects[0]} {...then} />
  );
}

type FormProps = Props & { users: readonly User[]; place?: ListedProject | undefined };

/**
 * The form to pick the people, the place and the roles. It offers only what the caller may assign. To someone who has an
 * assignment there, it adds the roles.
 */
export function CreateForm({ preset, onOpen, onClose, ...first }: FormProps) {
  const [users, setUsers] = useState(first.users);
  const [place, setPlace] = useState(first.place);
  const [keys, setKeys] = useState((): ReadonlySet<string> => {
    const offered = first.place?.roles.filter(({ key }) => key === preset.role) ?? [];
    return keysOf({ roles: offered });
  });
  const [isSent, setSent] = useState(false);
  const { organization, isAsked, choose } = useChosenOrganization(preset.organization, users[0]);
  const end = useEnd("never");
  const reason = useReason();
  const fresh = useMemo(() => (place ? users.map((user) => newRow(user, whereOf(place))) : []), [users, place]);
  const there = useRowsNow(fresh);
  const rows = fresh.map((row) => there.data?.get(row.id) ?? row);
  const isOfMany = users.length > 1;
  const existing = isOfMany ? undefined : rows.find((row) => !isNew(row));
  const gift: Gift = { kind: "give", wishes: wishesFor(rows, { added: [...keys] }), end: end.end };
  const isComplete = there.isSuccess && (existing || !end.isMissing) && (isOfMany || !reason.isMissing);

  function pickPlace(next: ListedProject | undefined) {
    if (next !== undefined) choose(organization);
    setPlace(next);
    setKeys(new Set());
  }

  function pickOrganization(next: Organization | undefined) {
    choose(next);
    if (next !== undefined && next.id !== place?.assignableIn?.id) pickPlace(undefined);
  }

  if (isSent) {
    return (
      <BatchDialog
        change={gift}
        decided={isOfMany ? undefined : reason.text}
        rows={rows}
        onClose={(left, run) => {
          const made = run?.changed[0];
          if (left.length === rows.length) setSent(false);
          else if (isOfMany || !onOpen || made?.outcome.case !== "done") onClose();
          else onOpen(made.outcome.id ?? made.row.id);
        }}
      />
    );
  }
  return (
    <DialogFrame
      title={words.title}
      onClose={onClose}
      send={{
        label: isOfMany ? words.review(users.length) : existing ? words.save : words.create,
        isReady: isComplete && rows.some((row) => !isDone(gift, row)),
        run: () => setSent(true),
      }}
    >
      <div className="stack">
        <UsersPicker label={words.users} value={users} onChange={setUsers} />
        {users.length === 0 && <Link to="/assign-list">{assignListWords.open}</Link>}
        <OrganizationPicker label={words.organization} value={organization} onChange={pickOrganization} />
        {isAsked ? (
          <p role="status">{words.loading}</p>
        ) : (
          <PlaceChoice key={organization?.id} organization={organization} value={place} onChange={pickPlace} />
        )}
        {there.error && <FailureNotice error={there.error} onRetry={() => void there.refetch()} />}
        {existing && <Existing existing={existing} onOpen={onOpen && (() => onOpen(existing.id))} />}
        {place && (
          <>
            <RoleBoxes
              legend={rolesWords.legend}
              choices={place.roles.map((role) => ({
                ...role,
                ...(existing && keysOf(existing).has(role.key) && { note: words.existing.hasIt }),
              }))}
              chosen={keys}
              onChange={setKeys}
              unlisted={unlistedOf(place)}
            />
            {!existing && end.field}
            {!isOfMany && reason.field}
          </>
        )}
        <p className="hint" aria-live="polite">
          {users.length === 0 || place === undefined ? words.missing : keys.size === 0 && !existing && words.noRoles}
        </p>
      </div>
    </DialogFrame>
  );
}

function Existing({ existing, onOpen }: { existing: Authorization; onOpen: (() => void) | undefined }) {
  return (
    <section className="note" role="alert">
      <p>
        <strong>{words.existing.there}</strong> {words.existing.adds} <StateBadge of={existing} />
      </p>
      {onOpen && (
        <button type="button" onClick={onOpen}>
          {words.existing.open}
        </button>
      )}
    </section>
  );
}

/**
 * The organization that was chosen last. Until then, it is that of the link, the user's own, where the caller may
 * assign, or the reader's own.
 */
function useChosenOrganization(preset: string | undefined, user: User | undefined) {
  const caller = useCaller();
  const [chosen, setChosen] = useState<{ organization: Organization | undefined }>();
  const theirs = user && mayChange(caller, "user.grant.write", user) ? user.organizationId : undefined;
  const first = useOrganization(chosen ? undefined : preset || theirs || caller?.user?.organizationId);
  const isKnown = !first?.isAsked && !first?.isGone;
  return {
    organization: chosen ? chosen.organization : isKnown ? first : undefined,
    isAsked: first?.isAsked ?? false,
    choose: (organization: Organization | undefined) => setChosen({ organization }),
  };
}
