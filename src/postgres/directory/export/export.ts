import type pg from "pg";
import type { Upsert } from "../../../directory/change.ts";
import { inBatches } from "../../pool/in-batches.ts";
import { withOwnConnection } from "../../pool/own-connection.ts";
import { toEntry } from "../../seen/entries.ts";
import { currentAuthorizations, type ResourceKind, resourceKinds, resourceOf, shown } from "../stage/resources.ts";

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
  only: ReadonlySet<string> = new Set(resourceKinds),
  readHistories?: (client: pg.Client) => Promise<void>,
): Promise<void> {
  await withOwnConnection(connection, async (client) => {
    await client.query("begin isolation level repeatable read read only");
    for (const kind of resourceKinds.filter((name) => only.has(name))) {
      const all = inBatches(client, { text: selectAll(kind), values: [] });
      for await (const rows of all) await write(rows.map((row) => toUpsert(kind, row)));
    }
    await readHistories?.(client);
    await client.query("commit");
  });
}

function selectAll(kind: ResourceKind): string {
  const { table, key, fields } = resourceOf(kind);
  const columns = Object.entries(fields).map(([field, column]) => `${shown(kind, "x", column)} as "${field}"`);
  const order = kind === "administrator" ? ["user_id", "organization_id", "project_id", "project_grant_id"] : key;
  return `select ${columns.join(", ")}, ${kind === "administrator" ? "x.scope" : "''"} as scope
    from ${kind === "authorization" ? currentAuthorizations : table} x order by ${order.map((column) => `x.${column}`).join(", ")}`;
}

/** The columns of a row are named like the fields of a change. */
function toUpsert(kind: ResourceKind, { scope, ...row }: pg.QueryResultRow): Upsert {
  if (kind === "administrator") return { kind, userId: row.userId, ...toEntry({ scope, roles: row.roles }) };
  return { kind, ...row } as Upsert;
}
