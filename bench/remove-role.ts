// Measures what follows a change: a role that many authorizations hold is removed from its project, once by
// ApplyChanges and once by an import, on an embedded PostgreSQL with its normal settings; then a user and a grant.
//
//   npm run bench:remove-role -- --rows 100000 --others 1000000

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { newActor } from "../src/authorization/actor.ts";
import type { Change, Removal, Upsert } from "../src/directory/change.ts";
import { openEmbeddedPostgres } from "../src/embedded/embedded-postgres.ts";
import { openDatabase } from "../src/postgres/database/database.ts";
import { migrate } from "../src/postgres/database/migrations.ts";
import { postgresChanges, postgresImport } from "../src/postgres/directory/directory-store.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    others: { type: "string", default: "1000000" },
  },
});
const rows = Number(values.rows);
const others = Number(values.others);

const folder = await mkdtemp(path.join(tmpdir(), "measure-removal-"));
const postgres = await openEmbeddedPostgres({
  dataDirectory: folder,
  owner: { kind: "command", name: "bench" },
  say: console.log,
});
try {
  const connection = { host: postgres.socketDirectory, port: postgres.port, user: "postgres", database: "postgres" };
  await migrate(connection);
  await makeWorld(connection);
  await measureAll(connection);
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

/** A project with many authorizations, half of them on a grant, each with three roles; and many on others. */
async function makeWorld(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  const started = performance.now();
  for (const statement of [
    // What is made here is right; checking every reference would take most of the time.
    "set session_replication_role = replica",
    `insert into organizations select 'o' || n, 'Organization ' || n from generate_series(0, 999) n`,
    `insert into users select 'u' || n, 'o' || n % 1000, 'user ' || n, 'User ' || n, ''
     from generate_series(0, greatest(${rows}, ${Math.ceil(others / 5)})) n`,
    "insert into administrators (user_id, roles) values ('u0', '{IAM_OWNER}')",
    `insert into projects select 'p' || n, 'o' || n, 'Project ' || n from generate_series(0, 999) n`,
    `insert into project_roles select 'p' || n, 'role-' || k, '', '' from generate_series(0, 999) n, generate_series(0, 7) k`,
    `insert into project_grants values ('g0', 'p0', 'o1', 'o0')`,
    `insert into project_grant_roles select 'g0', 'p0', 'role-' || k from generate_series(0, 7) k`,
    `insert into authorizations (
       id, user_id, user_organization_id, user_name, project_id, organization_id, project_grant_id, creation_date,
       change_date)
     select 'a' || n, 'u' || n, 'o' || n % 1000, 'user ' || n, 'p0', 'o' || n % 2, case n % 2 when 0 then '' else 'g0' end, now(), now()
     from generate_series(0, ${rows} - 1) n`,
    `insert into authorizations (
       id, user_id, user_organization_id, user_name, project_id, organization_id, project_grant_id, creation_date,
       change_date)
     select 'b' || n, 'u' || n / 5, 'o' || (n / 5) % 1000, 'user ' || n / 5, 'p' || 1 + (n * 7) % 999, 'o' || 1 + (n * 7) % 999, '', now(), now()
     from generate_series(0, ${others} - 1) n`,
    `insert into authorization_roles
     select a.id, a.project_id, a.project_grant_id, 'role-' || k from authorizations a, generate_series(0, 2) k`,
    `insert into events (authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys,
       state, creation_date, request_id)
     select id, 'user.grant.added', change_date, user_id, project_id, organization_id, project_grant_id,
       '{role-0,role-1,role-2}', state, creation_date, gen_random_uuid() from authorizations`,
    "vacuum analyze",
    "checkpoint",
  ]) {
    await client.query(statement);
  }
  await client.end();
  console.log(`${rows} authorizations on the project, ${others} on others, made in ${secondsSince(started)}`);
}

async function measureAll(connection: pg.ClientConfig): Promise<void> {
  const database = openDatabase({ connection, poolSize: 2, statementTimeoutMs: 600_000, onIdleError: () => {} });
  const directory = postgresChanges(database);
  const forever = new AbortController().signal;
  const actor = newActor("u0", "");
  const byRequest = (...changes: Change[]) =>
    directory.apply({ actor, changes: changes.map(place), dryRun: false }, forever);
  const byImport = async (...changes: Change[]) => {
    const { import: load } = postgresImport(connection);
    await load(newActor(undefined, ""), inOrder(changes), () => {});
  };
  const removal = (thing: Removal): Change => ({ kind: "removal", thing });
  const role = (key: string) => removal({ kind: "projectRole", projectId: "p0", key });
  const grant: Upsert = {
    kind: "projectGrant",
    id: "g0",
    projectId: "p0",
    organizationId: "o1",
    roleKeys: ["role-5"],
  };
  const steps: [string, () => Promise<unknown>][] = [
    ["an organization renamed, by ApplyChanges", () => byRequest({ kind: "organization", id: "o9", name: "Nine" })],
    ["a user removed, by ApplyChanges", () => byRequest(removal({ kind: "user", id: "u7" }))],
    [
      "a role of a small project removed, by ApplyChanges",
      () => byRequest(removal({ kind: "projectRole", projectId: "p5", key: "role-1" })),
    ],
    ["the role removed, by ApplyChanges", () => byRequest(role("role-0"))],
    ["another role removed, by import", () => byImport(role("role-1"))],
    ["a grant loses the last key of half of them, by ApplyChanges", () => byRequest(grant)],
    [
      "the grant removed with half of them, by ApplyChanges",
      () => byRequest(removal({ kind: "projectGrant", id: "g0" })),
    ],
    ["the project removed with the rest, by ApplyChanges", () => byRequest(removal({ kind: "project", id: "p0" }))],
  ];
  for (const [what, step] of steps) {
    const started = performance.now();
    await step();
    console.log(`${secondsSince(started).padStart(8)}  ${what}`);
  }
  await database.close();
}

function place(change: Change, position: number) {
  return { position, change };
}

async function* inOrder(changes: Change[]) {
  yield* changes.map(place);
}

function secondsSince(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(2)} s`;
}
