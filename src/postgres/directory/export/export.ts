import type pg from "pg";
import type { Thing } from "../../../directory/outcome.ts";
import { inBatches } from "../../pool/in-batches.ts";
import { withOwnConnection } from "../../pool/own-connection.ts";
import { currentAuthorizations, type ResourceKind, rawImageOf, resourceKinds, resourceOf } from "../stage/resources.ts";

/**
 * Exports a snapshot of everything, or only of these kinds of things, as the images of changes that recreate it. Each thing
 * comes after those it refers to. What is stored alone decides the order and the bytes of each thing, not how it came about,
 * so exports can be compared line by line. Memory use is constant.
 *
 * @param readHistories reads the histories from the same snapshot
 */
export async function exportAll(
  connection: pg.ClientConfig,
  write: (things: readonly Thing[]) => Promise<void>,
  only: ReadonlySet<string> = new Set(resourceKinds),
  readHistories?: (client: pg.Client) => Promise<void>,
): Promise<void> {
  await withOwnConnection(connection, async (client) => {
    await client.query("begin isolation level repeatable read read only");
    for (const kind of resourceKinds.filter((name) => only.has(name))) {
      for await (const things of inBatches<Thing>(client, { text: selectAll(kind), values: [] })) await write(things);
    }
    await readHistories?.(client);
    await client.query("commit");
  });
}

function selectAll(kind: ResourceKind): string {
  const { table, key } = resourceOf(kind);
  const order = kind === "administrator" ? ["user_id", "organization_id", "project_id", "project_grant_id"] : key;
  return `select '${kind}' as kind, ${rawImageOf(kind, "x")} as image
    from ${kind === "authorization" ? currentAuthorizations : table} x order by ${order.map((column) => `x.${column}`).join(", ")}`;
}
