import { expect, test } from "vitest";
import { post } from "../support/call-headers.ts";
import { applyChanges, organization } from "../support/changes.ts";
import { expectError } from "../support/connect-errors.ts";
import { hold } from "../support/locks.ts";
import { expectRefusal, unauthenticated } from "../support/refusals.ts";
import { serveSmallWorld, startTestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

// docs/reference/limits.md: a server works on one ApplyChanges of a caller at a time, and all directory changes wait before they take a connection.

const { server, root } = await serveSmallWorld({ poolSize: 8 });
const owner = (userId: string) => ({ administrator: { userId, instance: true, roles: ["IAM_OWNER"] } });
await server.database.load(owner("bob"), owner("cid"));
const other = await server.database.token("bob");
const third = await server.database.token("cid");

/** All changes of the directory wait until this ends. */
const stopAll = () => hold(server.database, "select pg_advisory_xact_lock(7206381402113)");
const rename = (name: string, options: object = {}) =>
  server.callDirectory("ApplyChanges", { changes: [organization("acme", name)] }, { token: root, ...options });
const list = (token: string) => server.call("ListAuthorizations", {}, { token });
/** The names that it got, in their order. */
async function names(): Promise<string[]> {
  const rows = await server.database.query<{ name: string }>(
    "select after->>'name' as name from directory_events where kind = 'organization' and actor_id = 'root' order by sequence",
  );
  return rows.map(({ name }) => name);
}
const inFlight = (count: number) => async () => (await server.openConnections()) >= count;

test("However many callers send, one of them holds a connection to Postgres, and all others are served", async () => {
  const held = await stopAll();
  const first = rename("1");
  await held.untilWaiting(1);
  const others = Array.from({ length: 10 }, (_, index) => rename(`late ${index}`));
  await until("all of them to arrive", inFlight(11));
  expect((await list(other)).status).toBe(200);
  expect((await list(root)).status).toBe(200);
  const theirs = applyChanges(server, other, [organization("globex", "Theirs")]);
  const dry = { changes: [organization("initech", "Dry")], dryRun: true };
  const headers = { "connect-timeout-ms": "200" };
  const late = await server.callDirectory("ApplyChanges", dry, { token: root, headers });
  expectError(late, 504, "deadline_exceeded", "the operation timed out");
  expect((await server.callDirectory("ApplyChanges", dry, { token: third })).status).toBe(200);
  await held.untilWaiting(1);
  await held.commit();
  for (const answer of await Promise.all([first, ...others, theirs])) expect(answer.status).toBe(200);
  expect(await names()).toHaveLength(11);
});

test("One that waits for its turn ends at its deadline or when its client leaves, and is never made", async () => {
  const held = await stopAll();
  const first = rename("a");
  await held.untilWaiting(1);
  const headers = { "connect-timeout-ms": "300" };
  expectError(await rename("too late", { headers }), 504, "deadline_exceeded", "the operation timed out");
  const leaving = new AbortController();
  const gate = await hold(server.database, "lock table tokens in access exclusive mode");
  const rpc = "directory.v1.DirectoryService/ApplyChanges";
  const changes = [organization("acme", "gone")];
  const gone = post(server.url, root, rpc, { changes }, { signal: leaving.signal });
  const left = expect(gone).rejects.toThrow();
  const isGone = () => server.log.some(({ code }) => code === "canceled");
  await gate.untilWaiting(1);
  await gate.rollback();
  expect((await list(root)).status).toBe(200);
  leaving.abort();
  await left;
  await until("the server to notice", isGone);
  await held.commit();
  expect((await first).status).toBe(200);
  expect((await rename("next")).status).toBe(200);
  expect((await names()).slice(-2)).toEqual(["a", "next"]);
  expect(await names()).not.toContain("gone");
});

test.each([
  ["ApplyChanges", { changes: [organization("acme", "with a revoked token")] }],
  ["OffboardUser", { userId: "ann", mode: "MODE_REMOVE" }],
])("%s that waited isn't made with a token that was revoked meanwhile", async (rpc, request) => {
  const revoked = await server.database.token("bob");
  const held = await stopAll();
  const waiting = server.callDirectory(rpc, request, { token: revoked });
  await held.untilWaiting(1);
  await held.query("delete from tokens where hash = sha256($1)", [`\\x${Buffer.from(revoked).toString("hex")}`]);
  await held.commit();
  expectRefusal(await waiting, unauthenticated);
  expect(await server.database.query("select from users where id = 'ann'")).toHaveLength(1);
  expect(await names()).not.toContain("with a revoked token");
});

test("A server that stops still answers those that wait for their turn", async () => {
  const stopping = await startTestServer({ database: server.database, poolSize: 8 });
  const held = await stopAll();
  const send = (name: string) => applyChanges(stopping, root, [organization("initech", name)]);
  const first = send("1");
  await held.untilWaiting(1);
  const second = send("2");
  await until("it to arrive", async () => (await stopping.openConnections()) >= 2);
  const stopped = stopping.stop({ gently: true });
  await held.commit();
  for (const answer of await Promise.all([first, second])) expect(answer.status).toBe(200);
  await stopped;
});
