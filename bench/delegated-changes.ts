// Measures what it costs to judge changes of the directory: requests of 1,000 changes by an organization's owner, in turns
// with the same requests by an IAM_OWNER, on an embedded PostgreSQL with its normal settings.
//
//   npm run bench:delegated-changes -- --rounds 20

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type pg from "pg";
import { newActor } from "../src/authorization/actor.ts";
import type { Change } from "../src/directory/change.ts";
import { openEmbeddedPostgres } from "../src/embedded/embedded-postgres.ts";
import { openDatabase } from "../src/postgres/database/database.ts";
import { migrate } from "../src/postgres/database/migrations.ts";
import { postgresChanges } from "../src/postgres/directory/directory-store.ts";
import { withClient } from "../test/support/with-client.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "20" } } });
const rounds = Number(values.rounds);

/** All of them are about things of one organization. Every round changes them. */
const requests: Record<string, (round: number, n: number) => Change> = {
  "1,000 users changed": (round, n) => ({
    ...{ kind: "user", id: `u${n * 100}`, organizationId: "o0", preferredLoginName: `user ${n}` },
    ...{ displayName: `In round ${round}`, avatarUrl: "" },
  }),
  "1,000 roles changed": (round, n) => ({
    ...{ kind: "projectRole", projectId: `p${(n % 10) * 100}`, key: `role-${Math.floor(n / 10)}` },
    ...{ displayName: `In round ${round}`, group: "" },
  }),
  "1,000 entries changed": (round, n) => ({
    ...{ kind: "administrator", userId: `u${n}`, scope: { kind: "project", projectId: `p${(n % 10) * 100}` } },
    roles: [round % 2 === 0 ? "PROJECT_OWNER" : "PROJECT_OWNER_VIEWER"],
  }),
  "1,000 users, roles, grants and entries": (round, n) => {
    if (n % 100 === 3) {
      return { kind: "projectGrant", id: `g${n - 3}`, projectId: `p${n - 3}`, organizationId: "o1", roleKeys: [] };
    }
    const kinds = ["1,000 users changed", "1,000 roles changed", "1,000 entries changed"];
    return requests[kinds[n % 3] ?? ""]?.(round, n) ?? { kind: "organization", id: "o0", name: "Organization 0" };
  },
};

const folder = await mkdtemp(path.join(tmpdir(), "measure-delegated-"));
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

/** 100,000 users and entries in 100 organizations, each with ten projects that are granted to another one. */
async function makeWorld(connection: pg.ClientConfig): Promise<void> {
  await withClient(connection, async (client) => {
    for (const statement of [
      "insert into organizations select 'o' || n, 'Organization ' || n from generate_series(0, 99) n",
      `insert into users select 'u' || n, 'o' || n % 100, 'user ' || n, 'User ' || n, ''
       from generate_series(0, 99999) n`,
      "insert into projects select 'p' || n, 'o' || n % 100, 'Project ' || n from generate_series(0, 999) n",
      `insert into project_roles select 'p' || n, 'role-' || k, '', ''
       from generate_series(0, 999) n, generate_series(0, 99) k`,
      `insert into project_grants select 'g' || n, 'p' || n, 'o' || (n + 1) % 100, 'o' || n % 100
       from generate_series(0, 999) n`,
      `insert into administrators (user_id, project_id, roles)
       select 'u' || n, 'p' || (n * 7) % 1000, '{PROJECT_OWNER_VIEWER}' from generate_series(0, 99999) n`,
      "insert into administrators (user_id, roles) values ('u1', '{IAM_OWNER}')",
      "insert into administrators (user_id, organization_id, roles) values ('u2', 'o0', '{ORG_OWNER}')",
      `insert into removed_things select 'user', 'gone' || n, 'o' || n % 100, 0 from generate_series(0, 99999) n`,
      "vacuum analyze",
    ]) {
      await client.query(statement);
    }
  });
}

async function measureAll(connection: pg.ClientConfig): Promise<void> {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutMs: 600_000, onIdleError: () => {} });
  const directory = postgresChanges(database);
  const forever = new AbortController().signal;
  for (const [what, changeOf] of Object.entries(requests)) {
    const times: Record<string, number[]> = { u1: [], u2: [] };
    for (let round = 0; round < 2 * rounds + 4; round += 1) {
      const userId = round % 4 === 0 || round % 4 === 3 ? "u1" : "u2";
      const actor = newActor(userId, "");
      const changes = Array.from({ length: 1_000 }, (_, n) => ({ position: n, change: changeOf(round, n) }));
      const started = performance.now();
      await directory.apply({ actor, changes, dryRun: false }, forever);
      // The first ones warm up.
      if (round >= 4) times[userId]?.push(performance.now() - started);
    }
    for (const [how, of] of Object.entries({ median, fastest })) {
      const [all, own] = [of(times.u1 ?? []), of(times.u2 ?? [])];
      const both = `${all.toFixed(1)} ms by an IAM_OWNER, ${own.toFixed(1)} ms by an ORG_OWNER`;
      console.log(`${what}, ${how}: ${both}, ${(own / all).toFixed(2)} times`);
    }
  }
  await database.close();
}

function fastest(times: readonly number[]): number {
  return Math.min(...times);
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}
