import sql, { join, type Sql } from "sql-template-tag";
import type { Filter } from "../../authorization/list.ts";
import type { Visibility } from "../../authorization/permissions.ts";
import { isVisible } from "../seen/scopes.ts";
import { conditionOf, type Rows } from "./filter-kinds.ts";
import { negated, normalForm, partsOf, type Term } from "./normal-form.ts";

/*
 * Filters become one condition on an authorization `a`, in one of two forms.
 *
 * `matches` asks an authorization at hand: each filter looks at its columns, or at the few rows that belong to it.
 *
 * `isMatching` is for finding all that match, so whatever leads to few rows is looked for first, by an index of its own.
 * Filters that nest no others, and nested ones of nothing but columns, are conditions that Postgres joins. Any other
 * nested filter becomes a set of ids: where each filter of an `anyOf` leads to few rows, the union of what each finds;
 * where one of them is a negation, all there is but what their opposites find together. Sets are laid over each other by
 * `intersect` and `except`: joined, one would be gone through once for every row of another, because Postgres expects
 * one row of most. Each is looked for only among what is visible and what a few of the filters beside it match, so that
 * it reads no more than it would alone; the other filters are asked of what it found.
 */

/** True for an authorization `a` that the filter matches. Looks at nothing but what belongs to it. */
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

/** @param within conditions that narrow what is looked for anyway */
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
  // Without a union, all that the conditions match is what others are taken from: then nothing is left to ask.
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

/** A few of the terms that lead to few rows, because they are planned once more for each filter of an `anyOf`. */
function fewOf(terms: readonly Simple[]): Simple[] {
  const finding = terms.filter(leadsToFew);
  return [...finding.filter(isOfColumns), ...finding.filter((term) => !isOfColumns(term))].slice(0, 4);
}

/** The ids of all that at least one of the terms matches, each of which leads to few. */
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

/** Whether nothing but the authorization itself has to be looked at. */
function isOfColumns(term: Term): boolean {
  if (isNested(term)) return term.filters.every(isOfColumns);
  return term.kind === "not" ? conditionOf(term.filter).column !== undefined : conditionOf(term).rows === undefined;
}

/** Whether what matches can be found without looking at what does not. Of a term and its negation, one is so. */
function leadsToFew(term: Term): boolean {
  if (isSimple(term)) return term.kind !== "not";
  return term.kind === "anyOf" ? term.filters.every(leadsToFew) : term.filters.some(leadsToFew);
}

/** Conditions that Postgres makes joins of: one for all that is asked of the one row of a table, and one for all that is not. */
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

/** The form that is asked of one row after the other. */
function asked(term: Term): Sql {
  if (isNested(term)) {
    const terms = term.filters.map(asked);
    return term.kind === "anyOf" ? any(terms) : sql`(${all(terms)})`;
  }
  if (term.kind === "not") return isNotTrue(asked(term.filter));
  const { column, rows } = conditionOf(term);
  // The offset changes nothing; without it Postgres may read all rows that match to keep them at hand.
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

function any(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`false` : sql`(${join([...conditions], " or ")})`;
}
