import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { useCaller } from "../caller.ts";
import { CreateDialog } from "../changes/create-dialog.tsx";
import { Answered } from "../directory/answered.tsx";
import { NotFound } from "../directory/not-found.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Page } from "../directory/page.tsx";
import { withId } from "../directory/requests.ts";
import { maySomewhere } from "../directory/rights.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { asFilter } from "../filters/content.ts";
import { ByFilters } from "../filters/unreadable-filters.tsx";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { matrixWords as words } from "../words/matrix.ts";
import { partWords } from "../words/parts.ts";
import { type MatrixSearch, projectColumns, readMatrixSearch, roleColumns } from "./cells.ts";
import { Matrix } from "./matrix.tsx";

const route = getRouteApi("/matrix");

/** People and the roles of a project, or people and the projects of an organization: seen and edited cell by cell. */
export function MatrixPage() {
  const written = route.useSearch();
  const search = useMemo(() => readMatrixSearch(written), [written]);
  return (
    <ByFilters search={search}>
      {() => <Columns key={search.project ?? search.organization} search={search} />}
    </ByFilters>
  );
}

/** How many projects of an organization are columns. */
const mostProjects = 200;

/** The columns of a matrix, and what its rows are in. */
function Columns({ search }: { search: MatrixSearch }) {
  const { project: projectId, organization: organizationId = "" } = search;
  const isOfRoles = projectId !== undefined;
  const query = useQuery(
    DirectoryService.method.listProjects,
    isOfRoles
      ? withId(projectId)
      : {
          filters: [{ filter: { case: "inOrganizationId", value: { id: organizationId } } }],
          pagination: { limit: mostProjects },
        },
    { enabled: isOfRoles || organizationId !== "" },
  );
  const project = isOfRoles ? query.data?.projects[0] : undefined;
  const placeId = isOfRoles ? project?.organizationId : organizationId;
  const organizationOf = useOrganizations([placeId]);
  const place = organizationOf?.(placeId);
  const columns = useMemo(() => {
    if (!isOfRoles) return projectColumns(query.data?.projects ?? []);
    return project ? roleColumns(project) : [];
  }, [query.data, project, isOfRoles]);
  const mayAssign = maySomewhere(useCaller(), "user.grant.write");
  const preset = mayAssign && place && { organization: place.id, ...(isOfRoles && { project: projectId }) };
  const total = isOfRoles ? project?.totalRoles : query.data?.pagination?.totalResult;

  if (isOfRoles ? query.data && !project : organizationOf && !place)
    return <NotFound title={words.notFound} advice={words.notFoundAdvice} />;
  return (
    <Page
      name={isOfRoles ? words.ofProject(project?.name ?? "") : words.ofOrganization(place?.name ?? "")}
      about={projectId ?? organizationId}
      within={[
        place && <OrganizationLink key="organization" organization={place} />,
        project && <ProjectLink key="project" project={project} />,
      ].filter(Boolean)}
      actions={
        preset && (
          <DialogButton label={partWords.newAssignment}>
            {(close) => <CreateDialog preset={preset} onClose={close} />}
          </DialogButton>
        )
      }
    >
      <Answered query={query} shape={{ rows: 12, columns: 8 }}>
        {() => (
          <Matrix
            search={search}
            within={asFilter(
              isOfRoles
                ? { case: "projectId", value: { id: projectId } }
                : { case: "organizationId", value: { id: organizationId } },
            )}
            columns={columns}
            notListed={(total ?? 0) - columns.length}
          />
        )}
      </Answered>
    </Page>
  );
}
