import { DirectoryService, type User } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { AddPeopleLink } from "../add-people/add-people-link.tsx";
import { ListPage } from "../directory/list-page.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Person } from "../directory/person.tsx";
import { pageOf, withWords } from "../directory/requests.ts";
import { AssignmentCells } from "../directory/row-cells.tsx";
import { dialogIn, type NamedListSearch, readNamedListSearch } from "../directory/search.ts";
import { SelectableRow, type Selection } from "../directory/selection.tsx";
import { Things } from "../directory/things.tsx";
import { OrganizationLink, personName } from "../parts/links.tsx";
import { pageWords } from "../words/pages.ts";
import { peopleWords as words } from "../words/people.ts";
import { rowWords } from "../words/rows.ts";
import { ActionsOfPeople } from "./actions-of-people.tsx";
import { AddPerson } from "./add-person.tsx";

const route = getRouteApi("/people");

/** The people of an organization, or all the reader sees, by name. */
export function PeoplePage() {
  const search = readNamedListSearch(route.useSearch());
  const navigate = route.useNavigate();
  const show = (next: NamedListSearch, how = { replace: false }) => void navigate({ search: next, ...how });
  const filters = filtersOf(search);
  const request = { filters, pagination: pageOf(search) };
  const query = useQuery(DirectoryService.method.listUsers, request, { placeholderData: keepPreviousData });
  return (
    <ListPage
      words={words}
      list={{
        file: "people",
        of: pageWords.people,
        lineOf: (user: User) => fields.map((field) => user[field]),
        read: async (client, pagination, signal) => {
          const { users, ...answer } = await client.listUsers({ filters, pagination }, { signal });
          return { ...answer, rows: users };
        },
      }}
      search={search}
      onSearch={show}
      query={query}
      columns={5}
      rowsOf={({ users }) => users}
      actionsOf={(selected) => <ActionsOfPeople users={selected} />}
      actions={
        <>
          <AddPeopleLink organizationId={search.organization} />
          <AddPerson inOrganization={search.organization} address={dialogIn(search, show)} />
        </>
      }
      organization={words.organization}
    >
      {(selection) => <People selection={selection} />}
    </ListPage>
  );
}

/** The columns of the file. */
const fields = ["id", "displayName", "preferredLoginName", "organizationId"] as const;

function filtersOf({ name = "", organization }: NamedListSearch) {
  const inOrganization =
    organization === undefined ? [] : [{ filter: { case: "organizationId" as const, value: { id: organization } } }];
  return [...inOrganization, ...withWords(name)];
}

function People({ selection }: { selection: Selection<User> }) {
  const { rows } = selection;
  const organizationOf = useOrganizations(rows.map(({ organizationId }) => organizationId));
  return (
    <Things
      label={words.title}
      selection={selection}
      columns={[
        words.columns.name,
        words.columns.loginName,
        words.columns.organization,
        rowWords.assignments,
        rowWords.lastChange,
      ]}
    >
      {rows.map((user) => (
        <SelectableRow key={user.id} selection={selection} id={user.id} name={personName(user)}>
          <th scope="row">
            <Person user={user} />
          </th>
          <td>
            <bdi>{user.preferredLoginName}</bdi> <bdi className="muted">{user.id}</bdi>
          </td>
          <td>{organizationOf && <OrganizationLink organization={organizationOf(user.organizationId)} />}</td>
          <AssignmentCells of="userId" id={user.id} />
        </SelectableRow>
      ))}
    </Things>
  );
}
