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
  /** More filters, beside the search. */
  filters?: ReactNode;
  actions?: ReactNode;
  /** What can be done with the selected rows, beside exporting them. */
  actionsOf?: (selected: readonly Row[]) => ReactNode;
  children: (selection: Selection<Row>) => ReactNode;
};

/** A list of things with names, searched by name and shown page by page. */
export function ListPage<Answer extends Listed, Row extends { readonly id: string }>(props: Props<Answer, Row>) {
  const { words, list, search, onSearch, query, rowsOf, columns, filters, actions, actionsOf, children } = props;
  const { answer, isOutdated } = useShown(query);
  const { page: _, skipped: __, open: ___, ...filtered } = search;
  const selection = useSelection(JSON.stringify(filtered), answer ? rowsOf(answer) : [], isOutdated);
  const selected = [...selection.selected.values()];
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
        {filters}
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

type EmptyProps = {
  words: Props<Listed, { readonly id: string }>["words"];
  search: NamedListSearch;
  list: NamedListSearch;
};

function Empty({ words, search, list }: EmptyProps) {
  const isSearched = Object.keys(list).length > 0;
  if (search.page !== undefined) {
    return (
      <section className="notice">
        <h2>{pageWords.emptyPage}</h2>
        <Link to="." search={list}>
          {pageWords.firstPage}
        </Link>
      </section>
    );
  }
  return (
    <section className="notice">
      <h2>{isSearched ? pageWords.nothingMatches : words.empty}</h2>
      <p>{words.emptyAdvice}</p>
      {isSearched && (
        <Link to="." search={{}}>
          {pageWords.clearSearch}
        </Link>
      )}
    </section>
  );
}
