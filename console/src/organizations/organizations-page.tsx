import { DirectoryService, type Organization } from "@authorization-service/client/directory";
import { getRouteApi } from "@tanstack/react-router";
import { ListPage } from "../directory/list-page.tsx";
import { withWords } from "../directory/requests.ts";
import { AdministratorsCell, AssignmentCells } from "../directory/row-cells.tsx";
import { dialogIn, type NamedListSearch, readNamedListSearch } from "../directory/search.ts";
import { AddOrganization } from "../directory-changes/add-buttons.tsx";
import { OrganizationLink } from "../parts/links.tsx";
import { organizationsWords as words } from "../words/organizations.ts";
import { pageWords } from "../words/pages.ts";
import { rowWords } from "../words/rows.ts";

const route = getRouteApi("/organizations");
const file = {
  file: "organizations",
  of: pageWords.organizations,
  lineOf: ({ id, name }: Organization) => [id, name],
} as const;

/** The organizations the reader sees, by name. */
export function OrganizationsPage() {
  const search = readNamedListSearch(route.useSearch());
  const navigate = route.useNavigate();
  const show = (next: NamedListSearch, how = { replace: false }) => void navigate({ search: next, ...how });
  return (
    <ListPage
      words={words}
      list={file}
      search={search}
      onSearch={show}
      method={DirectoryService.method.listOrganizations}
      requestOf={(pagination) => ({ filters: withWords(search.name ?? ""), pagination })}
      rowsOf={({ organizations }) => organizations}
      nameOf={({ name }) => name}
      columns={[words.columns.name, rowWords.administrators, rowWords.assignments, rowWords.lastChange]}
      cells={(organization) => (
        <>
          <th scope="row">
            <OrganizationLink organization={organization} />
          </th>
          <AdministratorsCell of={{ organization: organization.id }} />
          <AssignmentCells of="organizationId" id={organization.id} />
        </>
      )}
      actions={<AddOrganization address={dialogIn(search, show)} />}
    />
  );
}
