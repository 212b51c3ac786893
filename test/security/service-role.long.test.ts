import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { apply, remove, removeRole } from "../support/changes.ts";
import { run } from "../support/cluster.ts";
import { runCommand } from "../support/command.ts";
import { expectError } from "../support/connect-errors.ts";
import { expectInvariants } from "../support/invariants.ts";
import { hold } from "../support/locks.ts";
import { bodyOf, serveTests } from "../support/server.ts";
import { createGuardedDatabase } from "../support/service-role.ts";
import { serveInTest, stop } from "../support/start-in-test.ts";
import { stored } from "../support/stored.ts";
import { callTokens, created, listedTokens, statusWith } from "../support/tokens.ts";
import { loadSmallWorld, smallWorld } from "../support/world.ts";

const guarded = await createGuardedDatabase();
afterAll(() => guarded.drop());
await loadSmallWorld(guarded.database);
const root = await guarded.database.token("root");
// Something of somebody else's, to be kept out of.
await guarded.database.query("create schema hidden create table things ()");
const server = await serveTests({ database: guarded.database });

async function asService(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: guarded.serviceUrl });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe("A role with the rights of ops/service-role.sql", () => {
  test("is enough for every RPC of AuthorizationService", async () => {
    const call = (rpc: string, request: object) => bodyOf(server.call(rpc, request, { token: root }));
    expect(await call("ListAuthorizations", {})).toMatchObject({ pagination: { totalResult: 6 } });
    const place = { projectId: "shop", organizationId: "globex" };
    const { id } = await call("CreateAuthorization", { userId: "nobody", ...place, roleKeys: ["seller"] });
    await call("UpdateAuthorization", { id, roleKeys: ["seller", "auditor"] });
    await call("DeactivateAuthorization", { id });
    await call("ActivateAuthorization", { id });
    await call("DeleteAuthorization", { id });
    await call("DeleteAuthorization", { id });
    const filters = [
      { userDisplayName: { displayName: "ANN", method: "TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE" } },
      { state: { state: "STATE_ACTIVE" } },
    ];
    for (const sortingColumn of ["AUTHORIZATION_FIELD_NAME_CHANGED_DATE", "AUTHORIZATION_FIELD_NAME_USER_ID"]) {
      const { pagination } = await call("ListAuthorizations", { filters, sortingColumn });
      expect(pagination.totalResult).toBe(1);
    }
    const path = "authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents";
    const history = await server.callService(path, { filters: [{ authorizationId: { id } }] }, { token: root });
    expect(history.body.pagination.totalResult).toBe(5);
    await expectInvariants(guarded.database);
  });

  test("is enough for ApplyChanges with things of every kind, put in place, changed and removed", async () => {
    const renamed = JSON.parse(JSON.stringify(smallWorld).replaceAll('"Acme"', '"Acme Inc"'));
    const removals = [
      removeRole("shop", "owner"),
      ...[{ authorizationId: "a3" }, { projectGrantId: "shop-to-initech" }, { projectId: "depot" }].map(remove),
      remove({ administrator: { userId: "ann", organizationId: "acme" } }),
      ...[{ userId: "cid" }, { userId: "adam" }, { organizationId: "initech" }].map(remove),
    ];
    for (const changes of [renamed, removals, smallWorld]) {
      await apply(server, root, ...changes);
      await expectInvariants(guarded.database);
    }
  });

  test("is enough for every RPC of TokenService, and for the last use of tokens", async () => {
    const given = await created(server, root, { userId: "bob", name: "from root" });
    const next = await created(server, given.token);
    await server.storeTokenUses();
    const unused = (await listedTokens(server, given.token)).map(({ lastUseDate }) => lastUseDate === undefined);
    expect(unused).toEqual([true, false]);
    expect(await callTokens(server, "RevokeToken", { id: given.id }, root)).toMatchObject({ body: { revoked: 2 } });
    expect([await statusWith(server, given.token), await statusWith(server, next.token)]).toEqual([401, 401]);
  });

  test("lets a removed user's tokens go with it", async () => {
    await guarded.database.load({ user: { id: "gone", organizationId: "acme", preferredLoginName: "gone" } });
    const token = await guarded.database.token("gone");
    expect((await server.call("ListAuthorizations", {}, { token })).status).toBe(200);
    await apply(server, root, remove({ userId: "gone" }));
    expect((await server.call("ListAuthorizations", {}, { token })).status).toBe(401);
  });

  test("is enough for ListAdministrators and /readyz", async () => {
    expect(await server.callDirectory("ListAdministrators", {}, { token: root })).toMatchObject({ status: 200 });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  test("may cancel its own statements, as deadlines need it", async () => {
    const lock = await hold(guarded.database, "select from authorizations where id = 'a1' for update");
    const headers = { "connect-timeout-ms": "500" };
    const update = server.call("UpdateAuthorization", { id: "a1", roleKeys: ["auditor"] }, { token: root, headers });
    await lock.untilWaiting(1);
    expectError(await update, 504, "deadline_exceeded");
    await lock.untilWaiting(0);
    await lock.rollback();
    const sessions = `select pg_cancel_backend(pid) as cancelled from pg_stat_activity
      where usename = current_user and pid <> pg_backend_pid()`;
    const answers = await asService(sessions);
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) expect(answer).toEqual({ cancelled: true });
  });
});

describe("The commands, with the role of the service", () => {
  const env = () => ({ DATABASE_URL: guarded.serviceUrl, MIGRATE: "false" });

  test("serve starts with MIGRATE=false, and with nothing to migrate also without it", async () => {
    for (const MIGRATE of ["false", "true"]) {
      const running = await serveInTest({ ...env(), MIGRATE });
      expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
      await stop(running);
    }
  });

  test("import, export, events, check, its repair and token list work", async () => {
    const input = '{"organization":{"id":"hooli","name":"Hooli"}}\n';
    for (const args of [
      ["import", "-"],
      ["export"],
      ["events", "--authorization", "a1"],
      ["check"],
      ["check", "--repair"],
      ["token", "list"],
    ]) {
      expect(await runCommand(args, { env: env(), input }), args.join(" ")).toMatchObject({ code: 0 });
    }
  });

  test("token revoke works", async () => {
    const { id, token } = await created(server, root, { userId: "bob" });
    expect(await runCommand(["token", "revoke", id], { env: env() })).toMatchObject({ code: 0 });
    expect(await statusWith(server, token)).toBe(401);
  });

  test("token create is refused: only the owner makes tokens without a maker", async () => {
    const before = await stored(guarded.database);
    expect(await runCommand(["token", "create", "--user", "ann"], { env: env() })).toEqual(refusedTokens);
    expect(await stored(guarded.database)).toEqual(before);
  });

  test("init is refused, also where no one owns the instance", async () => {
    const { database } = guarded;
    const owners = await database.query("delete from administrators where 'IAM_OWNER' = any(roles) returning user_id");
    expect(owners).toHaveLength(1);
    const before = await stored(database);
    const args = ["init", "--organization", "Evil", "--login", "mallory"];
    expect(await runCommand(args, { env: env() })).toEqual(refusedTokens);
    expect(await stored(database)).toEqual(before);
    await database.query("insert into administrators (user_id, roles) select $1, '{IAM_OWNER}'", [owners[0]?.user_id]);
  });

  const refusedTokens = {
    code: 1,
    stdout: "",
    stderr:
      "DATABASE_URL cannot be used: permission denied for table tokens: only its owner may create a token without an end, a maker or an event. This command needs the role of the database's owner. Use its URL in DATABASE_URL.\n",
  };
});

test("What the role of the service cannot migrate is said so, without a stack", async () => {
  await guarded.database.query("delete from migrations where name like '0004%'");
  const { code, stderr } = await runCommand(["serve"], { env: { DATABASE_URL: guarded.serviceUrl, PORT: "0" } });
  await guarded.database.query("insert into migrations (name, run_on) values ('0004_events', now())");
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^The schema cannot be created: .* must be owner of table migrations\n$/),
  });
});

describe("A role with the rights of ops/service-role.sql cannot", () => {
  test.each([
    ["drop a table", "drop table authorizations"],
    ["alter a table", "alter table authorizations add column more text"],
    ["switch a trigger off", "alter table events disable trigger events_are_final"],
    ["switch all triggers off", "set session_replication_role = replica"],
    ["replace a function", "create or replace function hold_slot() returns smallint language sql as 'select 1'"],
    ["make a table", "create table mine ()"],
    ["make a schema", "create schema mine"],
    ["add an extension", "create extension file_fdw"],
    ["truncate authorizations", "truncate authorizations cascade"],
    ["truncate history", "truncate events"],
    ["change history", "update events set actor_id = 'ann'"],
    ["delete history", "delete from events"],
    ["delete history that is kept", "delete from kept_events"],
    ["hide history", "update kept_history set first_event = 999999999999999999"],
    ["delete history that is archived", "select delete_archived(1)"],
    ["make a token without an event", makeToken()],
    ["make a token without an end", makeToken({ end: "null" }) + event()],
    ["make a token without a maker", makeToken({ maker: "null" }) + event({ actor: "null" })],
    ["make a token whose event names another maker", makeToken() + event({ actor: "'bob'" })],
    ["make a token whose event names no one", makeToken() + event({ actor: "null" })],
    ["make a token whose event names another user", makeToken() + event({ user: "'bob'" })],
    ["make a token whose event names another token", makeToken() + event({ id: "'y'" })],
    ["make a token whose event names another kind of change", makeToken() + event({ before: "'{}'" })],
    [
      "make a token and hide the events behind a table of its own",
      `create temporary table directory_events (like public.directory_events including defaults including identity including generated); ${makeToken()} ${event()}`,
    ],
    ["change an event of a token", "update directory_events set actor_id = 'ann'"],
    ["delete an event of a token", "delete from directory_events"],
    ["give a token to another user", "update tokens set user_id = 'root'"],
    ["make tokens last", "update tokens set expiration_date = null"],
    ["exchange what proves a token", "update tokens set hash = sha256('x')"],
    ["claim that a migration is in", "insert into migrations (name, run_on) values ('9999_later', now())"],
    ["exchange the secrets of the database", "update database_secrets set gate_salt = 0"],
    ["read another schema", "select * from hidden.things"],
    ["read the passwords of roles", "select * from pg_authid"],
    ["read a file of the server", "select pg_read_file('PG_VERSION')"],
    ["run a program", "copy (select 1) to program 'true'"],
    ["raise itself", "alter role current_user superuser"],
    [
      "become the owner",
      "do $$ begin execute format('set role %I', (select tableowner from pg_tables where tablename = 'events')); end $$",
    ],
    [
      "end sessions of others",
      "select pg_terminate_backend(pid) from pg_stat_activity where usename <> current_user and datname = current_database()",
    ],
  ])("%s", async (_what, statement) => {
    await expect(asService(statement)).rejects.toMatchObject({ code: "42501" });
  });
});

test("A role with the rights of ops/service-role.sql makes tokens that leave an event", async () => {
  await asService(`begin; ${makeToken()} ${event()} commit`);
  expect(await asService("select user_id, actor_id from directory_events where id = 'x'")).toEqual([
    { user_id: "root", actor_id: "ann" },
  ]);
  await asService("delete from tokens where id = 'x'");
});

/** A token as someone with the login of the server would make it. */
function makeToken({ end = "now() + interval '1 day'", maker = "'ann'" } = {}): string {
  return `insert into tokens (id, user_id, hash, expiration_date, maker_id) values ('x', 'root', sha256('x'), ${end}, ${maker});`;
}

/** Its event. */
function event({ id = "'x'", user = "'root'", actor = "'ann'", before = "null" } = {}): string {
  return `
    insert into directory_events (time, kind, id, user_id, actor_id, request_id, before, after)
    values (now(), 'token', ${id}, ${user}, ${actor}, gen_random_uuid(), ${before}, '{"id":"x"}');`;
}

test("A table that a later migration makes is covered, and the grants may be given again", async () => {
  await run(guarded.ownerUrl, "create table later (id bigint generated always as identity, name text)");
  await asService("insert into later (name) values ('x')");
  await asService("update later set name = 'y'");
  expect(await asService("select name from later")).toEqual([{ name: "y" }]);
  await asService("delete from later");
  expect(await migrateFor(guarded.service)).toEqual({
    code: 0,
    stdout: "",
    stderr: `The schema is up to date.\nThe role ${JSON.stringify(guarded.service)} has the rights to serve.\n`,
  });
  await expect(asService("delete from events")).rejects.toMatchObject({ code: "42501" });
  await expect(asService("drop table later")).rejects.toMatchObject({ code: "42501" });
  await run(guarded.ownerUrl, "drop table later");
});

function migrateFor(role: string) {
  return runCommand(["migrate", "--service-role", role], { env: { DATABASE_URL: guarded.ownerUrl } });
}

test("migrate --service-role refuses the owner, who would lose rights, and a role that doesn't exist", async () => {
  const owner = new URL(guarded.ownerUrl).searchParams.get("user") ?? "";
  expect(await migrateFor(owner)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^.*\nThe role can't be given its rights: the role is the owner, which needs more/),
  });
  await run(guarded.ownerUrl, "delete from events where false");
  expect(await migrateFor("nobody")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/\nThe role can't be given its rights: role "nobody" does not exist\n$/),
  });
});
