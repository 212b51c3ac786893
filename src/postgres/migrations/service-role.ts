import { readFile } from "node:fs/promises";
import pg from "pg";
import { withOwnConnection } from "../pool/own-connection.ts";

const script = new URL("../../../ops/service-role.sql", import.meta.url);

/**
 * Gives a role what serving needs: runs ops/service-role.sql, with the variable replaced as psql does it. Run as the owner
 * of the database, after the migrations.
 */
export async function grantToService(connection: pg.ClientConfig, role: string): Promise<void> {
  const text = await readFile(script, "utf8");
  await withOwnConnection(connection, async (client) => {
    const { rows } = await client.query<{ owner: string }>("select current_user as owner", []);
    // The script also takes rights away, which the owner needs.
    if (rows[0]?.owner === role) throw new Error("the role is the owner, which needs more rights");
    // Functions, because a replacement would be read for patterns such as $$.
    const [literal, identifier] = [() => pg.escapeLiteral(role), () => pg.escapeIdentifier(role)];
    await client.query(text.replaceAll(":'service'", literal).replaceAll(':"service"', identifier));
  });
}
