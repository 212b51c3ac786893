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

/** The product's tables. */
export function readSizes(world: pg.ClientConfig): Promise<TableSize[]> {
  return withClient(world, async (client) => (await client.query<TableSize>(selectSizes)).rows);
}

const selectSizes = `
  select c.oid::regclass::text as table, greatest(c.reltuples, 0)::float8 as rows, pg_table_size(c.oid)::float8 as bytes,
    (
      select coalesce(json_agg(json_build_object('index', i.index, 'bytes', i.bytes) order by i.bytes desc), '[]')
      from (
        select indexrelid::regclass::text as index, pg_relation_size(indexrelid)::float8 as bytes
        from pg_index where indrelid = c.oid) i) as indexes
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  order by 3 desc`;
