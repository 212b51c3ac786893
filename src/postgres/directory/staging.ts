import { finished } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import sql from "sql-template-tag";
import type { Scope } from "../../authorization/permissions.ts";
import type { Change, PlacedChange, Removal } from "../../directory/change.ts";
import type { Connection } from "../pool/database.ts";
import { formatInstant } from "../pool/instants.ts";

const text = 'text collate "C"';

/** Temporary tables that hold the changes as given, until they are applied or the transaction ends. */
export const stagingTables = {
  staged_organizations: { id: text, name: text },
  staged_users: { id: text, organization_id: text, preferred_login_name: text, display_name: text, avatar_url: text },
  staged_projects: { id: text, organization_id: text, name: text },
  staged_project_roles: { project_id: text, key: text, display_name: text, group_name: text },
  staged_project_grants: { id: text, project_id: text, organization_id: text },
  staged_project_grant_roles: { project_grant_id: text, role_key: text },
  staged_administrators: {
    user_id: text,
    organization_id: text,
    project_id: text,
    project_grant_id: text,
    roles: "text[]",
  },
  staged_authorizations: {
    id: text,
    user_id: text,
    project_id: text,
    organization_id: text,
    state: "authorization_state",
    creation_date: "timestamptz",
    change_date: "timestamptz",
  },
  staged_authorization_roles: { authorization_id: text, role_key: text },
  // A role is named by its project and key, an administrator entry by its user and scope, anything else by its id.
  staged_removals: {
    kind: text,
    id: text,
    key: text,
    user_id: text,
    organization_id: text,
    project_id: text,
    project_grant_id: text,
  },
} as const;

export type StagingTable = keyof typeof stagingTables;
type Cell = string | undefined;
type Row = readonly [StagingTable, ...Cell[]];

/** How many characters are collected for one table before they are sent. */
const batchLength = 256 * 1024;

/** Temporary tables for intermediate results while changes are applied. */
const workingTables = {
  doomed_organizations: { id: text },
  doomed_users: { id: text, organization_id: text },
  doomed_projects: { id: text, organization_id: text },
  doomed_project_grants: { id: text, project_id: text, organization_id: text, owner_id: text },
  doomed_tokens: { id: text },
  lost_roles: { project_id: text, role_key: text },
  // What happens to things of the directory and to tokens (effects.ts): the columns of their events, the places of these, and the
  // change that names the thing; null if it follows from another one.
  effects: {
    kind: text,
    id: text,
    within: text,
    position: "bigint",
    user_id: text,
    organization_id: text,
    other_organization_id: text,
    project_id: text,
    project_grant_id: text,
    before: "jsonb",
    after: "jsonb",
  },
  doomed_authorizations: { id: text, is_named: "boolean" },
  // The roles that authorizations lose.
  shrunk_authorizations: { id: text, role_key: text },
  resolved_authorizations: {
    position: "bigint",
    id: text,
    user_id: text,
    project_id: text,
    organization_id: text,
    project_grant_id: text,
    state: "authorization_state",
    creation_date: "timestamptz",
    change_date: "timestamptz",
    // The date that an authorization gets if the change gives none.
    chosen_date: "timestamptz",
    role_keys: "text[]",
    role_keys_before: "text[]",
    state_before: "authorization_state",
    creation_date_before: "timestamptz",
    project_id_before: text,
    organization_id_before: text,
    event: text,
  },
};

/** Creates the tables once on each connection. Every transaction finds them empty. */
export const createStagingTables = [
  ...Object.entries(stagingTables).map(([table, columns]) => createTable(table, { position: "bigint", ...columns })),
  ...Object.entries(workingTables).map(([table, columns]) => createTable(table, columns)),
].join(";\n");

/** From here on, only temporary tables can be written to. */
export const readOnly = sql`set transaction read only`;

function createTable(table: string, columns: Record<string, string>): string {
  const typed = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
  return `create temporary table if not exists ${table} (${typed.join(", ")}) on commit delete rows`;
}

/** Writes the few changes of a request into the staging tables, with one statement for each table. */
export async function stageAll(connection: Connection, changes: readonly PlacedChange[]): Promise<Set<StagingTable>> {
  const rows = new Map<StagingTable, Cell[][]>();
  for (const { position, change } of changes) {
    for (const [table, ...cells] of rowsOf(change)) {
      const collected = rows.get(table) ?? [];
      rows.set(table, collected);
      collected.push([String(position), ...cells]);
    }
  }
  for (const [table, collected] of rows) await connection.query(insertUnnested(table, collected));
  return new Set(rows.keys());
}

function insertUnnested(table: StagingTable, rows: readonly Cell[][]) {
  const types = ["bigint", ...Object.values(stagingTables[table])];
  const names = types.map((_, index) => `c${index}`);
  const casts = types.map((type, index) => `c${index}::${type.replace(text, "text")}`);
  return {
    text: `insert into ${table} select ${casts} from unnest(${names.map((_, i) => `$${i + 1}::text[]`)}) as t (${names})`,
    values: names.map((_, index) => rows.map((row) => row[index] ?? null)),
  };
}

/** Streams any number of changes, in any order, into the staging tables with COPY. Memory use is constant. */
export async function stageStream(
  client: pg.Client,
  changes: AsyncIterable<PlacedChange>,
  progress: (count: number) => void,
): Promise<{ count: number; tables: Set<StagingTable> }> {
  const tables = new Set<StagingTable>();
  const batches = new Map<StagingTable, { lines: string[]; length: number }>();
  let count = 0;
  for await (const { position, change } of changes) {
    for (const [table, ...cells] of rowsOf(change)) {
      tables.add(table);
      const batch = batches.get(table) ?? { lines: [], length: 0 };
      batches.set(table, batch);
      const line = [String(position), ...cells].map(encode).join("\t");
      batch.lines.push(line);
      batch.length += line.length;
      if (batch.length < batchLength) continue;
      batches.delete(table);
      await copy(client, table, batch.lines);
    }
    count += 1;
    progress(count);
  }
  for (const [table, { lines }] of batches) await copy(client, table, lines);
  return { count, tables };
}

async function copy(client: pg.Client, table: StagingTable, lines: string[]): Promise<void> {
  const stream = client.query(copyFrom(`copy ${table} from stdin`));
  stream.end(`${lines.join("\n")}\n`);
  await finished(stream);
}

/** COPY's text format: tabs, line ends and backslashes are escaped, a missing value is \N. */
function encode(cell: Cell): string {
  return cell === undefined ? "\\N" : cell.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** The rows of a change, with a cell for each column of their table. */
function rowsOf(change: Change): Row[] {
  switch (change.kind) {
    case "organization":
      return [["staged_organizations", change.id, change.name]];
    case "user": {
      const { id, organizationId, preferredLoginName, displayName, avatarUrl } = change;
      return [["staged_users", id, organizationId, preferredLoginName, displayName, avatarUrl]];
    }
    case "project":
      return [["staged_projects", change.id, change.organizationId, change.name]];
    case "projectRole":
      return [["staged_project_roles", change.projectId, change.key, change.displayName, change.group]];
    case "projectGrant":
      return [
        ["staged_project_grants", change.id, change.projectId, change.organizationId],
        ...change.roleKeys.map((key): Row => ["staged_project_grant_roles", change.id, key]),
      ];
    case "administrator": {
      // Sorted, because their order means nothing. The names of administrator roles don't need quotes.
      return [
        ["staged_administrators", change.userId, ...cellsOf(change.scope), `{${change.roles.toSorted().join(",")}}`],
      ];
    }
    case "authorization": {
      const { id, userId, projectId, organizationId, state } = change;
      const dates = [change.creationDate, change.changeDate].map((date) =>
        date === undefined ? undefined : formatInstant(date),
      );
      return [
        ["staged_authorizations", id, userId, projectId, organizationId, state, ...dates],
        ...change.roleKeys.map((key): Row => ["staged_authorization_roles", id, key]),
      ];
    }
    case "removal":
      return [["staged_removals", change.thing.kind, ...cellsOfRemoval(change.thing)]];
  }
}

function cellsOfRemoval(thing: Removal): Cell[] {
  switch (thing.kind) {
    case "projectRole":
      return [undefined, thing.key, undefined, undefined, thing.projectId, undefined];
    case "administrator":
      return [undefined, undefined, thing.userId, ...cellsOf(thing.scope)];
    default:
      return [thing.id, undefined, undefined, undefined, undefined, undefined];
  }
}

/** Organization, project, project grant; none of them is set for the instance. */
function cellsOf(scope: Scope): Cell[] {
  return [
    scope.kind === "organization" ? scope.organizationId : undefined,
    scope.kind === "project" ? scope.projectId : undefined,
    scope.kind === "projectGrant" ? scope.projectGrantId : undefined,
  ];
}
