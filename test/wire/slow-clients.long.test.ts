import { once } from "node:events";
import { connect } from "node:net";
import { expect, test, vi } from "vitest";
import { appendEvents } from "../support/append-events.ts";
import { pathOf } from "../support/call-headers.ts";
import { expectError } from "../support/connect-errors.ts";
import { callText, openRaw, type RawAnswer } from "../support/raw-http.ts";
import { serverInTest, type TestServer } from "../support/server.ts";

test("Clients that send headers or a body forever, or don't read their answers, lose their connection in time", async () => {
  // The shortest patience there is: five seconds more than the longest time of a request.
  const server = await serverInTest({
    smallWorld: true,
    limits: { defaultTimeoutMs: 3_000, maximumTimeoutMs: 3_000 },
  });
  const token = await server.database.token("root");
  const begun = Date.now();
  const printed = vi.spyOn(console, "error");
  await server.database.query(manyLongRows);
  await Promise.all([
    headersForEver(server),
    bodyForEver(server, token),
    neverReading(server, token),
    neverReading(server, token, "no request\r\n\r\n"),
  ]);
  expect(Date.now() - begun).toBeGreaterThan(5_000);
  // Connect's plugin prints what it doesn't expect.
  expect(printed.mock.calls).toEqual([]);
  expect((await server.call("ListAuthorizations", { pagination: { limit: 1 } }, { token })).status).toBe(200);
});

async function headersForEver(server: TestServer): Promise<void> {
  const connection = openRaw(server.url);
  connection.send(`POST ${pathOf("ListAuthorizations")} HTTP/1.1\r\nhost: x\r\n`);
  const more = setInterval(() => connection.send("more: x\r\n"), 100);
  await once(connection.socket, "end");
  clearInterval(more);
  const [answer] = await connection.answers(1);
  expectError(answer as RawAnswer, 408, "deadline_exceeded", "the request did not arrive in time");
  connection.close();
}

async function bodyForEver(server: TestServer, token: string): Promise<void> {
  const connection = openRaw(server.url);
  connection.send(callText(token, { sent: " ", headers: { "content-length": "100000" } }));
  const more = setInterval(() => connection.send(" "), 100);
  const [answer] = await connection.answers(1);
  expectError(answer as RawAnswer, 504, "deadline_exceeded");
  await connection.untilClosed();
  clearInterval(more);
  connection.close();
}

/** Asks for 14 MB, far more than fits between it and the server, and goes on to send something else. */
async function neverReading(server: TestServer, token: string, garbage = ""): Promise<void> {
  const socket = connect({ port: Number(new URL(server.url).port), host: "127.0.0.1" });
  socket.on("error", () => {});
  socket.write(callText(token, { body: '{"pagination":{"limit":1000}}' }).repeat(6) + garbage);
  const more = setInterval(() => socket.write(garbage), 100);
  const others = 2;
  await expect.poll(() => server.openConnections()).toBeGreaterThan(others);
  await expect.poll(() => server.openConnections(), { timeout: 40_000, interval: 100 }).toBe(0);
  clearInterval(more);
  socket.destroy();
}

/** A thousand rows of more than 2 kB each. */
const manyLongRows = `
  with someone as (
    insert into users (id, organization_id, preferred_login_name, display_name, avatar_url)
    select 'many-' || n, 'acme', 'many', '', rpad('https://acme.example/', 2048, 'a')
    from generate_series(1, 1000) as n
    returning id, organization_id
  ), added as (
    insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
    select id, id, organization_id, 'shop', 'acme', now(), now() from someone
    returning *
  )
  ${appendEvents(`
    select id, 'user.grant.added', change_date, null, user_id, project_id, organization_id, project_grant_id,
      '{}'::text[], state
    from added`)}`;
