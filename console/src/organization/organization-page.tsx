import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Administrators } from "../directory/administrators.tsx";
import { Answered } from "../directory/answered.tsx";
import { CopyId } from "../directory/copy-id.tsx";
import { Page } from "../directory/page.tsx";
import { withId } from "../directory/requests.ts";
import { readThingSearch } from "../directory/search.ts";
import { EntryActions, GiveEntry } from "../directory-changes/entry-actions.tsx";
import { inOrganization } from "../directory-changes/entry-place.ts";
import { OrganizationActions } from "../directory-changes/named-actions.tsx";
import { HistorySection } from "../history/history-section.tsx";
import { RemovedPage } from "../history/removed-page.tsx";
import { useShown } from "../parts/use-shown.ts";
import { matrixWords } from "../words/matrix.ts";
import { organizationWords as words } from "../words/organizations.ts";
import { OrganizationPeople } from "./organization-people.tsx";
import { OrganizationProjects } from "./organization-projects.tsx";

const route = getRouteApi("/organization");

/** An organization: its people, its projects, and those granted to it. */
export function OrganizationPage() {
  const { id = "" } = readThingSearch(route.useSearch());
  return <Organization key={id} id={id} />;
}

function Organization({ id }: { id: string }) {
  const query = useQuery(DirectoryService.method.listOrganizations, withId(id), { enabled: id !== "" });
  const { answer } = useShown(query);
  const organization = answer?.organizations[0];
  if (id === "" || (answer && organization === undefined)) {
    return (
      <RemovedPage kind="organization" id={id} words={words}>
        <Link to="/organizations">{words.toOrganizations}</Link>
      </RemovedPage>
    );
  }
  return (
    <Page
      name={organization?.name ?? words.kind}
      kind={words.kind}
      facts={organization && <CopyId id={id} of={organization.name} />}
      about={id}
      actions={
        organization && (
          <>
            <Link className="button" to="/assignments" search={{ filters: [{ organizationId: { id } }] }}>
              {words.assignments}
            </Link>
            <Link className="button" to="/matrix" search={{ organization: id }}>
              {matrixWords.openProjects}
            </Link>
            <OrganizationActions organization={organization} />
          </>
        )
      }
    >
      <Answered query={query} shape={{ rows: 1 }}>
        {() => null}
      </Answered>
      <OrganizationPeople id={id} />
      <OrganizationProjects id={id} />
      <Administrators
        title={words.administrators.title}
        none={words.administrators.none}
        search={{ organization: id }}
        actions={organization && <GiveEntry place={inOrganization(organization)} />}
        actionsOf={(entry) => <EntryActions entry={entry} />}
      />
      <HistorySection search={{ organization: id }} />
    </Page>
  );
}
