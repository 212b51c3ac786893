// Describes the schema that the migrations create in an empty database, read from Postgres' own catalogs.
//
//   node scripts/describe-schema.ts           writes docs/schema.txt
//   node scripts/describe-schema.ts --check   fails if that file is out of date

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openEmbeddedPostgres } from "../src/embedded/embedded-postgres.ts";
import { migrate } from "../src/postgres/migrations/migrations.ts";

const file = join(import.meta.dirname, "../docs/schema.txt");

async function onFreshDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "authorization-schema-"));
  const postgres = await openEmbeddedPostgres({
    dataDirectory,
    owner: { kind: "command", name: "describe-schema" },
    settings: { fsync: "off" },
    say: console.error,
  });
  const connection = { host: postgres.socketDirectory, port: postgres.port, user: "postgres", database: "postgres" };
  try {
    await migrate(connection);
    const client = new pg.Client(connection);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } finally {
    await postgres.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

async function describe(client: pg.Client): Promise<string> {
  const lines: string[] = [];
  for (const [title, query] of Object.entries(catalogs)) {
    const { rows } = await client.query<{ line: string }>(query);
    lines.push(`-- ${title}`, ...rows.map((row) => row.line.trim()).sort(), "");
  }
  return lines.join("\n");
}

const ours = "n.nspname = 'public'";

const catalogs = {
  extensions: "select extname as line from pg_extension",
  "domains and enums": `
    select line from (
      select format('domain %s: %s collate %s %s', t.typname, format_type(t.typbasetype, t.typtypmod), l.collname,
        (select string_agg(pg_get_constraintdef(c.oid), ' ' order by c.conname) from pg_constraint c where c.contypid = t.oid)) as line
      from pg_type t join pg_namespace n on n.oid = t.typnamespace left join pg_collation l on l.oid = t.typcollation
      where ${ours} and t.typtype = 'd'
      union all
      select format('enum %s: %s', t.typname, string_agg(e.enumlabel, ', ' order by e.enumsortorder))
      from pg_type t join pg_namespace n on n.oid = t.typnamespace join pg_enum e on e.enumtypid = t.oid
      where ${ours}
      group by t.typname) described`,
  columns: `
    select format('%s %s %s %s%s%s%s', c.relname, to_char(a.attnum, 'FM00'), a.attname, format_type(a.atttypid, a.atttypmod),
      ' collate ' || l.collname,
      case when a.attnotnull then ' not null' end,
      case when a.attidentity <> '' then ' identity'
        when a.attgenerated <> '' then ' generated ' || pg_get_expr(d.adbin, d.adrelid)
        when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) end) as line
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    left join pg_collation l on l.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where ${ours} and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
  constraints: `
    select format('%s: %s', c.relname, pg_get_constraintdef(k.oid)) as line
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where ${ours} and k.contype in ('p', 'u', 'f', 'c', 'x')`,
  indexes: `
    select pg_get_indexdef(i.indexrelid) as line
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
    where ${ours}`,
  statistics: `
    select pg_get_statisticsobjdef(s.oid) as line
    from pg_statistic_ext s join pg_class c on c.oid = s.stxrelid join pg_namespace n on n.oid = c.relnamespace
    where ${ours}`,
  "functions and triggers": `
    select line from (
      select pg_get_functiondef(p.oid) as line from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where ${ours} and not exists (
        select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      union all
      select pg_get_triggerdef(t.oid) from pg_trigger t
      join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where ${ours} and not t.tgisinternal) described`,
};

const description = await onFreshDatabase(describe);
if (process.argv.includes("--check")) {
  if ((await readFile(file, "utf8").catch(() => "")) !== description) {
    console.log("docs/schema.txt does not describe the schema the migrations make: run `npm run describe:schema`.");
    process.exitCode = 1;
  }
} else {
  await writeFile(file, description);
}
