import { afterEach, beforeEach, expect, test } from "vitest";
import { appendEvents } from "../support/append-events.ts";
import { applyChanges } from "../support/changes.ts";
import { expectInvariants } from "../support/invariants.ts";
import { hold } from "../support/locks.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let root: string;

beforeEach(async () => {
  server = await startTestServer({ smallWorld: true });
  root = await server.database.token("root");
});
afterEach(async () => {
  await expectInvariants(server.database);
  expect(server.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  await server.stop();
});

const place = { userId: "cid", projectId: "depot", organizationId: "acme", roleKeys: ["keeper"] };

test("a change that waits for the create of a twin is refused with AUTHORIZATION_EXISTS", async () => {
  const creating = await hold(
    server.database,
    `with a as (
      insert into authorizations values ('twin', 'cid', 'initech', 'depot', 'acme', '', 'active', now(), now()) returning *)
    ${appendEvents("select id, 'user.grant.added', change_date, null, user_id, project_id, organization_id, '', '{}'::text[], state from a")}`,
  );
  const changing = applyChanges(server, root, [{ authorization: { id: "x", ...place } }]);
  await creating.untilWaiting(1);
  await creating.commit();
  const { status, body } = await changing;
  expect(status).toBe(409);
  expect(body.details[0].debug).toMatchObject({ reason: "AUTHORIZATION_EXISTS", metadata: { id: "twin", index: "0" } });
});

test("a create that waits for a change that puts a twin in place is refused with AUTHORIZATION_EXISTS", async () => {
  const held = await hold(server.database, "lock table events in share row exclusive mode");
  const first = applyChanges(server, root, [{ authorization: { id: "x", ...place } }]);
  await held.untilWaiting(1);
  const second = server.call("CreateAuthorization", place, { token: root });
  await held.untilWaiting(2);
  await held.commit();
  expect((await first).status).toBe(200);
  // Both may wait for the lock of the table alone; the change of the directory stood there first.
  expect((await second).body.details[0].debug).toMatchObject({
    reason: "AUTHORIZATION_EXISTS",
    metadata: { id: "x" },
  });
});
