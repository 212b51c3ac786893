import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { callHeaders } from "../support/call-headers.ts";
import { type Running, runCommand, startCommand, urlOf } from "../support/command.ts";
import { createSmallWorld, createTestDatabase, type TestDatabase } from "../support/database.ts";
import { anyOther, openFakePooler, type PoolerKind, sessionMode, transactionMode } from "../support/fake-pooler.ts";
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

test("A server is not ready while a pooler mixes up its sessions, says why, and serves again when that is gone", async () => {
  const { server, pooler, isReady, failures } = await serve();
  expect([await isReady(), await failures()]).toEqual([true, []]);

  pooler.become({ ...transactionMode, pick: anyOther });
  pooler.cut();
  await until("the refusal", async () => !(await isReady()));
  for (const code of await failures()) expect(code).toBe("unavailable");
  await server.until("stderr", /set the pooler to session mode/);

  pooler.become(sessionMode);
  pooler.cut();
  await until("service", async () => (await isReady()) && (await failures()).length === 0);
});
