import type pg from "pg";
import { withClient } from "../../test/support/with-client.ts";

/** A table with its indexes. */
export type TableSize = {
  readonly table: string;
  readonly rows: number;
  /** With what is kept out of line, and without indexes. */
  readonly bytes: number;
  readonly indexes: readonly { readonly index: string; readonly bytes: number }[];
};

/** The product's tables. Partitions count for their table. */
export function readSizes(world: pg.ClientConfig): Promise<TableSize[]> {
  return withClient(world, async (client) => (await client.query<TableSize>(selectSizes)).rows);
}

const selectSizes = `
  with relations as (
    select c.oid, coalesce(pg_partition_root(c.oid), c.oid) as root, greatest(c.reltuples, 0) as rows,
      pg_table_size(c.oid) as bytes
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  ), indexes as (
    select r.root, coalesce(pg_partition_root(i.indexrelid), i.indexrelid)::regclass::text as index,
      sum(pg_relation_size(i.indexrelid))::float8 as bytes
    from relations r join pg_index i on i.indrelid = r.oid
    group by 1, 2
  )
  select t.root::regclass::text as table,
    -- A partitioned table counts the rows of its partitions, too.
    (sum(t.rows) filter (where t.oid <> t.root or not exists (select from pg_inherits where inhparent = t.root)))::float8 as rows,
    sum(t.bytes)::float8 as bytes,
    (select coalesce(json_agg(json_build_object('index', i.index, 'bytes', i.bytes) order by i.bytes desc), '[]')
      from indexes i where i.root = t.root) as indexes
  from relations t
  group by t.root
  order by 3 desc`;
