import type { GetOverviewResponse } from "@authorization-service/client";
import type { ListedProject } from "@authorization-service/client/directory";
import type { ConnectError } from "@connectrpc/connect";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { Answered, None, Nothing } from "../directory/answered.tsx";
import { Section } from "../directory/page.tsx";
import { mayChange } from "../directory/rights.ts";
import { OrganizationLink } from "../parts/links.tsx";
import { partWords } from "../words/parts.ts";
import { projectWords } from "../words/projects.ts";

const words = projectWords.holders;

type Props = {
  project: ListedProject | undefined;
  projectId: string;
  query: UseQueryResult<GetOverviewResponse, ConnectError>;
};

/** How many assignments of a project there are in which organization. Each count leads to them. */
export function Holders({ project, projectId, query }: Props) {
  const organization = project?.organizationId;
  const mayAssign = mayChange(useCaller(), "user.grant.write", { projectId, organizationId: organization });
  const inProject = { projectId: { id: projectId } };
  return (
    <Section
      title={words.title}
      actions={
        <>
          {query.data !== undefined && query.data.totalResult > 0 && (
            <Link className="button" to="/assignments" search={{ filters: [inProject] }}>
              {words.all(query.data.totalResult)}
            </Link>
          )}
          {organization !== undefined && project?.totalRoles !== 0 && mayAssign && (
            <Link
              className="button primary"
              to="/assignments"
              search={{ create: { project: projectId, organization } }}
            >
              {partWords.newAssignment}
            </Link>
          )}
        </>
      }
    >
      <Answered query={query} shape={{ rows: 4, columns: 3 }}>
        {({ organizations, inOtherOrganizations }) => (
          <>
            {organizations.length === 0 && <None>{words.none}</None>}
            <ul className="plain-list">
              {organizations.map(({ organization, count }) => (
                <li key={organization?.id}>
                  <OrganizationLink organization={organization} />
                  <Link
                    to="/assignments"
                    search={{ filters: [inProject, { organizationId: { id: organization?.id ?? "" } }] }}
                  >
                    {projectWords.roles.holders(count)}
                    <span className="visually-hidden"> {words.in(organization?.name ?? "")}</span>
                  </Link>
                </li>
              ))}
            </ul>
            {inOtherOrganizations > 0 && <Nothing>{words.inOthers(inOtherOrganizations)}</Nothing>}
          </>
        )}
      </Answered>
    </Section>
  );
}
