import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { connect as connectTls } from "node:tls";
import { expect, test } from "vitest";
import { runCommand } from "../support/command.ts";
import { smallWorldOfTests } from "../support/database.ts";
import { folderOfTests } from "../support/folders.ts";
import { callOf, openHttp2 } from "../support/http2.ts";
import { flags, frame, get, getFrame, greeting, preface, settingsOf } from "../support/http2-frames.ts";
import { newIdentity } from "../support/identity.ts";
import { hold } from "../support/locks.ts";
import { serveInTest, stop } from "../support/start-in-test.ts";
import { until } from "../support/until.ts";

const database = await smallWorldOfTests();
const folder = await folderOfTests("authorization-stop");
const identity = await newIdentity();
const files = { TLS_CERT_FILE: path.join(folder, "tls.crt"), TLS_KEY_FILE: path.join(folder, "tls.key") };
await writeFile(files.TLS_CERT_FILE, identity.cert);
await writeFile(files.TLS_KEY_FILE, identity.key);

const graceMs = 2_000;

const serve = (env: Record<string, string>) =>
  serveInTest({ DATABASE_URL: database.url, SHUTDOWN_GRACE_MS: String(graceMs), ...env });

const noWindow = Buffer.concat([preface, frame("settings", 0, 0, settingsOf([4, 0]))]);
const unread = getFrame(1, "/openapi.json");

/** What a connection leaves unfinished. None of them ever hangs up. */
const unfinished: readonly Buffer[] = [
  Buffer.alloc(0),
  Buffer.from("GET /healthz HTTP/1.1\r\n"),
  preface.subarray(0, 10),
  greeting,
  Buffer.concat([greeting, frame("headers", flags.endStream, 1, get("/healthz"))]),
  Buffer.concat([noWindow, unread]),
];

test.each([
  ["in clear text", {}],
  ["over TLS", undefined],
])("On SIGTERM, %s, sessions that are idle, busy or misbehaving end within the grace period", async (_, env) => {
  const server = await serve(env ?? files);
  const port = Number(new URL(server.url).port);
  const token = await database.token("root");
  const options = { ca: identity.cert };
  const [idle, busy] = [openHttp2(server.url, options), openHttp2(server.url, options)];
  await Promise.all([idle, busy].map(({ session }) => once(session, "remoteSettings")));
  const open = (bytes: Buffer) => {
    const raw = { port, host: "127.0.0.1", allowHalfOpen: true };
    const socket = env ? connect(raw) : connectTls({ ...raw, rejectUnauthorized: false, ALPNProtocols: ["h2"] });
    socket.on("error", () => {}).write(bytes);
    return socket;
  };
  const handshake = connect({ port, host: "127.0.0.1" }).on("error", () => {});
  handshake.write(Buffer.from([22, 3, 1, 2, 0, 1]));
  const sockets = [...unfinished.map(open), handshake];
  await Promise.all(sockets.map((socket) => once(socket, env ? "connect" : "ready")));
  const lock = await hold(database, "lock table authorizations in access exclusive mode");
  const never = busy.session.request(callOf("ListAuthorizations", token));
  // It is told that the server stops.
  never
    .on("error", () => {})
    .resume()
    .end("{}");
  await lock.untilWaiting(1);
  const begun = Date.now();
  await stop(server);
  expect(Date.now() - begun).toBeLessThan(graceMs + 2_000);
  await lock.rollback();
  for (const socket of sockets) socket.destroy();
  expect([idle.session.destroyed, busy.session.destroyed]).toEqual([true, true]);
});

test("While a server that stops still takes connections, it answers them and asks for no more", async () => {
  const server = await serve({ SHUTDOWN_DELAY_MS: "2000" });
  server.process.kill("SIGTERM");
  await until("the server to be not ready", async () => (await fetch(`${server.url}/readyz`)).status === 503);
  const client = openHttp2(server.url);
  const goaway = once(client.session, "goaway");
  expect((await client.get("/healthz")).status).toBe(200);
  const [code, lastStreamId] = await goaway;
  expect([code, lastStreamId]).toEqual([0, 2 ** 31 - 1]);
  expect(await server.ended).toMatchObject({ code: 0 });
});

test("With TLS, a server says https where it can be reached", async () => {
  const server = await serve(files);
  expect(server.url).toMatch(/^https:/);
  const client = openHttp2(server.url, { ca: identity.cert });
  expect((await client.get("/readyz")).body).toEqual({ status: "ready" });
  await client.close();
  await stop(server);
});

test.each([
  ["a file that is missing", { TLS_CERT_FILE: "nowhere.crt" }, /^TLS_CERT_FILE: can't be read: ENOENT/m],
  ["a file with something else", { TLS_CERT_FILE: "package.json" }, /^TLS_CERT_FILE: must hold a certificate, in PEM/m],
  ["a key that is none", { TLS_KEY_FILE: "package.json" }, /^TLS_KEY_FILE: must hold a private key/m],
])("With %s, it doesn't start, and says why", async (_, wrong, message) => {
  const env = { DATABASE_URL: database.url, PORT: "0", ...files, ...wrong };
  const { code, stderr } = await runCommand(["serve"], { env });
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain("    at ");
});
