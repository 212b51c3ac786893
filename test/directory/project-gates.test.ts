import { afterAll, describe, expect, test } from "vitest";
import { gateOf, mostClosedGates, projectGates } from "../../src/postgres/change/project-gates.ts";
import { migrate } from "../../src/postgres/migrations/migrations.ts";
import { applyChanges, entry, organization, project, removeRole } from "../support/changes.ts";
import { databaseInTest } from "../support/database.ts";
import { deadlocksIn, hold } from "../support/locks.ts";
import { serveTests } from "../support/server.ts";
import { role, user } from "../support/world.ts";

// docs/internals/locks.md: gates keep the order of arrival, and keep few others waiting.

const many = Array.from({ length: mostClosedGates + 36 }, (_, index) => `many-${String(index).padStart(3, "0")}`);
const closing = many.map((id) => removeRole(id, "seller"));

const server = await serveTests({ poolSize: 8 });
await server.database.load(
  ...["home", "mine", "theirs"].map((id) => organization(id)),
  ...["root", "owner", "member"].map((id) => user(id, "home")),
  entry("root", { instance: true }, "IAM_OWNER"),
  entry("owner", { organizationId: "mine" }, "ORG_OWNER"),
  ...many.flatMap((id) => [project(id, "mine"), role(id, "seller"), role(id, "keeper")]),
);
const [root, mine] = [await server.database.token("root"), await server.database.token("owner")];
afterAll(async () => expect(await deadlocksIn(server.database)).toBe(0));

function assigned(id: string, projectId: string, organizationId: string, ...roleKeys: string[]) {
  return { authorization: { id, userId: "member", projectId, organizationId, roleKeys } };
}

/** A change that takes something from all these projects and waits, behind all of its locks, until it is let go. */
async function closeMany() {
  const held = await hold(server.database, "lock table directory_events in share row exclusive mode");
  const closed = applyChanges(server, mine, closing);
  await held.untilWaiting(1);
  return { held, closed };
}

const setKeeper = (id: string) => server.call("UpdateAuthorization", { id, roleKeys: ["keeper"] }, { token: root });

test("No one can pick an id that shares a gate with another project: that depends on a secret of each database", async () => {
  const [other, one] = [await databaseInTest("template0"), await databaseInTest("template0")];
  for (const { url } of [one, other]) await migrate({ connectionString: url });
  const read = async ({ query }: typeof one) => {
    const gates = `array(select ${gateOf("id")} from unnest($1::text[]) id) as gates`;
    const [row] = await query<any>(`select version_key::text as key, gate_salt, ${gates} from database_secrets`, [
      many,
    ]);
    return row;
  };
  const [first, second] = [await read(one), await read(other)];
  expect(first.key).toMatch(/^\\x[\da-f]{64}$/);
  expect(second.key).not.toBe(first.key);
  expect(second.gate_salt).not.toBe(first.gate_salt);
  const same = first.gates.filter((gate: number, index: number) => gate === second.gates[index]);
  expect(same.length).toBeLessThan(10);
  for (const gate of first.gates) expect(gate).toBeGreaterThanOrEqual(0);
});

describe("A change that takes something from many projects", () => {
  test("closes a few gates only, and none of a project with the same plain hash", async () => {
    const [twin] = await server.database.query<{ id: string }>(
      `select 'twin-' || n as id from generate_series(1, 1000000) n
      where hashtext('twin-' || n) & 4095 = hashtext($1) & 4095
        and ${gateOf("'twin-' || n")} <> all (select ${gateOf("id")} from projects where id like 'many-%')
      limit 1`,
      [many[0]],
    );
    const id = twin?.id ?? expect.unreachable();
    await server.database.load(project(id, "theirs"), role(id, "keeper"), assigned("twin", id, "theirs"));
    const { held, closed } = await closeMany();
    const [{ count } = { count: 0 }] = await server.database.query<{ count: number }>(
      `select count(*)::integer as count from pg_locks
      where locktype = 'advisory' and mode = 'ExclusiveLock' and classid::bigint = ${projectGates}
        and database = (select oid from pg_database where datname = current_database())`,
    );
    expect(count).toBeGreaterThan(mostClosedGates / 2);
    expect(count).toBeLessThanOrEqual(mostClosedGates);
    expect((await setKeeper("twin")).status).toBe(200);
    await held.rollback();
    expect((await closed).status).toBe(200);
    await server.database.load(...many.map((each) => role(each, "seller")));
  });

  test("keeps changes of their assignments waiting, with a gate or without", async () => {
    await server.database.load(...many.map((each) => assigned(`of-${each}`, each, "mine", "seller")));
    const { held, closed } = await closeMany();
    const updates = many.filter((_, index) => index % 25 === 0).map((each) => setKeeper(`of-${each}`));
    expect(updates).toHaveLength(4);
    await held.untilWaiting(1 + updates.length);
    await held.rollback();
    expect((await closed).status).toBe(200);
    for (const update of updates) expect((await update).status).toBe(200);
    await server.database.load(...many.map((each) => role(each, "seller")));
  });
});
