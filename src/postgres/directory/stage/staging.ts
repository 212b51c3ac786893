import type { PlacedChange } from "../../../directory/change.ts";
import type { Connection } from "../../pool/database.ts";
import { namedByText, type Statement } from "../../pool/prepared.ts";
import { noRows, type Relation, selectRelations } from "./relations.ts";
import { resolvedColumns } from "./resolved.ts";
import {
  collectKinds,
  type StagedKinds,
  type StagedTable,
  stagedRow,
  stagedTables,
  tableOfChange,
} from "./staged-rows.ts";

/**
 * Changes as given, and what is found about them. Statements name them as tables: those in staged-rows.ts and relations.ts, and
 * what they name is found then. For imports, it is kept in temporary tables. For requests, each statement begins with the
 * queries that make it, so none may name what is found from something that was written in the meantime.
 */
export type Stage = Connection &
  StagedKinds & {
    /** Whether there is so much that Postgres should analyze tables before it plans. */
    readonly many: boolean;
    /** Whether a relation can have rows. */
    has(relation: Relation): boolean;
    /** Finds resolved_authorizations, which stays as it is from then on, whatever is written. */
    resolve(): Promise<void>;
  };

/**
 * How Postgres plans the statements about changes, for the rest of a transaction. Planning takes several times as long as
 * applying a change, so plans are kept that look up everything by its key. But what follows from changes can be any number of
 * rows. These are joined with the changes, which takes plans for their number unless they are few.
 */
export function planFor(changes: readonly PlacedChange[]): string {
  return `set local plan_cache_mode = ${canKeepPlans(changes) ? "force_generic_plan" : "force_custom_plan"}`;
}

function canKeepPlans(changes: readonly PlacedChange[]): boolean {
  const joined = changes.reduce((sum, { change }) => {
    if (change.kind === "removal") return sum + 1;
    return change.kind === "projectGrant" ? sum + change.roleKeys.length : sum;
  }, 0);
  return joined <= 50;
}

/**
 * For requests: without temporary tables, because every transaction that uses one has to empty all of them.
 *
 * @param organizations where the caller may remove users; undefined for everywhere
 */
export function stageInParameters(
  { query }: Connection,
  changes: readonly PlacedChange[],
  organizations?: readonly string[],
): Stage {
  const kinds = collectKinds();
  for (const { change } of changes) kinds.add(change);
  const rows = Map.groupBy(changes, ({ change }) => tableOfChange(change));
  const relations = selectRelations(kinds);
  const sources = new Map<string, Source>(Object.entries(relations).map(([name, text]) => [name, () => text]));
  for (const [table, its] of rows) sources.set(table.name, unnested(table, its));
  sources.set("removable", (parameter) => {
    const values = [parameter(organizations === undefined), parameter(organizations ?? [])];
    return `select ${values[0]}::boolean as is_everywhere, ${values[1]}::text[] as organization_ids`;
  });
  // Most requests make a change of one kind, so their statements are often the same.
  const isCommon = canKeepPlans(changes) && kinds.placed.size + kinds.removed.size === 1;
  const send: Connection["query"] = (statement) => {
    const whole = withSources(statement, sources);
    return query(isCommon ? namedByText(whole) : whole);
  };

  return {
    ...kinds,
    many: false,
    has: (relation) => relation in relations,
    query: send,
    async resolve() {
      if (!("resolved_authorizations" in relations)) return;
      // There is one row for each assignment that a change names.
      const text = "select coalesce(json_agg(r), '[]')::text as resolved from resolved_authorizations r";
      const [row] = await send<{ resolved: string }>({ text, values: [] });
      sources.set(
        "resolved_authorizations",
        (parameter) => `select * from json_to_recordset(${parameter(row?.resolved)}::json) as r (${resolvedColumns})`,
      );
    },
  };
}

/** Makes the query of a relation. It can pass values as parameters. */
type Source = (parameter: (value: unknown) => string) => string;

/** The relations that a statement names, with their queries, each after those it is made from. */
export function namedIn(text: string, queryOf: (name: string) => string): Map<string, string> {
  const made = new Map<string, string>();
  const make = (part: string) => {
    for (const [name] of part.matchAll(relationNames)) {
      if (made.has(name)) continue;
      const query = queryOf(name);
      made.set(name, "");
      make(query);
      // Set again, so that it comes after those it names.
      made.delete(name);
      made.set(name, query);
    }
  };
  make(text);
  return made;
}

/** Begins a statement with the queries that make the relations it names. */
function withSources({ text, values }: Pick<Statement, "text" | "values">, sources: Map<string, Source>): Statement {
  const given = [...values];
  const parameter = (value: unknown) => `$${given.push(value)}`;
  const made = namedIn(text, (name) => sources.get(name)?.(parameter) ?? noRowsOf(name));
  if (made.size === 0) return { text, values: given };
  const queries = [...made]
    .map(([name, query]) => `${name} as ${query.endsWith("where false") ? "not materialized " : ""}(${query})`)
    .join(",\n");
  const [, ownQueries] = /^\s*with (?:recursive )?(.*)$/s.exec(text) ?? [];
  return {
    text: `with recursive ${queries}${ownQueries === undefined ? `\n${text}` : `,\n${ownQueries}`}`,
    values: given,
  };
}

const relationNames = /\b(?:(?:staged|doomed|shrunk|resolved)_\w+|lost_roles|effects|removable)\b/g;

function unnested(table: StagedTable, changes: readonly PlacedChange[]): Source {
  const { columns } = table;
  const names = Object.keys(columns);
  const rows = changes.map((change) => stagedRow(table, change));
  const lists = names.map((_, index) => rows.map((row) => row[index] ?? null));
  return (parameter) => {
    const casts = Object.entries(columns).map(([column, type]) => `t.${column}::${type} as ${column}`);
    const parameters = lists.map((list) => `${parameter(list)}::text[]`);
    return `select ${casts.join(", ")} from unnest(${parameters.join(", ")}) as t (${names.join(", ")})`;
  };
}

function noRowsOf(name: string): string {
  const table = stagedTables.get(name);
  if (table === undefined) return noRows(name);
  const nulls = Object.entries(table.columns).map(([column, type]) => `null::${type} as ${column}`);
  return `select ${nulls.join(", ")} where false`;
}
