import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { asAccount } from "../../src/embedded/account.ts";
import { findBinaries } from "../../src/embedded/binaries.ts";
import { openHome } from "../../src/embedded/home.ts";
import { startWatched } from "../../src/embedded/watchdog.ts";
import { findProgram } from "../support/find-program.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/until.ts";
import { withClient } from "../support/with-client.ts";

/** A PgBouncer in front of an embedded Postgres. */
export type PgBouncer = {
  /** The database's URL by way of it. */
  readonly url: string;
  stop(): Promise<void>;
};

/** What differs from PgBouncer's defaults, such as `{ pool_mode: "session" }`. */
export type Settings = Readonly<Record<string, string | number>>;

/** The PgBouncer to test with: PGBOUNCER_PATH, or the first on PATH. Throws with how to get one. */
export function findPgBouncer(): string {
  const missing = "pgbouncer is not installed. Debian has it (`apt-get install pgbouncer`)";
  // Where Debian puts it is on the PATH of root alone.
  return findProgram("PGBOUNCER_PATH", ["pgbouncer"], missing, "/usr/sbin");
}

/** Starts PgBouncer. It refuses to run as root, like Postgres, so it runs as the account of that one. */
export async function startPgBouncer(
  { database, dataDirectory }: { readonly database: { readonly url: string }; readonly dataDirectory: string },
  settings: Settings,
): Promise<PgBouncer> {
  const target = new pg.Client({ connectionString: database.url });
  const folder = await mkdtemp(path.join(tmpdir(), "authorization-pgbouncer-"));
  const [file, log] = [path.join(folder, "pgbouncer.ini"), path.join(folder, "pgbouncer.log")];
  const port = settings.listen_port ?? (await freePort());
  const all = { listen_addr: "127.0.0.1", listen_port: port, unix_socket_dir: "", auth_type: "any", ...settings };
  const lines = [
    "[databases]",
    `* = host=${target.host} port=${target.port} user=${target.user} dbname=${target.database}`,
    "[pgbouncer]",
    ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
  ];
  await writeFile(file, `${lines.join("\n")}\n`);
  const account = await asAccount(await openHome(dataDirectory), folder, await findBinaries(undefined));
  const running = await startWatched([...account, findPgBouncer(), file], { folder, log });
  let end: string | undefined;
  void running.ended.then((how) => {
    end = how;
  });
  const url = `postgresql://${target.user}@127.0.0.1:${port}/${target.database}`;
  await until("PgBouncer to listen", async () => {
    if (end !== undefined) throw new Error(`PgBouncer ${end}: ${await readFile(log, "utf8")}`);
    return withClient({ connectionString: url }, async () => true).catch(() => false);
  });
  return {
    url,
    async stop() {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
