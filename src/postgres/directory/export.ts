import type pg from "pg";
import type { Instant, State } from "../../authorization/authorization.ts";
import type { Upsert } from "../../directory/change.ts";
import { withOwnConnection } from "../pool/own-connection.ts";
import { type EntryRow, toEntry } from "../seen/entries.ts";

const rowsAtOnce = 2_000;

/**
 * Exports a snapshot of everything, or only of these kinds of things, as changes that recreate it. Each thing comes after
 * those it refers to. What is stored alone decides the order and the bytes of each thing, not how it came about, so exports
 * can be compared line by line. Memory use is constant.
 *
 * @param readHistories reads the histories from the same snapshot
 */
export async function exportAll(
  connection: pg.ClientConfig,
  write: (changes: readonly Upsert[]) => Promise<void>,
  only: ReadonlySet<string> = new Set(exportedKinds),
  readHistories?: (client: pg.Client) => Promise<void>,
): Promise<void> {
  await withOwnConnection(connection, async (client) => {
    await client.query("begin isolation level repeatable read read only");
    for (const { query, toUpsert } of exportedKinds.filter((name) => only.has(name)).map((name) => kinds[name])) {
      await client.query(`declare things no scroll cursor for ${query}`);
      for (;;) {
        const { rows } = await client.query(`fetch ${rowsAtOnce} from things`);
        if (rows.length === 0) break;
        await write(rows.map(toUpsert));
      }
      await client.query("close things");
    }
    await readHistories?.(client);
    await client.query("commit");
  });
}

/** In the order of an export. */
export const exportedKinds = [
  "organization",
  "user",
  "project",
  "projectRole",
  "projectGrant",
  "administrator",
  "authorization",
] as const satisfies readonly Upsert["kind"][];

type Kind = { readonly query: string; readonly toUpsert: (row: pg.QueryResultRow) => Upsert };

/** Makes sure that a query's rows have the type that the conversion expects. */
function kind<Row>(query: string, toUpsert: (row: Row) => Upsert): Kind {
  return { query, toUpsert: toUpsert as Kind["toUpsert"] };
}

const kinds: Readonly<Record<Upsert["kind"], Kind>> = {
  organization: kind<{ id: string; name: string }>("select id, name from organizations order by id", (row) => ({
    kind: "organization",
    ...row,
  })),
  user: kind<{ id: string; organization_id: string; login_name: string; display_name: string; avatar_url: string }>(
    `select id, organization_id, preferred_login_name as login_name, display_name, avatar_url
    from users order by id`,
    (row) => ({
      kind: "user",
      id: row.id,
      organizationId: row.organization_id,
      preferredLoginName: row.login_name,
      displayName: row.display_name,
      avatarUrl: row.avatar_url,
    }),
  ),
  project: kind<{ id: string; organization_id: string; name: string }>(
    "select id, organization_id, name from projects order by id",
    (row) => ({ kind: "project", id: row.id, organizationId: row.organization_id, name: row.name }),
  ),
  projectRole: kind<{ project_id: string; key: string; display_name: string; group_name: string }>(
    "select project_id, key, display_name, group_name from project_roles order by project_id, key",
    (row) => ({
      kind: "projectRole",
      projectId: row.project_id,
      key: row.key,
      displayName: row.display_name,
      group: row.group_name,
    }),
  ),
  projectGrant: kind<{ id: string; project_id: string; organization_id: string; role_keys: string[] }>(
    `select g.id, g.project_id, g.organization_id, array(
      select r.role_key::text from project_grant_roles r where r.project_grant_id = g.id order by r.role_key) as role_keys
    from project_grants g order by g.id`,
    (row) => ({
      kind: "projectGrant",
      id: row.id,
      projectId: row.project_id,
      organizationId: row.organization_id,
      roleKeys: row.role_keys,
    }),
  ),
  administrator: kind<EntryRow & { user_id: string }>(
    `select user_id, scope,
      array(select role from unnest(roles) as role order by role collate "C") as roles
    from administrators order by user_id, organization_id, project_id, project_grant_id`,
    (row) => ({ kind: "administrator", userId: row.user_id, ...toEntry(row) }),
  ),
  authorization: kind<{
    id: string;
    user_id: string;
    project_id: string;
    organization_id: string;
    state: State;
    creation_date: Instant;
    change_date: Instant;
    role_keys: string[];
  }>(
    `select a.id, a.user_id, a.project_id, a.organization_id, a.state, a.creation_date, a.change_date,
      array(
      select r.role_key::text from authorization_roles r where r.authorization_id = a.id order by r.role_key) as role_keys
    from authorizations a order by a.id`,
    (row) => ({
      kind: "authorization",
      id: row.id,
      userId: row.user_id,
      projectId: row.project_id,
      organizationId: row.organization_id,
      roleKeys: row.role_keys,
      state: row.state,
      creationDate: row.creation_date,
      changeDate: row.change_date,
    }),
  ),
};
