import pg from "pg";
import { Refusal } from "../../authorization/refusal.ts";

/** SQLSTATE classes and codes that say the server cannot serve anybody at the moment. */
const unavailableStates = [
  "08", // connection exceptions
  "25006", // read-only, as after a fail-over
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
  "EAGAIN", // so many wait to connect to a Unix socket that the next one cannot
  "EMFILE", // this process has no file descriptor left for a connection
  "ENFILE",
]);

/** What TLS says of a server that does not prove to be the one that DATABASE_URL names. */
const untrustedCode = /^ERR_(TLS|SSL)_|CERT|^UNABLE_TO_|^INVALID_(CA|PURPOSE)$|^HOSTNAME_MISMATCH$|^EPROTO$/;

/** The driver gives these no code. */
const brokenConnection = /^Connection terminated|^Client has encountered a connection error|SSL connections?$/;

/** Turns what a dead, full or read-only Postgres throws into DATABASE_UNAVAILABLE, and leaves all else as it is. */
export function asRefusal(error: unknown): unknown {
  return isUnavailable(error) ? unavailable(error) : error;
}

export function unavailable(cause: unknown): Refusal {
  return new Refusal("DATABASE_UNAVAILABLE", "the database can't be reached; try again", {}, { cause });
}

/**
 * Whether the connection is gone with whatever ran on it, as when Postgres stops or an operator ends the session. A
 * statement that was cancelled alone, and one that failed, keep theirs.
 */
export function brokeConnection(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined ? isUnavailable(error) : state.startsWith("57P") || state.startsWith("08");
}

/** Whether a prepared statement is not where it was prepared, or one of its name is where it never was. */
export function lostStatement(error: unknown): boolean {
  return ["26000", "42P05"].includes(sqlState(error) ?? "");
}

/** The SQLSTATE of an error, for callers that expect a certain one. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return unavailableStates.some((prefix) => state.startsWith(prefix));
  if (!(error instanceof Error)) return false;
  // Node gives one AggregateError for a host with several addresses.
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  const code = "code" in error ? String(error.code) : "";
  return unreachableCodes.has(code) || untrustedCode.test(code) || brokenConnection.test(error.message);
}
