import type { GetOverviewResponse } from "@authorization-service/client";
import type { ConnectError } from "@connectrpc/connect";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Answered, None, Nothing } from "../directory/answered.tsx";
import { Section } from "../directory/page.tsx";
import { OrganizationLink } from "../parts/links.tsx";
import { projectWords } from "../words/projects.ts";

const words = projectWords.holders;

type Props = { projectId: string; query: UseQueryResult<GetOverviewResponse, ConnectError> };

/** How many assignments of a project there are in which organization. Each count leads to them. */
export function Holders({ projectId, query }: Props) {
  const inProject = { projectId: { id: projectId } };
  return (
    <Section
      title={words.title}
      actions={
        query.data !== undefined &&
        query.data.totalResult > 0 && (
          <Link className="button" to="/" search={{ filters: [inProject] }}>
            {words.all(query.data.totalResult)}
          </Link>
        )
      }
    >
      <Answered query={query}>
        {({ organizations, inOtherOrganizations }) => (
          <>
            {organizations.length === 0 && <None>{words.none}</None>}
            <ul className="plain-list">
              {organizations.map(({ organization, count }) => (
                <li key={organization?.id}>
                  <OrganizationLink organization={organization} />
                  <Link to="/" search={{ filters: [inProject, { organizationId: { id: organization?.id ?? "" } }] }}>
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
