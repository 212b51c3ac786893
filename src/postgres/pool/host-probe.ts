import pg from "pg";

/** What a host answers. */
export type HostState = {
  /** Whether it is a primary that accepts writes. */
  readonly isWritable: boolean;
  /** The timeline of a primary. It is higher after each promotion. */
  readonly timeline: number;
  /** The cluster, which is the same on a primary and its replicas. */
  readonly cluster: string;
};

export type HostProbe = ReturnType<typeof openProbe>;

/** How long a host may take to answer, in milliseconds. */
const patienceMs = 600;

/** A connection to one host, kept open to ask again. A pool opens another one once it breaks, or the host doesn't answer. */
export function openProbe(url: string) {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "authorization-service",
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    // A host that has hung doesn't close its connection.
    allowExitOnIdle: true,
  });
  pool.on("error", () => {});
  return {
    url,
    /** Undefined if it doesn't answer in time. */
    ask: async () => (await pool.query<HostState>(selectState).catch(() => undefined))?.rows[0],
    close: () => void pool.end(),
  };
}

const selectState = `
  select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as "isWritable",
    case when pg_is_in_recovery() then 0
      else ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer end as timeline,
    (select system_identifier::text from pg_control_system()) as cluster`;
