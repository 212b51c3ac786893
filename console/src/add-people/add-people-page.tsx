import { DirectoryService, type ListedProject, type Organization } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ComponentProps, useState } from "react";
import { useCaller } from "../caller.ts";
import { wishesFor } from "../changes/batch-change.ts";
import { BatchDialog } from "../changes/batch-dialog.tsx";
import { newRow, whereOf } from "../changes/new-row.ts";
import { assignableIn, unlistedOf } from "../changes/offered-roles.ts";
import { PlaceChoice } from "../changes/place-choice.tsx";
import { RoleBoxes } from "../changes/role-boxes.tsx";
import { Answered } from "../directory/answered.tsx";
import { InOrganization } from "../directory/in-organization.tsx";
import { NotFound } from "../directory/not-found.tsx";
import { Page } from "../directory/page.tsx";
import { withId } from "../directory/requests.ts";
import { mayChange, maySomewhere } from "../directory/rights.ts";
import { announce } from "../parts/announcements.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { type Undoable, undoAction } from "../undo/undoables.ts";
import { addPeopleWords as words } from "../words/add-people.ts";
import type { Column, Person } from "./lines.ts";
import type { List } from "./list-form.tsx";
import { PeopleForm } from "./people-form.tsx";

const route = getRouteApi("/add-people");

/** Adds people to an organization, from a list that is typed or pasted. Without one in the address, the reader's own. */
export function AddPeoplePage() {
  const { organization } = route.useSearch();
  // Here, so that it stays when the organization changes.
  const [list, setList] = useState<List<Column>>({ text: "", columns: [] });
  const navigate = route.useNavigate();
  const caller = useCaller();
  const own = caller?.user?.organizationId;
  const id = organization ?? (mayChange(caller, "user.write", { organizationId: own }) ? own : undefined);
  if (caller && !maySomewhere(caller, "user.write"))
    return <NotFound title={words.notAllowed} advice={words.notAllowedAdvice} />;
  const picker = (
    <div className="page-filters">
      <InOrganization
        label={words.organization}
        id={id}
        onChange={(organization) => void navigate({ search: organization === undefined ? {} : { organization } })}
      />
    </div>
  );
  if (id === undefined) return <Page name={words.title}>{picker}</Page>;
  return (
    <AddPeople key={id} id={id} list={list} onList={setList}>
      {picker}
    </AddPeople>
  );
}

type Props = Pick<ComponentProps<typeof PeopleForm>, "list" | "onList" | "children"> & { id: string };

function AddPeople({ id, list, onList, children }: Props) {
  const navigate = route.useNavigate();
  // Adding people can be one of the first steps of a project.
  const { project } = route.useSearch();
  const reason = useReason();
  const [added, setAdded] = useState<readonly Person[]>([]);
  const caller = useCaller();
  const query = useQuery(DirectoryService.method.listOrganizations, withId(id));
  const organization = query.data?.organizations[0];
  const roles = useRolesToGive(organization, project);
  const isHidden = query.data && organization === undefined;
  if (isHidden || (caller && !mayChange(caller, "user.write", { organizationId: id })))
    return <NotFound title={words.notAllowed} advice={words.notAllowedAdvice} />;

  function done(people: readonly Person[], undoable?: Undoable) {
    const text = words.added(people.length, organization?.name ?? "");
    const said = undoable ? `${text} ${words.given(undoable.made.length)}` : text;
    announce({ text: said, ...(undoable && { action: { ...undoAction(undoable), label: words.undoRoles } }) });
    if (project === undefined) return navigate({ to: "/people", search: { organization: id } });
    return navigate({ to: "/first-steps", search: { organization: id, project } });
  }

  const rows = roles.rowsFor(added);

  return (
    <Page name={organization ? words.titleOf(organization.name) : words.title} about={id}>
      {children}
      <Answered query={query}>
        {() => (
          <PeopleForm
            organizationId={id}
            list={list}
            onList={onList}
            reason={reason}
            onDone={(people) => (roles.keys.length > 0 ? setAdded(people) : void done(people))}
          >
            {roles.field}
            {reason.field}
          </PeopleForm>
        )}
      </Answered>
      {added.length > 0 && (
        <BatchDialog
          rows={rows}
          change={{ kind: "give", wishes: wishesFor(rows, { added: roles.keys }) }}
          decided={reason.text}
          // If the session has ended, the dialog stays and says so.
          onClose={(_, run) => run?.step !== "refused" && void done(added, run?.undoable)}
        />
      )}
    </Page>
  );
}

/** The roles that all of the people get once they are added: of a project, at first that of the first steps, or none. */
function useRolesToGive(organization: Organization | undefined, projectId: string | undefined) {
  const mayAssign = maySomewhere(useCaller(), "user.grant.write");
  const { data } = useQuery(
    DirectoryService.method.listProjects,
    organization && projectId ? assignableIn([projectId], organization.id) : skipToken,
  );
  const [picked, setPicked] = useState<{ readonly place: ListedProject | undefined }>();
  const { place } = picked ?? { place: data?.projects[0] };
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  return {
    keys: [...keys].toSorted(),
    /** The assignments to create. */
    rowsFor: (people: readonly Person[]) => (place ? people.map((person) => newRow(person, whereOf(place))) : []),
    field: mayAssign && organization && (
      <>
        <PlaceChoice
          organization={organization}
          value={place}
          none={words.noProject}
          label={words.project}
          onChange={(next) => {
            setPicked({ place: next });
            setKeys(new Set());
          }}
        />
        {place && (
          <RoleBoxes
            legend={words.rolesIn(place.name)}
            choices={place.roles}
            chosen={keys}
            onChange={setKeys}
            unlisted={unlistedOf(place)}
          />
        )}
      </>
    ),
  };
}
