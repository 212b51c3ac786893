import type pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { requireOwnSessions } from "../../src/postgres/pool/own-sessions.ts";
import { post } from "../support/call-headers.ts";
import type { Ended } from "../support/command.ts";
import { hold, waitingSessions } from "../support/locks.ts";
import { type OwnPostgres, startOwnPostgres } from "../support/own-postgres.ts";
import { serveInTest, startInTest } from "../support/start-in-test.ts";
import { addTraffic } from "../support/traffic.ts";
import { until } from "../support/until.ts";
import { withClient } from "../support/with-client.ts";
import { smallWorld } from "../support/world.ts";
import { type PgBouncer, type Settings, startPgBouncer } from "./pgbouncer.ts";

let postgres: OwnPostgres;
let token: string;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  await postgres.database.import(...smallWorld);
  token = await postgres.database.token("root");
});
afterAll(() => postgres.stop());

async function open(settings: Settings): Promise<PgBouncer> {
  const bouncer = await startPgBouncer(postgres, settings);
  onTestFinished(() => bouncer.stop());
  return bouncer;
}

function run(command: string, { url }: Pick<PgBouncer, "url">, input = ""): Promise<Ended> {
  // A server that serves never ends.
  return startInTest(command.split(" "), { env: { DATABASE_URL: url, PORT: "0" }, input }).ended;
}

/** A server that runs until the test ends, and what it answers. */
async function serve({ url }: PgBouncer) {
  const running = await serveInTest({ DATABASE_URL: url });
  async function call(rpc: string, request: object, timeoutMs = 10_000): Promise<{ status: number; body: any }> {
    const headers = { "connect-timeout-ms": String(timeoutMs) };
    const answer = await post(running.url, token, rpc, request, { headers });
    return { status: answer.status, body: await answer.json() };
  }
  return { running, call, isReady: async () => (await fetch(`${running.url}/readyz`)).status === 200 };
}

const whatToDo =
  /^DATABASE_URL cannot be used: A connection pooler .+Connect to Postgres directly, or set the pooler to session mode/;

describe("Refused, with what to do, is PgBouncer", () => {
  test.each<[string, Settings]>([
    ["in transaction mode", { pool_mode: "transaction" }],
    ["in transaction mode, with one session", { pool_mode: "transaction", default_pool_size: 1 }],
    ["in transaction mode, taking sessions in turn", { pool_mode: "transaction", server_round_robin: 1 }],
    ["in transaction mode, resetting sessions", { pool_mode: "transaction", server_reset_query_always: 1 }],
    ["in statement mode", { pool_mode: "statement" }],
  ])("%s", async (_, settings) => {
    const bouncer = await open(settings);
    const commands = ["serve", "migrate", "import -", "token create --user root"];
    const ends = await Promise.all(commands.map((command) => run(command, bouncer)));
    for (const end of ends) expect(end).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(whatToDo) });
  });

  test.each<[string, Settings, clients: number]>([
    ["transaction mode", { pool_mode: "transaction" }, 2],
    ["transaction mode and all its sessions taken", { pool_mode: "transaction", default_pool_size: 2 }, 6],
    ["transaction mode, taking them in turn", { pool_mode: "transaction", server_round_robin: 1 }, 6],
    ["statement mode", { pool_mode: "statement" }, 2],
  ])("in %s, also while others use its sessions", async (_, settings, clients) => {
    const { url } = await open(settings);
    await addTraffic(url, clients);
    for (let time = 0; time < 30; time += 1) {
      await expect(requireOwnSessions({ connectionString: url })).rejects.toThrow("set the pooler to session mode");
    }
  });

  test("in session mode with one session, which is too few", async () => {
    const { url } = await open({ pool_mode: "session", default_pool_size: 1 });
    await expect(requireOwnSessions({ connectionString: url }, 500)).rejects.toThrow(
      /no second one.+default_pool_size/,
    );
  });

  test("in session mode with one session and a time-out of its own", async () => {
    const { url } = await open({ pool_mode: "session", default_pool_size: 1, query_wait_timeout: 1 });
    await expect(requireOwnSessions({ connectionString: url })).rejects.toThrow(/no second one.+default_pool_size/);
  });

  test("when DATABASE_URL has options that it does not know, until it is told to ignore them", async () => {
    const withOptions = ({ url }: PgBouncer) => ({ url: `${url}?options=-c%20work_mem%3D8MB` });
    const strict = await open({ pool_mode: "session" });
    expect((await run("token list", withOptions(strict))).stderr).toMatch(/unsupported startup parameter: options/);
    const lenient = await open({ pool_mode: "session", ignore_startup_parameters: "options" });
    expect(await run("token list", withOptions(lenient))).toMatchObject({ code: 0 });
  });
});

describe("Behind PgBouncer in session mode", () => {
  test("the check finds nothing, also while others use its sessions", async () => {
    const { url } = await open({ pool_mode: "session" });
    await addTraffic(url, 4);
    for (let time = 0; time < 30; time += 1) await requireOwnSessions({ connectionString: url });
  });

  test("commands do what they do without it", async () => {
    const bouncer = await open({ pool_mode: "session" });
    const input = smallWorld.map((line) => `${JSON.stringify(line)}\n`).join("");
    expect(await run("migrate", bouncer)).toMatchObject({ code: 0, stderr: "The schema is up to date.\n" });
    expect(await run("import -", bouncer, input)).toMatchObject({ code: 0 });
    expect((await run("export", bouncer)).stdout.trimEnd().split("\n")).toHaveLength(smallWorld.length);
    expect(await run("check", bouncer)).toMatchObject({ code: 0 });
    expect(await run("token create --user root", bouncer)).toMatchObject({ code: 0 });
  });

  test("a server answers, and cancels what runs, without losing the session", async () => {
    const bouncer = await open({ pool_mode: "session" });
    const { running, call, isReady } = await serve(bouncer);
    expect(await isReady()).toBe(true);
    const calls = Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0
        ? call("UpdateAuthorization", { id: "a1", roleKeys: ["seller"] })
        : call("ListAuthorizations", {}),
    );
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));

    // Servers look at assignments each second, but not at their roles.
    const lock = await hold(postgres.database, "lock table authorization_roles in access exclusive mode");
    const late = call("ListAuthorizations", {}, 1_000);
    await lock.untilWaiting(1);
    const [session] = await waitingSessions(postgres.database);
    expect(await late).toMatchObject({ status: 504, body: { code: "deadline_exceeded" } });
    await lock.untilWaiting(0);
    const alive = "select from pg_stat_activity where pid = $1";
    expect(await postgres.database.query(alive, [session])).toHaveLength(1);
    await lock.rollback();
    expect((await call("ListAuthorizations", {})).status).toBe(200);
    expect(await running.until("stderr", /deadline_exceeded/)).not.toContain("session mode");
  });
});

test("While PgBouncer in transaction mode takes the place of one in session mode, the server is not ready", async () => {
  const session = await startPgBouncer(postgres, { pool_mode: "session" });
  const { running, call, isReady } = await serve(session);
  expect([await isReady(), (await call("ListAuthorizations", {})).status]).toEqual([true, 200]);
  const listen_port = Number(new URL(session.url).port);
  await session.stop();
  const transaction = await startPgBouncer(postgres, { pool_mode: "transaction", listen_port });
  await until("the refusal", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => call("ListAuthorizations", {})));
    for (const { status, body } of answers) expect(status === 200 || body.code === "unavailable").toBe(true);
    return !(await isReady());
  });
  await running.until("stderr", /set the pooler to session mode/);
  await transaction.stop();
  await open({ pool_mode: "session", listen_port });
  await until("service", isReady);
  expect((await call("ListAuthorizations", {})).status).toBe(200);
});

test("The process id that PgBouncer tells is none of Postgres", async () => {
  const { url } = await open({ pool_mode: "session" });
  await withClient({ connectionString: url }, async (client) => {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    expect((client as pg.Client & { processID: number }).processID).not.toBe(rows[0]?.pid);
  });
});
