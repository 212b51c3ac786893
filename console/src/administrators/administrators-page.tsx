import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type Level, rolesOfLevel } from "../directory/administrator-roles.ts";
import { Entry, keyOfEntry } from "../directory/administrators.tsx";
import { Answered } from "../directory/answered.tsx";
import { Empty } from "../directory/empty.tsx";
import { HistoryLink } from "../directory/history-link.tsx";
import { Page } from "../directory/page.tsx";
import { pageOf } from "../directory/requests.ts";
import { type Changed, withTexts } from "../directory/search.ts";
import { GiveEntry } from "../directory-changes/entry-actions.tsx";
import { useOrganization, useProject, useUser } from "../history/removals.ts";
import { Pager } from "../parts/pager.tsx";
import { RefreshButton } from "../parts/refresh-button.tsx";
import { OrganizationPicker, ProjectPicker, UserPicker } from "../pickers/things.tsx";
import { administratorRole } from "../words/administrator-roles.ts";
import { administratorsWords as words } from "../words/administrators.ts";
import { pageWords } from "../words/pages.ts";
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
  const { role: ___, grant: ____, ...within } = list;
  return (
    <Page
      name={words.title}
      about={JSON.stringify(search)}
      actions={
        <>
          <HistoryLink search={{ ...within, kinds: ["administrator"] }} />
          <GiveEntry />
        </>
      }
    >
      <Filters search={search} onChange={(next) => void navigate({ search: next })} />
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
          entries.length === 0 ? (
            <Empty words={words} search={search} list={list} />
          ) : (
            <ul className="plain-list" aria-label={words.title}>
              {entries.map((entry) => (
                <li key={keyOfEntry(entry)}>
                  <Entry entry={entry} />
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Page>
  );
}

type Props = { search: AdministratorsSearch; onChange: (search: AdministratorsSearch) => void };

/** Who, in which role, and where: in an organization or in a project. */
function Filters({ search, onChange }: Props) {
  const set = (changed: Changed<AdministratorsSearch>) => onChange(withTexts(search, changed));
  const nowhere = { organization: undefined, project: undefined, grant: undefined };
  return (
    <section className="page-filters" aria-label={pageWords.filters}>
      <UserPicker label={words.person} value={useUser(search.user)} onChange={(picked) => set({ user: picked?.id })} />
      <OrganizationPicker
        label={words.organization}
        value={useOrganization(search.organization)}
        onChange={(picked) => set({ ...nowhere, organization: picked?.id })}
      />
      <ProjectPicker
        label={words.project}
        value={useProject(search.project)}
        onChange={(picked) => set({ ...nowhere, project: picked?.id })}
      />
      <label className="field">
        {words.role}
        <select value={search.role ?? ""} onChange={({ target }) => set({ role: target.value || undefined })}>
          <option value="">{words.anyRole}</option>
          {Object.entries(words.levels).map(([level, name]) => (
            <optgroup key={level} label={name}>
              {rolesOfLevel(level as Level).map((role) => (
                <option key={role} value={role}>
                  {administratorRole(role)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
    </section>
  );
}
