import { AuthorizationService } from "@authorization-service/client";
import { DirectoryService, type User } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { GiveDialog, toAll } from "../changes/give-dialog.tsx";
import { newRow } from "../changes/new-row.ts";
import { unlistedOf } from "../changes/offered-roles.ts";
import { RoleBoxes } from "../changes/role-boxes.tsx";
import { Answered } from "../directory/answered.tsx";
import { announce } from "../parts/announcements.tsx";
import { personName } from "../parts/links.tsx";
import { PersonFacts } from "../parts/person-facts.tsx";
import { type Undoable, undoAction } from "../undo/undoables.ts";
import { firstStepsWords } from "../words/first-steps.ts";
import { Next } from "./next.tsx";
import type { StepProps } from "./step-props.ts";

const words = firstStepsWords.assignments;
const most = 100;

/** Which people get which roles. */
export function AssignStep({ progress: { organization, project, assignments }, chosen, onNext }: StepProps) {
  const [people, setPeople] = useState<ReadonlySet<string>>(new Set());
  const [roles, setRoles] = useState<ReadonlySet<string>>(new Set());
  const users = useQuery(
    DirectoryService.method.listUsers,
    organization === undefined
      ? skipToken
      : {
          filters: [{ filter: { case: "organizationId", value: { id: organization.id } } }],
          pagination: { limit: most },
        },
  );
  const listed = users.data?.users ?? [];
  const holders = useHolders(project?.id, organization?.id, listed);
  const [given, setGiven] = useState<readonly User[]>([]);
  if (organization === undefined || project === undefined) return null;
  const free = listed.filter(({ id }) => !holders.has(id));
  const picked = free.filter(({ id }) => people.has(id));
  const isReady = picked.length > 0 && roles.size > 0;
  const rows = given.map((user) => newRow(user, { project, organization }));

  function done(left: readonly unknown[], undoable: Undoable | undefined) {
    setGiven([]);
    if (undoable) announce({ text: words.done(undoable.made.length), action: undoAction(undoable) });
    if (left.length === 0) onNext({ ...chosen, step: "lines" });
  }

  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) setGiven(picked);
      }}
    >
      <p>{words.advice(project.name, organization.name)}</p>
      {assignments > 0 && <Next search={{ ...chosen, step: "lines" }} />}
      {project.totalRoles === 0 ? (
        <p>
          {words.noRoles}{" "}
          <Link to="/first-steps" search={{ ...chosen, step: "roles" }}>
            {words.toRoles}
          </Link>
        </p>
      ) : (
        <RoleBoxes
          legend={words.roles}
          choices={project.roles}
          chosen={roles}
          onChange={setRoles}
          unlisted={unlistedOf(project)}
        />
      )}
      <Answered query={users}>
        {({ pagination }) => (
          <PeopleBoxes
            organization={organization.name}
            people={listed}
            free={free}
            chosen={people}
            onChange={setPeople}
            left={(pagination?.totalResult ?? 0) - listed.length}
          />
        )}
      </Answered>
      <div className="page-actions">
        <button type="submit" className="primary" aria-disabled={!isReady}>
          {words.assign(picked.length)}
        </button>
      </div>
      {given.length > 0 && (
        <GiveDialog
          rows={rows}
          gift={{ wishes: toAll(rows, [...roles]) }}
          decided={firstStepsWords.reason}
          onClose={done}
        />
      )}
    </form>
  );
}

/** The ids of those who have an assignment there already. */
function useHolders(projectId = "", organizationId = "", users: readonly User[]): ReadonlySet<string> {
  const ids = users.map(({ id }) => id).sort();
  const { data } = useQuery(
    AuthorizationService.method.listAuthorizations,
    {
      filters: [
        { filter: { case: "projectId", value: { id: projectId } } },
        { filter: { case: "organizationId", value: { id: organizationId } } },
        { filter: { case: "inUserIds", value: { ids } } },
      ],
      pagination: { limit: most, skipTotal: true },
    },
    { enabled: ids.length > 0 },
  );
  return new Set(data?.authorizations.map(({ user }) => user?.id ?? ""));
}

type BoxesProps = {
  /** The name of the one to which all of them belong. */
  organization: string;
  people: readonly User[];
  /** Those without an assignment there. */
  free: readonly User[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  left: number;
};

function PeopleBoxes({ organization, people, free, chosen, onChange, left }: BoxesProps) {
  const isFree = new Set(free.map(({ id }) => id));
  const isAll = free.length > 0 && free.every(({ id }) => chosen.has(id));

  function toggle(id: string, isChosen: boolean) {
    onChange(new Set(isChosen ? [...chosen, id] : [...chosen].filter((one) => one !== id)));
  }

  return (
    <fieldset className="role-choices">
      <legend>{words.people}</legend>
      {free.length > 1 && (
        <label>
          <input
            type="checkbox"
            checked={isAll}
            onChange={({ target }) => onChange(new Set(target.checked ? free.map(({ id }) => id) : []))}
          />
          <strong>{words.everyone}</strong>
        </label>
      )}
      {people.map((user) => (
        <label key={user.id}>
          <input
            type="checkbox"
            checked={chosen.has(user.id) && isFree.has(user.id)}
            disabled={!isFree.has(user.id)}
            onChange={({ target }) => toggle(user.id, target.checked)}
          />
          <bdi>{personName(user)}</bdi>
          {isFree.has(user.id) ? (
            <PersonFacts user={user} organization={organization} />
          ) : (
            <span className="muted">{words.hasSome}</span>
          )}
        </label>
      ))}
      {left > 0 && <p className="muted">{words.more(left)}</p>}
    </fieldset>
  );
}
