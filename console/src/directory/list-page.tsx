import type { PaginationResponse } from "@authorization-service/client";
import type { ConnectError } from "@connectrpc/connect";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link, useMatch, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Pager } from "../parts/pager.tsx";
import { RefreshButton } from "../parts/refresh-button.tsx";
import { useShown } from "../parts/use-shown.ts";
import { pageWords } from "../words/pages.ts";
import { Answered } from "./answered.tsx";
import { ExportNamedList, type ListToExport } from "./export-named-list.tsx";
import { InOrganization } from "./in-organization.tsx";
import { NameSearch } from "./name-search.tsx";
import { Page } from "./page.tsx";
import { type NamedListSearch, withTexts } from "./search.ts";
import { SelectedRows, type Selection, useSelection } from "./selection.tsx";

type Listed = { readonly pagination?: PaginationResponse | undefined };

type Props<Answer extends Listed, Row> = {
  words: { readonly title: string; readonly empty: string; readonly emptyAdvice: string };
  /** The words for one row and for several, and how all of them are read for a file. */
  list: ListToExport<Row>;
  search: NamedListSearch;
  onSearch: (search: NamedListSearch, how?: { replace: boolean }) => void;
  query: UseQueryResult<Answer, ConnectError>;
  rowsOf: (answer: Answer) => readonly Row[];
  /** How many columns the table has. */
  columns: number;
  /** The label of the filter by organization, if there is one. */
  organization?: string;
  actions?: ReactNode;
  /** What can be done with the selected rows, beside exporting them. */
  actionsOf?: (selected: readonly Row[]) => ReactNode;
  children: (selection: Selection<Row>) => ReactNode;
};

/** A list of things with names, searched by name and shown page by page. */
export function ListPage<Answer extends Listed, Row extends { readonly id: string }>(props: Props<Answer, Row>) {
  const { words, list, search, onSearch, query, rowsOf, columns, organization, actions, actionsOf, children } = props;
  const { answer, isOutdated } = useShown(query);
  const { page: _, skipped: __, open: ___, ...filtered } = search;
  const selection = useSelection(JSON.stringify(filtered), answer ? rowsOf(answer) : [], isOutdated);
  // As the list shows them now.
  const shown = new Map(selection.rows.map((row) => [row.id, row]));
  const selected = [...selection.selected.values()].map((row) => shown.get(row.id) ?? row);
  const router = useRouter();
  const { pathname } = useMatch({ strict: false });
  const searchByName = (name: string) => {
    // While another page is loading, a pause in typing must not bring this one back.
    if (router.latestLocation.pathname === pathname) onSearch(withTexts(search, { name }), { replace: true });
  };
  return (
    <Page name={words.title} about={JSON.stringify(search)} actions={actions}>
      <section className="page-filters" aria-label={pageWords.filters}>
        <NameSearch name={search.name ?? ""} onSearch={searchByName} />
        {organization !== undefined && (
          <InOrganization
            label={organization}
            id={search.organization}
            onChange={(id) => onSearch(withTexts(search, { organization: id }))}
          />
        )}
      </section>
      <div className="page-tools">
        <Pager
          search={search}
          answer={isOutdated ? undefined : answer?.pagination}
          rows={answer ? rowsOf(answer).length : 0}
          of={list.of}
        />
        <RefreshButton query={query} />
        <ExportNamedList list={list} />
      </div>
      <Answered query={query} shape={{ rows: 12, columns }}>
        {(listed) =>
          rowsOf(listed).length > 0 ? children(selection) : <Empty words={words} search={search} list={filtered} />
        }
      </Answered>
      <SelectedRows selection={selection}>
        {actionsOf?.(selected)}
        <ExportNamedList list={list} only={selected} />
      </SelectedRows>
    </Page>
  );
}

type EmptyProps<Search> = {
  words: { readonly empty: string; readonly emptyAdvice: string };
  search: Search & { readonly page?: string };
  /** The search without the page. */
  list: object;
};

/** What a list says that has nothing on this page, and the way to where it has something. */
export function Empty<Search>({ words, search: { page }, list }: EmptyProps<Search>) {
  const isSearched = Object.keys(list).length > 0;
  const isLater = page !== undefined;
  return (
    <section className="notice">
      <h2>{isLater ? pageWords.emptyPage : isSearched ? pageWords.nothingMatches : words.empty}</h2>
      {!isLater && <p>{words.emptyAdvice}</p>}
      {(isLater || isSearched) && (
        <Link to="." search={isLater ? list : {}}>
          {isLater ? pageWords.firstPage : pageWords.clearSearch}
        </Link>
      )}
    </section>
  );
}
