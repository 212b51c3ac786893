import type { Instant } from "../../../authorization/authorization.ts";
import { toRfc3339 } from "../../../authorization/instant.ts";
import type { Change, PlacedChange } from "../../../directory/change.ts";
import { textOfScope } from "../../seen/entries.ts";
import { type ResourceKind, resourceKinds, resourceOf } from "./resources.ts";

/** The kinds of the resources that changes put in place, and of those that they remove by name. */
export type StagedKinds = { readonly placed: ReadonlySet<ResourceKind>; readonly removed: ReadonlySet<ResourceKind> };

/** The columns of a table of staged changes, with their types, and the fields of their cells. The first cell is the position. */
export type StagedTable = Readonly<ReturnType<typeof tableOf>>;

/** A cell as text, as Postgres reads it. */
export type Cell = string | undefined;

const text = 'text collate "C"';

const types: Readonly<Record<string, string>> = {
  role_keys: 'text[] collate "C"',
  roles: "text[]",
  state: "authorization_state",
  creation_date: "timestamptz",
  change_date: "timestamptz",
  expiration_date: "timestamptz",
  expired: "boolean",
};

/** An administrator entry also has its scope as one text, as its column `scope` has it. */
const fieldsOf = (kind: ResourceKind): Readonly<Record<string, string>> =>
  kind === "administrator" ? { ...resourceOf(kind).fields, scope: "scope" } : resourceOf(kind).fields;

const tableNames = {
  placed: (kind: ResourceKind) => `staged_${resourceOf(kind).table}`,
  removed: (kind: ResourceKind) => `staged_removals_of_${resourceOf(kind).table}`,
};

/** With one row for each change. Removals have only the key. */
function tableOf(how: keyof typeof tableNames, kind: ResourceKind) {
  const { key } = resourceOf(kind);
  const fields = Object.entries(fieldsOf(kind)).filter(([, column]) => how === "placed" || key.includes(column));
  const columns = fields.map(([, column]) => [column, types[column] ?? text] as const);
  return {
    name: tableNames[how](kind),
    columns: Object.fromEntries<string>([["position", "bigint"], ...columns]),
    fields: fields.map(([field]) => field),
  };
}

/** By their names. Each kind of resource has one for what is put in place, and one for what is removed by name. */
export const stagedTables: ReadonlyMap<string, StagedTable> = new Map(
  resourceKinds
    .flatMap((kind) => [tableOf("placed", kind), tableOf("removed", kind)])
    .map((table) => [table.name, table]),
);

export function tableOfChange(change: Change): StagedTable {
  const name = change.kind === "removal" ? tableNames.removed(change.thing.kind) : tableNames.placed(change.kind);
  return stagedTables.get(name) as StagedTable;
}

/** Collects the kinds of changes. */
export function collectKinds(): StagedKinds & { add(change: Change): void } {
  const [placed, removed] = [new Set<ResourceKind>(), new Set<ResourceKind>()];
  return {
    placed,
    removed,
    add(change) {
      if (change.kind === "removal") removed.add(change.thing.kind);
      else placed.add(change.kind);
    },
  };
}

/** The row of a change in its table. */
export function stagedRow({ fields }: StagedTable, { position, change }: PlacedChange): Cell[] {
  const thing = change.kind === "removal" ? change.thing : change;
  // The scope as one text, and its id in the column of its kind. Nothing is set for the instance.
  const values: Readonly<Record<string, unknown>> =
    "scope" in thing ? { ...thing, scope: textOfScope(thing.scope), [`${thing.scope.kind}Id`]: thing.scope.id } : thing;
  return [String(position), ...fields.map((field) => cellOf(values[field] as Value))];
}

type Value = string | readonly string[] | Instant | boolean | undefined;

function cellOf(value: Value): Cell {
  if (typeof value === "bigint") return toRfc3339(value);
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "object") return value;
  // Sorted, because their order means nothing. Postgres sorts some of them again, by code point.
  return `{${value.toSorted().map((item) => `"${item.replace(/["\\]/g, "\\$&")}"`)}}`;
}
