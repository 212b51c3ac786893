import { DirectoryService } from "@authorization-service/client/directory";
import { ListPage } from "../directory/list-page.tsx";
import { AdministratorsCell, AssignmentCells } from "../directory/row-cells.tsx";
import { OrganizationLink } from "../parts/links.tsx";
import { organizationsWords as words } from "../words/organizations.ts";
import { rowWords } from "../words/rows.ts";

/** The organizations the reader sees, by name. */
export function OrganizationsPage() {
  return (
    <ListPage
      of="organizations"
      words={words}
      method={DirectoryService.method.listOrganizations}
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
      lineOf={({ id, name }) => [id, name]}
    />
  );
}
