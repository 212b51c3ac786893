import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { callHeaders } from "../support/call-headers.ts";
import { type Running, runCommand, startCommand, urlOf } from "../support/command.ts";
import { createSmallWorld, createTestDatabase, type TestDatabase } from "../support/database.ts";
import {
  anyOther,
  carryingMode,
  neverUsed,
  openFakePooler,
  type PoolerKind,
  sameAsBefore,
  sessionMode,
  transactionMode,
} from "../support/fake-pooler.ts";
import { until } from "../support/until.ts";

let world: TestDatabase;
beforeAll(async () => {
  world = await createSmallWorld();
});
afterAll(() => world.drop());

const started: Running[] = [];
afterEach(async () => {
  for (const { process, ended } of started.splice(0)) {
    process.kill("SIGKILL");
    await ended;
  }
});

async function openPooler(database: TestDatabase, kind: PoolerKind) {
  const pooler = await openFakePooler(database.url, kind);
  onTestFinished(() => pooler.close());
  return pooler;
}

const whatToDo =
  /^DATABASE_URL cannot be used: A connection pooler shares Postgres sessions among its clients \(.+\), and the service needs its own\. Connect to Postgres directly, or set the pooler to session mode \(PgBouncer: pool_mode = session, with its default server_reset_query\)\.\n$/;

describe("Behind a pooler in transaction mode", () => {
  test("every command says what to do, and does nothing else", async () => {
    const pooler = await openPooler(world, transactionMode);
    const commands = ["serve", "migrate", "import -", "export", "events --authorization a1", "check", "token list"];
    const env = { DATABASE_URL: pooler.url, PORT: "0" };
    const running = commands.map((command) => startCommand(command.split(" "), { env, input: "" }));
    started.push(...running);
    const ends = await Promise.all(running.map(({ ended }) => ended));
    for (const end of ends) expect(end).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(whatToDo) });
  });

  test("no schema is made", async () => {
    const empty = await createTestDatabase("template0");
    onTestFinished(() => empty.drop());
    const pooler = await openPooler(empty, transactionMode);
    expect(await runCommand(["migrate"], { env: { DATABASE_URL: pooler.url } })).toMatchObject({ code: 1 });
    expect(await empty.query("select to_regclass('migrations') as migrations")).toEqual([{ migrations: null }]);
    await pooler.close();
  });
});

describe("Behind a pooler in session mode", () => {
  test("commands work as they do without one", async () => {
    const database = await createTestDatabase("template0");
    onTestFinished(() => database.drop());
    const pooler = await openPooler(database, sessionMode);
    const env = { DATABASE_URL: pooler.url };
    expect(await runCommand(["migrate"], { env })).toMatchObject({ code: 0 });
    const { stdout: input } = await runCommand(["export"], { env: { DATABASE_URL: world.url } });
    expect(await runCommand(["import", "-"], { env, input })).toMatchObject({ code: 0 });
    expect(await runCommand(["export"], { env })).toMatchObject({ code: 0, stdout: input });
    await pooler.close();
  });
});

/** A server behind a pooler in session mode. */
async function serve() {
  const token = await world.token("root");
  const pooler = await openPooler(world, sessionMode);
  const server = startCommand(["serve"], { env: { DATABASE_URL: pooler.url, PORT: "0" } });
  started.push(server);
  const url = await urlOf(server);
  const call = (rpc: string, request: object) =>
    fetch(`${url}/service.authorization.v2.AuthorizationService/${rpc}`, {
      method: "POST",
      headers: callHeaders(token),
      body: JSON.stringify(request),
    });
  return {
    server,
    pooler,
    isReady: async () => (await fetch(`${url}/readyz`)).status === 200,
    /** The codes of RPCs that fail, of some at once and one after them. */
    async failures(): Promise<unknown[]> {
      const calls = [call("ListAuthorizations", {}), call("UpdateAuthorization", { id: "a1", roleKeys: ["seller"] })];
      const answers = [...(await Promise.all(calls)), await call("ListAuthorizations", {})];
      const bodies = await Promise.all(answers.filter(({ ok }) => !ok).map((answer) => answer.json()));
      return bodies.map(({ code }: any) => code);
    },
  };
}

const allUnavailable = ["unavailable", "unavailable", "unavailable"];

describe("A server that a pooler in transaction mode is put before is never ready while RPCs fail:", () => {
  test.each<[string, PoolerKind]>([
    ["one that mixes sessions up", { ...transactionMode, pick: anyOther }],
    ["one that carries prepared statements along", { ...carryingMode, sessions: 1 }],
  ])("%s, and it serves again when that is gone", async (_, kind) => {
    const { server, pooler, isReady, failures } = await serve();
    expect([await isReady(), await failures()]).toEqual([true, []]);

    pooler.become(kind);
    pooler.cut();
    for (let time = 0; time < 5; time += 1) {
      expect([await isReady(), await failures()]).toEqual([false, allUnavailable]);
    }
    const said = await server.until("stderr", /no request is served until/);
    expect(said.match(/no request is served until/g)).toHaveLength(1);
    expect(said).toContain("set the pooler to session mode");

    pooler.become(sessionMode);
    pooler.cut();
    await until("service", isReady);
    // A busy machine hears late of connections that were cut, and each of an RPC's three attempts can meet one.
    await until("RPCs", async () => (await failures()).length === 0);
    await server.until("stderr", /requests are served/);
  });

  test("one that mixes up the sessions of requests alone", async () => {
    const { pooler, isReady, failures } = await serve();
    expect(await isReady()).toBe(true);
    // /readyz has a connection of its own, and asks on it first.
    const [probing] = pooler.clients();
    const pick: PoolerKind["pick"] = (idle, client) => (client === probing ? sameAsBefore : neverUsed)(idle, client);
    pooler.become({ ...transactionMode, pick });
    expect([await isReady(), await failures()]).toEqual([false, allUnavailable]);
  });
});
