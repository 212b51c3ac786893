import { finished } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { Change, PlacedChange } from "../directory/change.ts";
import { formatInstant } from "./instants.ts";

/** Temporary tables that hold changes as they were given, until they are applied or the transaction ends. */
export const stagingTables = {
  staged_organizations: "id, name",
  staged_users: "id, organization_id, preferred_login_name, display_name, avatar_url",
  staged_projects: "id, organization_id, name",
  staged_project_roles: "project_id, key, display_name, group_name",
  staged_project_grants: "id, project_id, organization_id",
  staged_project_grant_roles: "project_grant_id, role_key",
  staged_administrators: "user_id, organization_id, project_id, project_grant_id, roles",
  staged_authorizations: "id, user_id, project_id, organization_id, state, creation_date, change_date",
  staged_authorization_roles: "authorization_id, role_key",
} as const;

export type StagingTable = keyof typeof stagingTables;
type Cell = string | undefined;

/** How much is collected for one table before it is sent, in characters. */
const batchLength = 256 * 1024;

export async function createStagingTables(client: pg.Client): Promise<void> {
  for (const [table, columns] of Object.entries(stagingTables)) {
    const typed = columns.split(", ").map((column) => `${column} ${columnTypes[column] ?? 'text collate "C"'}`);
    await client.query(`create temporary table ${table} (position bigint, ${typed.join(", ")}) on commit drop`);
  }
}

const columnTypes: Record<string, string> = {
  roles: "text[]",
  state: "authorization_state",
  creation_date: "timestamptz",
  change_date: "timestamptz",
};

/** Streams changes of any order and number into the staging tables through COPY; memory stays flat. */
export async function stage(
  client: pg.Client,
  changes: AsyncIterable<PlacedChange>,
  progress: (count: number) => void,
): Promise<number> {
  const batches = new Map<StagingTable, { lines: string[]; length: number }>();
  let count = 0;
  for await (const { position, change } of changes) {
    for (const [table, ...cells] of rowsOf(change)) {
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
  return count;
}

async function copy(client: pg.Client, table: StagingTable, lines: string[]): Promise<void> {
  const stream = client.query(copyFrom(`copy ${table} (position, ${stagingTables[table]}) from stdin`));
  stream.end(`${lines.join("\n")}\n`);
  await finished(stream);
}

/** COPY's text format: tabs, line ends and backslashes are escaped, a missing value is \N. */
function encode(cell: Cell): string {
  return cell === undefined ? "\\N" : cell.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function rowsOf(change: Change): [StagingTable, ...Cell[]][] {
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
        ...change.roleKeys.map((key): [StagingTable, ...Cell[]] => ["staged_project_grant_roles", change.id, key]),
      ];
    case "administrator": {
      const { userId, scope, roles } = change;
      const organizationId = scope.kind === "organization" ? scope.organizationId : undefined;
      const projectId = scope.kind === "project" ? scope.projectId : undefined;
      const projectGrantId = scope.kind === "projectGrant" ? scope.projectGrantId : undefined;
      return [["staged_administrators", userId, organizationId, projectId, projectGrantId, `{${roles.join(",")}}`]];
    }
    case "authorization": {
      const { id, userId, projectId, organizationId, state } = change;
      const dates = [change.creationDate, change.changeDate].map((date) =>
        date === undefined ? date : formatInstant(date),
      );
      return [
        ["staged_authorizations", id, userId, projectId, organizationId, state, ...dates],
        ...change.roleKeys.map((key): [StagingTable, ...Cell[]] => ["staged_authorization_roles", id, key]),
      ];
    }
  }
}
