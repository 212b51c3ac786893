import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Assigned, assign, listed } from "../support/assign.ts";
import { eventsOf } from "../support/events.ts";
import { hold } from "../support/locks.ts";
import { expectRefusal, rolesNotFound } from "../support/refusals.ts";
import { type Answer, startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let root: string;

beforeAll(async () => {
  server = await startTestServer({ smallWorld: true });
  root = await server.database.token("root");
});
afterAll(() => server.stop());

function update(id: string, roleKeys: string[]): Promise<Answer> {
  return server.call("UpdateAuthorization", { id, roleKeys }, { token: root });
}

async function keysOf({ id }: Assigned): Promise<string[]> {
  return (await listed(server, id, root)).roles.map((each: any) => each.key);
}

const removals = [
  {
    what: "a role of the project",
    organizationId: "acme",
    statement: "delete from project_roles where project_id = 'shop' and key = 'spare'",
  },
  {
    what: "a key of the grant",
    organizationId: "globex",
    statement: "delete from project_grant_roles where project_grant_id = 'shop-to-globex' and role_key = 'spare'",
  },
];

describe.each(removals)("While another transaction removes $what", ({ organizationId, statement }) => {
  beforeEach(async () => {
    // Whatever the test before has left; then nobody holds the role.
    await server.database.query("delete from authorization_roles where role_key = 'spare'");
    await server.database.query("delete from project_grant_roles where role_key = 'spare'");
    await server.database.query("insert into project_roles values ('shop', 'spare', '', '') on conflict do nothing");
    if (organizationId === "globex") {
      await server.database.query("insert into project_grant_roles values ('shop-to-globex', 'shop', 'spare')");
    }
  });

  test("an update to it waits, and is refused once it is gone", async () => {
    const assigned = await assign(server.database, { organizationId });
    const held = await hold(server.database, statement);
    const updating = update(assigned.id, ["seller", "spare"]);
    await held.untilWaiting(1);
    await held.commit();
    expectRefusal(await updating, rolesNotFound("spare"));
    expect(await keysOf(assigned)).toEqual(["seller"]);
    expect(await eventsOf(server.database, assigned.id)).toHaveLength(1);
  });
});
