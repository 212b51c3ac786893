import "../add-people/add-people.css";
import { DirectoryService, OffboardUserRequest_Mode as Mode, type User } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import { useCaller } from "../caller.ts";
import { useAllMatching } from "../changes/use-all-matching.ts";
import { Answered, Nothing } from "../directory/answered.tsx";
import { NotFound } from "../directory/not-found.tsx";
import { Page, Section } from "../directory/page.tsx";
import { withId } from "../directory/requests.ts";
import { mayMoveOrRemovePeople, maySomewhere } from "../directory/rights.ts";
import { readThingSearch } from "../directory/search.ts";
import { ChangeFailure } from "../directory-changes/change-failure.tsx";
import { ofDryRun } from "../directory-changes/use-request.ts";
import { ExportDialog } from "../export/export-dialog.tsx";
import { ExportOpener } from "../export/export-opener.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OrganizationLink, PersonLink, personName } from "../parts/links.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { offboardWords as words } from "../words/offboard.ts";
import { type Row, rowsOf } from "./rows.ts";
import { assignmentsOf, useOffboarding } from "./use-offboarding.ts";

const route = getRouteApi("/offboard");

/** Shows everything that a person holds, and takes it. */
export function OffboardPage() {
  const { id = "" } = readThingSearch(route.useSearch());
  const caller = useCaller();
  const query = useQuery(DirectoryService.method.listUsers, withId(id), { enabled: id !== "" });
  const user = query.data?.users[0];
  const modes = [
    ...(maySomewhere(caller, "user.grant.write") ? [Mode.SUSPEND] : []),
    ...(mayMoveOrRemovePeople(caller, { organizationId: user?.organizationId }) ? [Mode.REMOVE] : []),
  ];
  if (id === "" || (query.data && caller && (user === undefined || modes.length === 0))) {
    return (
      <NotFound title={words.notFound} advice={words.notFoundAdvice}>
        <Link to="/people">{words.toPeople}</Link>
      </NotFound>
    );
  }
  return (
    <Page
      name={user ? words.title(personName(user)) : words.untitled}
      about={id}
      within={user ? [<PersonLink key="person" user={user} />] : []}
    >
      {/* What was typed, and that a change may have been made, stay when the person can't be read again. */}
      {user ? (
        caller && <Offboard key={id} user={user} modes={modes} />
      ) : (
        <Answered query={query}>{() => null}</Answered>
      )}
    </Page>
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
            <span>
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
              none={words.nothingGoes}
              rows={rows.filter(({ stays }) => !stays)}
              actions={
                assignments.data && (
                  <ExportOpener load={() => Promise.resolve()}>
                    {(close) => <ExportDialog exported={exported} onClose={close} />}
                  </ExportOpener>
                )
              }
            />
            <Rows title={words.stays} none={words.nothingStays} rows={rows.filter(({ stays }) => stays)} />
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

type RowsProps = { title: string; none: string; rows: readonly Row[]; actions?: ReactNode };

function Rows({ title, none, rows, actions }: RowsProps) {
  return (
    <Section title={title} count={rows.length} actions={actions}>
      {rows.length === 0 && <Nothing>{none}</Nothing>}
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
