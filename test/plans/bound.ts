import type pg from "pg";
import sql, { raw, type Sql } from "sql-template-tag";
import type { Filter, SimpleFilter, TextMatch } from "../../src/authorization/list.ts";
import type { Visibility } from "../../src/authorization/permissions.ts";

import { searched } from "../../src/postgres/list/filter-kinds.ts";
import { matches } from "../../src/postgres/list/matching.ts";
import { narrow, normalForm, type Term } from "../../src/postgres/list/normal-form.ts";
import { isVisible } from "../../src/postgres/seen/scopes.ts";

/** How many rows a page of the plan test has at most. */
export const pageSize = 100;

/**
 * How often a row that has to be read may be: once for the page and once for the total, and as often again because the
 * caller's rows and those of a filter are never quite the same ones. Worse plans are worse by ten times and more.
 */
const times = 4;

/** A page without filters, or with those whose totals are kept, may read so many pages' worth of rows. */
const pagesRead = 20;

/** What is read for each row shown: itself, its user, project and organization, and each role twice, of up to three. */
const details = 12;

/** For what has nothing to read but a few rows of its own, such as the numbers that totals are added up from. */
const always = 100;

/** What a filter leaves to be read, whoever asks. */
export type FilterCost = {
  /** How many authorizations the narrowest of the filters matches; undefined without any. */
  readonly matched: number | undefined;
  /** How many rows match in the tables that texts are searched in. */
  readonly searched: number;
  /** Whether there are only filters whose totals are kept, or none. */
  readonly kept: boolean;
};

/** How many rows a list may examine that shows so many of them. */
export function boundOf({ matched, searched, kept }: FilterCost, held: number, listed: number): number {
  const smallest = Math.min(held, matched ?? held, kept ? pagesRead * pageSize : held);
  return times * (smallest + searched) + details * listed + always;
}

export async function costOf(client: pg.Client, filters: readonly Filter[]): Promise<FilterCost> {
  const terms = normalForm(filters);
  const all = await count(client, sql`select count(*) from authorizations a`);
  const matched = await Promise.all(terms.map((term) => countMatched(client, term, all)));
  const searched = await Promise.all(simpleOf(terms).map((filter) => countSearched(client, filter)));
  return {
    matched: matched.length === 0 ? undefined : Math.min(...matched),
    searched: searched.reduce((sum, rows) => sum + rows, 0),
    kept: narrow(filters).others.length === 0,
  };
}

/** Of what does not match, nothing is found but by looking at everything. */
async function countMatched(client: pg.Client, term: Term, all: number): Promise<number> {
  if (term.kind === "not") return all;
  if (term.kind !== "anyOf" && term.kind !== "allOf") {
    return count(client, sql`select count(*) from authorizations a where ${matches(term)}`);
  }
  const matched = await Promise.all(term.filters.map((each) => countMatched(client, each, all)));
  if (term.kind === "allOf") return Math.min(all, ...matched);
  return Math.min(
    all,
    matched.reduce((sum, rows) => sum + rows, 0),
  );
}

function simpleOf(terms: readonly Term[]): SimpleFilter[] {
  return terms.flatMap((term) => {
    switch (term.kind) {
      case "anyOf":
      case "allOf":
        return simpleOf(term.filters);
      case "not":
        return [term.filter];
      default:
        return [term];
    }
  });
}

/** How many authorizations a caller sees. */
export function countHeld(client: pg.Client, visibility: Visibility): Promise<number> {
  return count(client, sql`select count(*) from authorizations a where ${isVisible(visibility)}`);
}

async function countSearched(client: pg.Client, filter: SimpleFilter): Promise<number> {
  if (filter.kind === "roleKeys") {
    return count(client, sql`select count(*) from project_roles where key = any(${filter.keys}::text[])`);
  }
  if (!("match" in filter)) return 0;
  const [table, column] = searched[filter.kind];
  const condition = matchesFolded(raw(column), filter.match);
  return count(client, sql`select count(*) from ${raw(table)} where ${condition}`);
}

/** Whether the case counts or not: an index finds both (migrations/0001_directory.sql). */
function matchesFolded(column: Sql, { text, method }: TextMatch): Sql {
  const [whole, part] = [sql`fold_case(${column})`, sql`fold_case(${text}::text)`];
  switch (method) {
    case "equals":
      return sql`${whole} = ${part}`;
    case "startsWith":
      return sql`starts_with(${whole}, ${part})`;
    case "contains":
      return sql`strpos(${whole}, ${part}) > 0`;
    case "endsWith":
      return sql`right(${whole}, length(${part})) = ${part}`;
  }
}

/** What a statement counts. */
export async function count(client: pg.Client, { text, values }: Sql): Promise<number> {
  const { rows } = await client.query<{ count: string }>({ text, values });
  return Number(rows[0]?.count);
}
