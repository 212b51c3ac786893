import "../add-people/add-people.css";
import { DirectoryService, OffboardUserRequest_Mode as Mode, type User } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { type ReactNode, useId, useState } from "react";
import { useCaller } from "../caller.ts";
import { useAllMatching } from "../changes/all-matching.ts";
import { Answered, None } from "../directory/answered.tsx";
import { Section } from "../directory/page.tsx";
import { mayMoveOrRemovePeople, maySomewhere } from "../directory/rights.ts";
import { ThingPage } from "../directory/thing-page.tsx";
import { ChangeFailure } from "../directory-changes/change-failure.tsx";
import { ofDryRun } from "../directory-changes/use-request.ts";
import { ExportButton } from "../export/export-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OrganizationLink, PersonLink, personName } from "../parts/links.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { offboardWords as words } from "../words/offboard.ts";
import { type Row, rowsOf } from "./rows.ts";
import { assignmentsOf, useOffboarding } from "./use-offboarding.ts";

/** Shows everything that a person holds, and takes it. */
export function OffboardPage() {
  const caller = useCaller();
  const modesFor = ({ organizationId }: User): (keyof typeof wordsOf)[] => [
    ...(maySomewhere(caller, "user.grant.write") ? [Mode.SUSPEND] : []),
    ...(mayMoveOrRemovePeople(caller, { organizationId }) ? [Mode.REMOVE] : []),
  ];
  return (
    <ThingPage
      kind="user"
      words={words}
      method={DirectoryService.method.listUsers}
      thingOf={({ users }) => users.find((user) => caller === undefined || modesFor(user).length > 0)}
      nameOf={personName}
      titleOf={(user) => words.title(personName(user))}
      facts={(user) => <PersonLink user={user} />}
    >
      {(_, user) => user && caller && <Offboard user={user} modes={modesFor(user)} />}
    </ThingPage>
  );
}

const wordsOf = { [Mode.REMOVE]: words.modes.remove, [Mode.SUSPEND]: words.modes.suspend };

function Offboard({ user, modes }: { user: User; modes: readonly (keyof typeof wordsOf)[] }) {
  const group = useId();
  const reason = useReason();
  const [mode, setMode] = useState(modes[0] ?? Mode.SUSPEND);
  const request = { userId: user.id, mode, dryRun: true };
  const query = useQuery(DirectoryService.method.offboardUser, request, { meta: ofDryRun });
  const assignments = useAllMatching(assignmentsOf(user.id));
  const { isRunning, failure, run } = useOffboarding(user, mode);
  const rows = query.data ? rowsOf(query.data, assignments.data ?? [], mode) : [];
  // Someone who has nothing left can still be removed.
  const isNeeded = mode === Mode.REMOVE || rows.some(({ stays }) => !stays);
  const isReady = query.isSuccess && isNeeded && !reason.isMissing && !isRunning;
  const exported = {
    ...{ ...words.export, header: Object.values(words.heads) },
    rows: async function* () {
      yield { rows: rows.map(({ cells }) => cells), total: rows.length };
    },
  };

  return (
    <form
      className="stack people-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void run(reason.text);
      }}
    >
      <fieldset className="stack">
        <legend>{words.mode}</legend>
        {modes.map((one) => (
          <label key={one}>
            <input type="radio" name={group} checked={one === mode} onChange={() => setMode(one)} />
            <span className="lines">
              <strong>{wordsOf[one].label}</strong> <span className="muted">{wordsOf[one].advice}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {assignments.error && <FailureNotice error={assignments.error} onRetry={() => void assignments.refetch()} />}
      <Answered query={query}>
        {({ leftWithoutOwner }) => (
          <>
            {leftWithoutOwner.length > 0 && (
              <section className="note" role="alert">
                <p>{words.ownerless}</p>
                <ul className="lines">
                  {leftWithoutOwner.map((organization) => (
                    <li key={organization.id}>
                      <OrganizationLink organization={organization} />
                    </li>
                  ))}
                </ul>
              </section>
            )}
            <Rows
              title={words.goes}
              rows={rows.filter(({ stays }) => !stays)}
              actions={assignments.data && <ExportButton exported={() => exported} />}
            />
            <Rows title={words.stays} rows={rows.filter(({ stays }) => stays)} />
          </>
        )}
      </Answered>
      {reason.field}
      <ChangeFailure failure={failure} uncertain={words.uncertain} />
      <button type="submit" className="danger" aria-disabled={!isReady}>
        {isRunning ? words.running : wordsOf[mode].verb(personName(user))}
      </button>
    </form>
  );
}

type RowsProps = { title: string; rows: readonly Row[]; actions?: ReactNode };

function Rows({ title, rows, actions }: RowsProps) {
  return (
    <Section title={title} count={rows.length} actions={actions}>
      {rows.length === 0 && <None>{words.none}</None>}
      {rows.length > 0 && (
        <ul className="plain-list">
          {rows.map(({ cells: [what, where, roles, happens] }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: different places can have the same name.
            <li key={at}>
              <bdi className="row-name">{where}</bdi>
              <span className="muted">{what}</span>
              <bdi>{roles}</bdi>
              <span>{happens}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
