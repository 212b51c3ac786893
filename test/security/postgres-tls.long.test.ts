import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { post } from "../support/call-headers.ts";
import { runCommand } from "../support/command.ts";
import { openService } from "../support/database.ts";
import { serveInTest, stop } from "../support/start-in-test.ts";
import { startTlsPostgres, tlsUser } from "../support/tls-postgres.ts";
import { until } from "../support/until.ts";
import { smallWorld } from "../support/world.ts";

const postgres = await startTlsPostgres();
afterAll(() => postgres.stop());

type At = { host?: string; port?: number };

function urlWith(parameters: Record<string, string>, { host = "localhost", port = postgres.port }: At = {}): string {
  const query = new URLSearchParams(parameters);
  return `postgresql://${tlsUser.name}:${tlsUser.password}@${host}:${port}/authz?${query}`;
}

const verified = (at?: At) => urlWith({ sslmode: "verify-full", sslrootcert: postgres.authority }, at);

/** What a command says that cannot use this database. */
async function refused(databaseUrl: string): Promise<string> {
  const { code, stdout, stderr } = await runCommand(["migrate"], { env: { DATABASE_URL: databaseUrl } });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).not.toContain(tlsUser.password);
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr;
}

describe("With sslmode=verify-full and the authority that signed the server's certificate", () => {
  test("commands and server work, and every connection is encrypted, the one for cancelling too", async () => {
    const env = { DATABASE_URL: verified(), PORT: "0" };
    const input = smallWorld.map((line) => `${JSON.stringify(line)}\n`).join("");
    expect(await runCommand(["migrate"], { env })).toMatchObject({ code: 0 });
    expect(await runCommand(["import", "-"], { env, input })).toMatchObject({ code: 0 });
    const { stdout: token } = await runCommand(["token", "create", "--user", "root"], { env });
    const server = await serveInTest(env);
    const list = caller(server.url, token.trim());
    expect(await list({ timeoutMs: 5_000 })).toMatchObject({ status: 200, body: { pagination: { totalResult: 6 } } });

    const beside = new pg.Client(postgres.superuser);
    await beside.connect();
    await beside.query("begin; lock table users");
    expect(await list({ timeoutMs: 300 })).toMatchObject({ status: 504 });
    const open = await until("the connection that cancels", async () => {
      // A transaction goes on seeing the sessions it has seen first.
      await beside.query("select pg_stat_clear_snapshot()");
      const { rows } = await beside.query<{ query: string; ssl: boolean }>(sessions);
      return rows.some(({ query }) => query.includes("pg_cancel_backend(")) && rows;
    });
    await beside.end();
    for (const session of open) expect(session).toMatchObject({ ssl: true });

    await stop(server);
  });
});

const sessions = `select query, ssl from pg_stat_activity join pg_stat_ssl using (pid) where usename = '${tlsUser.name}'`;

function caller(url: string, token: string) {
  return async ({ timeoutMs }: { timeoutMs: number }) => {
    const headers = { "connect-timeout-ms": String(timeoutMs) };
    const answer = await post(url, token, "ListAuthorizations", {}, { headers });
    return { status: answer.status, body: await answer.json() };
  };
}

describe("A server that does not prove to be the right one is refused, saying why and without the password:", () => {
  test.each(["prefer", "require", "verify-ca", "verify-full"])(
    "another authority, with sslmode=%s",
    async (sslmode) => {
      const said = await refused(urlWith({ sslmode, sslrootcert: postgres.otherAuthority }));
      expect(said).toMatch(/the database can't be reached; try again: unable to verify the first certificate/);
    },
  );

  test("an authority that is not configured", async () => {
    expect(await refused(urlWith({ sslmode: "verify-full" }))).toMatch(/unable to verify the first certificate/);
  });

  test("the right authority, and another name", async () => {
    const said = await refused(verified({ host: "127.0.0.1" }));
    expect(said).toMatch(/the database can't be reached; try again: .* IP: 127\.0\.0\.1 is not in the cert's list/);
  });

  test("an authority whose file is missing", async () => {
    const said = await refused(urlWith({ sslmode: "verify-full", sslrootcert: "/nowhere/ca.pem" }));
    expect(said).toMatch(/ENOENT: no such file or directory, open '\/nowhere\/ca\.pem'/);
  });

  test("a server that takes TLS only, when it is asked without", async () => {
    const said = await refused(urlWith({ sslmode: "disable" }));
    expect(said).toMatch(/^DATABASE_URL cannot be used: no pg_hba.conf entry for host .* no encryption$/m);
  });
});

test("While serving, a server that does not prove to be the right one is DATABASE_UNAVAILABLE", async () => {
  const url = urlWith({ sslmode: "verify-full", sslrootcert: postgres.otherAuthority });
  const database = openService(url, { statementTimeoutMs: 1_000 });
  const query = database.query({ text: "select 1", values: [] }, new AbortController().signal);
  await expect(query).rejects.toMatchObject({ reason: "DATABASE_UNAVAILABLE" });
  await database.close();
});

describe("No one in between can make the service speak without TLS:", () => {
  test.each([
    ["N", "a server that has none", /can't be reached; try again: The server does not support SSL connections$/m],
    [
      "E",
      "a server that answers with an error",
      /can't be reached; try again: There was an error establishing an SSL connection$/m,
    ],
  ])("%s, as %s answers, ends it before the user or the password was said", async (answer, _what, says) => {
    const said: Buffer[] = [];
    const impostor = await listening((chunk) => {
      said.push(chunk);
      return answer;
    });
    const { port } = impostor.address() as AddressInfo;
    expect(await refused(verified({ port }))).toMatch(says);
    impostor.close();
    // The eight bytes of SSLRequest, and nothing more.
    expect(Buffer.concat(said)).toEqual(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
  });
});

async function listening(answer: (chunk: Buffer) => string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => socket.write(answer(chunk)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

test.each([
  ["sslmode=no-verify", { sslmode: "no-verify" }],
  ["sslmode=require as libpq understands it", { sslmode: "require", uselibpqcompat: "true" }],
])("%s encrypts and accepts whoever answers, which is why the docs advise against it", async (_what, mode) => {
  const client = new pg.Client({ connectionString: urlWith(mode as unknown as Record<string, string>) });
  await client.connect();
  const { rows } = await client.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()");
  await client.end();
  expect(rows).toEqual([{ ssl: true }]);
});
