import { DirectoryService, type User } from "@authorization-service/client/directory";
import { getRouteApi } from "@tanstack/react-router";
import { AddPeopleLink } from "../add-people/add-people-link.tsx";
import { ListPage } from "../directory/list-page.tsx";
import { Person } from "../directory/person.tsx";
import { withWords } from "../directory/requests.ts";
import { AssignmentCells } from "../directory/row-cells.tsx";
import { dialogIn, type NamedListSearch, readNamedListSearch } from "../directory/search.ts";
import { AddPerson } from "../directory-changes/add-buttons.tsx";
import { OrganizationLink, personName } from "../parts/links.tsx";
import { pageWords } from "../words/pages.ts";
import { peopleWords as words } from "../words/people.ts";
import { rowWords } from "../words/rows.ts";
import { ActionsOfPeople } from "./actions-of-people.tsx";

const route = getRouteApi("/people");
const { columns } = words;
const file = {
  file: "people",
  of: pageWords.people,
  lineOf: ({ id, displayName, preferredLoginName, organizationId }: User) => [
    id,
    displayName,
    preferredLoginName,
    organizationId,
  ],
} as const;

/** The people of an organization, or all the reader sees, by name. */
export function PeoplePage() {
  const search = readNamedListSearch(route.useSearch());
  const navigate = route.useNavigate();
  const show = (next: NamedListSearch, how = { replace: false }) => void navigate({ search: next, ...how });
  const { name = "", organization } = search;
  const inOrganization = organization
    ? [{ filter: { case: "organizationId" as const, value: { id: organization } } }]
    : [];
  return (
    <ListPage
      words={words}
      list={file}
      search={search}
      onSearch={show}
      method={DirectoryService.method.listUsers}
      requestOf={(pagination) => ({ filters: [...inOrganization, ...withWords(name)], pagination })}
      rowsOf={({ users }) => users}
      nameOf={personName}
      columns={[columns.name, columns.loginName, columns.organization, rowWords.assignments, rowWords.lastChange]}
      cells={(user, owner) => (
        <>
          <th scope="row">
            <Person user={user} />
          </th>
          <td>
            <bdi>{user.preferredLoginName}</bdi> <bdi className="muted">{user.id}</bdi>
          </td>
          <td>{owner && <OrganizationLink organization={owner.of} />}</td>
          <AssignmentCells of="userId" id={user.id} />
        </>
      )}
      organization={words.organization}
      actions={
        <>
          <AddPeopleLink organizationId={organization} />
          <AddPerson inOrganization={organization} isPrimary address={dialogIn(search, show)} />
        </>
      }
      actionsOf={(selected) => <ActionsOfPeople users={selected} />}
    />
  );
}
