import { type AdministratorEntry, DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type AdministratorsSearch, withinOf } from "../administrators/search.ts";
import { EntryActions } from "../directory-changes/entry-actions.tsx";
import { administratorRole, administratorRoleWords } from "../words/administrator-roles.ts";
import { administratorsWords } from "../words/administrators.ts";
import { scopeWords } from "../words/scopes.ts";
import { ListSection } from "./answered.tsx";
import { Person } from "./person.tsx";
import { keyOfScope, ScopeName } from "./scope-name.tsx";

const most = 20;

type Props = {
  title: string;
  none: string;
  /** In which scope, or of which user, as on the page of all administrators. */
  search: AdministratorsSearch;
  actions?: ReactNode;
};

/** The first administrators of a thing, or what a person administers. */
export function Administrators({ search, ...section }: Props) {
  const request = { ...withinOf(search), pagination: { limit: most, asc: true } };
  const query = useQuery(DirectoryService.method.listAdministrators, request);
  const total = query.data?.pagination?.totalResult ?? 0;
  return (
    <ListSection
      {...section}
      count={total}
      query={query}
      rowsOf={({ entries }) => entries}
      keyOf={keyOfEntry}
      rest={
        total > most && (
          <Link to="/administrators" search={search}>
            {administratorsWords.all(total)}
          </Link>
        )
      }
    >
      {(entry) => <Entry entry={entry} isOfPerson={search.user !== undefined} />}
    </ListSection>
  );
}

export function keyOfEntry({ user, scope }: AdministratorEntry): string {
  return `${user?.id} ${keyOfScope(scope)}`;
}

const allowsOf = (role: string) => administratorRoleWords[role]?.allows ?? "";

/** Who administers what, and where. What a role allows is beside those of one person, and in tooltips elsewhere. */
export function Entry({ entry, isOfPerson = false }: { entry: AdministratorEntry; isOfPerson?: boolean }) {
  const { user, roles, scope } = entry;
  return (
    <>
      {!isOfPerson && user && <Person user={user} />}
      <ul className="entry-roles lines">
        {roles.map((role) => (
          <li key={role}>
            <strong title={`${allowsOf(role)}\n${role}`.trim()}>{administratorRole(role)}</strong> {scopeWords.of}{" "}
            <ScopeName scope={scope} />
            {isOfPerson && <span className="muted"> {allowsOf(role)}</span>}
          </li>
        ))}
      </ul>
      <EntryActions entry={entry} />
    </>
  );
}
