// What arrives on a connection is the same for a worker as for a server alone.

import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { connect as connectTls } from "node:tls";
import { expect, test } from "vitest";
import { newDataDirectory } from "../../embedded/place.ts";
import { smallWorldOfTests } from "../../support/database.ts";
import { folderOfTests } from "../../support/folders.ts";
import { callOf, type Http2Client, openHttp2 } from "../../support/http2.ts";
import { newIdentity } from "../../support/identity.ts";
import { isAlive, workersOf } from "../../support/processes.ts";
import { openRaw, request } from "../../support/raw-http.ts";
import type { Answer } from "../../support/server.ts";
import { services } from "../../support/services.ts";
import { startInTest, stop } from "../../support/start-in-test.ts";
import { until } from "../../support/until.ts";
import { startWorkers } from "../../support/workers.ts";

const database = await smallWorldOfTests();
const folder = await folderOfTests("workers-tls");

test("Every RPC has the same answer from each worker", async () => {
  const server = await startWorkers({ DATABASE_URL: database.url });
  const token = await database.token("root");
  const clients = [...(await server.connections()).values()];
  const asked: string[] = [];
  for (const service of services) {
    for (const { name } of service.methods) {
      const path = `/${service.typeName}/${name}`;
      const ask = (client: Http2Client) => client.send({ ...callOf("", token), ":path": path }, "{}");
      const [one, other] = await Promise.all(clients.map(ask));
      const shown = ({ status, body }: Answer) => [status, name === "CreateToken" ? Object.keys(body) : unsealed(body)];
      expect(shown(one as Answer)).toEqual(shown(other as Answer));
      asked.push(`${name} ${one?.status}`);
    }
  }
  expect(asked.length).toBeGreaterThan(20);
  expect(asked).toEqual(
    expect.arrayContaining(["ListAuthorizations 200", "UpdateAuthorization 400", "CreateToken 200"]),
  );
});

/** Without versions, which are sealed with something random. */
function unsealed({ version: _, ...body }: Answer["body"]): object {
  return body;
}

test("A connection that begins slowly, and one whose client only reads, are served by any worker", async () => {
  const server = await startWorkers({ DATABASE_URL: database.url });
  const healthy = request("GET /healthz HTTP/1.1", { host: "x", connection: "close" });
  for (let count = 0; count < 4; count += 1) {
    const raw = openRaw(server.url);
    // The first byte is also that of HTTP/2's preface in a POST.
    raw.send(healthy.slice(0, 1));
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    raw.socket.end(healthy.slice(1));
    expect((await raw.answers(1))[0]?.status).toBe(200);
    await raw.untilClosed();
    raw.close();
    const client = openHttp2(server.url);
    expect((await client.get("/healthz")).status).toBe(200);
    await client.close();
  }
});

test("Over TLS all workers show a certificate, and a new one once its file is replaced", async () => {
  const [first, second] = await Promise.all([newIdentity("first"), newIdentity("second")]);
  const env = { TLS_CERT_FILE: path.join(folder, "tls.crt"), TLS_KEY_FILE: path.join(folder, "tls.key") };
  const write = async ({ cert, key }: { cert: string; key: string }) => {
    await writeFile(env.TLS_CERT_FILE, cert);
    await writeFile(env.TLS_KEY_FILE, key);
  };
  await write(first);
  const server = await startWorkers({ DATABASE_URL: database.url, ...env });
  const { port } = new URL(server.url);
  const shown = async () => {
    const socket = connectTls(Number(port), "127.0.0.1", { rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const { CN } = socket.getPeerCertificate().subject;
    socket.destroy();
    return CN;
  };
  const four = () => Promise.all([shown(), shown(), shown(), shown()]);
  const token = await database.token("root");
  for (const client of (await server.connections()).values()) {
    expect((await client.call("ListAuthorizations", token)).status).toBe(200);
    await client.close();
  }
  expect(new Set(await four())).toEqual(new Set(["first"]));
  await write(second);
  await until("both workers to show the new one", async () => (await four()).every((name) => name === "second"));
});

test("With the embedded PostgreSQL, the first minute is shown once, and all workers use the same one", async () => {
  const env = { DATA_DIR: await newDataDirectory(), PORT: "0", WORKERS: "2", DEMO: "true" };
  const running = startInTest(["start"], { env });
  const said = await running.until("stdout", /bob is a plain user(.|\n)*limit":1}}'/);
  const url = /running at (http:\/\/[^,]*)/.exec(said)?.[1] ?? "";
  const [, token = ""] = /# carol[^\n]*\nTOKEN=(\S+)/.exec(said) ?? [];
  const workers = workersOf(running.process.pid);
  expect(workers).toHaveLength(2);
  for (let count = 0; count < 4; count += 1) {
    const client = openHttp2(url);
    expect((await client.call("ListAuthorizations", token, { pagination: { limit: 1 } })).status).toBe(200);
    await client.close();
  }
  const { stdout, stderr } = await stop(running);
  expect(stdout.match(/Loaded a demo world/g)).toHaveLength(1);
  expect(stderr.match(/Server listening at/g)).toHaveLength(1);
  expect(workers.filter(isAlive)).toEqual([]);
});
