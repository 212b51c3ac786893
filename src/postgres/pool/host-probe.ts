import pg from "pg";
import { streamOf } from "./give-up.ts";

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

/** A connection to one host, kept open to ask again. */
export function openProbe(url: string) {
  let client: pg.Client | undefined;

  function close(): void {
    if (client !== undefined) streamOf(client).destroy();
    client = undefined;
  }

  async function connect(): Promise<pg.Client> {
    const connecting = new pg.Client({
      connectionString: url,
      application_name: "authorization-service",
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
    });
    client = connecting;
    connecting.on("error", () => {});
    await connecting.connect();
    return connecting;
  }

  return {
    url,
    /** Undefined if it doesn't answer in time. */
    async ask(): Promise<HostState | undefined> {
      try {
        const { rows } = await (client ?? (await connect())).query<HostState>(selectState);
        return rows[0];
      } catch {
        close();
        return undefined;
      }
    },
    close,
  };
}

const selectState = `
  select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as "isWritable",
    case when pg_is_in_recovery() then 0
      else ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer end as timeline,
    (select system_identifier::text from pg_control_system()) as cluster`;
