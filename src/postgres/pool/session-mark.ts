import { randomBytes } from "node:crypto";
import type pg from "pg";
import { lostStatement, sqlState } from "./failures.ts";
import type { Statement } from "./prepared.ts";

/** The Postgres session that a connection had when it was prepared. */
type Session = {
  /** Not the process id from the protocol, because a pooler makes up its own. */
  readonly pid: number;
  /** A mark that is stored only in this session. */
  readonly mark: string;
};

/** The result of selectSession in the session that it reaches. */
type SessionRow = {
  readonly pid: number;
  readonly mark: string | null;
  readonly read_only: "on" | "off";
};

const markSetting = "authorization_service.session";

/** Thrown if a statement reaches another session than the one its connection was prepared in. */
export class SessionLost extends Error {
  override readonly name = "SessionLost";
}

/**
 * Marks a session and changes its settings, in one message so that both reach the same session. Resolves to whether it
 * was already marked, because another connection of this service uses it or did so before.
 */
export async function markSession(client: pg.ClientBase, settings = "select"): Promise<boolean> {
  const mark = randomBytes(6).toString("hex");
  const text = `${settings}; ${selectSession}; select set_config('${markSetting}', '${mark}', false)`;
  // Several statements have several results, which the driver's types don't cover.
  const results = (await client.query(text)) as unknown as pg.QueryResult<SessionRow>[];
  const found = results.at(-2)?.rows[0];
  if (found === undefined) throw new Error("Postgres did not return the process id of a session");
  sessions.set(client, { pid: found.pid, mark });
  return Boolean(found.mark);
}

/** Runs a prepared statement, like RPCs do. Throws SessionLost if that is missing, or the session is another one. */
export async function confirmSession(client: pg.ClientBase): Promise<SessionRow> {
  try {
    const { rows } = await client.query<SessionRow>({ name: "confirm session", text: selectSession });
    return requireSession(client, rows[0]);
  } catch (error) {
    throw lostStatement(error) ? statementLost(error) : error;
  }
}

/** Begins a transaction for confirmBegin. `show` costs a fifth of a `select`. */
export const begin: Statement = { text: `begin; show ${markSetting}`, values: [] };

/** Throws SessionLost unless the transaction began in the connection's own session. */
export async function confirmBegin(client: pg.ClientBase, begun: Promise<pg.QueryResultRow[]>): Promise<void> {
  try {
    const [row] = await begun;
    requireMark(client, row?.[markSetting]);
  } catch (error) {
    // A session that was never marked doesn't have this setting.
    throw sqlState(error) === "42704"
      ? new SessionLost("a connection moved to a session that the service had not prepared", { cause: error })
      : error;
  }
}

/** The error for a statement that is missing or already exists, because it was prepared in another session. */
export function statementLost(cause: unknown): SessionLost {
  return new SessionLost("a prepared statement was missing or already existed", { cause });
}

function requireSession(client: pg.ClientBase, found: SessionRow | undefined): SessionRow {
  const { pid } = sessionOf(client);
  if (found?.pid !== pid) throw new SessionLost(`a connection moved from session ${pid} to session ${found?.pid}`);
  requireMark(client, found.mark);
  return found;
}

function requireMark(client: pg.ClientBase, found: string | null | undefined): void {
  const { pid, mark } = sessionOf(client);
  if (found !== mark) throw new SessionLost(`session ${pid} was reset, or its connection moved to another one`);
}

export function sessionOf(client: pg.ClientBase): Session {
  const session = sessions.get(client);
  if (session === undefined) throw new Error("the session of a connection is not marked");
  return session;
}

const sessions = new WeakMap<pg.ClientBase, Session>();

const selectSession = `
  select pg_backend_pid() as pid, current_setting('${markSetting}', true) as mark,
    current_setting('transaction_read_only') as read_only`;
