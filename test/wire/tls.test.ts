import { mkdir, rename, symlink, unlink, writeFile } from "node:fs/promises";
import https from "node:https";
import { connect as connectTcp } from "node:net";
import path from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { describe, expect, test, vi } from "vitest";
import { openTls } from "../../src/config/tls.ts";
import { folderOfTests } from "../support/folders.ts";
import { openHttp2 } from "../support/http2.ts";
import { type Identity, newIdentity } from "../support/identity.ts";
import { serverInTest, serveTests, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const interval = globalThis.setInterval;
// The files are read again every five seconds.
const quick = (look: () => void, ms?: number) => interval(look, ms === 5_000 ? 20 : ms);
vi.spyOn(globalThis, "setInterval").mockImplementation(quick as typeof setInterval);
const folder = await folderOfTests("authorization-tls");
const [first, second] = await Promise.all([newIdentity("first"), newIdentity("second")]);

/** For a server that looks at its files again every few milliseconds. */
async function optionsOf(files: { certFile: string; keyFile: string }, limits = {}) {
  return { smallWorld: true, tls: await openTls(files.certFile, files.keyFile), limits, metrics: true };
}

const start = async (...given: Parameters<typeof optionsOf>) => serverInTest(await optionsOf(...given));

async function filesOf(name: string, identity: Identity) {
  const files = { certFile: path.join(folder, `${name}.crt`), keyFile: path.join(folder, `${name}.key`) };
  await Promise.all([writeFile(files.certFile, identity.cert), writeFile(files.keyFile, identity.key)]);
  return files;
}

/** The name in the certificate that a new client is shown. */
function shown(server: TestServer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect(portOf(server), "127.0.0.1", { rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

const portOf = ({ url }: TestServer) => Number(new URL(url).port);

const server = await serveTests(await optionsOf(await filesOf("served", first)));
const token = await server.database.token("root");

describe("With a certificate and its key", () => {
  test("clients with ALPN get HTTP/2", async () => {
    const client = openHttp2(server.url, { ca: first.cert });
    expect((await client.call("ListAuthorizations", token)).body.pagination.totalResult).toBe(6);
    expect((await client.get("/healthz")).body).toEqual({ status: "alive" });
    expect((await client.get("/openapi.json")).status).toBe(200);
    expect(client.session.alpnProtocol).toBe("h2");
    await client.close();
  });

  test.each([undefined, ["http/1.1"]])("clients that offer %j get HTTP/1.1", async (ALPNProtocols) => {
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const options = { ca: first.cert, agent: false, ...(ALPNProtocols === undefined ? {} : { ALPNProtocols }) };
      https.get(`${server.url}/readyz`, options, (found) => resolve(found.resume().statusCode)).on("error", reject);
    });
    expect(answer).toBe(200);
  });

  test("a client that speaks clear text is hung up on and counted, and the others are served", async () => {
    const socket = connectTcp(portOf(server), "127.0.0.1");
    socket.on("error", () => {});
    socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
    await until("the connection to close", () => socket.closed);
    expect(await shown(server)).toBe("first");
    await until("a count", () => server.log.some(({ reason }) => reason === "UNREADABLE"));
  });

  test("older versions of TLS than 1.2 are refused", async () => {
    const ended = await new Promise<string | undefined>((resolve) => {
      const old = { maxVersion: "TLSv1.1", minVersion: "TLSv1", ciphers: "ALL@SECLEVEL=0" };
      const options = { rejectUnauthorized: false, ...old } as object;
      const socket = connect(portOf(server), "127.0.0.1", options, () => resolve("connected"));
      socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(ended).toMatch(/^ERR_SSL_/);
  });
});

test("A handshake that never ends is given up in time", async () => {
  const limits = { defaultTimeoutMs: 100, maximumTimeoutMs: 100 };
  const server = await start(await filesOf("slow", first), limits);
  const socket = connectTcp(portOf(server), "127.0.0.1");
  socket.on("error", () => {});
  // The beginning of a ClientHello.
  socket.write(Buffer.from([22, 3, 1, 2, 0, 1]));
  await until("the connection", async () => (await server.openConnections()) === 1);
  await until("the connection to close", () => socket.closed);
  expect(await server.openConnections()).toBe(0);
});

describe("A new certificate is used without a restart", () => {
  test("when its files are written over", async () => {
    const files = await filesOf("written", first);
    const server = await start(files);
    expect(await shown(server)).toBe("first");
    await filesOf("written", second);
    await until("the new certificate", async () => (await shown(server)) === "second");
  });

  test("when a link to their folder is exchanged, as Kubernetes does", async () => {
    const mount = path.join(folder, "mount");
    for (const [version, { cert, key }] of Object.entries({ first, second })) {
      await mkdir(path.join(mount, version), { recursive: true });
      await writeFile(path.join(mount, version, "tls.crt"), cert);
      await writeFile(path.join(mount, version, "tls.key"), key);
    }
    await symlink("first", path.join(mount, "..data"));
    for (const name of ["tls.crt", "tls.key"]) await symlink(`..data/${name}`, path.join(mount, name));
    const server = await start({ certFile: path.join(mount, "tls.crt"), keyFile: path.join(mount, "tls.key") });
    expect(await shown(server)).toBe("first");
    await symlink("second", path.join(mount, "..data_tmp"));
    await rename(path.join(mount, "..data_tmp"), path.join(mount, "..data"));
    await until("the new certificate", async () => (await shown(server)) === "second");
  });

  test("and one that can't be used is logged, while the old one stays", async () => {
    const files = await filesOf("broken", first);
    const server = await start(files);
    const logged = (reason: RegExp) =>
      until("a line in the log", () => server.log.some((line) => reason.test(String(line.reason))));
    await writeFile(files.certFile, second.cert);
    await logged(/^TLS_KEY_FILE: isn't the key of TLS_CERT_FILE$/);
    expect(await shown(server)).toBe("first");
    await writeFile(files.certFile, "-----BEGIN CERTIFICATE-----\n");
    await logged(/^TLS_CERT_FILE: must hold a certificate, in PEM/);
    expect(await shown(server)).toBe("first");
    await unlink(files.certFile);
    await logged(/^TLS_CERT_FILE: can't be read: ENOENT/);
    expect(await shown(server)).toBe("first");
    expect(JSON.stringify(server.log)).not.toContain("PRIVATE KEY");
    await filesOf("broken", second);
    await until("the new certificate", async () => (await shown(server)) === "second");
  });

  test("and open connections stay", async () => {
    const files = await filesOf("open", first);
    const server = await start(files);
    const client = openHttp2(server.url, { ca: first.cert });
    expect((await client.get("/healthz")).status).toBe(200);
    await filesOf("open", second);
    await until("the new certificate", async () => (await shown(server)) === "second");
    expect((await client.get("/healthz")).status).toBe(200);
    await client.close();
  });
});
