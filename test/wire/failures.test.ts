import { expect, test } from "vitest";
import { expectError } from "../support/connect-errors.ts";
import { request, sendRaw } from "../support/raw-http.ts";
import { serveSmallWorld } from "../support/server.ts";

const { server, root: token } = await serveSmallWorld();

const call = (rpc = "ListAuthorizations", body: object | string = {}, more: object = {}) =>
  server.call(rpc, body, { token, ...more });

/** What was logged as worse than what callers do. */
const faults = (from: number) => server.log.slice(from).filter(({ level }) => Number(level) > 30);

/** Runs work while a column of the schema has another name. */
async function without(table: string, column: string, work: () => Promise<void>): Promise<void> {
  await server.database.query(`alter table ${table} rename column ${column} to gone`);
  try {
    await work();
  } finally {
    await server.database.query(`alter table ${table} rename column gone to ${column}`);
  }
}

test("An unexpected failure is internal, shows nothing of the inside, and is logged in full", async () => {
  for (const [table, column, rpc, body] of [
    ["users", "display_name", "ListAuthorizations", {}],
    ["authorization_roles", "role_key", "UpdateAuthorization", { id: "a1", roleKeys: ["seller"] }],
    ["tokens", "expiration_date", "ListAuthorizations", {}],
    ["administrators", "roles", "DeleteAuthorization", { id: "a1" }],
  ] as const) {
    // The server must look up whose it is.
    const unknown = await server.database.token("root");
    await without(table, column, async () => {
      const from = server.log.length;
      const answer = await call(rpc, body, { token: unknown });
      expectError(answer, 500, "internal", "internal error");
      expect(answer.body).toEqual({ code: "internal", message: "internal error" });
      const lines = faults(from);
      expect(lines).toEqual([
        expect.objectContaining({
          level: 50,
          msg: "unexpected failure",
          rpc: expect.stringContaining(rpc),
          err: expect.objectContaining({
            message: expect.stringContaining(column),
            stack: expect.stringContaining("src/postgres/"),
          }),
        }),
      ]);
    });
  }
  expect((await call()).status).toBe(200);
});

test("What callers did wrong is no failure of the service", async () => {
  const from = server.log.length;
  await call("ListAuthorizations", "{");
  await call("ListAuthorizations", { filters: [{}] });
  await call("UpdateAuthorization", { id: "never" });
  await call("ListAuthorizations", {}, { token: "unknown" });
  await call("Nope");
  expect(faults(from)).toEqual([]);
});

test("Tokens never appear in the log, also at the level trace", async () => {
  const secret = await server.database.token("root");
  const unknown = "authz_neverseenbefore";
  for (const given of [secret, unknown]) {
    await call("ListAuthorizations", {}, { token: given });
    await call("ListAuthorizations", `{"${given}":1}`, { token: given });
    await call("Nope", {}, { token: given });
    await call("ListAuthorizations", {}, { token: given, headers: { "content-type": "text/plain" } });
    await call("ListAuthorizations", {}, { token: given, headers: { "connect-timeout-ms": "0" } });
    await without("users", "display_name", async () => void (await call("ListAuthorizations", {}, { token: given })));
    await without("tokens", "hash", async () => void (await call("ListAuthorizations", {}, { token: given })));
    await sendRaw(server.url, request("POST / HTTP/1.1", { authorization: `Bearer ${given}`, bad: "\u0001" }));
  }
  const written = JSON.stringify(server.log);
  expect(written).toContain("unexpected failure");
  for (const given of [secret, unknown, token]) expect(written).not.toContain(given);
});
