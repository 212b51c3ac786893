import { type AdministratorEntry, DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Answered } from "../directory/answered.tsx";
import { Empty } from "../directory/empty.tsx";
import { EntryRoles } from "../directory/entries.tsx";
import { HistoryLink } from "../directory/history-link.tsx";
import { Page } from "../directory/page.tsx";
import { Person } from "../directory/person.tsx";
import { pageOf } from "../directory/requests.ts";
import { keyOfScope } from "../directory/scope-name.tsx";
import { Things } from "../directory/things.tsx";
import { EntryActions } from "../directory-changes/entry-actions.tsx";
import { Pager } from "../parts/pager.tsx";
import { RefreshButton } from "../parts/refresh-button.tsx";
import { administratorsWords as words } from "../words/administrators.ts";
import { pageWords } from "../words/pages.ts";
import { AdministratorFilters } from "./administrator-filters.tsx";
import { GiveAnywhere } from "./give-anywhere.tsx";
import { type AdministratorsSearch, readAdministratorsSearch, withinOf } from "./search.ts";

const route = getRouteApi("/administrators");

/** Who administers what, on every level. */
export function AdministratorsPage() {
  const search = readAdministratorsSearch(route.useSearch());
  const navigate = route.useNavigate();
  const request = { ...withinOf(search), pagination: { ...pageOf(search), asc: true } };
  const query = useQuery(DirectoryService.method.listAdministrators, request, {
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData } = query;
  const { page: _, skipped: __, ...list } = search;
  return (
    <Page name={words.title} about={JSON.stringify(search)} actions={<PageActions search={search} />}>
      <AdministratorFilters search={search} onChange={(next) => void navigate({ search: next })} />
      <div className="page-tools">
        <Pager
          search={search}
          answer={isPlaceholderData ? undefined : data?.pagination}
          rows={data?.entries.length ?? 0}
          of={pageWords.entries}
        />
        <RefreshButton query={query} />
      </div>
      <Answered query={query} shape={{ rows: 12, columns: 2 }}>
        {({ entries }) =>
          entries.length > 0 ? <Table entries={entries} /> : <Empty words={words} search={search} list={list} />
        }
      </Answered>
    </Page>
  );
}

function PageActions({ search: { user, organization, project } }: { search: AdministratorsSearch }) {
  const within = { ...(user && { user }), ...(organization && { organization }), ...(project && { project }) };
  return (
    <>
      <HistoryLink search={{ ...within, kinds: ["administrator"] }} />
      <GiveAnywhere />
    </>
  );
}

function Table({ entries }: { entries: readonly AdministratorEntry[] }) {
  return (
    <Things label={words.title} columns={[words.columns.person, words.columns.roles]} hasActions>
      {entries.map((entry) => (
        <tr key={`${entry.user?.id} ${keyOfScope(entry.scope)}`}>
          <th scope="row">{entry.user && <Person user={entry.user} />}</th>
          <td>
            <EntryRoles entry={entry} />
          </td>
          <td className="cell-actions">
            <EntryActions entry={entry} />
          </td>
        </tr>
      ))}
    </Things>
  );
}
