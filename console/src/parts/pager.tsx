import type { PaginationResponse } from "@authorization-service/client";
import { useLinkProps, useLocation } from "@tanstack/react-router";
import { counted } from "../words/counted.ts";
import { locale } from "../words/language/language.ts";
import { pageWords } from "../words/pages.ts";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The previous pages, each by the parameters that show it. */
    trail?: readonly Place[];
  }
}

type Place = {
  /** The page token of the page, and how many rows come before it. */
  readonly page?: string;
  readonly skipped?: number;
};

const count = new Intl.NumberFormat(locale);

/**
 * Shows which rows are visible out of how many, with buttons to other pages. Page tokens only lead forward; back
 * follows the browser's path.
 */
export function Pager({
  search,
  answer,
  rows,
  of,
}: {
  search: Place;
  /** Undefined while the page is loading, because the previous page's value no longer applies. */
  answer: PaginationResponse | undefined;
  rows: number;
  /** The words for one row and for several. */
  of: readonly [one: string, several: string];
}) {
  const trail = useLocation({ select: ({ state }) => state.trail ?? [] });
  const { page, skipped = 0, ...first } = search;
  const before = trail.at(-1);
  const next = answer?.nextPageToken ?? "";
  const here: Place = page === undefined ? {} : { page, skipped };

  return (
    <nav className="pager" aria-label={pageWords.pages}>
      <span aria-live="polite">{answer && sentence(skipped, rows, answer.totalResult, of)}</span>
      {/* A single page needs none. */}
      {(page !== undefined || before !== undefined || next !== "") && (
        <>
          <PageLink label={pageWords.first} shown={page !== undefined} search={first} trail={[]} />
          <PageLink
            label={pageWords.previous}
            shown={before !== undefined}
            search={{ ...first, ...before }}
            trail={trail.slice(0, -1)}
          />
          <PageLink
            label={pageWords.next}
            shown={next !== ""}
            search={{ ...first, page: next, skipped: skipped + rows }}
            trail={[...trail, here]}
          />
        </>
      )}
    </nav>
  );
}

function sentence(skipped: number, rows: number, total: number, [one, several]: readonly [string, string]): string {
  if (total === 0) return pageWords.noneOf(several);
  const all = counted(total, [one, several]);
  return rows === total || rows === 0
    ? all
    : pageWords.range(count.format(skipped + 1), count.format(skipped + rows), all);
}

type PageLinkProps = { label: string; shown: boolean; search: Place; trail: readonly Place[] };

/** A button that leads nowhere stays, so it keeps the focus. It isn't the router's link then: that would be the current page. */
function PageLink({ label, shown, search, trail }: PageLinkProps) {
  const link = useLinkProps({ to: ".", search, state: { trail } });
  return (
    <a {...(shown ? link : { role: "link", "aria-disabled": true })} className="button" tabIndex={shown ? 0 : -1}>
      {label}
    </a>
  );
}
