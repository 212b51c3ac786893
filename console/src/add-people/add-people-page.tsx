import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { Answered } from "../directory/answered.tsx";
import { NotFound } from "../directory/not-found.tsx";
import { Page } from "../directory/page.tsx";
import { withId } from "../directory/requests.ts";
import { mayChange } from "../directory/rights.ts";
import { readTexts } from "../directory/search.ts";
import { announce } from "../parts/announcements.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { addPeopleWords as words } from "../words/add-people.ts";
import { PeopleForm } from "./people-form.tsx";

const route = getRouteApi("/add-people");

/** Adds people to an organization, from a list that is typed or pasted. */
export function AddPeoplePage() {
  const { organization = "" } = readTexts(route.useSearch(), ["organization"]);
  return <AddPeople key={organization} id={organization} />;
}

function AddPeople({ id }: { id: string }) {
  const navigate = route.useNavigate();
  const reason = useReason();
  const caller = useCaller();
  const query = useQuery(DirectoryService.method.listOrganizations, withId(id), { enabled: id !== "" });
  const organization = query.data?.organizations[0];
  const isHidden = id === "" || (query.data && organization === undefined);
  if (isHidden || (caller && !mayChange(caller, "user.write", { organizationId: id }))) {
    return (
      <NotFound title={words.notAllowed} advice={words.notAllowedAdvice}>
        <Link to="/organizations">{words.toOrganizations}</Link>
      </NotFound>
    );
  }

  function done(count: number) {
    announce({ text: words.added(count, organization?.name ?? "") });
    void navigate({ to: "/people", search: { organization: id } });
  }

  return (
    <Page name={organization ? words.titleOf(organization.name) : words.title} about={id}>
      <Answered query={query}>
        {() => (
          <PeopleForm organizationId={id} reason={reason} onDone={done}>
            {reason.field}
          </PeopleForm>
        )}
      </Answered>
    </Page>
  );
}
