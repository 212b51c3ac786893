import type { Instant } from "../../authorization/authorization.ts";
import { idOfScope, type Scope } from "../../authorization/permissions.ts";
import type { Change, PlacedChange } from "../../directory/change.ts";
import { formatInstant } from "../pool/instants.ts";
import { textOfScope } from "../seen/entries.ts";
import { type ResourceKind, resourceKinds, resourceOf } from "./resources.ts";

/** The kinds of the resources that changes put in place, and of those that they remove by name. */
export type StagedKinds = { readonly placed: ReadonlySet<ResourceKind>; readonly removed: ReadonlySet<ResourceKind> };

/** Each has a table of its own. */
export type StagedKind = Change["kind"];

/** The columns of a table of staged changes, with their types, in the order of its cells. */
export type StagedTable = { readonly name: string; readonly columns: Readonly<Record<string, string>> };

/** A cell as text, as Postgres reads it. */
export type Cell = string | undefined;

const text = 'text collate "C"';

const types: Readonly<Record<string, string>> = {
  role_keys: 'text[] collate "C"',
  roles: "text[]",
  state: "authorization_state",
  creation_date: "timestamptz",
  change_date: "timestamptz",
};

/** One row for each change. An administrator entry also has its scope as one text, as its column `scope` has it. */
const fieldsOf = (kind: ResourceKind): Readonly<Record<string, string>> =>
  kind === "administrator" ? { ...resourceOf(kind).fields, scope: "scope" } : resourceOf(kind).fields;

/** A role is named by its project and key, an administrator entry by its user and scope, anything else by its id. */
const fieldsOfRemoval = {
  kind: "kind",
  id: "id",
  key: "key",
  userId: "user_id",
  projectId: "project_id",
  scope: "scope",
};

const fields = Object.fromEntries([
  ...resourceKinds.map((kind) => [kind, fieldsOf(kind)]),
  ["removal", fieldsOfRemoval],
]) as Readonly<Record<StagedKind, Readonly<Record<string, string>>>>;

export const stagedTables = Object.fromEntries(
  Object.entries(fields).map(([kind, its]) => {
    const table = kind === "removal" ? "removals" : resourceOf(kind as ResourceKind).table;
    const columns = Object.values(its).map((column) => [column, types[column] ?? text]);
    return [kind, { name: `staged_${table}`, columns: Object.fromEntries([["position", "bigint"], ...columns]) }];
  }),
) as Readonly<Record<StagedKind, StagedTable>>;

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

/** The row of a change, with a cell for each column of the table of its kind. */
export function stagedRow({ position, change }: PlacedChange): Cell[] {
  const thing = change.kind === "removal" ? change.thing : change;
  const values: Readonly<Record<string, unknown>> =
    "scope" in thing ? { ...thing, ...cellsOfScope(thing.scope) } : thing;
  return [String(position), ...Object.keys(fields[change.kind]).map((field) => cellOf(values[field] as Value))];
}

type Value = string | readonly string[] | Instant | undefined;

function cellOf(value: Value): Cell {
  if (typeof value === "bigint") return formatInstant(value);
  if (typeof value !== "object") return value;
  // Sorted, because their order means nothing. Postgres sorts some of them again, by code point.
  return `{${value.toSorted().map((item) => `"${item.replace(/["\\]/g, "\\$&")}"`)}}`;
}

/** The scope as one text, and its id in the column of its kind. Nothing is set for the instance. */
function cellsOfScope(scope: Scope): Readonly<Record<string, string>> {
  return { scope: textOfScope(scope), [`${scope.kind}Id`]: idOfScope(scope) };
}
