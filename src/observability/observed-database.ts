import type { Connection, Database } from "../postgres/pool/database.ts";
import type { Metrics } from "./metrics.ts";
import type { QueryName, Tracing } from "./tracing.ts";

type Statement = Parameters<Database["query"]>[0];

/** The same database, with each statement and each whole transaction timed, and traced below its request. */
export function observedDatabase<D extends Database>(
  database: D,
  { metrics, tracing }: { metrics?: Metrics | undefined; tracing?: Tracing | undefined },
): D {
  if (metrics === undefined && tracing === undefined) return database;

  async function timed<T>(name: string, query: () => QueryName, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    let ok = false;
    try {
      const result = await (tracing === undefined ? work() : tracing.query(query(), work));
      ok = true;
      return result;
    } finally {
      metrics?.queried(name, ok, (performance.now() - started) / 1_000);
    }
  }

  function observed(run: Connection["query"]): Connection["query"] {
    return (statement) =>
      timed(
        fixedName(statement) ?? "composed",
        () => queryName(statement),
        () => run(statement),
      );
  }

  return {
    ...database,
    query: (statement: Statement, signal: AbortSignal) => observed((same) => database.query(same, signal))(statement),
    write: (statement: Statement, signal: AbortSignal) => observed((same) => database.write(same, signal))(statement),
    transaction: <T>(signal: AbortSignal, work: (connection: Connection) => Promise<T>) =>
      timed(
        "transaction",
        () => ({ name: "transaction", operation: "TRANSACTION" }),
        () => database.transaction(signal, (connection) => work({ query: observed(connection.query) })),
      ),
  };
}

/** Composed statements have numbers as names, which differ between servers. */
function fixedName({ name }: Statement): string | undefined {
  return name?.startsWith("shape ") ? undefined : name;
}

function queryName(statement: Statement): QueryName {
  const [word = ""] = /[a-z]+/i.exec(statement.text) ?? [];
  return { name: fixedName(statement), operation: word.toUpperCase() };
}
