import sql from "sql-template-tag";
import { afterAll, describe, expect, test } from "vitest";
import type { Database } from "../../src/postgres/pool/database.ts";
import { openService } from "../support/database.ts";
import { startOwnPostgres } from "../support/own-postgres.ts";
import { until } from "../support/until.ts";
import { smallWorld } from "../support/world.ts";

/** A primary whose synchronous standby is never there. */
const postgres = await startOwnPostgres();
const { signal } = new AbortController();
await postgres.database.query("create table notes (text text)");
await postgres.database.query("alter system set synchronous_standby_names = 'absent'");
await postgres.database.query("select pg_reload_conf()");
await until("commits to wait", async () => {
  const [row] = await postgres.database.query<{ names: string }>(
    "select current_setting('synchronous_standby_names') as names",
  );
  return row?.names === "absent";
});
afterAll(async () => {
  // Otherwise, sessions that end would wait when they drop their temporary tables.
  await postgres.database.query("alter system reset synchronous_standby_names");
  await postgres.database.query("select pg_reload_conf()");
  await postgres.stop();
});

const open = (options = "", statementTimeoutMs = 60_000) =>
  openService(`${postgres.database.url}${options}`, { poolSize: 2, longestWaitMs: 60_000, statementTimeoutMs });

/** Not a worker that cleans up, nor a session that drops its temporary tables at its end. Their commits wait, too. */
const waiting =
  "from pg_stat_activity where wait_event = 'SyncRep' and backend_type = 'client backend' and query ~* '^(commit|insert)'";

/** Ends the wait for the standby, as an operator may do it. */
async function endWait(how: "pg_cancel_backend" | "pg_terminate_backend"): Promise<void> {
  await until("a commit to wait", async () => (await postgres.database.query(`select ${waiting}`)).length === 1);
  await postgres.database.query(`select ${how}(pid) ${waiting}`);
}

const unknown = { reason: "DATABASE_UNAVAILABLE", metadata: { outcome: "unknown" } };

/** Each way to write a note and to commit it. */
const writings: [string, (database: Database, text: string, over?: AbortSignal) => Promise<unknown>][] = [
  ["transaction", (database, text, over = signal) => database.transaction(over, ({ query }) => query(insert(text)))],
  ["single statement", (database, text, over = signal) => database.write(insert(text), over)],
];
const insert = (text: string) => sql`insert into notes values (${text})`;

describe.each(writings)(
  "The commit of a %s whose wait for the synchronous standby is ended is no success, but its outcome is unknown",
  (way, write) => {
    test.each([
      ["by a cancel", "pg_cancel_backend", ""],
      ["by a cancel, in a database whose sessions hear of errors only", "pg_cancel_backend", silent()],
      ["together with its session", "pg_terminate_backend", ""],
    ] as const)("%s", async (what, how, options) => {
      const database = open(options);
      const text = `${way} ${what}`;
      const refused = expect(write(database, text)).rejects.toMatchObject(unknown);
      await endWait(how);
      await refused;
      const stored = await postgres.database.query("select text from notes where text = $1", [text]);
      expect(stored, "it was stored once, and not repeated").toEqual([{ text }]);
      await database.close();
    });

    test("when the request gives up, and nothing else ends the wait", async () => {
      const database = open("", 200);
      const early = AbortSignal.timeout(300);
      await expect(write(database, `${way} late`, early)).rejects.toMatchObject(unknown);
      // Neither the closed connection nor the time limit for statements, which is over.
      expect(await postgres.database.query(`select ${waiting}`)).toHaveLength(1);
      expect(await postgres.database.query("select text from notes where text = $1", [`${way} late`])).toEqual([]);
      await endWait("pg_cancel_backend");
      // No client hears of it. The next test would take it for its own.
      await until("the wait to end", async () => (await postgres.database.query(`select ${waiting}`)).length === 0);
      await database.close();
    });
  },
);

test("The same goes for an import", async () => {
  const refused = expect(postgres.database.import(...smallWorld)).rejects.toMatchObject(unknown);
  await endWait("pg_cancel_backend");
  await refused;
});

function silent(): string {
  return `&options=${encodeURIComponent("-c client_min_messages=error")}`;
}
