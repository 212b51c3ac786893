import type { Connection, Database } from "../../src/postgres/pool/database.ts";
import type { PrimarySnapshots } from "../../src/postgres/replicas/primary-snapshots.ts";

/** Long enough for a busy machine to change something meanwhile. */
const keptMs = 5_000;

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

/** Bugs of reading from replicas. Each makes another answer to where the primary is. */
export const replicaBugs: Readonly<Record<string, (primary: PrimarySnapshots) => PrimarySnapshots>> = {
  // As if any replica would do, however far it is.
  "unasked-replica": (primary) => ({
    ...primary,
    next: async () => ({ ...(await primary.next()), flushed: "0/0", running: new Set(), next: 2n ** 62n }),
  }),
};

export function plant(bug: string, database: Database): Database {
  if (bug in replicaBugs) return database;
  const make = bugs[bug];
  const known = [...Object.keys(bugs), ...Object.keys(replicaBugs)];
  if (make === undefined) throw new Error(`no such bug: ${bug}; there are ${known.join(", ")}`);
  return make(database);
}
