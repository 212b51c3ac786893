import { afterEach, expect, test, vi } from "vitest";
import { expectError } from "../support/connect-errors.ts";
import { callText, openRaw } from "../support/raw-http.ts";
import { serveTests } from "../support/server.ts";
import { until } from "../support/until.ts";

// One connection, so that whoever is answered knows that all who asked before have been looked up.
const server = await serveTests({ smallWorld: true, poolSize: 1 });
afterEach(() => void vi.useRealTimers());

const body = JSON.stringify({ id: "a1", roleKeys: [] });

/** Sends an update whose body stops in the middle, and resolves when the caller has been let in. */
async function beginUpdate(token: string) {
  const connection = openRaw(server.url);
  connection.send(callText(token, { rpc: "UpdateAuthorization", body, sent: body.slice(0, 5) }));
  const started = "select from pg_stat_activity where datname = current_database() and query like '%from tokens%'";
  await until("the caller's tokens", async () => (await server.database.query(started)).length > 0);
  await server.call("ListAuthorizations", {}, { token: await server.database.token("root") });
  return connection;
}

test("Rights that are taken away before the body has come do not count", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const token = await server.database.token("root");
  const entries = await server.database.query<{ roles: string[] }>(
    "delete from administrators where user_id = 'root' returning roles",
  );
  expect(entries).toHaveLength(1);
  await server.database.query("insert into administrators (user_id, roles) values ('root', $1)", [entries[0]?.roles]);

  const connection = await beginUpdate(token);
  await server.database.query("delete from administrators where user_id = 'root'");
  vi.advanceTimersByTime(1_001);
  connection.send(body.slice(5));
  const [answer] = await connection.answers(1);
  connection.close();
  await server.database.query("insert into administrators (user_id, roles) values ('root', $1)", [entries[0]?.roles]);
  if (answer !== undefined) expectError(answer, 404, "not_found");
});

test("Nor does a token that is revoked before the body has come", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const token = await server.database.token("root");
  const connection = await beginUpdate(token);
  await server.database.query("delete from tokens where user_id = 'root'");
  vi.advanceTimersByTime(1_001);
  connection.send(body.slice(5));
  const [answer] = await connection.answers(1);
  connection.close();
  if (answer !== undefined) expectError(answer, 401, "unauthenticated");
  expect(answer).toBeDefined();
});
