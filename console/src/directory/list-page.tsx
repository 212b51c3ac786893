import type { PaginationResponse } from "@authorization-service/client";
import type { Organization } from "@authorization-service/client/directory";
import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { callUnaryMethod, useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useMatch, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ExportButton } from "../export/export-button.tsx";
import type { Exported } from "../export/export-list.ts";
import { type Asked, rowsOfAll } from "../export/pages.ts";
import { Pager } from "../parts/pager.tsx";
import { RefreshButton } from "../parts/refresh-button.tsx";
import { useSelection } from "../parts/selection.tsx";
import { useShown } from "../parts/use-shown.ts";
import { pageWords } from "../words/pages.ts";
import { rowWords } from "../words/rows.ts";
import { Answered } from "./answered.tsx";
import { Empty } from "./empty.tsx";
import { InOrganization } from "./in-organization.tsx";
import { NameSearch } from "./name-search.tsx";
import { useOrganizations } from "./organization-names.ts";
import { Page } from "./page.tsx";
import { pageOf } from "./requests.ts";
import { type NamedListSearch, withTexts } from "./search.ts";
import { SelectableRow, SelectedRows } from "./selection.tsx";
import { Things } from "./things.tsx";

type Listed = { readonly pagination?: PaginationResponse | undefined };

type Thing = { readonly id: string; readonly organizationId?: string };

type Props<Request extends DescMessage, Answer extends DescMessage, Row> = {
  words: { readonly title: string; readonly empty: string; readonly emptyAdvice: string };
  list: {
    /** What its file has. */
    readonly file: keyof typeof rowWords.export;
    /** The words for one row and for several. */
    readonly of: Exported["of"];
    readonly lineOf: (row: Row) => readonly string[];
  };
  search: NamedListSearch;
  onSearch: (search: NamedListSearch, how?: { replace: boolean }) => void;
  method: DescMethodUnary<Request, Answer>;
  requestOf: (pagination: Omit<Asked, "skipTotal">) => MessageInitShape<Request>;
  rowsOf: (answer: MessageShape<Answer>) => readonly Row[];
  columns: readonly string[];
  nameOf: (row: Row) => string;
  /** The cells of a row. The organization is the one that it belongs to, once the service has answered. */
  cells: (row: Row, organization: { readonly of: Organization | undefined } | undefined) => ReactNode;
  /** The label of the filter by organization, if there is one. */
  organization?: string;
  actions?: ReactNode;
  /** What can be done with the selected rows, beside exporting them. */
  actionsOf?: (selected: readonly Row[]) => ReactNode;
};

/** A list of things with names, searched by name and shown page by page. */
export function ListPage<Request extends DescMessage, Answer extends DescMessage, Row extends Thing>(
  props: Props<Request, Answer, Row>,
) {
  const { words, list, search, onSearch, method, requestOf, rowsOf, columns, nameOf, cells, organization } = props;
  const query = useQuery(method, requestOf(pageOf(search)), { placeholderData: keepPreviousData });
  const { answer, isOutdated } = useShown(query);
  const { page: _, skipped: __, open: ___, ...filtered } = search;
  const rows = answer ? rowsOf(answer) : [];
  const selection = useSelection(JSON.stringify(filtered), rows, isOutdated);
  const { chosen } = selection;
  const organizationOf = useOrganizations(rows.map(({ organizationId }) => organizationId));
  const router = useRouter();
  const { pathname } = useMatch({ strict: false });
  const searchByName = (name: string) => {
    // While another page is loading, a pause in typing must not bring this one back.
    if (router.latestLocation.pathname === pathname) onSearch(withTexts(search, { name }), { replace: true });
  };
  const { file, columns: header } = rowWords.export[list.file];
  const all = rowsOfAll(
    (transport, asked, signal) =>
      callUnaryMethod(transport, method, requestOf(asked), { signal }) as Promise<MessageShape<Answer> & Listed>,
    (page) => rowsOf(page).map(list.lineOf),
  );
  const some = async function* () {
    yield { rows: chosen.map(list.lineOf), total: chosen.length };
  };
  return (
    <Page name={words.title} about={JSON.stringify(search)} actions={props.actions}>
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
          answer={isOutdated ? undefined : (answer as (MessageShape<Answer> & Listed) | undefined)?.pagination}
          rows={rows.length}
          of={list.of}
        />
        <RefreshButton query={query} />
        <ExportButton exported={() => ({ file, header, of: list.of, rows: all })} />
      </div>
      <Answered query={query} shape={{ rows: 12, columns: columns.length }}>
        {() =>
          rows.length > 0 ? (
            <Things label={words.title} selection={selection} columns={columns}>
              {rows.map((row) => (
                <SelectableRow key={row.id} selection={selection} id={row.id} name={nameOf(row)}>
                  {cells(row, organizationOf && { of: organizationOf(row.organizationId) })}
                </SelectableRow>
              ))}
            </Things>
          ) : (
            <Empty words={words} search={search} list={filtered} />
          )
        }
      </Answered>
      <SelectedRows selection={selection}>
        {props.actionsOf?.(chosen)}
        <ExportButton label={rowWords.exportSelected} exported={() => ({ file, header, of: list.of, rows: some })} />
      </SelectedRows>
    </Page>
  );
}
