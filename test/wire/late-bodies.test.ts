import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { expectError } from "../support/connect-errors.ts";
import { callText, openRaw, type RawAnswer, type RawConnection } from "../support/raw-http.ts";
import { serveTests } from "../support/server.ts";
import { until } from "../support/until.ts";

// One connection, so that whoever is answered knows that all who asked before have been looked up.
const server = await serveTests({ smallWorld: true, poolSize: 1 });
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
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

/** Sends the rest of the body after more than a second, and resolves to the answer. */
async function endOf(connection: RawConnection): Promise<RawAnswer> {
  vi.advanceTimersByTime(1_001);
  connection.send(body.slice(5));
  const [answer] = await connection.answers(1);
  connection.close();
  return answer ?? expect.unreachable("there is no answer");
}

test("Rights that are taken away before the body has come do not count", async () => {
  const connection = await beginUpdate(await server.database.token("root"));
  const entries = await server.database.query<{ roles: string[] }>(
    "delete from administrators where user_id = 'root' returning roles",
  );
  const answer = await endOf(connection);
  await server.database.query("insert into administrators (user_id, roles) values ('root', $1)", [entries[0]?.roles]);
  expectError(answer, 404, "not_found");
});

test("Nor does a token that is revoked before the body has come", async () => {
  const connection = await beginUpdate(await server.database.token("root"));
  await server.database.query("delete from tokens where user_id = 'root'");
  expectError(await endOf(connection), 401, "unauthenticated");
});
