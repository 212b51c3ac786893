import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { migrate } from "../../src/postgres/migrations.ts";
import { databaseUrl, run } from "../support/cluster.ts";
import { runCommand } from "../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type Event, eventsOf } from "../support/events.ts";
import { errorInfo, startTestServer, type TestServer } from "../support/server.ts";
import { releasedMigrations } from "./released-migrations.ts";

const folder = fileURLToPath(new URL("../../migrations", import.meta.url));
const inRelease = Object.keys(releasedMigrations["0.1.0"] ?? {});
const before: Record<string, Event[]> = {};
let database: TestDatabase;
let server: TestServer;
let applied: string[];

beforeAll(async () => {
  database = await leftByRelease();
  for (const id of ids) before[id] = await eventsOf(database, id);
  applied = await migrate({ connectionString: database.url });
  server = await startTestServer({ database });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** A copy of a database that was only ever migrated and filled by release 0.1.0. */
async function leftByRelease(): Promise<TestDatabase> {
  const serverUrl = inject("serverUrl");
  const name = `release_${randomBytes(8).toString("hex")}`;
  await run(serverUrl, `create database ${name} template template0 encoding 'UTF8'`);
  const client = new pg.Client({ connectionString: databaseUrl(serverUrl, name) });
  await client.connect();
  try {
    const options = { dir: folder, migrationsTable: "migrations", direction: "up", count: inRelease.length } as const;
    const made = await runner({ ...options, dbClient: client, log: () => {} });
    expect(made.map((migration) => migration.name)).toEqual(inRelease);
    await client.query(await text("world.sql"));
  } finally {
    await client.end();
  }
  const copy = await createTestDatabase(name);
  await run(serverUrl, `drop database ${name}`);
  return copy;
}

const text = (name: string) => readFile(new URL(`release-0.1.0/${name}`, import.meta.url), "utf8");
const ids = ["owned", "owned-inactive", "granted", "granted-inactive", "granted-without-roles", "removed", "cascaded"];
const authorizationIds = ids.slice(0, 5);
const [root, ann, bea] = ["root", "ann", "bea"].map((id) => ({ token: `authz_${id}` })) as [Caller, Caller, Caller];
type Caller = { token: string };

/** Only the last test changes anything. */
describe("A database of release 0.1.0 with data in it", () => {
  test("is migrated by all that came after that release", async () => {
    const all = (await readdir(folder)).map((file) => file.replace(/\.sql$/, "")).sort();
    expect([...inRelease, ...applied]).toEqual(all);
  });

  test("exports afterwards what was put in", async () => {
    const { code, stdout } = await runCommand(["export"], { env: { DATABASE_URL: database.url } });
    expect(code).toBe(0);
    const expected = (await text("export.ndjson")).trimEnd().split("\n");
    expect(stdout.trimEnd().split("\n").map(parsed)).toEqual(expected.map(parsed));
  });

  test("keeps the history of every authorization, also of removed ones", async () => {
    expect(Object.values(before).flat()).toHaveLength(15);
    for (const id of ids) expect([id, await eventsOf(database, id)]).toEqual([id, before[id]]);
  });

  test("answers lists with everything that is known of an authorization", async () => {
    const { body } = await server.call("ListAuthorizations", { filters: [{ userId: { id: "bob" } }] }, root);
    expect(body).toEqual({
      pagination: { totalResult: 1, appliedLimit: 100, nextPageToken: "" },
      authorizations: [
        {
          id: "granted",
          creationDate: "2025-01-03T00:00:00.500Z",
          changeDate: "2025-01-13T00:00:00Z",
          project: { id: "shop", name: "Shop", organizationId: "acme" },
          organization: { id: "globex", name: 'Globex "Ä"' },
          user: {
            id: "bob",
            preferredLoginName: "bob@globex.example",
            displayName: "",
            avatarUrl: "",
            organizationId: "globex",
          },
          state: "STATE_ACTIVE",
          roles: [{ key: "auditor", displayName: "Auditor", group: "control" }],
        },
      ],
    });
  });

  test.each<[string, Caller, object[], string[]]>([
    ["everything", root, [], authorizationIds],
    ["what hangs on no grant", root, [{ projectGrantId: { id: "" } }], ["owned", "owned-inactive"]],
    ["a state", root, [{ state: { state: "STATE_INACTIVE" } }], ["owned-inactive", "granted-inactive"]],
    ["a role", root, [{ roleKey: { key: "seller" } }], ["owned", "granted-inactive"]],
    ["a name", root, [{ userDisplayName: { displayName: "BÉA", method: 1 } }], ["granted-inactive"]],
    ["what the owner of an organization sees", ann, [], ["owned", "owned-inactive"]],
    ["what the administrator of a grant sees", bea, [], ["granted", "granted-inactive"]],
  ])("answers the rows and the total of %s", async (_what, caller, filters, expected) => {
    const { body } = await server.call("ListAuthorizations", { filters, pagination: { asc: true } }, caller);
    expect(body.authorizations.map(({ id }: { id: string }) => id)).toEqual(expected);
    expect(body.pagination.totalResult).toBe(expected.length);
  });

  test("accepts its tokens until they end", async () => {
    for (const [token, status] of [
      ["authz_root", 200],
      ["authz_bea", 200],
      ["authz_expired", 401],
    ] as const) {
      expect([token, (await server.call("ListAuthorizations", {}, { token })).status]).toEqual([token, status]);
    }
  });

  test("knows what was removed, and who may hear of it", async () => {
    const again = (id: string, caller: object) => server.call("DeleteAuthorization", { id }, caller);
    expect((await again("removed", bea)).body).toEqual({ deletionDate: "2025-01-16T00:00:00Z" });
    expect((await again("cascaded", root)).body).toEqual({ deletionDate: "2025-01-18T00:00:00Z" });
    expect(errorInfo(await again("cascaded", bea))?.reason).toBe("AUTHORIZATION_NOT_FOUND");
  });

  test("is changed as any other, and the history goes on", async () => {
    const change = async (rpc: string, request: object) => (await server.call(rpc, request, root)).body;
    const taken = { userId: "ann", projectId: "shop", organizationId: "acme" };
    expect(errorInfo(await server.call("CreateAuthorization", taken, root))?.metadata).toEqual({ id: "owned" });
    const { changeDate: activated } = await change("ActivateAuthorization", { id: "owned-inactive" });
    const { changeDate } = await change("UpdateAuthorization", { id: "owned-inactive", roleKeys: [] });
    const { deletionDate } = await change("DeleteAuthorization", { id: "owned-inactive" });
    const events = await eventsOf(database, "owned-inactive");
    expect(events.slice(0, 2)).toEqual(before["owned-inactive"]);
    expect(events.slice(2).map(({ type, time }) => [type, time])).toEqual([
      ["user.grant.reactivated", activated],
      ["user.grant.changed", changeDate],
      ["user.grant.removed", deletionDate],
    ]);
  });
});

function parsed(line: string): unknown {
  return JSON.parse(line);
}
