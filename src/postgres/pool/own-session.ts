import { randomBytes } from "node:crypto";
import type pg from "pg";
import { NoOwnSessions } from "./failures.ts";
import type { Statement } from "./prepared.ts";

/** The session that a statement reaches. */
export type FoundSession = {
  /** Not the process id from the protocol, because a pooler makes up its own. */
  readonly pid: number;
  /** When the session began. With the process id, it identifies the session, also after a fail-over. */
  readonly startedAt: string;
  /** A mark that is stored only in this session. */
  readonly mark: string | null;
  readonly isReadOnly: boolean;
};

/** The Postgres session that a connection had when it was new. */
type Session = Omit<FoundSession, "isReadOnly">;

const markSetting = "authorization_service.session";

const selectFound = `
  select pg_backend_pid() as pid, current_setting('${markSetting}', true) as mark,
    (select backend_start::text from pg_stat_get_activity(pg_backend_pid())) as "startedAt",
    current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

/** Finds the session of a connection. It is prepared, as the statements of RPCs are. */
export const selectSession: Statement = { name: "own session", text: selectFound, values: [] };

/**
 * Changes the settings of a new connection's session, and checks that the connection keeps it: it is no session that this
 * service already uses, and two messages reach the same one. Throws NoOwnSessions if a pooler shares it.
 */
export async function takeSession(client: pg.ClientBase, settings = "select"): Promise<FoundSession> {
  const mark = randomBytes(6).toString("hex");
  // One message, so that all of it reaches the same session.
  const text = `${settings}; ${selectFound}; select set_config('${markSetting}', '${mark}', false)`;
  // Several statements have several results, which the driver's types don't cover.
  const results = (await client.query(text)) as unknown as pg.QueryResult<FoundSession>[];
  const found = results.at(-2)?.rows[0];
  if (found === undefined) throw new Error("Postgres did not return the process id of a session");
  if (found.mark) throw sharing("a new connection got a session that was in use before");
  sessions.set(client, { pid: found.pid, startedAt: found.startedAt, mark });
  const { rows } = await client.query<FoundSession>(selectSession);
  return requireOwn(client, rows[0]);
}

/** Throws NoOwnSessions unless it is the session that the connection had when it was new. */
export function requireOwn(client: pg.ClientBase, found: FoundSession | undefined): FoundSession {
  const { pid, mark } = sessionOf(client);
  if (found?.mark === mark) return found;
  throw sharing(`a connection moved from session ${pid} to session ${found?.pid}, or its session was reset`);
}

export function sessionOf(client: pg.ClientBase): Session {
  const session = sessions.get(client);
  if (session === undefined) throw new Error("the session of a connection is unknown");
  return session;
}

const sessions = new WeakMap<pg.ClientBase, Session>();

/** The error for a pooler that shares sessions, with what to do. */
export function sharing(how: string, cause?: unknown): NoOwnSessions {
  const what = `A connection pooler shares Postgres sessions among its clients (${how})`;
  return new NoOwnSessions(`${what}, and ${whatToDo}`, { cause });
}

const whatToDo =
  "the service needs its own. Connect to Postgres directly, or set the pooler to session mode (PgBouncer: pool_mode = " +
  "session, with its default server_reset_query)";
