import { DirectoryService, type User } from "@authorization-service/client/directory";
import { Link, useNavigate } from "@tanstack/react-router";
import { AddPeopleLink } from "../add-people/add-people-link.tsx";
import { useCaller } from "../caller.ts";
import { CreateForm } from "../changes/create-dialog.tsx";
import { ListPage } from "../directory/list-page.tsx";
import { Person } from "../directory/person.tsx";
import { maySomewhere } from "../directory/rights.ts";
import { AssignmentCells } from "../directory/row-cells.tsx";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { OrganizationLink, personName } from "../parts/links.tsx";
import { batchWords } from "../words/assignment-changes.ts";
import { peopleWords as words } from "../words/people.ts";
import { rowWords } from "../words/rows.ts";

const { name, loginName, organization } = words.columns;

/** The people of an organization, or all the reader sees, by name. */
export function PeoplePage() {
  return (
    <ListPage
      of="people"
      words={words}
      method={DirectoryService.method.listUsers}
      within="organizationId"
      rowsOf={({ users }) => users}
      nameOf={personName}
      columns={[name, loginName, organization, rowWords.assignments, rowWords.lastChange]}
      cells={(user, owner) => (
        <>
          <th scope="row">
            <Person user={user} />
          </th>
          <td>
            <bdi>{user.preferredLoginName}</bdi>
          </td>
          <td>{owner && <OrganizationLink organization={owner.of} />}</td>
          <AssignmentCells of="userId" id={user.id} />
        </>
      )}
      lineOf={(user) => [user.id, user.displayName, user.preferredLoginName, user.organizationId]}
      actionsIn={(id) => <AddPeopleLink organizationId={id} />}
      actionsOf={(selected) => <ActionsOf users={selected} />}
    />
  );
}

/** The address names each of them, and servers limit its length. */
const mostInAddress = 200;

/** What can be done with the selected people. */
function ActionsOf({ users }: { users: readonly User[] }) {
  const mayAssign = maySomewhere(useCaller(), "user.grant.write");
  const navigate = useNavigate();
  const ids = users.map(({ id }) => id);
  const [from = "", to = ""] = ids;
  return (
    <>
      {mayAssign && (
        <DialogButton label={batchWords.labels.give}>
          {(close) => (
            <CreateForm
              preset={{}}
              users={users}
              onOpen={(id) => void navigate({ to: "/assignments", search: { id } })}
              onClose={close}
            />
          )}
        </DialogButton>
      )}
      {ids.length <= mostInAddress ? (
        <Link className="button" to="/assignments" search={{ filters: [{ inUserIds: { ids } }] }}>
          {rowWords.theirAssignments}
        </Link>
      ) : (
        <span className="muted">{rowWords.tooManyPeople(mostInAddress)}</span>
      )}
      {ids.length === 2 && (
        <Link className="button" to="/compare" search={{ from, to }}>
          {rowWords.compare}
        </Link>
      )}
    </>
  );
}
