import type { PaginationResponse } from "@authorization-service/client";
import { getRouteApi, useLocation } from "@tanstack/react-router";
import { type AssignmentsSearch, defaultPageSize } from "./search.ts";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The pages before this one, each by the search that shows it. */
    trail?: readonly Place[];
  }
}

type Place = Pick<AssignmentsSearch, "page" | "skipped">;

const route = getRouteApi("/");
const count = new Intl.NumberFormat();

/** Which rows of how many are shown, and the ways to the others. Page tokens lead forward only: back is the way come. */
export function Pager({
  search,
  answer,
  rows,
}: {
  search: AssignmentsSearch;
  answer: PaginationResponse | undefined;
  rows: number;
}) {
  const trail = useLocation({ select: ({ state }) => state.trail ?? [] });
  const { page, skipped = 0, ...first } = search;
  const before = trail.at(-1);
  const next = answer?.nextPageToken ?? "";
  const here: Place = page === undefined ? {} : { page, skipped };

  return (
    <nav className="pager" aria-label="Pages">
      <span aria-live="polite">{answer && sentence(skipped, rows, answer.totalResult)}</span>
      <PageLink label="First" shown={page !== undefined} search={first} trail={[]} />
      <PageLink
        label="Previous"
        shown={before !== undefined}
        search={{ ...first, ...before }}
        trail={trail.slice(0, -1)}
      />
      <PageLink
        label="Next"
        shown={next !== ""}
        search={{ ...first, page: next, skipped: skipped + (search.limit ?? defaultPageSize) }}
        trail={[...trail, here]}
      />
    </nav>
  );
}

function sentence(skipped: number, rows: number, total: number): string {
  if (total === 0) return "No assignments";
  const all = `${count.format(total)} ${total === 1 ? "assignment" : "assignments"}`;
  return rows === total || rows === 0 ? all : `${count.format(skipped + 1)}–${count.format(skipped + rows)} of ${all}`;
}

type PageLinkProps = {
  label: string;
  shown: boolean;
  search: AssignmentsSearch;
  trail: readonly Place[];
};

function PageLink({ label, shown, search, trail }: PageLinkProps) {
  if (!shown) {
    return (
      <span className="button" aria-disabled="true">
        {label}
      </span>
    );
  }
  return (
    <route.Link className="button" to="/" search={search} state={{ trail }}>
      {label}
    </route.Link>
  );
}
