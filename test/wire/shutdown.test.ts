import { expect, test } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import { hold } from "../support/locks.ts";
import { openRaw, request } from "../support/raw-http.ts";
import { startTestServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { loadSmallWorld } from "../support/world.ts";

test("A server that stops finishes what is in flight, and answers what comes on the same connection meanwhile", async () => {
  const database = await createTestDatabase();
  await loadSmallWorld(database);
  const server = await startTestServer({ database });
  const headers = {
    host: "x",
    "content-type": "application/json",
    "connect-protocol-version": "1",
    authorization: `Bearer ${await database.token("root")}`,
    "content-length": "2",
  };
  const call = request(
    "POST /service.authorization.v2.AuthorizationService/ListAuthorizations HTTP/1.1",
    headers,
    "{}",
  );
  const lock = await hold(database, "lock table authorizations in access exclusive mode");
  const connection = openRaw(server.url);
  connection.send(call);
  await lock.untilWaiting(1);
  const stopping = server.stop();
  await until("the server to take no new connections", () =>
    fetch(`${server.url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
  connection.send(call);
  await lock.rollback();
  const answers = await connection.answers(2);
  connection.close();
  await stopping;
  await database.drop();
  expect(answers.map(({ status, body }) => [status, body.pagination?.totalResult])).toEqual([
    [200, 6],
    [200, 6],
  ]);
});
