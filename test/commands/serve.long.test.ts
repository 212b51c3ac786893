import { beforeEach, expect, test } from "vitest";
import { post } from "../support/call-headers.ts";
import { databaseInTest, type TestDatabase } from "../support/database.ts";
import { hold } from "../support/locks.ts";
import { serveInTest, stop } from "../support/start-in-test.ts";
import { stored } from "../support/stored.ts";
import { until } from "../support/until.ts";
import { authorization, loadSmallWorld, user } from "../support/world.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await databaseInTest();
});

const serve = (command: "serve" | "start", env: Record<string, string> = {}) =>
  serveInTest({ DATABASE_URL: database.url, ...env }, command);

test.each(["SIGTERM", "SIGINT"] as const)(
  "on %s it finishes what is in flight, takes no more, and exits with 0, even if more signals follow",
  async (signal) => {
    await loadSmallWorld(database);
    const token = await database.token("root");
    const server = await serve("serve");
    const lock = await hold(database, "select from authorizations where id = 'a1' for update");
    const update = post(server.url, token, "UpdateAuthorization", { id: "a1", roleKeys: ["auditor"] });
    await lock.untilWaiting(1);
    server.process.kill(signal);
    const health = () => fetch(`${server.url}/healthz`, { headers: { connection: "close" } });
    const isRefused = () =>
      health()
        .then((answer) => !answer.ok)
        .catch(() => true);
    await until("new requests to be refused", isRefused);
    for (const again of ["SIGTERM", "SIGINT"] as const) server.process.kill(again);
    await lock.rollback();
    const freed = Date.now();
    const answer = await update;
    expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([200, ["changeDate"]]);
    expect(await server.ended).toMatchObject({ code: 0 });
    // The client keeps its connection open; the server does not wait for that.
    expect(Date.now() - freed).toBeLessThan(8_000);
    const roles = "select role_key from authorization_roles where authorization_id = 'a1'";
    expect(await database.query(roles)).toEqual([{ role_key: "auditor" }]);
  },
);

test.each(["serve", "start"] as const)("%s with DATABASE_URL makes no demo data and no tokens", async (command) => {
  const server = await serve(command);
  expect(await fetch(`${server.url}/readyz`).then((answer) => answer.json())).toEqual({ status: "ready" });
  const rows = await stored(database);
  expect(Object.values(rows).flat()).toEqual([]);
  expect(await database.query("select from tokens")).toEqual([]);
  expect((await stop(server)).stdout).not.toContain("authz_");
});

test("it appends the events of ends that passed before, oldest first, and of those that pass within two seconds", async () => {
  const ids = Array.from({ length: 1_500 }, (_, index) => `a-${index}`);
  await loadSmallWorld(database);
  await database.load(
    ...ids.map((id) => user(id, "initech")),
    ...ids.map((id) => authorization(id, id, "shop", "acme", ["seller"], "2024-01-01T00:00:00Z")),
  );
  await database.query(
    `update authorizations set expiration_date = '2025-01-01Z'::timestamptz - substr(id, 3)::integer * interval '1 second'
     where id = any($1)`,
    [ids],
  );
  await serve("serve");
  const ended = () =>
    database.query<{ id: string; late: number }>(
      `select authorization_id as id, extract(epoch from clock_timestamp() - time)::float8 as late from events
       where type = 'user.grant.expired' order by sequence`,
    );
  const events = await until("all events", async () => {
    const found = await ended();
    return found.length === ids.length && found;
  });
  expect(events.map(({ id }) => id)).toEqual(ids.toReversed());

  const late: number[] = [];
  // The server has just looked, so each of these waits for nearly as long as it can. The quickest depends least on the machine.
  for (let turn = 1; turn <= 3; turn += 1) {
    await database.query(
      "update authorizations set expiration_date = clock_timestamp() + interval '50 milliseconds' where id = $1",
      [`a${turn}`],
    );
    late.push(await until("the event", async () => (await ended())[ids.length + turn - 1]?.late));
  }
  expect(Math.min(...late)).toBeLessThan(2);
});

test("it logs lines of JSON to standard error, nothing to standard output, and never the password", async () => {
  const url = new URL(database.url);
  url.searchParams.set("password", "open-sesame");
  const server = await serve("serve", { DATABASE_URL: url.toString(), LOG_LEVEL: "trace" });
  const { stdout, stderr } = await stop(server);
  expect(stdout).toBe("");
  expect(stderr).not.toContain("open-sesame");
  for (const line of stderr.trimEnd().split("\n")) expect(JSON.parse(line)).toHaveProperty("msg");
});

test("a user id with any characters in it is safe to paste", async () => {
  const id = "$(touch x) o'neil";
  await database.load(
    { organization: { id: "o", name: "o" } },
    { user: { id, organizationId: "o", preferredLoginName: "o" } },
    { administrator: { userId: id, instance: true, roles: ["IAM_OWNER"] } },
  );
  const server = await serve("start");
  const said = await server.until("stdout", /--user .*\)/);
  expect(said).toContain(String.raw`token create --user '$(touch x) o'\''neil')`);
});
