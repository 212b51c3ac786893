import sql, { join, type Sql } from "sql-template-tag";
import type { Filter } from "../../authorization/list.ts";
import type { Visibility } from "../../authorization/permissions.ts";
import { isVisible } from "../seen/scopes.ts";
import { conditionOf, type Rows } from "./filter-kinds.ts";
import { negated, normalForm, partsOf, type Term } from "./normal-form.ts";

/**
 * True for an authorization `a` that is visible and that all filters match. For reading all of these: whatever leads to
 * few rows is looked for first, by an index of its own.
 *
 * So an `anyOf` is the union of what each of its filters finds, and of what is not found that way the rest is: not all
 * of what it is not. Each is looked for only among what is visible and what the filters beside it match, so that it
 * reads no more than it would alone. Several are laid over each other as sets of ids: joined, they would be gone through
 * once for every row wherever Postgres expects few rows of them, and it expects one row of most.
 */
export function isMatching(visibility: Visibility, filters: readonly Filter[]): Sql {
  return allFound(normalForm(filters), [isVisible(visibility)]);
}

/** True for an authorization `a` that the filter matches. For rows at hand: looks at nothing but what belongs to them. */
export function matches(filter: Filter): Sql {
  const terms = normalForm([filter]);
  return all([...terms.filter(isNested).map(holds), ...found(terms.filter((term) => !isNested(term)))]);
}

type Nested = Extract<Term, { kind: "anyOf" | "allOf" }>;
type Simple = Exclude<Term, Nested>;

function isNested(term: Term): term is Nested {
  return term.kind === "anyOf" || term.kind === "allOf";
}

function allFound(terms: readonly Term[], within: readonly Sql[]): Sql {
  const simple = terms.filter((term) => !isNested(term));
  const nested = terms.filter(isNested);
  const columns = nested.filter(isOfColumns).map(holds);
  const others = nested.filter((term) => !isOfColumns(term));
  const conditions = [...within, ...found(simple), ...columns];
  if (others.length === 0) return all(conditions);
  const narrow = narrowing(simple);
  const beside = [...within, ...found(narrow)];
  const [looked, rest] = [others.filter(leadsToFew), others.filter((term) => !leadsToFew(term))];
  const isIn = looked.map(({ filters }) => union(filters, beside));
  const isOut = rest.map(({ filters }) => idsWhere(allFound(filters.map(negated), beside)));
  if (isIn.length === 0) isIn.push(idsWhere(all(conditions)));
  const ids = join([join(isIn.map(inBrackets), " intersect "), ...isOut.map(inBrackets)], " except ");
  // Of what was only looked for, the rest of the conditions is asked one by one.
  const isWhole = looked.length === 0 || (narrow.length === simple.length && columns.length === 0);
  return isWhole
    ? sql`a.id in (${ids})`
    : sql`a.id in (
      select a.id
      from (${ids}) m cross join lateral (select * from authorizations where id = m.id offset 0) a
      where ${all(conditions)})`;
}

/** What is looked for among: few, because each is planned once more for each filter of an `anyOf`. */
function narrowing(terms: readonly Simple[]): Simple[] {
  const finding = terms.filter(leadsToFew);
  const [columns, others] = [finding.filter(isOfColumns), finding.filter((term) => !isOfColumns(term))];
  return [...columns, ...others].slice(0, 4);
}

/** The ids of all that at least one of the terms matches, each of which leads to few. */
function union(terms: readonly Term[], within: readonly Sql[]): Sql {
  const columns = terms.filter(isOfColumns);
  const sets = terms.filter((term) => !isOfColumns(term)).map((term) => allFound(partsOf(term), within));
  if (columns.length > 0) sets.push(all([...within, any(columns.map(holds))]));
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
  if (!isNested(term)) return term.kind !== "not";
  return term.kind === "anyOf" ? term.filters.every(leadsToFew) : term.filters.some(leadsToFew);
}

/** The form that Postgres makes joins of: one for all that is asked of the one row of a table, and one for all that is not. */
function found(terms: readonly Simple[]): Sql[] {
  const conditions: Sql[] = [];
  const wheres = new Map<string, { readonly rows: Rows; readonly isNot: boolean; readonly each: Sql[] }>();
  for (const term of terms) {
    const isNot = term.kind === "not";
    const { column, rows } = conditionOf(isNot ? term.filter : term);
    if (rows?.one) {
      const name = `${isNot} ${rows.of.text}`;
      const same = wheres.get(name) ?? { rows, isNot, each: [] };
      wheres.set(name, same);
      same.each.push(rows.where);
    } else if (isNot) {
      conditions.push(column === undefined ? sql`not exists (select from ${atHand(known(rows))})` : isNotTrue(column));
    } else {
      conditions.push(rows === undefined ? known(column) : sql`exists (select from ${rows.of} and ${rows.where})`);
    }
  }
  for (const { rows, isNot, each } of wheres.values()) {
    conditions.push(
      isNot
        ? sql`not exists (select from ${rows.of} and ${any(each)})`
        : sql`exists (select from ${rows.of} and ${all(each)})`,
    );
  }
  return conditions;
}

/** The form that is asked of one row after the other. */
function holds(term: Term): Sql {
  if (isNested(term)) {
    const terms = term.filters.map(holds);
    return term.kind === "anyOf" ? any(terms) : sql`(${all(terms)})`;
  }
  if (term.kind === "not") return isNotTrue(holds(term.filter));
  const { column, rows } = conditionOf(term);
  // The offset changes nothing; without it Postgres may read all rows that match to keep them at hand.
  return column ?? sql`exists (select from ${atHand(known(rows))} offset 0)`;
}

function atHand(rows: Rows): Sql {
  return rows.atHand ?? sql`${rows.of} and ${rows.where}`;
}

function isNotTrue(condition: Sql): Sql {
  return sql`(${condition}) is not true`;
}

function known<T>(condition: T | undefined): T {
  if (condition === undefined) throw new Error("a filter without a condition");
  return condition;
}

function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : join([...conditions], " and ");
}

function any(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`false` : sql`(${join([...conditions], " or ")})`;
}
