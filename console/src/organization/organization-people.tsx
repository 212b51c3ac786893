import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { AddPeopleLink } from "../add-people/add-people-link.tsx";
import { Answered, None } from "../directory/answered.tsx";
import { Section } from "../directory/page.tsx";
import { Person } from "../directory/person.tsx";
import { AddPerson } from "../directory-changes/add-buttons.tsx";
import { organizationWords } from "../words/organizations.ts";

const words = organizationWords.people;
const most = 12;

/** The first people of an organization, with a link to all. */
export function OrganizationPeople({ id }: { id: string }) {
  const query = useQuery(DirectoryService.method.listUsers, {
    filters: [{ filter: { case: "organizationId", value: { id } } }],
    pagination: { limit: most },
  });
  const total = query.data?.pagination?.totalResult;
  return (
    <Section
      title={words.title}
      count={total}
      actions={
        <>
          {total !== undefined && total > 0 && (
            <Link className="button" to="/people" search={{ organization: id }}>
              {words.all(total)}
            </Link>
          )}
          <AddPeopleLink organizationId={id} />
          <AddPerson inOrganization={id} />
        </>
      }
    >
      <Answered query={query} shape={{ rows: 4, columns: 3 }}>
        {({ users }) =>
          users.length === 0 ? (
            <None>{words.none}</None>
          ) : (
            <ul className="people-grid">
              {users.map((user) => (
                <li key={user.id}>
                  <Person user={user} />
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Section>
  );
}
