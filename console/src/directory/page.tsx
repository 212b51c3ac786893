import "./page.css";
import { type CSSProperties, type ReactNode, useId, useLayoutEffect } from "react";
import { locale } from "../words/language/language.ts";
import { pageWords } from "../words/pages.ts";

type PageProps = {
  /** The name of what the page is about. */
  name: string;
  /** What kind of thing that is, where the name doesn't say it. */
  kind?: string | undefined;
  /** Links to what it belongs to, from the outside in. */
  within?: readonly ReactNode[];
  /** Beside the heading: a picture. */
  picture?: ReactNode;
  /** Below the heading: what else identifies the thing. */
  facts?: ReactNode;
  /** Beside the heading: what one can do with the thing. */
  actions?: ReactNode;
  /** Identifies what the page is about. Another one begins at the top. */
  about?: string | undefined;
  children: ReactNode;
};

/** A page with its heading and title. */
export function Page({ name, kind, within = [], picture, facts, actions, about, children }: PageProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another thing is what there is to react to.
  useLayoutEffect(() => {
    const view = document.getElementById("view");
    if (view) view.scrollTop = 0;
  }, [about]);
  return (
    <div className="view page stack">
      <title>{pageWords.titleOf(name)}</title>
      <header className="page-head">
        {picture}
        <div className="lines">
          {within.length > 0 && (
            <nav aria-label={pageWords.breadcrumbs}>
              <ol className="crumbs line">
                {[...within, ...(kind ? [kind] : [])].map((part, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a level is where it is.
                  <li key={at} className={part === kind ? "muted" : undefined}>
                    {part}
                  </li>
                ))}
              </ol>
            </nav>
          )}
          {within.length === 0 && kind && <span className="muted">{kind}</span>}
          <h1>
            <bdi>{name}</bdi>
          </h1>
          {facts && <div className="line muted">{facts}</div>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

type SectionProps = { title: string; count?: number | undefined; actions?: ReactNode; children: ReactNode };

/** A part of a page, with a heading. */
export function Section({ title, count, actions, children }: SectionProps) {
  const heading = useId();
  return (
    <section className="page-section stack" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{title}</h2>
        {count !== undefined && count > 0 && <span className="muted">{count.toLocaleString(locale)}</span>}
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** How many lines are to come, and how many things beside each other. */
export type Shape = { readonly rows?: number; readonly columns?: number };

/** Stands where something is loading. */
export function Skeleton({ rows = 3, columns = 1 }: Shape) {
  const places = Array.from({ length: rows * columns }, (_, place) => place);
  return (
    <div className="skeleton page-skeleton" data-columns={columns} style={{ "--columns": columns } as CSSProperties}>
      <p className="visually-hidden" role="status">
        {pageWords.loading}
      </p>
      {places.map((place) => (
        <span key={place} aria-hidden="true" />
      ))}
    </div>
  );
}
