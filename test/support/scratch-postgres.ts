import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedPostgres } from "../../src/embedded/embedded-postgres.ts";
import { migrate } from "../../src/postgres/migrations/migrations.ts";
import { withClient } from "./with-client.ts";

/** A server that does not sync to disk, with a migrated database for each name that is asked for; then it is gone. */
export async function onScratchPostgres(
  use: (databaseUrl: (name: string) => Promise<string>) => Promise<void>,
): Promise<void> {
  const dataDirectory = await mkdtemp(join(tmpdir(), `authorization-scratch-${randomBytes(3).toString("hex")}`));
  const postgres = await openEmbeddedPostgres({
    dataDirectory,
    owner: { kind: "server" },
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
    say: console.error,
  });
  const connection = { host: postgres.socketDirectory, port: postgres.port, user: "postgres" };
  try {
    // Its connection ends before Postgres stops, which would break it and hide why the use failed.
    await withClient({ ...connection, database: "postgres" }, (client) =>
      use(async (name) => {
        await client.query(`create database ${name} template template0 encoding 'UTF8'`);
        await migrate({ ...connection, database: name });
        return `postgresql:///${name}?host=${encodeURIComponent(connection.host)}&port=${connection.port}&user=postgres`;
      }),
    );
  } finally {
    await postgres.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}
