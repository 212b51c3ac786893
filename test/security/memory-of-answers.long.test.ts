import { afterAll, expect, test } from "vitest";
import { post } from "../support/call-headers.ts";
import { entry, organization, project, remove } from "../support/changes.ts";
import { startCommand, urlOf } from "../support/command.ts";
import { databaseOfTests } from "../support/database.ts";
import { until } from "../support/until.ts";
import { role, user } from "../support/world.ts";

/** As many callers as could ask at once for the largest answers, of a server with the memory of docker-compose.yml. */
const callers = Array.from({ length: 8 }, (_, index) => `owner-${index}`);
const grants = 40;

const database = await databaseOfTests();
const keys = Array.from({ length: 1_000 }, (_, index) => `${"€".repeat(196)}${String(index).padStart(4, "0")}`);
await database.load(
  ...[organization("acme"), project("shop", "acme"), ...keys.map((key) => role("shop", key))],
  ...callers.flatMap((id) => [user(id, "acme"), entry(id, { projectId: "shop" }, "PROJECT_OWNER")]),
);
await database.query(`
  insert into organizations select 'o' || n, 'O' from generate_series(1, ${grants}) n;
  insert into project_grants (id, project_id, organization_id, owner_id)
  select 'g' || n, 'shop', 'o' || n, 'acme' from generate_series(1, ${grants}) n;
  insert into project_grant_roles (project_grant_id, project_id, role_key)
  select g.id, 'shop', r.key from project_grants g join project_roles r on r.project_id = g.project_id;
  insert into directory_events (time, kind, id, request_id, before, after)
  select now(), 'projectGrant', g.id, gen_random_uuid(), jsonb_build_object('id', g.id, 'roleKeys', k.keys),
    jsonb_build_object('id', g.id, 'organizationId', g.organization_id, 'roleKeys', k.keys)
  from project_grants g cross join (select array_agg(key) as keys from project_roles where project_id = 'shop') k;
  insert into directory_event_places (kind, id, time, sequence)
  select 'project', 'shop', time, sequence from directory_events where kind = 'projectGrant';
  insert into users select 'u' || n, 'acme', 'u', '', '' from generate_series(1, ${grants}) n;
  insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
  select 'a' || n, 'u' || n, 'acme', 'shop', 'acme', now(), now() from generate_series(1, ${grants}) n;
  insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
  select a.id, 'shop', '', r.key from authorizations a join project_roles r on r.project_id = a.project_id;
  analyze`);
const tokens = await Promise.all(callers.map((id) => database.token(id)));
const running = startCommand(["serve"], {
  env: {
    ...{ DATABASE_URL: database.url, HOST: "127.0.0.1", PORT: "0" },
    NODE_OPTIONS: "--max-old-space-size=268",
  },
});
const url = await urlOf(running);
afterAll(async () => {
  running.process.kill("SIGTERM");
  await running.ended;
});

async function call(rpc: string, token: string, request: object) {
  const headers = { "accept-encoding": "identity", "connect-timeout-ms": "30000" };
  const response = await post(url, token, rpc, request, { headers });
  const text = await response.text();
  return { status: response.status, bytes: Buffer.byteLength(text), text };
}

const removing = (count: number) => ({
  changes: Array.from({ length: count }, (_, index) => remove({ projectGrantId: `g${index + 1}` })),
  dryRun: true,
});

const applyChanges = "directory.v1.DirectoryService/ApplyChanges";
const page = { pagination: { limit: 1_000 } };

test.each([
  ["the largest outcomes", applyChanges, removing(13), 200],
  ["larger outcomes, which are refused", applyChanges, removing(grants), 429],
  ["the largest pages of events", "directory.v1.DirectoryHistoryService/ListDirectoryEvents", page, 200],
  ["the largest pages of assignments", "authorization.v2.AuthorizationService/ListAuthorizations", page, 200],
])("A small server lives while several callers ask at once for %s", async (_, rpc, request, status) => {
  const answers = await Promise.all(tokens.flatMap((token) => [call(rpc, token, request), call(rpc, token, request)]));
  // A server that is too busy may refuse some.
  expect([status, 503]).toEqual(expect.arrayContaining(answers.map((answer) => answer.status)));
  expect(Math.max(...answers.map(({ bytes }) => bytes))).toBeLessThan(9 * 1_024 * 1_024);
  await until("the answer to one", async () => (await call(rpc, tokens[0] ?? "", request)).status === status);
  expect([running.process.exitCode, running.process.signalCode]).toEqual([null, null]);
});
