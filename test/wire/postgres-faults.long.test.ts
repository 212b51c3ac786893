import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { startOwnPostgres } from "../support/own-postgres.ts";
import { type Answer, serveTests } from "../support/server.ts";
import { until } from "../support/until.ts";
import { loadSmallWorld } from "../support/world.ts";

const poolSize = 3;
const postgres = await startOwnPostgres({ max_connections: "20" });
afterAll(() => postgres.stop());
await loadSmallWorld(postgres.database);
const token = await postgres.database.token("root");
const annsToken = await postgres.database.token("ann");
const server = await serveTests({ database: postgres.database, poolSize });

const timeoutMs = 1_500;
/** How much later than it should an answer may come on a busy machine, in milliseconds. Other limits are longer still. */
const toleranceMs = 8_000;

async function call(rpc: string, body: object = {}, who = token): Promise<Answer> {
  const begin = performance.now();
  const answer = await server.call(rpc, body, { token: who, headers: { "connect-timeout-ms": String(timeoutMs) } });
  expect(performance.now() - begin).toBeLessThan(timeoutMs + toleranceMs);
  return answer;
}

const some = () => [
  call("ListAuthorizations"),
  call("UpdateAuthorization", { id: "a1", roleKeys: [] }),
  call("ListAuthorizations", {}, annsToken),
];

const ready = async () => (await fetch(`${server.url}/readyz`)).status;

/** Asks until the fault is felt, and then some more. */
async function expectOutage(codes: string[]): Promise<void> {
  await until("the fault to be felt", async () => (await ready()) === 503);
  for (const { status, body } of await Promise.all([...some(), ...some(), ...some()])) {
    if (status !== 200) expect(codes).toContain(body.code);
  }
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
}

/** When Postgres serves, so do we, with every connection. */
async function expectFullService(): Promise<void> {
  await postgres.untilAnswering();
  await until("full service", async () => {
    if ((await ready()) !== 200) return false;
    const answers = await Promise.all(Array.from({ length: poolSize * 3 }, some).flat());
    return answers.every(({ status }) => status === 200);
  });
}

describe("Callers hear unavailable, in time, and are served again, after Postgres", () => {
  test("was killed", async () => {
    await expectFullService();
    await postgres.end("SIGKILL");
    await expectOutage(["unavailable"]);
    await expectFullService();
  });

  test("was restarted", async () => {
    await expectFullService();
    await postgres.end("SIGINT");
    await expectFullService();
  });

  test("was out of connections", async () => {
    const others = await takeAllConnections();
    // Those of the service that were there before go too, and the others take their places.
    await others[0]?.query(`
      select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where application_name = 'authorization-service' and backend_type = 'client backend'`);
    others.push(...(await takeAllConnections()));
    await expectOutage(["unavailable"]);
    await Promise.all(others.map((other) => other.end()));
    await expectFullService();
  });

  test("was paused, when they may hear deadline_exceeded instead", async () => {
    await expectFullService();
    const resume = await postgres.pause();
    await expectOutage(["unavailable", "deadline_exceeded"]);
    resume();
    await expectFullService();
  });

  test("was read-only, as after a fail-over; reading may go on", async () => {
    await expectFullService();
    await postgres.database.query("alter system set default_transaction_read_only = on");
    await postgres.database.query("select pg_reload_conf()");
    await expectOutage(["unavailable"]);
    const update = await call("UpdateAuthorization", { id: "a1", roleKeys: ["seller"] });
    expect(update.body.code).toBe("unavailable");
    const admin = new pg.Client({ connectionString: postgres.database.url });
    await admin.connect();
    await admin.query("set default_transaction_read_only = off");
    await admin.query("alter system reset default_transaction_read_only");
    await admin.query("select pg_reload_conf()");
    await admin.end();
    await expectFullService();
  });
});

/** Connects until Postgres says that it has no more room. */
async function takeAllConnections(): Promise<pg.Client[]> {
  const taken: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: postgres.database.url });
    client.on("error", () => {});
    try {
      await client.connect();
      taken.push(client);
    } catch (error) {
      expect(error).toMatchObject({ code: "53300" });
      return taken;
    }
  }
}
