import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openEmbeddedPostgres } from "../../src/embedded/embedded-postgres.ts";
import { freePort } from "./free-port.ts";
import { makeIdentity, newAuthority } from "./identity.ts";
import { withClient } from "./with-client.ts";

/** The user and password that the service logs in with. */
export const tlsUser = { name: "authz", password: "open-sesame" };

/** The embedded Postgres on the network, as one of one's own may be: it speaks TLS only, and asks for the password. */
export async function startTlsPostgres() {
  const folder = await mkdtemp(path.join(tmpdir(), "authorization-tls-"));
  const [authority, otherAuthority] = [await newAuthority("One authority"), await newAuthority("Another one")];
  // Not for 127.0.0.1, where it is reached as well.
  const altNames = [{ type: 2, value: "localhost" } as const];
  const identity = await makeIdentity("localhost", [{ name: "subjectAltName", altNames }], authority);

  // Beside its cluster, where it may read them whatever account it runs as.
  const files = path.join(folder, "data", "postgres");
  await mkdir(files, { recursive: true, mode: 0o700 });

  async function file(name: string, text: string): Promise<string> {
    const at = path.join(files, name);
    await writeFile(at, text, { mode: 0o600 });
    return at;
  }
  const port = await freePort();
  const postgres = await openEmbeddedPostgres({
    dataDirectory: path.join(folder, "data"),
    owner: { kind: "command", name: "tls" },
    settings: {
      fsync: "off",
      listen_addresses: "127.0.0.1",
      port: String(port),
      ssl: "on",
      ssl_cert_file: await file("server.pem", identity.cert),
      ssl_key_file: await file("server-key.pem", identity.key),
      hba_file: await file("hba.conf", "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n"),
    },
    say: () => {},
  });

  const superuser = { host: postgres.socketDirectory, port, user: "postgres" };
  await withClient({ ...superuser, database: "postgres" }, async (client) => {
    await client.query(`create role ${tlsUser.name} login password '${tlsUser.password}'`);
    await client.query(`create database authz owner ${tlsUser.name}`);
  });
  return {
    port,
    /** The file with the authority that signed the server's certificate, which is for the name localhost alone. */
    authority: await file("authority.pem", authority.cert),
    /** The file with an authority that has nothing to do with it. */
    otherAuthority: await file("other-authority.pem", otherAuthority.cert),
    identity,
    /** The way in for the superuser, beside the service. */
    superuser: { ...superuser, database: "authz" },
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
