import { access, constants, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedPostgres } from "../../src/embedded/embedded-postgres.ts";

/** Memory, where there is a folder of it with room: a database for each file is a thousand files each time. */
export async function scratchFolder(): Promise<string> {
  const memory = "/dev/shm";
  try {
    await access(memory, constants.W_OK);
    const { bavail, bsize } = await statfs(memory);
    return bavail * bsize >= 4 * 1024 ** 3 ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** What is fast, and may lose everything with the machine. */
export const unsafe = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

/** An embedded Postgres of its own, whose files are removed when it stops. */
export async function openScratchPostgres(settings: Record<string, string>, say: (message: string) => void) {
  const dataDirectory = await mkdtemp(join(await scratchFolder(), "authorization-test-"));
  const postgres = await openEmbeddedPostgres({ dataDirectory, owner: { kind: "server" }, settings, say });
  const { socketDirectory: host, port } = postgres;
  return {
    /** Where it keeps its files. */
    dataDirectory,
    /** How to connect as its superuser. */
    connection: { host, port, user: "postgres", database: "postgres" },
    url: `postgresql:///postgres?host=${encodeURIComponent(host)}&port=${port}&user=postgres`,
    async stop() {
      await postgres.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
