import pg from "pg";
import { Refusal } from "../../authorization/refusal.ts";

/** Thrown if connections don't have sessions of their own, so the service can't work. The message says what to do. */
export class NoOwnSessions extends Error {
  override readonly name = "NoOwnSessions";
}

/** A prepared statement is missing, or exists already, as behind a pooler that shares sessions. */
const lostStatementStates = ["26000", "42P05"];

/** SQLSTATE classes and codes that mean that the server can't serve anyone at the moment. */
const unavailableStates = [
  "08", // connection exceptions
  "25006", // read-only, as after a fail-over
  ...lostStatementStates,
  "28", // the credentials of this service are not accepted
  "3D000", // no such database
  "53", // out of connections, memory or disk
  "57", // shutting down, starting up, or cancelled by an operator
  "58", // failures outside of Postgres itself
];

const unreachableCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ECONNABORTED",
  "EAGAIN", // the queue of a Unix socket is full
  "EMFILE", // this process has no file descriptor left for a connection
  "ENFILE",
]);

/** TLS errors for a server that can't prove that it is the one in DATABASE_URL. */
const untrustedCode = /^ERR_(TLS|SSL)_|CERT|^UNABLE_TO_|^INVALID_(CA|PURPOSE)$|^HOSTNAME_MISMATCH$|^EPROTO$/;

/** Errors for which the driver has no code. */
const brokenConnection = /^Connection terminated|^Client has encountered a connection error|SSL connections?$/;

/** Turns errors of a dead, full or read-only Postgres into DATABASE_UNAVAILABLE. Returns other errors unchanged. */
export function asRefusal(error: unknown): unknown {
  return isUnavailable(error) ? unavailable(error) : error;
}

export function unavailable(cause: unknown): Refusal {
  return new Refusal("DATABASE_UNAVAILABLE", "the database can't be reached; try again", {}, { cause });
}

/**
 * Whether the connection is lost together with its statement, for example because Postgres stopped or an operator ended
 * the session. After a cancelled or failed statement, the connection still works.
 */
export function brokeConnection(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined ? isUnavailable(error) : state.startsWith("57P") || state.startsWith("08");
}

/** Whether a prepared statement is missing where it was prepared, or exists where it never was. */
export function lostStatement(error: unknown): boolean {
  return lostStatementStates.includes(sqlState(error) ?? "");
}

/** The SQLSTATE of an error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return unavailableStates.some((prefix) => state.startsWith(prefix));
  if (!(error instanceof Error)) return false;
  if (error instanceof NoOwnSessions) return true;
  // Node throws one AggregateError for a host with several addresses.
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  const code = "code" in error ? String(error.code) : "";
  return unreachableCodes.has(code) || untrustedCode.test(code) || brokenConnection.test(error.message);
}
