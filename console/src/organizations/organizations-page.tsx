import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ListPage } from "../directory/list-page.tsx";
import { pageOf, withWords } from "../directory/requests.ts";
import { readNamedListSearch } from "../directory/search.ts";
import { Things } from "../directory/things.tsx";
import { OrganizationLink } from "../parts/links.tsx";
import { organizationsWords as words } from "../words/organizations.ts";
import { pageWords } from "../words/pages.ts";
import { AddOrganization } from "./add-organization.tsx";

const route = getRouteApi("/organizations");

/** The organizations the reader sees, by name. */
export function OrganizationsPage() {
  const search = readNamedListSearch(route.useSearch());
  const navigate = route.useNavigate();
  const request = { filters: withWords(search.name ?? ""), pagination: pageOf(search) };
  const query = useQuery(DirectoryService.method.listOrganizations, request, { placeholderData: keepPreviousData });
  return (
    <ListPage
      words={words}
      of={pageWords.organizations}
      search={search}
      onSearch={(next, how) => void navigate({ search: next, ...how })}
      query={query}
      actions={<AddOrganization />}
      rowsOf={({ organizations }) => organizations}
    >
      {(organizations) => (
        <Things label={words.title} columns={[words.columns.name]}>
          {organizations.map((organization) => (
            <tr key={organization.id}>
              <th scope="row">
                <OrganizationLink organization={organization} />
              </th>
            </tr>
          ))}
        </Things>
      )}
    </ListPage>
  );
}
