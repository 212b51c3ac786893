import sql, { join, type Sql } from "sql-template-tag";
import type { Filter } from "../../authorization/list.ts";
import type { Visibility } from "../../authorization/permissions.ts";
import { any, isVisible } from "../seen/scopes.ts";
import { conditionOf, type Rows } from "./filter-kinds.ts";
import { negated, normalForm, partsOf, type Term } from "./normal-form.ts";

/*
 * Filters become one condition on an authorization `a`, in one of two forms.
 *
 * `matches` checks a single authorization: each filter looks at its columns, or at the few rows that belong to it.
 *
 * `isMatching` finds all matches, so it starts with whatever leads to few rows, through an index of its own. Simple
 * filters, and nested ones that only look at columns, become conditions that Postgres joins. Any other nested filter
 * becomes a set of ids. If each filter of an `anyOf` leads to few rows, the set is the union of what they find. If one
 * of them is a negation, it is everything except what all of their opposites match together. Sets are combined with
 * `intersect` and `except`. With joins, Postgres would go through one set for every row of another, because it expects
 * one row from most of them. Each set is searched only among what is visible and matches a few of the filters beside
 * it, so it reads no more than it would alone. The other filters are then applied to the result.
 */

/** True for an authorization `a` that the filter matches. Reads only rows that belong to it. */
export function matches(filter: Filter): Sql {
  const terms = normalForm([filter]);
  return all([...terms.filter(isNested).map(asked), ...joined(terms.filter(isSimple))]);
}

/** True for an authorization `a` that is visible and that all filters match. */
export function isMatching(visibility: Visibility, filters: readonly Filter[]): Sql {
  return allFound(normalForm(filters), [isVisible(visibility)]);
}

type Nested = Extract<Term, { kind: "anyOf" | "allOf" }>;
type Simple = Exclude<Term, Nested>;

function isNested(term: Term): term is Nested {
  return term.kind === "anyOf" || term.kind === "allOf";
}

function isSimple(term: Term): term is Simple {
  return !isNested(term);
}

/** @param within conditions that narrow the search */
function allFound(terms: readonly Term[], within: readonly Sql[]): Sql {
  const simple = terms.filter(isSimple);
  const columns = terms.filter(isNested).filter(isOfColumns);
  const sets = terms.filter(isNested).filter((term) => !isOfColumns(term));
  const conditions = [...within, ...joined(simple), ...columns.map(asked)];
  if (sets.length === 0) return all(conditions);
  const beside = fewOf(simple);
  const among = [...within, ...joined(beside)];
  const isIn = sets.filter(leadsToFew).map(({ filters }) => union(filters, among));
  const isOut = sets
    .filter((term) => !leadsToFew(term))
    .map(({ filters }) => idsWhere(allFound(filters.map(negated), among)));
  // Without a union, sets are subtracted from everything that matches the conditions, so no condition is left to apply.
  const isWhole = isIn.length === 0 || (beside.length === simple.length && columns.length === 0);
  if (isIn.length === 0) isIn.push(idsWhere(all(conditions)));
  const ids = [join(isIn.map(inBrackets), " intersect "), ...isOut.map(inBrackets)];
  const found = join(ids, " except ");
  return isWhole
    ? sql`a.id in (${found})`
    : sql`a.id in (
      select a.id
      from (${found}) m cross join lateral (select * from authorizations where id = m.id offset 0) a
      where ${all(conditions)})`;
}

/** A few of the terms that lead to few rows. Not all, because they are planned again for each filter of an `anyOf`. */
function fewOf(terms: readonly Simple[]): Simple[] {
  const finding = terms.filter(leadsToFew);
  return [...finding.filter(isOfColumns), ...finding.filter((term) => !isOfColumns(term))].slice(0, 4);
}

/** The ids that match at least one of the terms, each of which leads to few rows. */
function union(terms: readonly Term[], among: readonly Sql[]): Sql {
  const columns = terms.filter(isOfColumns);
  const sets = terms.filter((term) => !isOfColumns(term)).map((term) => allFound(partsOf(term), among));
  if (columns.length > 0) sets.push(all([...among, any(columns.map(asked))]));
  return join(sets.map(idsWhere), " union all ");
}

function idsWhere(condition: Sql): Sql {
  return sql`
      select a.id from authorizations a where ${condition}`;
}

function inBrackets(ids: Sql): Sql {
  return sql`(${ids})`;
}

/** Whether the term only looks at the authorization itself. */
function isOfColumns(term: Term): boolean {
  if (isNested(term)) return term.filters.every(isOfColumns);
  return term.kind === "not" ? conditionOf(term.filter).column !== undefined : conditionOf(term).rows === undefined;
}

/** Whether an index leads to the matches without reading other rows. This is true for either a term or its negation. */
function leadsToFew(term: Term): boolean {
  if (isSimple(term)) return term.kind !== "not";
  return term.kind === "anyOf" ? term.filters.every(leadsToFew) : term.filters.some(leadsToFew);
}

/**
 * Conditions that Postgres turns into joins: for each single-row table, one for all positive conditions and one for all
 * negated ones.
 */
function joined(terms: readonly Simple[]): Sql[] {
  const conditions: Sql[] = [];
  const ofOneRow = new Map<string, { readonly of: Sql; readonly isNot: boolean; readonly each: Sql[] }>();
  for (const term of terms) {
    const isNot = term.kind === "not";
    const { column, rows } = conditionOf(isNot ? term.filter : term);
    if (rows === undefined) conditions.push(isNot ? isNotTrue(column) : column);
    else if (rows.one) {
      const name = `${isNot} ${rows.of.text}`;
      const same = ofOneRow.get(name) ?? { of: rows.of, isNot, each: [] };
      ofOneRow.set(name, same);
      same.each.push(rows.where);
    } else if (!isNot) conditions.push(sql`exists (select from ${rows.of} and ${rows.where})`);
    else conditions.push(column === undefined ? sql`not exists (select from ${atHand(rows)})` : isNotTrue(column));
  }
  for (const { of, isNot, each } of ofOneRow.values()) {
    conditions.push(
      isNot ? sql`not exists (select from ${of} and ${any(each)})` : sql`exists (select from ${of} and ${all(each)})`,
    );
  }
  return conditions;
}

/** The form for checking row after row. */
function asked(term: Term): Sql {
  if (isNested(term)) {
    const terms = term.filters.map(asked);
    return term.kind === "anyOf" ? any(terms) : sql`(${all(terms)})`;
  }
  if (term.kind === "not") return isNotTrue(asked(term.filter));
  const { column, rows } = conditionOf(term);
  // The offset doesn't change the result. Without it, Postgres might read all matching rows into memory.
  return column === undefined ? sql`exists (select from ${atHand(rows)} offset 0)` : column;
}

function atHand(rows: Rows): Sql {
  return rows.atHand ?? sql`${rows.of} and ${rows.where}`;
}

function isNotTrue(condition: Sql): Sql {
  return sql`(${condition}) is not true`;
}

function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : join([...conditions], " and ");
}
