import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { generate } from "selfsigned";
import { openEmbeddedPostgres } from "../../src/embedded/embedded-postgres.ts";
import { freePort } from "./free-port.ts";

/** The embedded Postgres on the network, as one of one's own may be: it speaks TLS only, and asks for the password. */
export type TlsPostgres = {
  readonly port: number;
  /** The file with the authority that signed the server's certificate, which is for the name localhost alone. */
  readonly authority: string;
  /** The file with an authority that has nothing to do with it. */
  readonly otherAuthority: string;
  /** The certificate and key of the server. */
  readonly identity: { readonly cert: string; readonly key: string };
  /** The way in for the superuser, beside the service. */
  readonly superuser: pg.ClientConfig;
  stop(): Promise<void>;
};

/** The user and password that the service logs in with. */
export const tlsUser = { name: "authz", password: "open-sesame" };

export async function startTlsPostgres(): Promise<TlsPostgres> {
  const folder = await mkdtemp(path.join(tmpdir(), "authorization-tls-"));
  const [authority, otherAuthority] = [await newAuthority("One authority"), await newAuthority("Another one")];
  const identity = await newIdentity(authority);

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
  const client = new pg.Client({ ...superuser, database: "postgres" });
  await client.connect();
  await client.query(`create role ${tlsUser.name} login password '${tlsUser.password}'`);
  await client.query(`create database authz owner ${tlsUser.name}`);
  await client.end();
  return {
    port,
    authority: await file("authority.pem", authority.cert),
    otherAuthority: await file("other-authority.pem", otherAuthority.cert),
    identity,
    superuser: { ...superuser, database: "authz" },
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Identity = { readonly cert: string; readonly key: string };

async function newAuthority(name: string): Promise<Identity> {
  const { cert, private: key } = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
  });
  return { cert, key };
}

async function newIdentity(ca: Identity): Promise<Identity> {
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
    ca,
  });
  return { cert, key };
}
