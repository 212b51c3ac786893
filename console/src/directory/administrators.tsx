import { type AdministratorEntry, DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type AdministratorsSearch, withinOf } from "../administrators/search.ts";
import { administratorsWords } from "../words/administrators.ts";
import { Answered, None } from "./answered.tsx";
import { EntryRoles } from "./entries.tsx";
import { Section } from "./page.tsx";
import { Person } from "./person.tsx";
import { keyOfScope } from "./scope-name.tsx";

const most = 20;

type Props = {
  title: string;
  none: string;
  /** In which scope, or of which user, as on the page of all administrators. */
  search: AdministratorsSearch;
  actions?: ReactNode;
  /** What to do with an entry. */
  actionsOf?: (entry: AdministratorEntry) => ReactNode;
};

/** The first administrators of a thing, or what a person administers. */
export function Administrators({ title, none, search, actions, actionsOf }: Props) {
  const query = useQuery(DirectoryService.method.listAdministrators, {
    ...withinOf(search),
    pagination: { limit: most, asc: true },
  });
  const total = query.data?.pagination?.totalResult ?? 0;
  return (
    <Section title={title} count={query.data && total} actions={actions}>
      <Answered query={query} shape={{ rows: 4, columns: 3 }}>
        {({ entries }) =>
          entries.length === 0 ? (
            <None>{none}</None>
          ) : (
            <ul className="plain-list">
              {entries.map((entry) => (
                <li key={`${entry.user?.id} ${keyOfScope(entry.scope)}`} className="entry">
                  {search.user === undefined && entry.user && <Person user={entry.user} />}
                  <EntryRoles entry={entry} />
                  {actionsOf?.(entry)}
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
      {total > most && (
        <Link to="/administrators" search={search}>
          {administratorsWords.all(total)}
        </Link>
      )}
    </Section>
  );
}
