import sql, { join, type Sql } from "sql-template-tag";
import type { Filter } from "../authorization/list.ts";
import { negated, normalForm, partsOf, type Term } from "../authorization/normal-form.ts";
import type { Visibility } from "../authorization/permissions.ts";
import { conditionOf, isVisible } from "./filters.ts";

/**
 * True for an authorization `a` that is visible and that all filters match. For reading all of these: whatever leads to
 * few rows is looked for first, by an index of its own.
 *
 * So an `anyOf` is the union of what each of its filters finds, and of what is not found that way the rest is: not all
 * of what it is not. Each is looked for only among what is visible and what the filters beside it match, so that it
 * reads no more than it would alone.
 */
export function isMatching(visibility: Visibility, filters: readonly Filter[]): Sql {
  return allFound(normalForm(filters), [isVisible(visibility)]);
}

/** True for an authorization `a` that the filter matches. For rows at hand: looks at nothing but what belongs to them. */
export function matches(filter: Filter): Sql {
  return all(normalForm([filter]).map((term) => (isNested(term) ? holds(term) : found(term))));
}

type Nested = Extract<Term, { kind: "anyOf" | "allOf" }>;
type Simple = Exclude<Term, Nested>;

function isNested(term: Term): term is Nested {
  return term.kind === "anyOf" || term.kind === "allOf";
}

function allFound(terms: readonly Term[], within: readonly Sql[]): Sql {
  const simple = terms.filter((term) => !isNested(term));
  const beside = [...within, ...narrowing(simple).map(found)];
  const nested = terms.filter(isNested).map(({ filters }) => anyFound(filters, beside));
  return all([...within, ...simple.map(found), ...nested]);
}

/** What is looked for among: few, because each is planned once more for each filter of an `anyOf`. */
function narrowing(terms: readonly Simple[]): Simple[] {
  const finding = terms.filter(leadsToFew);
  const [columns, others] = [finding.filter(isOfColumns), finding.filter((term) => !isOfColumns(term))];
  return [...columns, ...others].slice(0, 4);
}

function anyFound(terms: readonly Term[], within: readonly Sql[]): Sql {
  const columns = terms.filter(isOfColumns);
  const others = terms.filter((term) => !isOfColumns(term));
  if (others.length === 0) return any(columns.map(holds));
  if (!terms.every(leadsToFew)) {
    const rest = allFound(terms.map(negated), within);
    return sql`not exists (select from (select a.id from authorizations a where ${rest}) m where m.id = a.id)`;
  }
  const sets = others.map((term) => allFound(partsOf(term), within));
  if (columns.length > 0) sets.push(all([...within, any(columns.map(holds))]));
  return sql`a.id in (${join(
    sets.map(
      (set) => sql`
      select a.id from authorizations a where ${set}`,
    ),
    " union all ",
  )})`;
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

/** The form that Postgres makes a join of. */
function found(term: Simple): Sql {
  if (term.kind !== "not") {
    const { column, rows } = conditionOf(term);
    return rows === undefined ? known(column) : sql`exists (select from ${rows})`;
  }
  const { column, rows } = conditionOf(term.filter);
  return column === undefined ? sql`not exists (select from ${known(rows)})` : sql`(${column}) is not true`;
}

/** The form that is asked of one row after the other. */
function holds(term: Term): Sql {
  if (isNested(term)) {
    const terms = term.filters.map(holds);
    return term.kind === "anyOf" ? any(terms) : sql`(${all(terms)})`;
  }
  if (term.kind === "not") return sql`(${holds(term.filter)}) is not true`;
  const { column, rows } = conditionOf(term);
  // The offset changes nothing; without it Postgres may read all rows that match to keep them at hand.
  return column ?? sql`exists (select from ${known(rows)} offset 0)`;
}

function known(condition: Sql | undefined): Sql {
  if (condition === undefined) throw new Error("a filter without a condition");
  return condition;
}

function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : join([...conditions], " and ");
}

function any(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`false` : sql`(${join([...conditions], " or ")})`;
}
