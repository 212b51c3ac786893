import type { Sql } from "sql-template-tag";
import type { NamedEvent } from "../../src/authorization/event.ts";
import type { AuthorizationFeed } from "../../src/authorization/feed.ts";
import type { Connection, Database } from "../../src/postgres/pool/database.ts";
import type { Statement } from "../../src/postgres/pool/prepared.ts";
import type { PrimarySnapshots } from "../../src/postgres/replicas/primary-snapshots.ts";

/** Long enough for a busy machine to change something meanwhile. */
const keptMs = 5_000;

/** What keptTotal in src/postgres/list/sources.ts corrects a kept total by. */
const dueInTotals = /([-+])\s+(\(select count\(\*\)::integer\s+from\s+\(select key, id from due\b)/;

/** Bugs the check has to find. Each makes a database that breaks a promise of src/postgres/pool/database.ts. */
const bugs: Readonly<Record<string, (database: Database) => Database>> = {
  "answer-before-commit": (database) => ({
    ...database,
    write: (statement, signal) =>
      new Promise((resolve, reject) => {
        const early = async ({ query }: Connection) => resolve(await query(statement));
        database.transaction(signal, early).catch(reject);
      }),
    transaction: (signal, work) =>
      new Promise((resolve, reject) => {
        const early: typeof work = async (connection) => {
          const result = await work(connection);
          resolve(result);
          return result;
        };
        database.transaction(signal, early).catch(reject);
      }),
  }),

  // As if now and then the answer to a commit were lost, and the change made once more to be on the safe side.
  "commit-twice": (database) => {
    let count = 0;
    return {
      ...database,
      async write(statement, signal) {
        const rows = await database.write<never>(statement, signal);
        count += 1;
        return count % 20 === 5 ? database.write(statement, signal) : rows;
      },
      async transaction(signal, work) {
        const result = await database.transaction(signal, work);
        count += 1;
        return count % 20 === 5 ? database.transaction(signal, work) : result;
      },
    };
  },

  // As if kept totals counted those whose end has passed, until it is written.
  "uncorrected-totals": (database) => ({
    ...database,
    query: (statement, signal) => database.query(textually(statement, dueInTotals, "$1 0 * $2"), signal),
  }),

  // As if changes ignored that an end had passed.
  "unwritten-end": (database) => ({
    ...database,
    query: async (statement, signal) => {
      const rows = await database.query<{ isDue?: boolean }>(statement, signal);
      return rows.map((row) => (row.isDue ? { ...row, isDue: false } : row)) as never;
    },
  }),

  // As if lists were kept for a moment.
  "stale-list": (database) => {
    const kept = new Map<string, { readonly until: number; readonly rows: unknown }>();
    return {
      ...database,
      async query(statement, signal) {
        const asked = JSON.stringify([statement.text, statement.values]);
        const before = kept.get(asked);
        if (before !== undefined && before.until > Date.now()) return before.rows as never;
        const rows = await database.query<never>(statement, signal);
        kept.set(asked, { until: Date.now() + keptMs, rows });
        return rows;
      },
    };
  },
};

const isOneOfTen = ({ sequence }: NamedEvent) => sequence.endsWith("7");

/** Bugs of the feed. */
export const feedBugs: Readonly<Record<string, (feed: AuthorizationFeed) => AuthorizationFeed>> = {
  // As if sequences alone told what is new: what commits late is skipped now and then.
  "skipped-event": (feed) => ({
    ...feed,
    async read(...asked) {
      const { events, position } = await feed.read(...asked);
      return { events: events.filter((event) => !isOneOfTen(event)), position };
    },
  }),
  // As if what was read before were new again, now and then.
  "repeated-event": (feed) => ({
    ...feed,
    async read(caller, filters, position, signal) {
      const { events, position: next } = await feed.read(caller, filters, position, signal);
      return { events: [...events, ...events.filter(isOneOfTen)], position: next };
    },
  }),
};

/** Bugs of reading from replicas. Each makes another answer to where the primary is. */
export const replicaBugs: Readonly<Record<string, (primary: PrimarySnapshots) => PrimarySnapshots>> = {
  // As if any replica would do, however far it is.
  "unasked-replica": (primary) => ({
    ...primary,
    next: async () => ({ ...(await primary.next()), flushed: "0/0", running: new Set(), next: 2n ** 62n }),
  }),
};

/** The statement with another text. The text of an Sql is not a property of its own. */
function textually(statement: Sql | Statement, from: RegExp, to: string): Sql | Statement {
  const text = statement.text.replace(from, to);
  return text === statement.text ? statement : { ...(statement as Statement), text };
}

export function plant(bug: string, database: Database): Database {
  if (bug in replicaBugs || bug in feedBugs) return database;
  const make = bugs[bug];
  const known = [bugs, feedBugs, replicaBugs].flatMap(Object.keys);
  if (make === undefined) throw new Error(`no such bug: ${bug}; there are ${known.join(", ")}`);
  return make(database);
}
