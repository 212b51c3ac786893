import { nobody } from "../../src/embedded/home.ts";

const isRoot = process.getuid?.() === 0;

/** The account of Patroni, etcd and PostgreSQL: `nobody` for root, because Postgres refuses to run as root. */
export const account = isRoot ? { uid: nobody, gid: nobody } : undefined;

/** A command as that account, without privileges. */
export function asAccount(...command: readonly string[]): string[] {
  if (account === undefined) return [...command];
  const { uid, gid } = account;
  return ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--no-new-privs", ...command];
}
