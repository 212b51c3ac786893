import type { PaginationResponse } from "@authorization-service/client";
import type { Organization } from "@authorization-service/client/directory";
import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { callUnaryMethod, useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { AddButton } from "../directory-changes/add-button.tsx";
import { ExportButton } from "../export/export-button.tsx";
import { type Asked, rowsOfAll } from "../export/pages.ts";
import { useTypedSearch } from "../filters/quick-search.tsx";
import { Pager } from "../parts/pager.tsx";
import { RefreshButton } from "../parts/refresh-button.tsx";
import { useSelection } from "../parts/selection.tsx";
import { useShown } from "../parts/use-shown.ts";
import { longestText } from "../pickers/found.ts";
import { pageWords } from "../words/pages.ts";
import { rowWords } from "../words/rows.ts";
import { Answered } from "./answered.tsx";
import { Empty } from "./empty.tsx";
import { InOrganization } from "./in-organization.tsx";
import { useOrganizations } from "./organization-names.ts";
import { Page } from "./page.tsx";
import { pageOf, withWords } from "./requests.ts";
import { type NamedListSearch, readNamedListSearch, withTexts } from "./search.ts";
import { SelectableRow, SelectedRows } from "./selection.tsx";
import { Things } from "./things.tsx";

const kinds = { people: "person", projects: "project", organizations: "organization" } as const;

type Props<Request extends DescMessage, Answer extends DescMessage, Row> = {
  of: keyof typeof kinds;
  words: {
    readonly title: string;
    readonly empty: string;
    readonly emptyAdvice: string;
    /** The label of the filter by organization, if there is one. */
    readonly organization?: string;
  };
  method: DescMethodUnary<Request, Answer>;
  /** The service's filter by organization. */
  within?: "organizationId" | "inOrganizationId";
  rowsOf: (answer: MessageShape<Answer>) => readonly Row[];
  columns: readonly string[];
  nameOf: (row: Row) => string;
  /** The cells of a row. The organization is the one that it belongs to, once the service has answered. */
  cells: (row: Row, organization: { readonly of: Organization | undefined } | undefined) => ReactNode;
  /** The same in a file. */
  lineOf: (row: Row) => readonly string[];
  /** Other ways to add some, to the organization that is shown, if only one is. */
  actionsIn?: (organization: string | undefined) => ReactNode;
  /** What can be done with the selected rows, beside exporting them. */
  actionsOf?: (selected: readonly Row[]) => ReactNode;
};

type Thing = { readonly id: string; readonly organizationId?: string };

/** A list of things with names, searched by name and shown page by page. */
export function ListPage<Request extends DescMessage, Answer extends DescMessage, Row extends Thing>(
  props: Props<Request, Answer, Row>,
) {
  const { of, words, method, rowsOf, columns } = props;
  const path = `/${of}` as const;
  const search = readNamedListSearch(getRouteApi(path).useSearch());
  const { open = false, ...closed } = search;
  const { page: _, skipped: __, ...filtered } = closed;
  const { organization, name = "" } = search;
  const router = useRouter();
  const show = (next: NamedListSearch, how = {}) => void router.navigate({ to: path, search: next, ...how });
  const searchByName = (next: string) => {
    // While another page is loading, a pause in typing must not bring this one back.
    if (router.latestLocation.pathname === path) show(withTexts(search, { name: next }), { replace: true });
  };
  const filters = [
    ...(organization && props.within ? [{ filter: { case: props.within, value: { id: organization } } }] : []),
    ...withWords(name),
  ];
  const requestOf = (pagination: Omit<Asked, "skipTotal">) =>
    ({ filters, pagination }) as unknown as MessageInitShape<Request>;
  const query = useQuery(method, requestOf(pageOf(search)), { placeholderData: keepPreviousData });
  const { answer, isOutdated } = useShown(query);
  const rows = answer ? rowsOf(answer) : [];
  const selection = useSelection(JSON.stringify(filtered), rows, isOutdated);
  const { chosen } = selection;
  const organizationOf = useOrganizations(rows.map(({ organizationId }) => organizationId));
  type Listed = MessageShape<Answer> & { readonly pagination?: PaginationResponse };
  const all = rowsOfAll(
    (transport, asked, signal) => callUnaryMethod(transport, method, requestOf(asked), { signal }) as Promise<Listed>,
    (page) => rowsOf(page).map(props.lineOf),
  );
  const some = async function* () {
    yield { rows: chosen.map(props.lineOf), total: chosen.length };
  };
  const { columns: header, ...named } = rowWords.export[of];
  const file = { ...named, header, of: pageWords[of] };
  return (
    <Page
      name={words.title}
      about={JSON.stringify(search)}
      actions={
        <>
          {props.actionsIn?.(organization)}
          <AddButton
            kind={kinds[of]}
            inOrganization={organization}
            isPrimary
            address={{
              isOpen: open,
              onChange: (isOpen) => show({ ...closed, ...(isOpen && { open: true }) }, { replace: true }),
            }}
          />
        </>
      }
    >
      <section className="page-filters" aria-label={pageWords.filters}>
        <NameSearch name={name} onSearch={searchByName} />
        {words.organization !== undefined && (
          <InOrganization
            label={words.organization}
            id={organization}
            onChange={(id) => show(withTexts(search, { organization: id }))}
          />
        )}
      </section>
      <div className="page-tools">
        <Pager
          search={search}
          answer={isOutdated ? undefined : (answer as Listed | undefined)?.pagination}
          rows={rows.length}
          of={pageWords[of]}
        />
        <RefreshButton query={query} />
        <ExportButton exported={() => ({ ...file, rows: all })} />
      </div>
      <Answered query={query} shape={{ rows: 12, columns: columns.length }}>
        {() =>
          rows.length > 0 ? (
            <Things label={words.title} selection={selection} columns={columns}>
              {rows.map((row) => (
                <SelectableRow key={row.id} selection={selection} id={row.id} name={props.nameOf(row)}>
                  {props.cells(row, organizationOf && { of: organizationOf(row.organizationId) })}
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
        <ExportButton label={rowWords.exportSelected} exported={() => ({ ...file, rows: some })} />
      </SelectedRows>
    </Page>
  );
}

/** A field that narrows a list down to names with all of its words. The list follows at each pause in typing. */
function NameSearch({ name, onSearch }: { name: string; onSearch: (name: string) => void }) {
  const field = useId();
  const { typed, setTyped } = useTypedSearch(name, onSearch);
  return (
    <div className="field">
      <label htmlFor={field}>{pageWords.searchByName}</label>
      <input
        id={field}
        type="search"
        value={typed}
        maxLength={longestText}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  );
}
