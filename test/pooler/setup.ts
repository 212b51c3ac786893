import { findPgBouncer } from "./pgbouncer.ts";

/** Fails before anything is started when there is no PgBouncer. */
export function setup(): void {
  findPgBouncer();
}
