import { DirectoryService, type Organization } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ListPage } from "../directory/list-page.tsx";
import { pageOf, withWords } from "../directory/requests.ts";
import { AdministratorsCell, AssignmentCells } from "../directory/row-cells.tsx";
import { dialogIn, type NamedListSearch, readNamedListSearch } from "../directory/search.ts";
import { SelectableRow } from "../directory/selection.tsx";
import { Things } from "../directory/things.tsx";
import { OrganizationLink } from "../parts/links.tsx";
import { organizationsWords as words } from "../words/organizations.ts";
import { pageWords } from "../words/pages.ts";
import { rowWords } from "../words/rows.ts";
import { AddOrganization } from "./add-organization.tsx";

const route = getRouteApi("/organizations");

/** The organizations the reader sees, by name. */
export function OrganizationsPage() {
  const search = readNamedListSearch(route.useSearch());
  const navigate = route.useNavigate();
  const show = (next: NamedListSearch, how = { replace: false }) => void navigate({ search: next, ...how });
  const filters = withWords(search.name ?? "");
  const request = { filters, pagination: pageOf(search) };
  const query = useQuery(DirectoryService.method.listOrganizations, request, { placeholderData: keepPreviousData });
  return (
    <ListPage
      words={words}
      list={{
        file: "organizations",
        of: pageWords.organizations,
        lineOf: ({ id, name }: Organization) => [id, name],
        read: async (client, pagination, signal) => {
          const { organizations, ...answer } = await client.listOrganizations({ filters, pagination }, { signal });
          return { ...answer, rows: organizations };
        },
      }}
      search={search}
      onSearch={show}
      query={query}
      columns={4}
      actions={<AddOrganization address={dialogIn(search, show)} />}
      rowsOf={({ organizations }) => organizations}
    >
      {(selection) => (
        <Things
          label={words.title}
          selection={selection}
          columns={[words.columns.name, rowWords.administrators, rowWords.assignments, rowWords.lastChange]}
        >
          {selection.rows.map((organization) => (
            <SelectableRow key={organization.id} selection={selection} id={organization.id} name={organization.name}>
              <th scope="row">
                <OrganizationLink organization={organization} />
              </th>
              <AdministratorsCell of={{ organization: organization.id }} />
              <AssignmentCells of="organizationId" id={organization.id} />
            </SelectableRow>
          ))}
        </Things>
      )}
    </ListPage>
  );
}
