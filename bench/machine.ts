import { execFileSync } from "node:child_process";
import { cpus, loadavg, totalmem } from "node:os";
import type pg from "pg";
import { withClient } from "../test/support/with-client.ts";

/** What others did on it before the run is part of it: on a busy machine even ratios waver. */
const loadBefore = loadavg()[0]?.toFixed(1);

export function describeMachine(): string {
  const [cpu] = cpus();
  return `${cpus().length} cores (${cpu?.model.trim() || process.arch}), ${Math.round(totalmem() / 1024 ** 3)} GiB of memory, load average ${loadBefore} before the run`;
}

/** The commit, and whether the files are any other than it says. */
export function currentCommit(): string {
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: import.meta.dirname,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  try {
    const changed = git("status", "--porcelain", "--untracked-files=no", "..", ":!results", ":!RESULTS.md");
    return `${git("rev-parse", "--short", "HEAD")}${changed === "" ? "" : " with changes"}`;
  } catch {
    return "unknown";
  }
}

export async function describeWorld(connection: pg.ClientConfig): Promise<string> {
  const { rows } = await withClient(connection, (client) => client.query<{ text: string }>(selectWorld));
  return rows[0]?.text ?? "";
}

const selectWorld = `
  select format('%s authorizations with %s roles, %s users, %s organizations (the largest with %s, half of them with %s at most), %s projects, %s grants; %s on disk, the rival''s part %s',
    (select count(*) from authorizations), (select count(*) from authorization_roles), (select count(*) from users),
    (select count(*) from organizations), (select max(row_count) from bench.organizations),
    (select percentile_disc(0.5) within group (order by row_count) from bench.organizations),
    (select count(*) from projects), (select count(*) from project_grants),
    pg_size_pretty(pg_database_size(current_database())),
    pg_size_pretty(sum(pg_total_relation_size(c.oid)))) as text
  from pg_class c
  where c.relnamespace = 'rival'::regnamespace and c.relkind = 'r'`;
