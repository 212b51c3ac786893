import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { GiveAnywhere } from "../administrators/give-anywhere.tsx";
import { useCaller } from "../caller.ts";
import { Administrators } from "../directory/administrators.tsx";
import { Answered } from "../directory/answered.tsx";
import { CopyId } from "../directory/copy-id.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Page } from "../directory/page.tsx";
import { withId } from "../directory/requests.ts";
import { everywhere, mayChange } from "../directory/rights.ts";
import { readThingSearch } from "../directory/search.ts";
import { EntryActions } from "../directory-changes/entry-actions.tsx";
import { PersonHistory } from "../history/history-section.tsx";
import { RemovedPage } from "../history/removed-page.tsx";
import { Avatar } from "../parts/avatar.tsx";
import { OrganizationLink, personName } from "../parts/links.tsx";
import { useShown } from "../parts/use-shown.ts";
import { Tokens } from "../tokens/tokens.tsx";
import { peopleWords } from "../words/people.ts";
import { personWords as words } from "../words/person.ts";
import { PersonActions } from "./person-actions.tsx";
import { PersonAssignments } from "./person-assignments.tsx";

const route = getRouteApi("/person");

/** Everything about one person that the reader may see. */
export function PersonPage() {
  const { id = "" } = readThingSearch(route.useSearch());
  return <Person key={id} id={id} />;
}

/** All parts ask at once, because the address has the id that they need; but for tokens, which someone removed has none of. */
function Person({ id }: { id: string }) {
  const query = useQuery(DirectoryService.method.listUsers, withId(id), { enabled: id !== "" });
  const { answer } = useShown(query);
  const user = answer?.users[0];
  const organizationOf = useOrganizations([user?.organizationId]);
  const caller = useCaller();
  const isOwn = caller?.user?.id === id;
  const maySeeTokens = isOwn || mayChange(caller, "directory.write", everywhere);
  if (id === "" || (answer && user === undefined)) {
    return (
      <RemovedPage kind="user" id={id} words={words}>
        <Link to="/people">{words.toPeople}</Link>
      </RemovedPage>
    );
  }
  return (
    <Page
      name={user ? personName(user) : words.kind}
      kind={words.kind}
      within={
        user && organizationOf
          ? [<OrganizationLink key="organization" organization={organizationOf(user.organizationId)} />]
          : []
      }
      picture={user && <Avatar user={user} />}
      facts={
        user && (
          <>
            <span>
              <span className="visually-hidden">{peopleWords.columns.loginName} </span>
              <bdi>{user.preferredLoginName}</bdi>
            </span>
            <CopyId id={id} of={personName(user)} />
          </>
        )
      }
      about={id}
      actions={user && <PersonActions user={user} />}
    >
      <Answered query={query} shape={{ rows: 1 }}>
        {() => null}
      </Answered>
      <PersonAssignments id={id} />
      <Administrators
        title={words.administers.title}
        none={words.administers.none}
        search={{ user: id }}
        actions={user && <GiveAnywhere person={user} />}
        actionsOf={(entry) => <EntryActions entry={entry} />}
      />
      {user && maySeeTokens && <Tokens userId={id} isOwn={isOwn} />}
      <PersonHistory id={id} />
    </Page>
  );
}
